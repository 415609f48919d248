import {
  type BatchToClaim,
  type ClaimedBatch,
  claimBatches,
} from "../../store/detection/detection-batches.ts";
import type { DetectionSession, DetectionSql } from "../../store/detection/detection-session.ts";
import { insertDetections } from "../../store/detection/detections.ts";
import { saveMemory } from "../../store/detection/detector-memory.ts";
import {
  type GroupFirings,
  higherSeverity,
  SAMPLE_EXECUTIONS_MAX,
} from "../../store/groups/failure-group-life.ts";
import {
  type OweOccurrence,
  type RecordedFirings,
  recordFirings,
} from "../../store/groups/failure-groups.ts";
import { addDetections, addEvents } from "../../store/upkeep/rollups.ts";
import type { CheckedDetection } from "../engine/checked-detection.ts";
import { type Engine, itemOf, type RoundItem } from "../engine/engine.ts";
import type { Loader } from "../engine/loader.ts";
import type { ProjectMemories } from "../engine/project-memories.ts";
import type { StateCache } from "../engine/state-cache.ts";
import type { EngineStats } from "../engine/stats.ts";
import { EventTally } from "../rows/event-tally.ts";
import { type Arrival, ClaimedWork, type EndedViews, isFromStore, type Work } from "./claimed-work.ts";
import type { ProjectCosts } from "./quiet-projects.ts";

/**
 * One transaction of detection: claims batches, runs the detectors over them, and stores what they found, the
 * groups, the outbox and the memory, together with the mark that these batches are done. All or nothing:
 * after a failure the batches are still owed, and everything in memory that the store does not know must be
 * dropped (`forgetFailed`, when the caller says so).
 *
 * If the detectors take long, the transaction is rolled back, having written nothing but its claim. They go
 * on outside any transaction, with pauses in which others' events are detected, and a second one claims the
 * same batches and stores.
 */

export interface TransactionParts {
  readonly engine: Engine;
  readonly loader: Loader;
  readonly cache: StateCache;
  readonly memories: ProjectMemories;
  readonly stats: EngineStats;
  readonly owe: OweOccurrence<DetectionSql>;
  readonly nowMs: () => number;
  /** Since when the service has been up to receive events. */
  readonly upSinceMs: () => number;
  readonly costs: ProjectCosts;
}

/** From then on the detectors pause now and then, for as long as the caller needs. */
const LONG_MS = 200;

/** What a transaction may have changed in memory. */
interface Touched {
  executionNos: readonly number[];
  readonly projectNos: Set<number>;
}

export class DetectionTransactions {
  readonly #parts: TransactionParts;
  readonly #claimedWork: ClaimedWork;
  #lastUs = 0;
  /** What the last transaction to fail may have changed. */
  #failed: Touched | null = null;
  /** While another transaction runs between two blocks of one, what the latter uses must not give way. */
  #isResting = false;

  constructor(parts: TransactionParts) {
    this.#parts = parts;
    this.#claimedWork = new ClaimedWork(parts);
  }

  /**
   * Returns how many batches were still owed and are done now. `rest` is called while the detectors take
   * long, with the projects being detected; it may detect events of others.
   */
  async detect(session: DetectionSession, arrivals: readonly Arrival[], rest: Rest | null): Promise<number> {
    const touched: Touched = { executionNos: [], projectNos: new Set() };
    try {
      const detected = await this.#detect(session, arrivals, rest, touched);
      this.#keep(touched);
      const { stats } = this.#parts;
      stats.counts.transactions++;
      if (detected === null) return 0;
      this.#count(detected.stored);
      stats.counts.batches += detected.claimed.length;
      stats.counts.events += detected.events;
      stats.counts.batchesFromStore += detected.claimed.filter(isFromStore).length;
      return detected.claimed.length;
    } catch (error) {
      this.#failed = touched;
      throw error;
    }
  }

