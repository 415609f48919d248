import {
  addCounters,
  type DeliveryCounters,
  type DeliveryMetrics,
  emptyCounters,
} from "./delivery-metrics.ts";
import type { FromThread, LogLevel, NotifyThreadOptions, ToThread } from "./protocol.ts";

/**
 * The main side of the notify thread. Invariant: while not stopped there is a thread, or one is about to be
 * started; its death costs the attempts under way, which the database hands out again when their leases end.
 * Owned by app.ts.
 */

export interface NotifierOptions extends NotifyThreadOptions {
  log?: (level: LogLevel, fields: Record<string, unknown>, message: string) => void;
}

export interface NotifierMetrics extends DeliveryMetrics {
  threadRestarts: number;
}

export interface Notifier {
  /**
   * Claims nothing more; resolves when what is under way has ended, which takes one attempt's timeout at
   * most.
   */
  drain(): Promise<void>;
  /** Breaks off what is under way and ends the thread. */
  stop(): Promise<void>;
  /** Closes the thread's connections to PostgreSQL that were not heard for so long. */
  closeSilent(silentMs: number): void;
  /** At most a second old. */
  metrics(): NotifierMetrics;
}

const RESTART_DELAY_MS_MIN = 500;
const RESTART_DELAY_MS_MAX = 30_000;
/** A thread that lived this long was a healthy one: the next restart is quick again. */
const HEALTHY_AFTER_MS = 60_000;
/** A thread that does not answer in this time is ended without its consent. */
const STOP_TIMEOUT_MS = 5_000;

export function startNotifier({ log = () => {}, ...options }: NotifierOptions): Notifier {
  let thread: Worker | null = null;
  let phase: "running" | "draining" | "stopped" = "running";
  let restarts = 0;
  let restartDelayMs = RESTART_DELAY_MS_MIN;
  let restartTimer: ReturnType<typeof setTimeout> | null = null;
  /** Of threads that are gone. */
  let before: DeliveryCounters = emptyCounters();
  let current: DeliveryMetrics = noMetrics();
  const waiting: Record<"drained" | "stopped", (() => void)[]> = { drained: [], stopped: [] };

  function startThread(): void {
    const started = new Worker(new URL("./worker.ts", import.meta.url).href, { name: "notify" });
    const startedMs = performance.now();
    thread = started;
    started.onmessage = ({ data }: MessageEvent<FromThread>) => hear(data);
    started.onerror = (event) => {
      event.preventDefault();
      log("error", { error: event.message }, "notify: the thread failed");
      started.terminate();
    };
    started.addEventListener("close", () => {
      if (thread === started) onDeath(performance.now() - startedMs);
    });
    send(started, { type: "start", options });
  }

  function hear(message: FromThread): void {
    if (message.type === "metrics") current = message.metrics;
    else if (message.type === "log") log(message.level, message.fields, message.message);
    else release(message.type);
  }

  function release(what: "drained" | "stopped"): void {
    for (const resolve of waiting[what].splice(0)) resolve();
  }

  function onDeath(livedMs: number): void {
    thread = null;
    before = addCounters(before, current);
    current = { ...noMetrics(), backlog: current.backlog };
    release("drained");
    release("stopped");
    if (phase !== "running") return;
    restarts += 1;
    if (livedMs > HEALTHY_AFTER_MS) restartDelayMs = RESTART_DELAY_MS_MIN;
    log("error", { restart_in_ms: restartDelayMs }, "notify: the thread died and will be started again");
    restartTimer = setTimeout(startThread, restartDelayMs);
    restartDelayMs = Math.min(restartDelayMs * 2, RESTART_DELAY_MS_MAX);
  }

  function ask(what: "drained" | "stopped", message: ToThread): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (thread === null) return Promise.resolve();
    waiting[what].push(resolve);
    send(thread, message);
    return promise;
  }

  function noLongerRunning(next: "draining" | "stopped"): void {
    phase = next;
    if (restartTimer !== null) clearTimeout(restartTimer);
  }

  startThread();

  return {
    async drain() {
      if (phase === "running") noLongerRunning("draining");
      await ask("drained", { type: "drain" });
    },
    async stop() {
      noLongerRunning("stopped");
      // Its death by the timer answers the question just as well.
      const timer = setTimeout(() => thread?.terminate(), STOP_TIMEOUT_MS);
      await ask("stopped", { type: "stop" });
      clearTimeout(timer);
      thread?.terminate();
    },
    closeSilent(silentMs) {
      if (thread !== null) send(thread, { type: "close_silent", silentMs });
    },
    metrics: () => ({ ...current, ...addCounters(before, current), threadRestarts: restarts }),
  };
}

function send(thread: Worker, message: ToThread): void {
  thread.postMessage(message);
}

function noMetrics(): DeliveryMetrics {
  return { ...emptyCounters(), inFlight: 0, backlog: { owed: 0, due: 0, oldestDueMs: null } };
}
