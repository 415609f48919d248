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
import type { ExecutionView } from "../detector.ts";
import { type Engine, itemOf, type RoundItem } from "../engine/engine.ts";
import type { Finding } from "../engine/finding.ts";
import type { ExecutionKey, Loader } from "../engine/loader.ts";
import type { ProjectMemories } from "../engine/project-memories.ts";
import type { StateCache } from "../engine/state-cache.ts";
import type { EngineStats } from "../engine/stats.ts";
import { EventTally, LLM_CALL_BIT } from "../rows/event-tally.ts";
import { ENVIRONMENT_BIT, type ExecutionSlice, sliceRows } from "../rows/execution-slices.ts";
import { ReadBack } from "./read-back.ts";
import type { ProjectCosts } from "./turns.ts";

/**
 * One transaction of detection: claims batches, runs the detectors over them, and stores what they found, the groups,
 * the outbox and the memory, together with the mark that these batches are done. All of it or nothing: after a failure
 * everything in memory that the store does not know must be dropped (the caller says when: `forgetFailed`), and the batches are still owed.
 */

/** A flush to be detected, in order of arrival. */
export interface Arrival {
  readonly batchNo: number;
  readonly projectNos: readonly number[];
  /** Its rows as handed over; null: read them from the store. */
  readonly rows: Uint8Array | null;
}

/** What was handed over is not what is stored: read these batches from the store instead. */
export class HandoverMismatch extends Error {
  override readonly name = "HandoverMismatch";
}

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

/** One batch of one project, claimed and cut up. */
interface Work {
  readonly arrival: Arrival;
  readonly slices: readonly ExecutionSlice[];
  readonly batches: readonly ClaimedBatch[];
  /** Executions whose status changed. */
  readonly statusOf: readonly ExecutionKey[];
}

export class DetectionTransactions {
  readonly #parts: TransactionParts;
  readonly #readBack = new ReadBack();
  #lastUs = 0;
  /** Executions that the transaction under way, or the last one, may have changed the states of. */
  #touched: readonly number[] = [];

  constructor(parts: TransactionParts) {
    this.#parts = parts;
  }

  /** Answers how many batches were still owed and now are done. */
  async detect(session: DetectionSession, arrivals: readonly Arrival[]): Promise<number> {
    const { memories, cache, stats } = this.#parts;
    this.#touched = [];
    const done = await session.transaction(async (sql) => {
      const claimed = await this.#claim(sql, arrivals);
      if (claimed.length === 0) return { batches: 0, events: 0, fromStore: 0, stored: null };
      await this.#parts.loader.loadProjects(
        sql,
        claimed.map((batch) => batch.projectNo),
      );
      const tally = new EventTally();
      const { work, events } = await this.#read(sql, arrivals, claimed, tally);
      const ended = await this.#loadExecutions(sql, work, claimed);
      const startedMs = performance.now();
      const findings = work.flatMap((each) => this.#runOnce(each, ended, tally));
      const eventCounts = tally.counts();
      stats.counts.busyMs += performance.now() - startedMs;
      await addEvents(sql, eventCounts);
      const stored = await this.#store(sql, findings);
      return { batches: claimed.length, events, fromStore: claimed.filter(isFromStore).length, stored };
    });
    memories.committed();
    this.#touched = [];
    if (done.stored !== null) this.#count(done.stored);
    cache.trim();
    stats.counts.transactions++;
    stats.counts.batches += done.batches;
    stats.counts.events += done.events;
    stats.counts.batchesFromStore += done.fromStore;
    return done.batches;
  }

  /** Marks batches that cannot be detected as done, so that they hold up nothing. */
  async abandon(session: DetectionSession, arrivals: readonly Arrival[]): Promise<void> {
    await session.transaction(async (sql) => {
      const claimed = await this.#claim(sql, arrivals);
      this.#parts.stats.counts.abandonedBatches += claimed.length;
    });
  }

