import { pino } from "pino";
import { watchSilence } from "../store/database/silent-connections.ts";
import { type HttpThread, startHttpThread } from "./http-thread.ts";
import type { FromWorker, ToWorker, WorkerStart } from "./http-worker-handle.ts";

/** Entry of an HTTP worker thread: one whole HTTP thread, told what to do by src/http-thread/http-worker-handle.ts. */

declare const self: Worker;

const send = (message: FromWorker) => self.postMessage(message);
/** Questions to the main thread that are not answered yet. */
const metricsWaiting = new Map<number, (text: string) => void>();
const dashboardWaiting = new Map<number, (isReady: boolean) => void>();
let questions = 0;
let thread: HttpThread | undefined;

self.onmessage = async ({ data }: MessageEvent<ToWorker>) => {
  switch (data.kind) {
    case "start":
      return await start(data.options);
    case "metrics":
      metricsWaiting.get(data.id)?.(data.text);
      metricsWaiting.delete(data.id);
      return;
    case "dashboard":
      dashboardWaiting.get(data.id)?.(data.isReady);
      dashboardWaiting.delete(data.id);
      return;
    case "drain":
      await thread?.drain();
      return send({ kind: "drained" });
  }
};

async function start({ dashboardSocket, ...options }: WorkerStart): Promise<void> {
  const log = pino({ level: options.config.logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime });
  try {
    thread = await startHttpThread({
      ...options,
      log,
      exposeMetrics: () =>
        new Promise((resolve) => {
          metricsWaiting.set(++questions, resolve);
          send({ kind: "expose_metrics", id: questions });
        }),
      onSilenceOver: (silentMs) => send({ kind: "silence_over", silentMs }),
      dashboard:
        dashboardSocket === undefined
          ? undefined
          : {
              socketPath: dashboardSocket,
              ready: () =>
                new Promise((resolve) => {
                  dashboardWaiting.set(++questions, resolve);
                  send({ kind: "need_dashboard", id: questions });
                }),
            },
    });
    watchSilence({ url: options.databaseUrl, warn: (message, fields) => log.warn(fields, message) });
    send({ kind: "listening", port: thread.port });
  } catch (error) {
    const code =
      error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
    send({ kind: "failed", reason: error instanceof Error ? error.message : String(error), code });
  }
}
