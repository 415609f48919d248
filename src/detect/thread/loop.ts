import { Repeats } from "../../metrics/repeats.ts";
import { codeOf, isClosedForWrites, isConnectionLoss, loggableReason } from "../../store/database/failure.ts";
import { closeSilentSockets } from "../../store/database/open-sockets.ts";
import { latestDetectedUs } from "../../store/detection/detection-batches.ts";
import { highestExecutionNo, readDirectoryVersion } from "../../store/detection/detection-executions.ts";
import { DetectionSession, type DetectionSql, SessionLost } from "../../store/detection/detection-session.ts";
import type { OweOccurrence } from "../../store/groups/failure-groups.ts";
import type { Detector } from "../detector.ts";
import { Engine } from "../engine/engine.ts";
import { Loader } from "../engine/loader.ts";
import { ProjectMemories } from "../engine/project-memories.ts";
import { detectorTable } from "../engine/project-plan.ts";
import { Pulse } from "../engine/pulse.ts";
import { type HeldExecution, StateCache } from "../engine/state-cache.ts";
import { EngineStats, type Tell } from "../engine/stats.ts";
import { HandoverBell, HandoverConsumer } from "../rows/handover.ts";
import { BatchTries, reasonOf } from "./batch-tries.ts";
import { DueExecutions } from "./due-executions.ts";
import { FailingBatches } from "./failing-batches.ts";
import { HungCalls } from "./hung-calls.ts";
import { IngestFirst } from "./ingest-first.ts";
import { Intake, type Taken } from "./intake.ts";
import { transactionEveryMs } from "./pace.ts";
import { ProjectCosts } from "./quiet-projects.ts";
import { Sweep } from "./sweep.ts";
import { failureOf } from "./thread-failure.ts";
import { Ticker } from "./ticker.ts";
import { DetectionTransactions } from "./transaction.ts";
import { UpTime } from "./up-time.ts";
import type { WorkerMetrics, WorkerOptions } from "./worker-messages.ts";

/**
 * The life of the detection thread.
 *
 *   connect ─▶ stand by (another process leads; what is handed over is thrown away) ─▶ lead (a share of the projects)
 *      ▲                                                                                │
 *      └────────────── connection lost: nothing in memory is kept ◀────────────────────┘
 *   lead: what is owed from before ─▶ for ever: take what was handed over, sweep the store, tick
 *
 * Invariants: batches are detected by the leader only; a batch leaves the queue by a commit only. A batch
 * whose data cannot be stored three times over is given up, counted and told, so that it cannot hold up the
 * others; any other failure is waited out.
 */

const SWEEP_EVERY_MS = 500;
/** A batch so young may still be on its way through the ring. */
const HANDOVER_GRACE_MS = 500;
/**
 * Reading back costs several times as much as taking from a ring. While a ring is this full, what it
 * dropped waits, so that it drops no more, but no longer than this.
 */
const RING_FIRST_FILL = 0.25;
const RING_FIRST_MS_MAX = 5_000;
/** Pause after a step of the ticker, as a multiple of its time: steps have a quarter of the thread. */
const REST_PER_STEP = 3;
/** Between two looks whether ingest still needs the cores. */
const INGEST_FIRST_STEP_MS = 50;
/** Detection that lags no more than this has caught up. */
const CAUGHT_UP_LAG_MS = 1_000;
/** How long new arrivals wait for what is owed from before the start. */
const CATCH_UP_FIRST_MS = 10_000;

const NOTHING_HANDED: Taken = { arrivals: [], bytes: 0, hasEnds: false };

const STANDBY_EVERY_MS = 500;
const RETRY_MS_MIN = 100;
const RETRY_MS_MAX = 2_000;
/** A database that is away is tried every two seconds, and logged once a minute. */
const WAITS_TOLD_EVERY_MS = 60_000;
const BEAT_EVERY_MS = 250;

export interface LoopParts {
  readonly options: WorkerOptions;
  readonly detectors: readonly Detector[];
  readonly owe: OweOccurrence<DetectionSql>;
  readonly tell: Tell;
}

export class DetectionLoop {
  readonly #options: WorkerOptions;
  readonly #detectors: readonly Detector[];
  readonly #tell: Tell;
  readonly #intake: Intake;
  readonly #bell: HandoverBell;
  readonly #ingestFirst: IngestFirst;
  readonly #pulse: Pulse;
  readonly #stats: EngineStats;
  readonly #cache: StateCache;
  readonly #memories = new ProjectMemories();
  readonly #loader: Loader;
  readonly #engine: Engine;
  readonly #transactions: DetectionTransactions;
  readonly #ticker: Ticker;
  readonly #tries: BatchTries;
  readonly #sweep: Sweep;
  readonly #waits = new Repeats(WAITS_TOLD_EVERY_MS);
  readonly #upTime: UpTime;
  readonly #hungCalls: HungCalls;
  #isLeader = false;
  #standsBy = false;
  #isStopping = false;
  #directoryVersion = -1;
  /** Bytes of the rows that the last look into the rings found. */
  #handedBytes = 0;
  #drains: (() => void)[] = [];
  #ended = Promise.withResolvers<void>();