  /** Calls the detectors that fire by time for these executions, which must be held and planned, as of that moment. */
  async tick(session: DetectionSession, items: readonly RoundItem[], asOfMs: number): Promise<void> {
    const { engine, memories, stats } = this.#parts;
    this.#touched = items.map(({ held }) => held.executionNo);
    const startedMs = performance.now();
    const detectedMs = this.#parts.nowMs();
    const upSinceMs = this.#parts.upSinceMs();
    const fired = engine.run({ cause: "tick", batchNo: 0, nowMs: asOfMs, upSinceMs, items });
    const findings = fired.map((finding) => ({ ...finding, detectedMs }));
    stats.counts.tickMs += performance.now() - startedMs;
    if (findings.length > 0 || memories.changes().length > 0) {
      const stored = await session.transaction((sql) => this.#store(sql, findings));
      memories.committed();
      this.#count(stored);
      stats.counts.transactions++;
    }
    this.#touched = [];
  }

  /** Drops what a transaction that failed may have left in memory: the states that it touched are rebuilt, the memory that it changed is read anew. */
  forgetFailed(): void {
    this.#parts.cache.letGo(this.#touched);
    this.#parts.memories.forgetChanges();
    this.#touched = [];
  }

  /** What another leader detected came before, though its clock may have been ahead of this one. */
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

  async #read(
    sql: DetectionSql,
    arrivals: readonly Arrival[],
    claimed: readonly ClaimedBatch[],
    tally: EventTally,
  ): Promise<{ work: Work[]; events: number }> {
    const byKey = new Map(claimed.map((batch) => [keyOf(batch.projectNo, batch.batchNo), batch]));
    const stored = await this.#readStored(sql, claimed);
    const startedMs = performance.now();
    const work: Work[] = [];
    let events = 0;
    for (const arrival of arrivals) {
      const batches = arrival.projectNos.flatMap((no) => byKey.get(keyOf(no, arrival.batchNo)) ?? []);
      if (batches.length === 0) continue;
      // The same batch may have come twice within these arrivals.
      for (const batch of batches) byKey.delete(keyOf(batch.projectNo, batch.batchNo));
      const statusOf = batches
        .filter((batch) => batch.eventCount === 0)
        .flatMap((batch) =>
          (batch.executionNos ?? []).map((executionNo) => ({ projectNo: batch.projectNo, executionNo })),
        );
      const slices: ExecutionSlice[] = [];
      if (arrival.rows === null) {
        for (const batch of batches) {
          const rows = stored.get(keyOf(batch.projectNo, batch.batchNo));
          if (rows === undefined) continue;
          const part = this.#slice(rows, batches, tally);
          slices.push(...part.slices);
          events += part.eventCount;
        }
      } else if (batches.some((batch) => batch.eventCount > 0)) {
        const part = this.#sliceHanded(arrival, batches, tally);
        slices.push(...part.slices);
        events += part.eventCount;
      }
      work.push({ arrival, slices, batches, statusOf });
    }
    this.#parts.stats.counts.busyMs += performance.now() - startedMs;
    return { work, events };
  }

