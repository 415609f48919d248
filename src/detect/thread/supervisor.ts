import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { Patience, Progress } from "../../metrics/progress.ts";
import { type ProjectShare, SLOTS, slotsOf } from "../../store/detection/project-share.ts";
import { Pulse } from "../engine/pulse.ts";
import { added, addedByClass, type CountsByClass, emptyCounts } from "../engine/stats.ts";
import { createBell, createHandover, droppedCountOf, type HandoverBuffers } from "../rows/handover.ts";
import { failureOf } from "./thread-failure.ts";
import type { EngineLimits, FromWorker, ToWorker, WorkerMetrics, WorkerOptions } from "./worker-messages.ts";

/**
 * The main thread's side of one detection thread: starts it, watches its pulse, and starts another when it
 * ends or hangs. A synchronous call cannot be interrupted from within, so a thread that shows no pulse for
 * `hangMsMax` is ended, and the next one learns in which call that was. Ingest neither waits for any of this
 * nor notices it: the rings belong to the supervisor and outlive the threads.
 */

export interface DetectionLog {
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
  error(fields: Record<string, unknown>, message: string): void;
}

export interface SupervisorOptions {
  readonly databaseUrl: string;
  readonly appUrl: string;
  /** One ring each. */
  readonly ingestThreads: number;
  readonly log: DetectionLog;
  /** Bytes of each ring. */
  readonly handoverBytes: number;
  /** Time without a pulse after which the thread counts as hung. */
  readonly hangMsMax?: number;
  /** Time for the first start of a thread, until its first beat. */
  readonly startMsMax?: number;
  /** How long a stop waits for a thread that does not answer. */
  readonly stopMsMax?: number;
  readonly limits?: Partial<EngineLimits>;
  readonly reportEveryMs?: number;
  /** Module that exports `DETECTORS`; the registry by default. */
  readonly detectorsModule?: string;
  /** Module that exports `oweOccurrence(appUrl)`; the table of deliveries by default. */
  readonly outboxModule?: string;
}

/** Everything for /metrics: counters since the start of the process, and gauges as last reported. */
export interface ThreadMetrics extends Omit<WorkerMetrics, "lagMs"> {
  /** Age of the oldest owed batch; while no thread reports it grows. */
  readonly lagMs: number;
  /** Of all projects, the share that is led here, 0 to 1. */
  readonly ledShare: number;
  readonly threadRestarts: number;
  readonly handoverDrops: number;
}

const HANG_MS_MAX = 10_000;
const REPORT_EVERY_MS = 1_000;
/** After that many missed reports the latest one is out of date. */
const REPORTS_MISSED = 3;
const RESTART_AFTER_MS = 200;
const STOP_MS_MAX = 15_000;

/**
 * Bun's option to collect garbage early: events are parsed and forgotten, and the heap would grow with the
 * machine's memory.
 */
const SMALL_HEAP = { smol: true };

export const LIMITS: EngineLimits = {
  executionsMax: 20_000,
  stateBytesMax: 48 << 20,
  packedStateBytesMax: 64 << 20,
  replayEventsMax: 1_000,
  budgetBaseMs: 50,
  budgetPerEventUs: 1_000,
  tickEveryMs: 10_000,
  cores: availableParallelism(),
  passedOverAfterMs: 300_000,
};

