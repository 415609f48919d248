import { Patience, Progress } from "../metrics/progress.ts";
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
 * One that says nothing for `hangMsMax`, or makes no progress for `stuckMsMax`, is taken for dead. Owned by
 * app.ts.
 */

export interface NotifierOptions extends NotifyThreadOptions {
  log?: (level: LogLevel, fields: Record<string, unknown>, message: string) => void;
  /** Time without a word after which the thread counts as hung, once it has said one. */
  hangMsMax?: number;
  /** Time without progress (protocol.ts) after which the thread counts as stuck. */
  stuckMsMax?: number;
  /** Module of the thread; worker.ts by default. */
  workerModule?: string;
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
/** It says something every second. */
const HANG_MS_MAX = 10_000;
/**
 * A look for what is due, and the upkeep behind it, waits for PostgreSQL, for a connection of 5 s at most, or
 * for the next second. Where none of these goes on for so long, it waits for a promise that nobody keeps.
 */
const STUCK_MS_MAX = 60_000;
const WATCH_EVERY_MS_MAX = 1_000;
/** A thread that does not answer in this time is ended without its consent. */
const STOP_TIMEOUT_MS = 5_000;

export function startNotifier({
  log = () => {},
  hangMsMax = HANG_MS_MAX,
  stuckMsMax = STUCK_MS_MAX,
  workerModule = new URL("./worker.ts", import.meta.url).href,
  ...options
}: NotifierOptions): Notifier {
  let thread: Worker | null = null;
  let startedMs = 0;
  let phase: "running" | "draining" | "stopped" = "running";
  let restarts = 0;
  let restartDelayMs = RESTART_DELAY_MS_MIN;
  let restartTimer: ReturnType<typeof setTimeout> | null = null;
  /** Of threads that are gone. */
  let before: DeliveryCounters = emptyCounters();
  let current: DeliveryMetrics = noMetrics();
  /** Of the present thread. */
  let words = 0;
  let progress = 0;
  const patience = new Patience(hangMsMax);
  const watchEveryMs = Math.min(WATCH_EVERY_MS_MAX, hangMsMax / 4, stuckMsMax / 4);
  let speaking = new Progress(watchEveryMs);
  let looking = new Progress(watchEveryMs);
  const waiting: Record<"drained" | "stopped", (() => void)[]> = { drained: [], stopped: [] };

  function startThread(): void {
    const started = new Worker(workerModule, { name: "notify" });
    startedMs = performance.now();
    thread = started;
    words = 0;
    progress = 0;
    speaking = new Progress(watchEveryMs);
    looking = new Progress(watchEveryMs);
    started.onmessage = ({ data }: MessageEvent<FromThread>) => {
      if (thread === started) hear(data);
    };
    started.onerror = (event) => {
      event.preventDefault();
      log("error", { error: event.message }, "notify: the thread failed");
      started.terminate();
    };
    started.addEventListener("close", () => {
      if (thread === started) onDeath("died");
    });
    send(started, { type: "start", options });
  }

  function hear(message: FromThread): void {
    words += 1;
    if (message.type === "metrics") {
      current = message.metrics;
      progress = message.progress;
    } else if (message.type === "log") log(message.level, message.fields, message.message);
    else release(message.type);
  }

  function release(what: "drained" | "stopped"): void {
    for (const resolve of waiting[what].splice(0)) resolve();
  }

  function watch(): void {
    if (thread === null) return;
    const silentMs = speaking.look(words);
    const stuckMs = looking.look(progress);
    const isHung = patience.isOver(words, silentMs);
    if (!isHung && (words === 0 || stuckMs < stuckMsMax)) return;
    const gone = thread;
    onDeath(isHung ? "hangs" : "is stuck in a look for what is due");
    gone.terminate();
  }

  function onDeath(how: string): void {
    const livedMs = performance.now() - startedMs;
    thread = null;
    before = addCounters(before, current);
    current = { ...noMetrics(), backlog: current.backlog };
    release("drained");
    release("stopped");
    if (phase !== "running") return;
    restarts += 1;
    if (livedMs > HEALTHY_AFTER_MS) restartDelayMs = RESTART_DELAY_MS_MIN;
    const fields = { restart_in_ms: restartDelayMs };
    log("error", fields, `notify: the thread ${how} and will be started again`);
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
  const watching = setInterval(watch, watchEveryMs);
  watching.unref();

  return {
    async drain() {
      if (phase === "running") noLongerRunning("draining");
      await ask("drained", { type: "drain" });
    },
    async stop() {
      noLongerRunning("stopped");
      clearInterval(watching);
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