  #slice(rows: Uint8Array, batches: readonly ClaimedBatch[], events: EventTally) {
    const { loader, stats } = this.#parts;
    return sliceRows({
      rows,
      tally: stats.counts,
      wantedMaskOf: (projectNo) =>
        batches.some((batch) => batch.projectNo === projectNo)
          ? (loader.plan(projectNo)?.wantedMask ?? 0) | LLM_CALL_BIT
          : undefined,
      events,
    });
  }

  /** Believes what was handed over only if it has as many events as the store says. */
  #sliceHanded(arrival: Arrival, batches: readonly ClaimedBatch[], tally: EventTally) {
    let part: ReturnType<typeof sliceRows>;
    try {
      part = this.#slice(arrival.rows!, batches, tally);
    } catch (error) {
      throw new HandoverMismatch(error instanceof Error ? error.message : "unreadable rows");
    }
    const expected = batches.reduce((sum, batch) => sum + batch.eventCount, 0);
    if (part.eventCount !== expected) {
      throw new HandoverMismatch(`${part.eventCount} rows handed over, ${expected} stored`);
    }
    return part;
  }

  /** The rows of the claimed batches that did not come by hand-over. */
  async #readStored(sql: DetectionSql, claimed: readonly ClaimedBatch[]): Promise<Map<string, Uint8Array>> {
    const stored = new Map<string, Uint8Array>();
    const owed = claimed.filter(isFromStore);
    for (const [projectNo, batches] of Map.groupBy(owed, (batch) => batch.projectNo)) {
      for (const [batchNo, rows] of await this.#readBack.read(sql, projectNo, batches))
        stored.set(keyOf(projectNo, batchNo), rows);
    }
    return stored;
  }

  async #loadExecutions(
    sql: DetectionSql,
    work: readonly Work[],
    claimed: readonly ClaimedBatch[],
  ): Promise<EndedViews> {
    const { loader, cache } = this.#parts;
    const keys = new Map<number, ExecutionKey>();
    const refresh = new Map<number, ExecutionKey>();
    const ending = new Set<number>();
    for (const { slices, statusOf } of work) {
      for (const slice of slices) {
        keys.set(slice.executionNo, slice);
        const declares = (slice.typeMask & ENVIRONMENT_BIT) !== 0;
        if (declares && cache.peek(slice.executionNo)?.view.environmentMode === null) {
          refresh.set(slice.executionNo, slice);
        }
      }
      for (const key of statusOf) {
        ending.add(key.executionNo);
        const isWanted = loader.plan(key.projectNo)?.hasStatus ?? false;
        if (isWanted) keys.set(key.executionNo, key);
        if (isWanted || cache.has(key.executionNo)) refresh.set(key.executionNo, key);
      }
    }
    this.#touched = [...new Set([...keys.keys(), ...refresh.keys()])];
    return await loader.loadExecutions(sql, {
      keys: keys.values(),
      refresh: refresh.values(),
      ending,
      claimedBatchNos: claimed.map((batch) => batch.batchNo),
    });
  }

  /** Runs the detectors and lets go of the events: of all batches of a transaction, one is held parsed at a time. */
  #runOnce(work: Work, ended: EndedViews, tally: EventTally): Finding[] {
    const startedMs = performance.now();
    const findings = this.#run(work, ended);
    this.#noteCosts(work, performance.now() - startedMs);
    for (const slice of work.slices) {
      tally.countTokens(slice);
      slice.events.length = 0;
    }
    return findings;
  }

  /** Whose events took the time is not measured: they share it. */
  #noteCosts({ batches }: Work, tookMs: number): void {
    const all = batches.reduce((sum, { eventCount }) => sum + eventCount, 0);
    for (const { projectNo, eventCount } of batches)
      if (eventCount > 0) this.#parts.costs.note(projectNo, eventCount, (tookMs * eventCount) / all);
  }

  #run(work: Work, ended: EndedViews): Finding[] {
    const { engine, cache, loader } = this.#parts;
    // Not when it counts as detected, which after a takeover may be ahead of every clock: what is waited for would be over.
    const round = { batchNo: work.arrival.batchNo, nowMs: this.#parts.nowMs() };
    const findings: Finding[] = [];
    const items: RoundItem[] = [];
    for (const slice of work.slices) {
      const held = cache.peek(slice.executionNo);
      const plan = loader.plan(slice.projectNo);
      if (held !== undefined && plan !== undefined) items.push(itemOf(held, plan, slice));
    }
    if (items.length > 0) findings.push(...engine.run({ cause: "events", ...round, items }));
    const changed: RoundItem[] = [];
    for (const key of work.statusOf) {
      const held = cache.peek(key.executionNo);
      const plan = loader.plan(key.projectNo);
      if (held !== undefined) cache.show(held, ended.get(key.executionNo) ?? held.view);
      if (held !== undefined && plan?.hasStatus) changed.push(itemOf(held, plan, null));
    }
    if (changed.length > 0) findings.push(...engine.run({ cause: "status", ...round, items: changed }));
    return findings;
  }

  async #store(sql: DetectionSql, findings: readonly Finding[]): Promise<Stored> {
    const { memories, owe } = this.#parts;
    const nowMs = this.#parts.nowMs();
    const inserted = await insertDetections(sql, findings);
    await addDetections(sql, inserted);
    const firings = firingsOf(inserted);
    const recorded = await recordFirings(sql, { firings, nowMs, owe });
    await saveMemory(sql, memories.changes(), nowMs);
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

/** By number, executions as they are from their end on. */
type EndedViews = ReadonlyMap<number, ExecutionView>;

interface Stored {
  readonly firings: readonly GroupFirings[];
  readonly recorded: RecordedFirings;
}

const isFromStore = (batch: ClaimedBatch) => batch.executionNos !== null && batch.eventCount > 0;

const keyOf = (projectNo: number, batchNo: number) => `${projectNo} ${batchNo}`;

function claimsOf({ batchNo, projectNos, rows }: Arrival, detectedUs: number): BatchToClaim[] {
  return projectNos.map((projectNo) => ({
    projectNo,
    batchNo,
    detectedUs,
    fromStore: rows === null,
  }));
}

/** New detections taken together by group, in the order in which groups first fired. */
function firingsOf(detections: readonly Finding[]): GroupFirings[] {
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
