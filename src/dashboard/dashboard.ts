import { join } from "node:path";
import { Patience, Progress } from "../metrics/progress.ts";
import type { DashboardOptions, FromThread, ToThread } from "./protocol.ts";
import { takeSocketDirectory } from "./socket-directory.ts";

/**
 * The main side of the dashboard's thread. It is started by the first request for it, so that a service
 * nobody looks at pays nothing. Invariants: its death costs the requests under way and nothing else of the
 * service; a thread that dies is started again, by the next request, after a pause that grows while it keeps
 * dying. One that says nothing for `hangMsMax` is ended. Owned by app.ts.
 */

export interface Dashboard {
  /** Where its thread takes HTTP requests: a UNIX socket in a directory of this process's user alone. */
  readonly socketPath: string;
  /** Starts the thread if need be; false when it does not listen in time, or died a moment ago. */
  ready(): Promise<boolean>;
  restarts(): number;
  /** Closes the thread's connections to PostgreSQL that were not heard for so long. */
  closeSilent(silentMs: number): void;
  stop(): Promise<void>;
}

type Log = (level: "info" | "warn" | "error", fields: Record<string, unknown>, message: string) => void;

const START_TIMEOUT_MS = 15_000;
const RESTART_PAUSE_MS_MIN = 250;
const RESTART_PAUSE_MS_MAX = 15_000;
/** A thread that lived this long was a healthy one: the next restart is quick again. */
const HEALTHY_AFTER_MS = 60_000;
const STOP_TIMEOUT_MS = 2_000;
/** By then whoever asked has been told that there is no answer (forward.ts). */
const HANG_MS_MAX = 30_000;
const WATCH_EVERY_MS_MAX = 1_000;

export function startDashboard(
  options: DashboardOptions & {
    readonly log: Log;
    readonly clock?: () => number;
    readonly startTimeoutMs?: number;
    /** Time without a word after which the thread counts as hung. */
    readonly hangMsMax?: number;
  },
): Dashboard {
  const {
    log,
    clock = () => performance.now(),
    startTimeoutMs = START_TIMEOUT_MS,
    hangMsMax = HANG_MS_MAX,
    ...threadOptions
  } = options;
  const directory = takeSocketDirectory();
  const socketPath = join(directory.path, "http.sock");
  let thread: Worker | null = null;
  let listening: Promise<boolean> | null = null;
  let stopped: (() => void) | null = null;
  let isStopping = false;
  let restarts = 0;
  let pauseMs = RESTART_PAUSE_MS_MIN;
  let notBeforeMs = 0;
  const patience = new Patience(hangMsMax);

  function startThread(): Promise<boolean> {
    const ready = Promise.withResolvers<boolean>();
    const started = new Worker(new URL("./worker.ts", import.meta.url).href, { name: "dashboard" });
    const startedMs = clock();
    thread = started;
    listening = ready.promise;
    const late = setTimeout(() => ready.resolve(false), startTimeoutMs);
    let words = 0;
    const watchEveryMs = Math.min(WATCH_EVERY_MS_MAX, hangMsMax / 4);
    const speaking = new Progress(watchEveryMs);
    const watching = setInterval(() => {
      const silentMs = speaking.look(words);
      if (!patience.isOver(words, silentMs)) return;
      clearInterval(watching);
      log("error", { silent_ms: Math.round(silentMs) }, "dashboard: the thread hangs and is ended");
      started.terminate();
    }, watchEveryMs);
    watching.unref();
    started.onmessage = ({ data }: MessageEvent<FromThread>) => {
      words += 1;
      if (data.kind === "listening") {
        clearTimeout(late);
        ready.resolve(true);
        // One that was late is there all the same.
        if (thread === started) listening = Promise.resolve(true);
        log("info", { ms: Math.round(clock() - startedMs) }, "dashboard: listening");
      } else if (data.kind === "stopped") stopped?.();
      else if (data.kind === "alive") return;
      else if (data.kind === "warning") log("warn", {}, `dashboard: ${data.message}`);
      else {
        log("error", { reason: data.reason }, "dashboard: the thread could not start");
        started.terminate();
      }
    };
    started.onerror = (event) => {
      event.preventDefault();
      log("error", { error: event.message }, "dashboard: the thread failed");
      started.terminate();
    };
    started.addEventListener("close", () => {
      clearTimeout(late);
      clearInterval(watching);
      ready.resolve(false);
      if (thread === started) onDeath(clock() - startedMs);
    });
    send(started, { kind: "start", options: threadOptions, socketPath });
    return ready.promise;
  }

  function onDeath(livedMs: number): void {
    thread = null;
    listening = null;
    stopped?.();
    if (isStopping) return;
    restarts += 1;
    if (livedMs > HEALTHY_AFTER_MS) pauseMs = RESTART_PAUSE_MS_MIN;
    notBeforeMs = clock() + pauseMs;
    log("error", { pause_ms: pauseMs }, "dashboard: the thread died; the next request starts it again");
    pauseMs = Math.min(pauseMs * 2, RESTART_PAUSE_MS_MAX);
  }

  return {
    socketPath,
    async ready() {
      if (isStopping) return false;
      if (listening !== null) return await listening;
      return clock() < notBeforeMs ? false : await startThread();
    },
    restarts: () => restarts,
    closeSilent(silentMs) {
      if (thread !== null) send(thread, { kind: "close_silent", silentMs });
    },
    async stop() {
      isStopping = true;
      if (thread !== null) {
        const { promise, resolve } = Promise.withResolvers<void>();
        stopped = resolve;
        send(thread, { kind: "stop" });
        await Promise.race([promise, Bun.sleep(STOP_TIMEOUT_MS)]);
        thread?.terminate();
      }
      directory.remove();
    },
  };
}

function send(thread: Worker, message: ToThread): void {
  thread.postMessage(message);
}