  async #detect(
    session: DetectionSession,
    arrivals: readonly Arrival[],
    rest: Rest | null,
    touched: Touched,
  ): Promise<Detected | null> {
    try {
      return await session.transaction(async (sql) => {
        const begun = await this.#begin(sql, arrivals, touched);
        if (begun === null) return null;
        if (!this.#goOn(begun, rest === null ? Number.POSITIVE_INFINITY : LONG_MS))
          throw new TakesLong(begun);
        return await this.#finish(sql, begun, touched);
      });
    } catch (error) {
      if (!(error instanceof TakesLong) || rest === null) throw error;
      return await this.#detectWithRests(session, arrivals, { begun: error.begun, rest, touched });
    }
  }

  async #detectWithRests(
    session: DetectionSession,
    arrivals: readonly Arrival[],
    { begun, rest, touched }: { readonly begun: Begun; readonly rest: Rest; readonly touched: Touched },
  ): Promise<Detected> {
    do {
      this.#isResting = true;
      try {
        await rest(touched.projectNos);
      } finally {
        this.#isResting = false;
      }
    } while (!this.#goOn(begun, LONG_MS));
    return await session.transaction(async (sql) => {
      const claimed = await this.#claim(sql, arrivals);
      if (claimed.length !== begun.claimed.length) throw new ClaimLost();
      return await this.#finish(sql, begun, touched);
    });
  }

  /** Claims and reads what is to be detected. */
  async #begin(sql: DetectionSql, arrivals: readonly Arrival[], touched: Touched): Promise<Begun | null> {
    const claimed = await this.#claim(sql, arrivals);
    if (claimed.length === 0) return null;
    for (const { projectNo } of claimed) touched.projectNos.add(projectNo);
    await this.#parts.loader.loadProjects(sql, touched.projectNos);
    const tally = new EventTally();
    const { work, events } = await this.#claimedWork.read(sql, arrivals, claimed, tally);
    const { executionNos, ended } = await this.#claimedWork.loadExecutions(sql, work, claimed);
    touched.executionNos = executionNos;
    return { claimed, events, tally, detections: [], blocks: this.#runAll(work, ended, tally) };
  }

  /** Runs the detectors for that long; true: they are done. */
  #goOn(begun: Begun, forMs: number): boolean {
    const startedMs = performance.now();
    let step = begun.blocks.next();
    while (step.done !== true && performance.now() - startedMs < forMs) step = begun.blocks.next();
    this.#parts.stats.counts.busyMs += performance.now() - startedMs;
    if (step.done === true) begun.detections.push(...step.value);
    return step.done === true;
  }

  async #finish(sql: DetectionSql, begun: Begun, touched: Touched): Promise<Detected> {
    const { claimed, events, tally, detections } = begun;
    await addEvents(sql, tally.counts());
    return { claimed, events, stored: await this.#store(sql, detections, touched) };
  }

  /** After a commit: the store knows the changes by now. */
  #keep({ projectNos }: Touched): void {
    const { memories, cache } = this.#parts;
    memories.committed(projectNos);
    if (this.#isResting) return;
    memories.trim();
    cache.trim();
  }

  /** Marks batches that cannot be detected as done, so that they hold up nothing. */
  async abandon(session: DetectionSession, arrivals: readonly Arrival[]): Promise<void> {
    await session.transaction(async (sql) => {
      const claimed = await this.#claim(sql, arrivals);
      this.#parts.stats.counts.abandonedBatches += claimed.length;
    });
  }

  /**
   * Calls the detectors that fire by time for these executions, which must be held and planned, as of that
   * moment.
   */
  async tick(session: DetectionSession, items: readonly RoundItem[], asOfMs: number): Promise<void> {
    const { engine, memories, stats } = this.#parts;
    const touched: Touched = {
      executionNos: items.map(({ held }) => held.executionNo),
      projectNos: new Set(items.map(({ held }) => held.projectNo)),
    };
    const startedMs = performance.now();
    const detectedMs = this.#parts.nowMs();
    const upSinceMs = this.#parts.upSinceMs();
    const fired = engine.run({ cause: "tick", batchNo: 0, nowMs: asOfMs, upSinceMs, items });
    const detections = fired.map((detection) => ({ ...detection, detectedMs }));
    stats.counts.tickMs += performance.now() - startedMs;
    if (detections.length === 0 && memories.changes(touched.projectNos).length === 0) return;
    try {
      const stored = await session.transaction((sql) => this.#store(sql, detections, touched));
      memories.committed(touched.projectNos);
      this.#count(stored);
      stats.counts.transactions++;
    } catch (error) {
      this.#failed = touched;
      throw error;
    }
  }

  /**
   * Drops what the failed transaction may have left in memory: states that it touched are rebuilt, changed
   * memory is read again.
   */
  forgetFailed(): void {
    if (this.#failed === null) return;
    this.#parts.cache.letGo(this.#failed.executionNos);
    this.#parts.memories.forgetChanges(this.#failed.projectNos);
    this.#failed = null;
  }

  /** What another leader detected came before, even if its clock was ahead of this one. */
  goOnFrom(detectedUs: number): void {
    this.#lastUs = Math.max(this.#lastUs, detectedUs);
  }

  /** Nothing was detected at a later time, in microseconds since 1970. */
  get latestUs(): number {
    return this.#lastUs;
  }

  /** The order of detection: grows with every flush, whatever the clock does. */
  #nextUs(): number {
    this.#lastUs = Math.max(this.#lastUs + 1, Math.round(this.#parts.nowMs() * 1000));
    return this.#lastUs;
  }

  async #claim(sql: DetectionSql, arrivals: readonly Arrival[]): Promise<ClaimedBatch[]> {
    return await claimBatches(
      sql,
      arrivals.flatMap((arrival) => claimsOf(arrival, this.#nextUs())),
    );
  }

  *#runAll(work: readonly Work[], ended: EndedViews, tally: EventTally): Blocks {
    const detections: CheckedDetection[] = [];
    for (const each of work) detections.push(...(yield* this.#runOnce(each, ended, tally)));
    return detections;
  }

  /**
   * Runs the detectors and lets go of the events, so that only one batch of the transaction is held parsed at
   * a time.
   */
  *#runOnce(work: Work, ended: EndedViews, tally: EventTally): Blocks {
    let tookMs = 0;
    let startedMs = performance.now();
    const blocks = this.#run(work, ended);
    let step = blocks.next();
    for (; step.done !== true; step = blocks.next()) {
      tookMs += performance.now() - startedMs;
      yield;
      startedMs = performance.now();
    }
    this.#noteCosts(work, tookMs + performance.now() - startedMs);
    for (const slice of work.slices) {
      tally.countTokens(slice);
      slice.events.length = 0;
    }
    return step.value;
  }

  /** The projects of a flush share its time: whose events took it is not measured. */
  #noteCosts({ batches }: Work, tookMs: number): void {
    const all = batches.reduce((sum, { eventCount }) => sum + eventCount, 0);
    for (const { projectNo, eventCount } of batches)
      if (eventCount > 0) this.#parts.costs.note(projectNo, eventCount, (tookMs * eventCount) / all);
  }

  *#run(work: Work, ended: EndedViews): Blocks {
    const { engine, cache, loader } = this.#parts;
    // Not `detected_at`, which after a takeover may be ahead of every clock and would end waits too early.
    const round = { batchNo: work.arrival.batchNo, nowMs: this.#parts.nowMs() };
    const detections: CheckedDetection[] = [];
    const items: RoundItem[] = [];
    for (const slice of work.slices) {
      const held = cache.peek(slice.executionNo);
      const plan = loader.plan(slice.projectNo);
      if (held !== undefined && plan !== undefined) items.push(itemOf(held, plan, slice));
    }
    if (items.length > 0) detections.push(...(yield* engine.blocks({ cause: "events", ...round, items })));
    const changed: RoundItem[] = [];
    for (const key of work.statusOf) {
      const held = cache.peek(key.executionNo);
      const plan = loader.plan(key.projectNo);
      if (held !== undefined) cache.show(held, ended.get(key.executionNo) ?? held.view);
      if (held !== undefined && plan?.hasStatus) changed.push(itemOf(held, plan, null));
    }
    if (changed.length > 0)
      detections.push(...(yield* engine.blocks({ cause: "status", ...round, items: changed })));
    return detections;
  }

  async #store(
    sql: DetectionSql,
    detections: readonly CheckedDetection[],
    touched: Touched,
  ): Promise<Stored> {
    const { memories, owe } = this.#parts;
    const nowMs = this.#parts.nowMs();
    const inserted = await insertDetections(sql, detections);
    await addDetections(sql, inserted);
    const firings = firingsOf(inserted);
    const recorded = await recordFirings(sql, { firings, nowMs, owe });
    await saveMemory(sql, memories.changes(touched.projectNos), nowMs);
    return { firings, recorded };
  }

  /** Only once it is committed. */
  #count({ firings, recorded }: Stored): void {
    const { stats } = this.#parts;
    for (const firing of firings) stats.noteDetections(firing.class, firing.count);
    stats.counts.deliveries += recorded.deliveries;
    stats.counts.newGroups += recorded.newGroups;
    stats.counts.regressedGroups += recorded.regressedGroups;
  }
}

