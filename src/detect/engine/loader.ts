import { listBeheaded, listOwedEnds, readHistory } from "../../store/detection/detection-batches.ts";
import {
  type ExecutionRecord,
  highestExecutionNo,
  readExecutions,
  readProjects,
} from "../../store/detection/detection-executions.ts";
import type { DetectionSql } from "../../store/detection/detection-session.ts";
import { loadMemory } from "../../store/detection/detector-memory.ts";
import type { ExecutionView } from "../detector.ts";
import { PackCursor, type StoredEvent } from "../rows/pack-reader.ts";
import type { Engine } from "./engine.ts";
import { viewAtStart, viewBeforeEnd } from "./execution-view.ts";
import type { ProjectMemories } from "./project-memories.ts";
import {
  changesTicks,
  codesOf,
  type DetectorTable,
  type ProjectPlan,
  planProject,
  switchesOn,
} from "./project-plan.ts";
import { RebuildChunks } from "./rebuild-chunks.ts";
import type { HeldExecution, StateCache } from "./state-cache.ts";
import type { EngineStats } from "./stats.ts";

/**
 * Brings into memory what the engine needs before a round: project plans and memory, execution records, and
 * the states of executions that have a past. All reads come in sets, never one query an execution. Owned by
 * the detection thread, used inside its transaction so that what it reads is what the transaction sees.
 */

/** Of the latest events of one execution, as text: what lies before is not replayed. */
const REPLAY_BYTES_MAX = 16 << 20;
const DAY_MS = 86_400_000;

export interface LoaderOptions {
  readonly table: DetectorTable;
  readonly cache: StateCache;
  readonly memories: ProjectMemories;
  readonly engine: Engine;
  readonly stats: EngineStats;
  /** Events replayed at most to rebuild the states of an execution: its latest ones. */
  readonly replayEventsMax: number;
}

export interface ExecutionKey {
  readonly projectNo: number;
  readonly executionNo: number;
}

export class Loader {
  readonly #options: LoaderOptions;
  readonly #plans = new Map<number, ProjectPlan>();
  /** Plans that the states in memory were made with, of projects whose plan is about to be read again. */
  readonly #forgotten = new Map<number, ProjectPlan>();
  readonly #chunks = new RebuildChunks();

  constructor(options: LoaderOptions) {
    this.#options = options;
  }