export class ThreadSupervisor {
  /** For the ingest threads, by index. */
  readonly handovers: readonly HandoverBuffers[];
  readonly #options: SupervisorOptions;
  readonly #share: ProjectShare;
  readonly #bell = createBell();
  /** As a thread last said, so that the next one does not count a silence from before an outage. */
  #upSinceMs = Date.now();
  readonly #watching: ReturnType<typeof setInterval>;
  #worker: Worker;
  #pulse = new Pulse(Pulse.createMemory());
  #latest: WorkerMetrics | null = null;
  /**
   * What was owed according to the latest report, and when that came: without further ones it grows older.
   */
  #owed = { lagMs: 0, quietLagMs: 0, toldMs: performance.now() };
  /** Counts of the threads before this one. */
  readonly #past = {
    counts: emptyCounts(),
    classes: {} as CountsByClass,
    evictions: 0,
    unpackings: 0,
  };
  #restarts = 0;
  readonly #watchEveryMs: number;
  readonly #patience: Patience;
  #beating: Progress;
  #isStopping = false;
  /** Between the end of a thread and the start of the next, when none could answer that it has stopped. */
  #isBetween = false;
  #nextDrain = 1;
  readonly #drains = new Map<number, () => void>();
  readonly #stopped = Promise.withResolvers<void>();

  constructor(options: SupervisorOptions, share: ProjectShare) {
    this.#options = options;
    this.#share = share;
    this.handovers = Array.from({ length: options.ingestThreads }, () =>
      createHandover({ capacityBytes: options.handoverBytes, bell: this.#bell }),
    );
    const hangMsMax = options.hangMsMax ?? HANG_MS_MAX;
    this.#watchEveryMs = Math.min(1_000, hangMsMax / 4);
    this.#patience = new Patience(hangMsMax, options.startMsMax);
    this.#beating = new Progress(this.#watchEveryMs);
    this.#worker = this.#start(null);
    this.#watching = setInterval(() => this.#watch(), this.#watchEveryMs);
    this.#watching.unref();
  }

  metrics(): ThreadMetrics {
    const { counts, classes } = this.#past;
    const latest = this.#latest;
    return {
      counts: latest === null ? counts : added(counts, latest.counts),
      classes: addedByClass(classes, latest?.classes ?? {}),
      evictions: this.#past.evictions + (latest?.evictions ?? 0),
      unpackings: this.#past.unpackings + (latest?.unpackings ?? 0),
      handoverDrops: this.handovers.reduce((sum, ring) => sum + droppedCountOf(ring), 0),
      threadRestarts: this.#restarts,
      isLeader: latest?.isLeader ?? false,
      ledShare: latest?.isLeader ? slotsOf(this.#share).length / SLOTS : 0,
      ...this.#lags(),
      passedOver: latest?.passedOver ?? 0,
      clockAheadMs: latest?.clockAheadMs ?? 0,
      upSinceMs: this.#upSinceMs,
      executionsHeld: latest?.executionsHeld ?? 0,
      stateBytes: latest?.stateBytes ?? 0,
      executionsPacked: latest?.executionsPacked ?? 0,
      packedStateBytes: latest?.packedStateBytes ?? 0,
    };
  }

  #lags(): { readonly lagMs: number; readonly quietLagMs: number } {
    const { lagMs, quietLagMs, toldMs } = this.#owed;
    const untoldMs = performance.now() - toldMs;
    if (untoldMs < REPORTS_MISSED * (this.#options.reportEveryMs ?? REPORT_EVERY_MS)) return this.#owed;
    return { lagMs: lagMs + untoldMs, quietLagMs: quietLagMs + untoldMs };
  }

  /** Closes the thread's connection to PostgreSQL if it was not heard for so long. */
  closeSilent(silentMs: number): void {
    this.#send({ kind: "close_silent", silentMs });
  }

  /** Resolves when the thread owes nothing any more (where another process leads: at once). */
  drain(): Promise<void> {
    if (this.#isStopping) return Promise.resolve();
    const id = this.#nextDrain++;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#drains.set(id, resolve);
    this.#send({ kind: "drain", id });
    return promise;
  }

  async stop(): Promise<void> {
    if (!this.#isStopping) {
      this.#isStopping = true;
      clearInterval(this.#watching);
      if (this.#isBetween) this.#stopped.resolve();
      else this.#send({ kind: "stop" });
      setTimeout(() => this.#stopped.resolve(), this.#options.stopMsMax ?? STOP_MS_MAX).unref();
    }
    await this.#stopped.promise;
    await this.#worker.terminate();
    for (const resolve of this.#drains.values()) resolve();
    this.#drains.clear();
  }

  #start(hung: WorkerOptions["hung"]): Worker {
    const options = this.#options;
    const memory = Pulse.createMemory();
    this.#pulse = new Pulse(memory);
    this.#beating = new Progress(this.#watchEveryMs);
    this.#isBetween = false;
    const workerData: WorkerOptions = {
      databaseUrl: options.databaseUrl,
      appUrl: options.appUrl,
      detectorsModule: options.detectorsModule ?? new URL("../registry.ts", import.meta.url).href,
      outboxModule: options.outboxModule ?? new URL("./outbox.ts", import.meta.url).href,
      share: this.#share,
      handovers: this.handovers,
      bell: this.#bell,
      pulse: memory,
      limits: { ...LIMITS, ...options.limits },
      reportEveryMs: options.reportEveryMs ?? REPORT_EVERY_MS,
      upSinceMs: this.#upSinceMs,
      hung,
    };
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { workerData, ...SMALL_HEAP });
    worker.on("message", (message: FromWorker) => {
      if (worker === this.#worker) this.#receive(message);
    });
    worker.on("error", (error) => {
      options.log.error(failureOf(error), "the detection thread failed");
    });
    worker.on("exit", () => {
      if (worker === this.#worker) this.#ended();
    });
    for (const id of this.#drains.keys()) worker.postMessage({ kind: "drain", id } satisfies ToWorker);
    return worker;
  }

  #receive(message: FromWorker): void {
    if (message.kind === "metrics") {
      this.#latest = message.metrics;
      const { lagMs, quietLagMs, upSinceMs } = message.metrics;
      this.#upSinceMs = upSinceMs;
      if (lagMs !== null) this.#owed = { lagMs, quietLagMs, toldMs: performance.now() };
    } else if (message.kind === "log") this.#options.log[message.level](message.fields, message.message);
    else if (message.kind === "drained") {
      this.#drains.get(message.id)?.();
      this.#drains.delete(message.id);
    } else if (message.kind === "stopped") this.#stopped.resolve();
  }

  #watch(): void {
    if (this.#isBetween) return;
    const { beats } = this.#pulse;
    const silentMs = this.#beating.look(beats);
    if (!this.#patience.isOver(beats, silentMs)) return;
    const call = this.#pulse.call;
    const hung = { backendPid: this.#pulse.backendPid, call };
    this.#options.log.error({ without_pulse_ms: Math.round(silentMs) }, "the detection thread hangs");
    const stuck = this.#worker;
    this.#restart(hung);
    void stuck.terminate();
  }

  /** The thread ended by itself. Unless it was told to stop, that is a failure. */
  #ended(): void {
    if (this.#isStopping) {
      this.#stopped.resolve();
      return;
    }
    this.#isBetween = true;
    this.#options.log.error({}, "the detection thread ended, another is started");
    const hung = { backendPid: this.#pulse.backendPid, call: null };
    setTimeout(() => {
      if (!this.#isStopping) this.#restart(hung);
    }, RESTART_AFTER_MS);
  }

  #restart(hung: WorkerOptions["hung"]): void {
    this.#restarts++;
    if (this.#latest !== null) {
      this.#past.counts = added(this.#past.counts, this.#latest.counts);
      this.#past.classes = addedByClass(this.#past.classes, this.#latest.classes);
      this.#past.evictions += this.#latest.evictions;
      this.#past.unpackings += this.#latest.unpackings;
      this.#latest = null;
    }
    this.#worker = this.#start(hung);
  }

  #send(message: ToWorker): void {
    this.#worker.postMessage(message);
  }
}