/** Yields where a pause may be made; returns what was found. */
type Blocks = Generator<undefined, CheckedDetection[]>;

export type Rest = (projectNos: ReadonlySet<number>) => Promise<void>;

/** What was claimed and read, and how far the detectors have come with it. */
interface Begun {
  readonly claimed: readonly ClaimedBatch[];
  readonly events: number;
  readonly tally: EventTally;
  readonly blocks: Blocks;
  readonly detections: CheckedDetection[];
}

interface Detected {
  readonly claimed: readonly ClaimedBatch[];
  readonly events: number;
  readonly stored: Stored;
}

/** Rolls back a transaction whose detectors go on without it. */
class TakesLong extends Error {
  readonly begun: Begun;

  constructor(begun: Begun) {
    super();
    this.begun = begun;
  }
}

/** Between the two transactions somebody else detected what the first had claimed. */
class ClaimLost extends Error {
  override readonly name = "ClaimLost";
}

interface Stored {
  readonly firings: readonly GroupFirings[];
  readonly recorded: RecordedFirings;
}

function claimsOf({ batchNo, projectNos, rows }: Arrival, detectedUs: number): BatchToClaim[] {
  return projectNos.map((projectNo) => ({
    projectNo,
    batchNo,
    detectedUs,
    fromStore: rows === null,
  }));
}

/** New detections by group, in the order in which the groups first fired. */
function firingsOf(detections: readonly CheckedDetection[]): GroupFirings[] {
  const groups = new Map<string, GroupFirings>();
  for (const { projectNo, class: failureClass, signature, severity, executionId, ...latest } of detections) {
    const key = `${projectNo} ${failureClass} ${signature}`;
    const before: Pick<GroupFirings, "count" | "severity" | "executionIds"> = groups.get(key) ?? {
      count: 0,
      severity,
      executionIds: [],
    };
    const isSampled =
      before.executionIds.length >= SAMPLE_EXECUTIONS_MAX || before.executionIds.includes(executionId);
    groups.set(key, {
      projectNo,
      class: failureClass,
      signature,
      severity: higherSeverity(before.severity, severity),
      count: before.count + 1,
      executionIds: isSampled ? before.executionIds : [...before.executionIds, executionId],
      excerpt: latest.excerpt,
      ruleIds: latest.ruleIds,
    });
  }
  return [...groups.values()];
}
