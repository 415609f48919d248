import type { Flush } from "../../store/telemetry/event-copy.ts";
import type { PackBuffer } from "../../store/telemetry/pack-buffer.ts";
import type { KnownExecution } from "../execution-registry.ts";
import type { Sender } from "../outcome-tally.ts";
import { unixMsOf } from "../wire/timestamp.ts";

/**
 * The packs of requests that will share one COPY: an open buffer that requests append to, and what it takes
 * to answer each of them afterwards. Owned by the group commit; a sealed flush is never appended to.
 */

/** How a request's share of a flush ended. */
export type StoreResult =
  | { readonly kind: "stored"; readonly accepted: number; readonly duplicates: number }
  | { readonly kind: "refused"; readonly detail: string }
  /** `countLater`: what became of the events is not known yet; whoever learns it counts their outcome. */
  | { readonly kind: "database_unavailable"; readonly countLater: boolean };

/** One request's share. */
export interface Share {
  readonly sender: Sender;
  readonly start: number;
  readonly end: number;
  readonly events: number;
  readonly settle: (result: StoreResult) => void;
}

/** What was true of an execution when the first of its events was put into the flush. */
interface Known {
  readonly generation: number;
  readonly homeDay: number | undefined;
}

/** Of an execution whose ids have still to be read: no generation is this one. */
const NOT_READ = -1;

interface ProjectRecord {
  events: number;
  readonly executions: Set<number>;
  firstS: number;
  lastS: number;
}

export class PendingFlush {
  readonly rows: PackBuffer;
  batchNo: number;
  readonly shares: Share[] = [];
  readonly #projects = new Map<number, ProjectRecord>();
  readonly #executions = new Map<KnownExecution, Known>();
  /** Home days proposed but not yet claimed in the database, by execution. */
  readonly #claims = new Set<KnownExecution>();
  readonly #environments = new Map<KnownExecution, string>();
  #holdsTwice = false;
  /** When the first share came, by the caller's clock. */
  openedMs = 0;

  constructor(rows: PackBuffer, batchNo: number) {
    this.rows = rows;
    this.batchNo = batchNo;
  }

  get events(): number {
    let events = 0;
    for (const project of this.#projects.values()) events += project.events;
    return events;
  }

  /** Every execution that has events here. */
  get executions(): Iterable<KnownExecution> {
    return this.#executions.keys();
  }

  holds(execution: KnownExecution): boolean {
    return this.#executions.has(execution);
  }

  /**
   * True if no other writer can have stored any of the execution's events here since they were found to be
   * new.
   */
  isUpToDate(execution: KnownExecution): boolean {
    return this.#executions.get(execution)?.generation === execution.generation;
  }

  /** True if its packs were made for the home days that stand. */
  get hasHomeDays(): boolean {
    for (const [execution, { homeDay }] of this.#executions) if (homeDay !== execution.homeDay) return false;
    return true;
  }

  /**
   * True if an execution is here as two objects, because the registry forgot it and found it again while
   * events of it were on their way. Each knows ids that the other does not.
   */
  get holdsTwice(): boolean {
    return this.#holdsTwice;
  }

  get claims(): ReadonlySet<KnownExecution> {
    return this.#claims;
  }

  get environments(): ReadonlyMap<KnownExecution, string> {
    return this.#environments;
  }

  /** Notes a request whose rows were appended from `start` on. */
  addShare(share: Share, rows: ShareSummary): void {
    this.shares.push(share);
    const { projectNo } = rows.sender;
    let project = this.#projects.get(projectNo);
    if (project === undefined) {
      project = { events: 0, executions: new Set(), firstS: rows.firstS, lastS: rows.lastS };
      this.#projects.set(projectNo, project);
    }
    project.events += share.events;
    project.firstS = Math.min(project.firstS, rows.firstS);
    project.lastS = Math.max(project.lastS, rows.lastS);
    for (const execution of rows.executions) {
      if (!this.#executions.has(execution)) {
        if (project.executions.has(execution.executionNo)) this.#holdsTwice = true;
        project.executions.add(execution.executionNo);
        const generation = execution.nextPackNo === undefined ? NOT_READ : execution.generation;
        this.#executions.set(execution, { generation, homeDay: execution.homeDay });
        execution.pendingFlushes++;
      }
      if (!execution.homeDayClaimed) this.#claims.add(execution);
    }
    for (const [execution, environment] of rows.environments) {
      if (!this.#environments.has(execution)) this.#environments.set(execution, environment);
    }
  }

  /** What the store writes for the whole flush. */
  toFlush(): Flush {
    return this.#flushOf(this.batchNo, this.rows.finish(), this.rows.copyEnds);
  }

  /** What the store writes for one share alone, under a number of its own. */
  toShareFlush(share: Share, batchNo: number): Flush {
    const rows = this.rows.slice(share.start, share.end, batchNo);
    const whole = this.#flushOf(batchNo, rows, [rows.length]);
    return {
      ...whole,
      batches: whole.batches
        .filter(({ projectNo }) => projectNo === share.sender.projectNo)
        .map((batch) => ({ ...batch, eventCount: share.events })),
    };
  }

  #flushOf(batchNo: number, rows: Buffer, copyEnds: readonly number[]): Flush {
    return {
      batchNo,
      rows,
      copyEnds,
      batches: [...this.#projects].map(([projectNo, project]) => ({
        projectNo,
        eventCount: project.events,
        executionNos: project.executions,
        firstTimestampS: unixMsOf(project.firstS) / 1000,
        lastTimestampS: unixMsOf(project.lastS) / 1000 + 1,
      })),
      environments: [...this.#environments].map(([{ projectNo, executionNo }, environment]) => ({
        projectNo,
        executionNo,
        environment,
      })),
    };
  }
}

/** What one request adds to a flush apart from its bytes. Filled while its events are encoded. */
export class ShareSummary {
  readonly executions = new Set<KnownExecution>();
  readonly environments = new Map<KnownExecution, string>();
  events = 0;
  firstS = Number.POSITIVE_INFINITY;
  lastS = Number.NEGATIVE_INFINITY;
  #last: KnownExecution | undefined;

  constructor(readonly sender: Sender) {}

  /** True if the execution's environment is not known yet: the first declaration is the one that counts. */
  wantsEnvironment(execution: KnownExecution): boolean {
    return !execution.environmentKnown && !this.environments.has(execution);
  }

  /** An event and the second of its timestamp, counted from 2000. */
  note(execution: KnownExecution, seconds: number): void {
    this.events++;
    if (seconds < this.firstS) this.firstS = seconds;
    if (seconds > this.lastS) this.lastS = seconds;
    // A batch is mostly of one execution: one comparison instead of a set look-up.
    if (execution !== this.#last) {
      this.executions.add(execution);
      this.#last = execution;
    }
  }
}