  /** After a change of some project's settings, and when everything known is to come from the store. */
  forgetPlans(): void {
    for (const [projectNo, plan] of this.#plans) this.#forgotten.set(projectNo, plan);
    this.#plans.clear();
  }

  /** Undefined for a project that is not loaded or gone. */
  plan(projectNo: number): ProjectPlan | undefined {
    return this.#plans.get(projectNo);
  }

  async loadPlans(sql: DetectionSql, projectNos: Iterable<number>): Promise<void> {
    const unplanned = [...new Set(projectNos)].filter((projectNo) => !this.#plans.has(projectNo));
    if (unplanned.length === 0) return;
    const { cache, table } = this.#options;
    for (const project of await readProjects(sql, unplanned)) {
      const { projectNo } = project;
      const plan = planProject(table, project);
      const before = this.#forgotten.get(projectNo);
      if (before !== undefined && switchesOn(before, plan))
        cache.dropProject(projectNo, await highestExecutionNo(sql));
      else if (before !== undefined && changesTicks(table, before, plan)) cache.forgetTicks(projectNo);
      this.#forgotten.delete(projectNo);
      this.#plans.set(projectNo, plan);
    }
  }

  /** Plans and memories: what calls of detectors need. */
  async loadProjects(sql: DetectionSql, projectNos: Iterable<number>): Promise<void> {
    const { memories } = this.#options;
    const wanted = [...new Set(projectNos)];
    await this.loadPlans(sql, wanted);
    const unread = wanted.filter((projectNo) => this.#plans.has(projectNo) && !memories.isLoaded(projectNo));
    if (unread.length > 0) {
      const rows = Map.groupBy(await loadMemory(sql, unread), (row) => row.projectNo);
      for (const projectNo of unread) memories.load(projectNo, rows.get(projectNo) ?? []);
    }
  }

  /**
   * Loads the executions into the cache, with states that know their past. `refresh` names executions whose
   * record may have changed, `ending` those whose end is detected in this transaction. Executions that no
   * longer exist stay out.
   *
   * An execution is shown as running until its end is detected: when a backlog is read the run has long been
   * over, and its events would look as if they came after the end. Returns the views that the ending ones
   * have from then on. If it fails, no execution stays in the cache whose past is unknown.
   */
  async loadExecutions(
    sql: DetectionSql,
    options: {
      readonly keys: Iterable<ExecutionKey>;
      readonly refresh: Iterable<ExecutionKey>;
      readonly ending: ReadonlySet<number>;
      readonly claimedBatchNos: readonly number[];
    },
  ): Promise<ReadonlyMap<number, ExecutionView>> {
    const { cache } = this.#options;
    const ended = new Map<number, ExecutionView>();
    const toRead = new Map<number, ExecutionKey>();
    for (const key of options.keys) {
      if (cache.touch(key.executionNo) === undefined) toRead.set(key.executionNo, key);
    }
    for (const key of options.refresh) toRead.set(key.executionNo, key);
    if (toRead.size === 0) return ended;
    const cold: { held: HeldExecution; record: ExecutionRecord }[] = [];
    const records = await readExecutions(sql, [...toRead.values()]);
    const unended = await this.#findUnended(sql, records, options.ending);
    for (const record of records) {
      const { executionNo } = record;
      const view = viewOf(record);
      if (options.ending.has(executionNo)) ended.set(executionNo, view);
      const shown = unended.has(executionNo) ? viewBeforeEnd(view) : view;
      const held = cache.peek(executionNo);
      if (held !== undefined) {
        held.view = shown;
        continue;
      }
      const needsRebuild = cache.needsRebuild(executionNo);
      const added = cache.add(executionNo, record.projectNo, shown);
      if (needsRebuild && record.homeDayMs !== null) cold.push({ held: added, record });
    }
    try {
      await this.#rebuild(sql, cold, options.claimedBatchNos);
    } catch (error) {
      cache.letGo(cold.map(({ held }) => held.executionNo));
      throw error;
    }
    return ended;
  }

  /** Of the records of finished executions those whose end has not been detected. */
  async #findUnended(
    sql: DetectionSql,
    records: readonly ExecutionRecord[],
    ending: ReadonlySet<number>,
  ): Promise<ReadonlySet<number>> {
    const { cache } = this.#options;
    const unended = new Set<number>();
    const unsure: { executionNo: number; finishedMs: number }[] = [];
    for (const { executionNo, status, finishedMs } of records) {
      const known = cache.peek(executionNo)?.view.status ?? "started";
      if (status === "started" || known !== "started") continue;
      if (ending.has(executionNo)) unended.add(executionNo);
      else if (finishedMs !== null) unsure.push({ executionNo, finishedMs });
    }
    if (unsure.length > 0)
      for (const executionNo of await listOwedEnds(sql, unsure)) unended.add(executionNo);
    return unended;
  }

  async #rebuild(
    sql: DetectionSql,
    cold: readonly { held: HeldExecution; record: ExecutionRecord }[],
    claimedBatchNos: readonly number[],
  ): Promise<void> {
    const { cache, engine, replayEventsMax } = this.#options;
    const byProject = Map.groupBy(cold, ({ held }) => held.projectNo);
    for (const [projectNo, members] of byProject) {
      const plan = this.#plans.get(projectNo);
      if (plan === undefined || plan.wantedMask === 0) continue;
      for (let start = 0; start < members.length; ) {
        const chunk = members.slice(start, start + this.#chunks.size);
        start += chunk.length;
        const rows = await readHistory(sql, {
          projectNo,
          executionNos: chunk.map(({ held }) => held.executionNo),
          claimedBatchNos,
          typeCodes: codesOf(plan.wantedMask),
          notBeforeMs: Math.min(...chunk.map(({ record }) => record.homeDayMs!)) - DAY_MS,
          eventsPerExecutionMax: replayEventsMax,
          bytesPerExecutionMax: REPLAY_BYTES_MAX,
        });
        const cut = new Set(
          await listBeheaded(
            sql,
            projectNo,
            chunk.map(({ record }) => ({ executionNo: record.executionNo, homeDayMs: record.homeDayMs! })),
          ),
        );
        const sizes = sizesOf(rows);
        this.#chunks.noteRead(Iterator.from(sizes.values()).map(({ bytes }) => bytes));
        for (const [executionNo, { events, bytes }] of sizes)
          if (events >= replayEventsMax || bytes >= REPLAY_BYTES_MAX) cut.add(executionNo);
        for (const { held } of chunk) if (cut.has(held.executionNo)) engine.startInTheMiddle(held, plan);
        this.#replay(plan, new Map(chunk.map(({ held }) => [held.executionNo, held])), rows);
        for (const { held } of chunk) cache.measure(held);
        setFree(rows);
      }
    }
  }

  /**
   * The packs come by execution and then by batch, with `detected_at` in place of the batch number. The
   * execution is shown without its end and its environment: nobody can tell whether they were known when
   * those events were detected, and a detector that drew its conclusion now would consider it reported
   * although it never was. If it was, the next real call draws it again, under a key that is stored already.
   */
  #replay(plan: ProjectPlan, chunk: ReadonlyMap<number, HeldExecution>, rows: Uint8Array): void {
    const { engine, stats } = this.#options;
    const cursor = new PackCursor(rows, stats.counts);
    let executionNo = -1;
    let detectedUs = -1;
    let events: StoredEvent[] = [];
    const flush = () => {
      const held = chunk.get(executionNo);
      if (held === undefined || events.length === 0) return;
      const nowMs = Math.floor(detectedUs / 1000);
      engine.replay(held, plan, { nowMs, view: viewAtStart(held.view), events });
    };
    while (cursor.nextPack()) {
      if (cursor.executionNo !== executionNo || cursor.batchNo !== detectedUs) {
        flush();
        if (cursor.executionNo !== executionNo) stats.counts.rebuilds++;
        executionNo = cursor.executionNo;
        detectedUs = cursor.batchNo;
        events = [];
      }
      while (cursor.nextEvent()) events.push(cursor.event());
    }
    flush();
  }
}

/** Smaller ones may share their memory with others. */
const OWN_BUFFER_BYTES_MIN = 1 << 20;

/** By hand: the collector comes for it when much more has been read. */
function setFree({ buffer, length }: Uint8Array): void {
  if (length >= OWN_BUFFER_BYTES_MIN && buffer instanceof ArrayBuffer) buffer.transfer(0);
}

/** How much was read of each execution. */
function sizesOf(rows: Uint8Array): ReadonlyMap<number, { readonly events: number; readonly bytes: number }> {
  const sizes = new Map<number, { events: number; bytes: number }>();
  const cursor = new PackCursor(rows, { unreadablePayloads: 0 });
  for (let at = cursor.position; cursor.nextPack(); at = cursor.position) {
    const { events, bytes } = sizes.get(cursor.executionNo) ?? { events: 0, bytes: 0 };
    sizes.set(cursor.executionNo, {
      events: events + cursor.eventCount,
      bytes: bytes + cursor.position - at,
    });
  }
  return sizes;
}

export function viewOf(record: ExecutionRecord): ExecutionView {
  const { projectNo: _, executionNo: __, homeDayMs: ___, ...view } = record;
  return view;
}
