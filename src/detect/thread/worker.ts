import { parentPort, workerData } from "node:worker_threads";
import { watchSilence } from "../../store/database/silent-connections.ts";
import type { DetectionSql } from "../../store/detection/detection-session.ts";
import type { OweOccurrence } from "../../store/groups/failure-groups.ts";
import type { Detector } from "../detector.ts";
import { wordIndex } from "../text/languages/word-index.ts";
import { textTables } from "../text/scan/scan-text.ts";
import { DetectionLoop } from "./loop.ts";
import { failureOf, isOfDetector } from "./thread-failure.ts";
import { lowerOwnPriority } from "./thread-priority.ts";
import type { FromWorker, ToWorker, WorkerOptions } from "./worker-messages.ts";

/** Entry of the detection thread: loads the detectors and the outbox, runs the loop, passes messages. */

/** A tenth of an ordinary thread's weight: enough to go on when processors are short for long. */
const DETECTION_NICE = 10;
lowerOwnPriority(DETECTION_NICE);

const options: WorkerOptions = workerData;
const port = parentPort;
if (port === null) throw new Error("worker.ts is the entry of a worker thread");
const send = (message: FromWorker) => port.postMessage(message);

// Built now rather than while the first events wait for them.
textTables();
wordIndex();

const registry: { DETECTORS: readonly Detector[] } = await import(options.detectorsModule);
const outbox: { oweOccurrence: (appUrl: string) => OweOccurrence<DetectionSql> } = await import(
  options.outboxModule
);

const loop = new DetectionLoop({
  options,
  detectors: registry.DETECTORS,
  owe: outbox.oweOccurrence(options.appUrl),
  tell: (level, message, fields) => send({ kind: "log", level, message, fields }),
});

const silence = watchSilence({
  url: options.databaseUrl,
  warn: (message, connections) => send({ kind: "log", level: "warn", message, fields: { ...connections } }),
});

const reporting = setInterval(
  () => send({ kind: "metrics", metrics: loop.metrics() }),
  options.reportEveryMs,
);

port.on("message", async (message: ToWorker) => {
  if (message.kind === "close_silent") loop.closeSilent(message.silentMs);
  else if (message.kind === "drain") {
    await loop.drain();
    send({ kind: "metrics", metrics: loop.metrics() });
    send({ kind: "drained", id: message.id });
  } else {
    clearInterval(reporting);
    await loop.stop();
    silence.stop();
    send({ kind: "metrics", metrics: loop.metrics() });
    send({ kind: "stopped" });
    port.close();
  }
});

/**
 * A promise that a detector rejects or a timer of its own that throws costs nobody anything: detectors are
 * synchronous. Any other failure that nobody waited for ends the thread, as nobody knows what it left undone.
 */
const stray = (error: unknown) => {
  if (isOfDetector(error)) return loop.noteStrayError(error);
  send({ kind: "log", level: "error", message: "the detection thread failed", fields: failureOf(error) });
  process.exit(1);
};
process.on("unhandledRejection", stray);
process.on("uncaughtException", stray);

await loop.run();
