import { readHistory } from "../../store/detection/detection-batches.ts";
import {
  type ExecutionRecord,
  readExecutions,
  readProjects,
} from "../../store/detection/detection-executions.ts";
import type { DetectionSql } from "../../store/detection/detection-session.ts";
import { loadMemory } from "../../store/detection/detector-memory.ts";
import type { ExecutionView } from "../detector.ts";
import { PackCursor, type StoredEvent } from "../rows/pack-reader.ts";
import type { Engine } from "./engine.ts";
import { viewAtStart } from "./execution-view.ts";
import type { ProjectMemories } from "./project-memories.ts";
import { codesOf, type DetectorTable, type ProjectPlan, planProject } from "./project-plan.ts";
import type { HeldExecution, StateCache } from "./state-cache.ts";
import type { EngineStats } from "./stats.ts";

/**
 * Brings into memory what the engine needs before a round: project plans and memory, execution records, and the
 * states of executions that have a past. All reads come in sets, never one query an execution. Owned by the detection
 * thread, used inside its transaction so that what it reads is what the transaction sees.
 */

/** Executions rebuilt with one query: bounds the bytes read at a time. */
const REBUILD_CHUNK = 50;
/** A batch number that stands for "while rebuilding" where a hanging call is named. */
export const REBUILD_BATCH_NO = -1;
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

  constructor(options: LoaderOptions) {
    this.#options = options;
  }

  /** After a change of some project's settings, or a failed transaction. */
  forgetPlans(): void {
    this.#plans.clear();
  }

  /** Undefined for a project that is not loaded or gone. */
  plan(projectNo: number): ProjectPlan | undefined {
    return this.#plans.get(projectNo);
  }

  async loadProjects(sql: DetectionSql, projectNos: Iterable<number>): Promise<void> {
    const { table, memories } = this.#options;
    const wanted = [...new Set(projectNos)];
    const unplanned = wanted.filter((projectNo) => !this.#plans.has(projectNo));
    if (unplanned.length > 0) {
      for (const project of await readProjects(sql, unplanned)) {
        this.#plans.set(project.projectNo, planProject(table, project));
      }
    }
    const unread = wanted.filter((projectNo) => this.#plans.has(projectNo) && !memories.isLoaded(projectNo));
    if (unread.length > 0) {
      const rows = await loadMemory(sql, unread);
      for (const projectNo of unread) {
        memories.load(
          projectNo,
          rows.filter((row) => row.projectNo === projectNo),
        );
      }
    }
  }

  /**
   * Makes the executions held, with states that know their past. `refresh` names executions whose record may have
   * changed. Executions that are gone stay unheld.
   */
  async loadExecutions(
    sql: DetectionSql,
    options: {
      readonly keys: Iterable<ExecutionKey>;
      readonly refresh: Iterable<ExecutionKey>;
      readonly claimedBatchNos: readonly number[];
    },
  ): Promise<void> {
    const { cache } = this.#options;
    const toRead = new Map<number, ExecutionKey>();
    for (const key of options.keys) {
      if (cache.touch(key.executionNo) === undefined) toRead.set(key.executionNo, key);
    }
    for (const key of options.refresh) toRead.set(key.executionNo, key);
    if (toRead.size === 0) return;
    const cold: { held: HeldExecution; record: ExecutionRecord }[] = [];
    for (const record of await readExecutions(sql, [...toRead.values()])) {
      const held = cache.peek(record.executionNo);
      if (held !== undefined) {
        held.view = viewOf(record);
        continue;
      }
      const needsRebuild = cache.needsRebuild(record.executionNo);
      const added = cache.add(record.executionNo, record.projectNo, viewOf(record));
      if (needsRebuild && record.homeDayMs !== null) cold.push({ held: added, record });
    }
    await this.#rebuild(sql, cold, options.claimedBatchNos);
  }

  async #rebuild(
    sql: DetectionSql,
    cold: readonly { held: HeldExecution; record: ExecutionRecord }[],
    claimedBatchNos: readonly number[],
  ): Promise<void> {
    const { replayEventsMax } = this.#options;
    const byProject = Map.groupBy(cold, ({ held }) => held.projectNo);
    for (const [projectNo, members] of byProject) {
      const plan = this.#plans.get(projectNo);
      if (plan === undefined || plan.wantedMask === 0) continue;
      for (let start = 0; start < members.length; start += REBUILD_CHUNK) {
        const chunk = members.slice(start, start + REBUILD_CHUNK);
        const rows = await readHistory(sql, {
          projectNo,
          executionNos: chunk.map(({ held }) => held.executionNo),
          claimedBatchNos,
          typeCodes: codesOf(plan.wantedMask),
          notBeforeMs: Math.min(...chunk.map(({ record }) => record.homeDayMs!)) - DAY_MS,
          eventsPerExecutionMax: replayEventsMax,
        });
        this.#replay(plan, new Map(chunk.map(({ held }) => [held.executionNo, held])), rows);
      }
    }
  }

  /**
   * The packs come by execution and then by batch; `detected_at` stands in place of the batch number. The execution is shown
   * without its end and its environment: nobody can tell what was known of them when those events were detected; a detector
   * that concluded from them now would take for reported what never was. What it concludes from them again at its next real
   * call has a key that is stored already, if it was.
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
      engine.replay(held, plan, { nowMs, view: viewAtStart(held.view), events, batchNo: REBUILD_BATCH_NO });
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

export function viewOf(record: ExecutionRecord): ExecutionView {
  const { projectNo: _, executionNo: __, homeDayMs: ___, ...view } = record;
  return view;
}