  constructor(parts: LoopParts) {
    const { options, detectors } = parts;
    this.#options = options;
    this.#detectors = detectors;
    this.#tell = parts.tell;
    this.#upTime = new UpTime(options.upSinceMs, (aheadMs) =>
      parts.tell("warn", "the clock of this machine was set", { ahead_s: Math.round(aheadMs / 1000) }),
    );
    this.#hungCalls = new HungCalls({ detectors, hung: options.hung, tell: parts.tell });
    const costs = new ProjectCosts();
    const rings = options.handovers.map((buffers) => new HandoverConsumer(buffers));
    this.#intake = new Intake(rings, costs);
    this.#bell = new HandoverBell(options.bell);
    this.#ingestFirst = new IngestFirst(this.#intake, {
      cores: options.limits.cores,
      ingestThreads: options.handovers.length,
      detectionThreads: options.share.of,
    });
    this.#pulse = new Pulse(options.pulse);
    const table = detectorTable(detectors);
    const { limits } = options;
    const failing = new FailingBatches(limits.passedOverAfterMs);
    const stats = new EngineStats(detectors, parts.tell);
    const cache = new StateCache({
      executionsMax: limits.executionsMax,
      bytesMax: limits.stateBytesMax,
      packedBytesMax: limits.packedStateBytesMax,
      nextTickMs: (held) => this.#nextTickMs(held),
      stats,
    });
    const memories = this.#memories;
    const engine = new Engine({
      table,
      cache,
      memories,
      stats,
      pulse: this.#pulse,
      budget: { baseMs: limits.budgetBaseMs, perEventUs: limits.budgetPerEventUs },
      isSkipped: (...call) => this.#hungCalls.isSkipped(...call),
    });
    const nowMs = Date.now;
    const { replayEventsMax } = limits;
    const loader = new Loader({ table, cache, memories, engine, stats, replayEventsMax });
    const transactions = new DetectionTransactions({
      engine,
      loader,
      cache,
      memories,
      stats,
      owe: parts.owe,
      nowMs,
      upSinceMs: () => this.#upTime.sinceMs,
      costs,
    });
    this.#stats = stats;
    this.#cache = cache;
    this.#loader = loader;
    this.#engine = engine;
    this.#transactions = transactions;
    this.#tries = new BatchTries({
      transactions,
      stats,
      failing,
      waits: this.#waits,
      tell: parts.tell,
      onClosed: () => this.#upTime.interrupted(),
      beside: (session, busy) => this.#beside(session, busy),
    });
    this.#sweep = new Sweep({
      intake: this.#intake,
      tries: this.#tries,
      failing,
      waits: this.#waits,
      costs,
      share: options.share,
      tell: parts.tell,
    });
    const dueExecutions = new DueExecutions({ detectors, loader, upSinceMs: () => this.#upTime.sinceMs });
    // Time must not pass for the detectors before what came in it is known.
    this.#ticker = new Ticker({
      cache,
      loader,
      transactions,
      dueExecutions,
      share: options.share,
      asOfMs: () => this.#sweep.knownUntilMs,
    });
  }

  async run(): Promise<void> {
    const beating = setInterval(() => {
      this.#pulse.beat();
      this.#upTime.beat();
    }, BEAT_EVERY_MS);
    let retryMs = RETRY_MS_MIN;
    let wasAway = false;
    while (!this.#isStopping) {
      let session: DetectionSession | undefined;
      try {
        session = await DetectionSession.open(this.#options.databaseUrl, this.#options.share);
        if (wasAway) this.#upTime.interrupted();
        wasAway = false;
        this.#pulse.setBackend(session.backendPid);
        await this.#hungCalls.settle(session);
        if (await this.#becomeLeader(session)) {
          retryMs = RETRY_MS_MIN;
          await this.#lead(session);
        }
      } catch (error) {
        wasAway = session === undefined;
        const code = codeOf(error) ?? (error instanceof Error ? error.name : "unknown");
        const notTold = this.#waits.admit(code);
        if (notTold !== undefined)
          this.#tell("warn", "detection waits for the database", {
            code,
            reason: loggableReason(error),
            not_told: notTold,
          });
        await Bun.sleep(retryMs);
        retryMs = Math.min(retryMs * 2, RETRY_MS_MAX);
      } finally {
        this.#isLeader = false;
        this.#standsBy = false;
        await session?.close();
      }
    }
    clearInterval(beating);
    for (const done of this.#drains.splice(0)) done();
    this.#ended.resolve();
  }

  /** Resolves when nothing is owed any more, or detection stops. */
  drain(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#drains.push(resolve);
    this.#bell.ring();
    return promise;
  }

  /** PostgreSQL may not notice it: then the session has to be ended for its locks, as a hung thread's is. */
  closeSilent(silentMs: number): void {
    const { backendPid } = this.#pulse;
    if (closeSilentSockets(silentMs) > 0) this.#hungCalls.lostSession(backendPid);
  }

  /** Ends after the transaction under way. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#bell.ring();
    await this.#ended.promise;
  }

  metrics(): WorkerMetrics {
    const { counts, classes } = this.#stats;
    return {
      counts: { ...counts },
      classes: Object.fromEntries(
        this.#detectors.map((d, index) => [d.failureClass, { ...classes[index]! }]),
      ),
      evictions: this.#cache.evictionCount,
      unpackings: this.#cache.unpackingCount,
      isLeader: this.#isLeader,
      lagMs: this.#owedLagMs(),
      quietLagMs: this.#sweep.quietLagMs,
      passedOver: this.#sweep.passedOver,
      clockAheadMs: this.#sweep.clockAheadMs,
      upSinceMs: this.#upTime.sinceMs,
      executionsHeld: this.#cache.size,
      stateBytes: this.#cache.bytes,
      executionsPacked: this.#cache.packedCount,
      packedStateBytes: this.#cache.packedBytes,
    };
  }

  async #becomeLeader(session: DetectionSession): Promise<boolean> {
    while (!this.#isStopping) {
      await this.#sweep.lookAtClock(session.sql);
      if (await session.tryLead()) return true;
      await this.#standBy(performance.now() + STANDBY_EVERY_MS);
    }
    return false;
  }

  /** Null: not known, as of a database that has not been asked yet or cannot be. */
  #owedLagMs(): number | null {
    // What is owed is the leader's to tell.
    if (this.#standsBy) return 0;
    return this.#isLeader && this.#sweep.hasLookedLately ? this.#sweep.lagMs : null;
  }

  /** An error in what a detector left running: the thread goes on. */
  noteStrayError(error: unknown): void {
    this.#stats.noteStrayError(failureOf(error));
  }

  /** What is handed over meanwhile is the leader's to read from the store. */
  async #standBy(untilMs: number): Promise<void> {
    this.#standsBy = true;
    while (!this.#isStopping && performance.now() < untilMs) {
      this.#intake.throwAway();
      for (const done of this.#drains.splice(0)) done();
      await this.#bell.wait(Math.max(0, untilMs - performance.now()));
    }
  }

  async #lead(session: DetectionSession): Promise<void> {
    this.#isLeader = true;
    this.#standsBy = false;
    this.#sweep.startAnew();
    this.#transactions.goOnFrom(await latestDetectedUs(session.sql));
    await this.#startAnew(session);
    this.#tell("info", "detection leads", { detectors: this.#detectors.length });
    const leadingSinceMs = performance.now();
    let isCatchingUp = true;
    let nextSweepMs = 0;
    let nextTickMs = performance.now() + this.#options.limits.tickEveryMs;
    let nextStepMs = 0;
    let lastStartedMs = 0;
    let lastReadBackMs = 0;
    while (!this.#isStopping) {
      await this.#letIngestGoFirst(session);
      const startedMs = performance.now();
      const sinceLastMs = startedMs - lastStartedMs;
      lastStartedMs = startedMs;
      const takesRings = !isCatchingUp || startedMs - leadingSinceMs > CATCH_UP_FIRST_MS;
      if (takesRings) await this.#tries.detectAhead(session, this.#intake.takeAhead());
      const { arrivals, hasEnds } = takesRings ? this.#takeHanded() : NOTHING_HANDED;
      if (hasEnds) nextSweepMs = Math.min(nextSweepMs, this.#sweep.nextForEndsMs);
      if (performance.now() >= nextSweepMs || this.#drains.length > 0) {
        const isDraining = this.#drains.length > 0;
        const isUrgent = isCatchingUp || isDraining;
        const readsBack =
          isUrgent ||
          performance.now() - lastReadBackMs > RING_FIRST_MS_MAX ||
          this.#intake.fill < RING_FIRST_FILL;
        await this.#noticeSettings(session);
        const graceMs = isUrgent ? 0 : HANDOVER_GRACE_MS;
        const swept = await this.#sweep.run(session, { arrivals, graceMs, readsBack, isDraining });
        if (swept.hasReadBack) lastReadBackMs = performance.now();
        if (!swept.isMore) isCatchingUp = false;
        if (this.#sweep.lagMs < CAUGHT_UP_LAG_MS) this.#ingestFirst.caughtUp();
        nextSweepMs = performance.now() + SWEEP_EVERY_MS;
        if (swept.endsWait) nextSweepMs = this.#sweep.nextForEndsMs;
        if (swept.isMore) nextSweepMs = 0;
        if (isDraining && swept.isDrained && this.#intake.isEmpty) {
          for (const done of this.#drains.splice(0)) done();
        }
      } else if (arrivals.length > 0) await this.#tries.detect(session, arrivals);
      if (performance.now() >= nextTickMs) {
        await this.#guarded(() => this.#ticker.tick(session));
        this.#stats.counts.ticks++;
        nextTickMs = performance.now() + this.#options.limits.tickEveryMs;
      } else if (this.#ticker.hasSteps && performance.now() >= nextStepMs) {
        const steppedMs = performance.now();
        await this.#guarded(() => this.#ticker.step(session));
        nextStepMs = performance.now() + REST_PER_STEP * (performance.now() - steppedMs);
      }
      this.#pulse.beat();
      const everyMs = transactionEveryMs(this.#handedBytes / Math.max(1, sinceLastMs));
      const untilMs = Math.min(nextSweepMs, nextTickMs, this.#ticker.hasSteps ? nextStepMs : nextTickMs);
      await this.#pause(startedMs + everyMs, untilMs, takesRings);
    }
  }

  /** Meanwhile quiet projects are detected, and the store is looked at: for the lag, and for ends. */
  async #letIngestGoFirst(session: DetectionSession): Promise<void> {
    let nextLookMs = 0;
    while (!this.#isStopping && this.#drains.length === 0 && this.#ingestFirst.isToWait()) {
      if (performance.now() >= nextLookMs) {
        await this.#noticeSettings(session);
        await this.#sweep.run(session, { arrivals: [], graceMs: 0, readsBack: false, isDraining: false });
        nextLookMs = performance.now() + SWEEP_EVERY_MS;
      }
      await this.#tries.detectAhead(session, this.#intake.takeAhead());
      this.#pulse.beat();
      await Bun.sleep(INGEST_FIRST_STEP_MS);
      this.#stats.counts.waitedMs = this.#ingestFirst.totalMs;
    }
  }

  #nextTickMs(held: HeldExecution): number | null {
    const plan = this.#loader.plan(held.projectNo);
    // Unknown without the settings: it is asked soon.
    return plan === undefined ? 0 : this.#engine.nextTickMs(held, plan, this.#upTime.sinceMs);
  }

  /** Forgets all states and memory: from here on everything known comes from the store. */
  async #startAnew(session: DetectionSession): Promise<void> {
    this.#memories.clear();
    this.#loader.forgetPlans();
    this.#ticker.startAnew();
    this.#cache.reset(await highestExecutionNo(session.sql));
  }

  /** Until the next transaction may start, unless a sweep or a tick is due earlier. */
  async #pause(nextMs: number, untilMs: number, listens: boolean): Promise<void> {
    if (this.#drains.length > 0) return;
    if (listens && this.#intake.isEmpty) {
      await this.#bell.wait(Math.max(0, untilMs - performance.now()));
    }
    const restMs = nextMs - performance.now();
    if (restMs > 0 && untilMs > performance.now()) await Bun.sleep(restMs);
  }

  async #beside(session: DetectionSession, busy: ReadonlySet<number>): Promise<void> {
    this.#pulse.beat();
    await this.#tries.detectAhead(session, this.#intake.takeBeside(busy));
    // Reports and what the main thread asks have their turn.
    await Bun.sleep(0);
  }

  #takeHanded(): Taken {
    const taken = this.#intake.take();
    this.#handedBytes = taken.bytes;
    this.#upTime.unstored(this.#intake.unstoredMs);
    if (taken.arrivals.length > 0) this.#upTime.stored();
    return taken;
  }

  async #noticeSettings(session: DetectionSession): Promise<void> {
    const version = await readDirectoryVersion(session.sql);
    if (version === this.#directoryVersion) return;
    this.#directoryVersion = version;
    this.#loader.forgetPlans();
  }

  /** After a failed tick the next one finds the same; executions of a failed step are asked one by one. */
  async #guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (isConnectionLoss(error) || error instanceof SessionLost) throw error;
      this.#stats.counts.failedTransactions++;
      // Then it stores no events either.
      if (isClosedForWrites(error)) this.#upTime.interrupted();
      const notTold = this.#waits.admit(`tick ${codeOf(error)}`);
      if (notTold !== undefined)
        this.#tell("warn", "a tick of detection failed", { ...reasonOf(error), not_told: notTold });
      this.#transactions.forgetFailed();
    }
  }
}
