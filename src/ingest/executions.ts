import type { Sql } from "../store/database/connect.ts";
import { isConnectionLoss, isWantOfRoom } from "../store/database/failure.ts";
import {
  createExecutions,
  type ExecutionKey,
  type ExecutionRecord,
  executionKeyText,
  type FinishedExecution,
  findExecutions,
  finishExecutions,
  type NewExecution,
} from "../store/telemetry/executions.ts";
import type { Availability } from "./availability.ts";
import type { BatchNumbers } from "./commit/batch-numbers.ts";
import { type ExecutionRegistry, KnownExecution } from "./execution-registry.ts";
import { GroupedCalls } from "./grouped-calls.ts";

/**
 * Execution creates, updates and look-ups, grouped: calls of one turn of the event loop share a statement.
 * What was created or found goes into the registry, so that events need no look-up.
 */

/** Calls in one statement; a handful of statements at most wait for each other. */
const GROUP_MAX = 500;
const RUNS_MAX = 2;
const FINISH_TRIES_MAX = 5;
/** A database that takes longer hangs: the caller is told to come back. */
const STATEMENT_TIMEOUT_MS = 10_000;

export type CreateResult =
  | { readonly kind: "created" | "known"; readonly record: ExecutionRecord }
  | { readonly kind: "database_unavailable" };

export type FinishResult =
  | { readonly kind: "finished" | "unchanged"; readonly record: ExecutionRecord }
  | { readonly kind: "final"; readonly record: ExecutionRecord }
  | { readonly kind: "not_found" }
  | { readonly kind: "database_unavailable" };

export type FindResult =
  | { readonly kind: "found"; readonly execution: KnownExecution }
  | { readonly kind: "not_found" }
  | { readonly kind: "database_unavailable" };

export interface ExecutionsOptions {
  readonly sql: Sql;
  readonly registry: ExecutionRegistry;
  readonly numbers: BatchNumbers;
  readonly availability: Availability;
  /** After the commit of status changes: the batch row that says detection owes them a look. */
  readonly onFinished: (batchNo: number, projectNos: readonly number[]) => void;
  readonly onError: (error: unknown) => void;
}

export class Executions {
  readonly #options: ExecutionsOptions;
  readonly #creates: GroupedCalls<NewExecution, CreateResult>;
  readonly #finishes: GroupedCalls<FinishedExecution, FinishResult>;
  readonly #finds: GroupedCalls<ExecutionKey, FindResult>;

  constructor(options: ExecutionsOptions) {
    this.#options = options;
    const bounds = { groupMax: GROUP_MAX, runsMax: RUNS_MAX };
    this.#creates = new GroupedCalls<NewExecution, CreateResult>({
      ...bounds,
      keyOf: executionKeyText,
      run: (calls) => this.#runCreates(calls),
    });
    this.#finishes = new GroupedCalls<FinishedExecution, FinishResult>({
      ...bounds,
      keyOf: executionKeyText,
      run: (calls) => this.#runFinishes(calls),
    });
    this.#finds = new GroupedCalls<ExecutionKey, FindResult>({
      ...bounds,
      keyOf: executionKeyText,
      run: (calls) => this.#runFinds(calls),
    });
  }

  get waiting(): number {
    return this.#creates.waiting + this.#finishes.waiting + this.#finds.waiting;
  }

  create(execution: NewExecution): Promise<CreateResult> {
    return this.#guard(() => this.#creates.call(execution));
  }

  finish(execution: FinishedExecution): Promise<FinishResult> {
    return this.#guard(() => this.#finishes.call(execution));
  }

  find(key: ExecutionKey): Promise<FindResult> {
    return this.#guard(() => this.#finds.call(key));
  }

  async #guard<T>(run: () => Promise<T>): Promise<T | { kind: "database_unavailable" }> {
    if (!this.#options.availability.available) return { kind: "database_unavailable" };
    let timer: ReturnType<typeof setTimeout> | undefined;
    let heard: (() => void) | undefined;
    const late = new Promise<{ kind: "database_unavailable" }>((resolve) => {
      const giveUp = () => resolve({ kind: "database_unavailable" });
      heard = this.#options.availability.onSilence(giveUp);
      timer = setTimeout(() => {
        this.#options.availability.lost(new Error(`no answer for ${STATEMENT_TIMEOUT_MS} ms`));
        giveUp();
      }, STATEMENT_TIMEOUT_MS);
    });
    try {
      return await Promise.race([run(), late]);
    } catch (error) {
      this.#options.onError(error);
      if (isConnectionLoss(error) && !isWantOfRoom(error)) this.#options.availability.lost(error);
      return { kind: "database_unavailable" };
    } finally {
      clearTimeout(timer);
      heard?.();
    }
  }

  async #runCreates(calls: readonly NewExecution[]): Promise<CreateResult[]> {
    const answers = new Map(
      (await createExecutions(this.#options.sql, calls)).map((answer) => [
        executionKeyText(answer.record),
        answer,
      ]),
    );
    return calls.map((call) => {
      const answer = answers.get(executionKeyText(call));
      if (answer === undefined) throw new Error("a created execution was not answered");
      this.#remember(answer.record);
      return { kind: answer.created ? "created" : "known", record: answer.record };
    });
  }

  async #runFinishes(calls: readonly FinishedExecution[]): Promise<FinishResult[]> {
    const answers = new Map<string, FinishResult>();
    let open = calls;
    // An execution created while the update ran is missed by it and then found as started: it is updated
    // again.
    for (let tries = 0; open.length > 0 && tries < FINISH_TRIES_MAX; tries++) {
      const batchNo = this.#options.numbers.next();
      if (batchNo === undefined) break;
      const finished = await finishExecutions(this.#options.sql, open, batchNo);
      const changed = finished.filter((answer) => answer.changed);
      if (changed.length > 0) {
        this.#options.onFinished(batchNo, [...new Set(changed.map(({ record }) => record.projectNo))]);
      }
      const found = new Map(finished.map((answer) => [executionKeyText(answer.record), answer]));
      for (const call of open) {
        const result = finishResultOf(call, found.get(executionKeyText(call)));
        if (result !== undefined) answers.set(executionKeyText(call), result);
      }
      open = open.filter((call) => !answers.has(executionKeyText(call)));
    }
    return calls.map((call) => answers.get(executionKeyText(call)) ?? { kind: "database_unavailable" });
  }

  async #runFinds(calls: readonly ExecutionKey[]): Promise<FindResult[]> {
    const records = new Map(
      (await findExecutions(this.#options.sql, calls)).map((record) => [executionKeyText(record), record]),
    );
    return calls.map((call) => {
      const record = records.get(executionKeyText(call));
      return record === undefined
        ? { kind: "not_found" }
        : { kind: "found", execution: this.#remember(record) };
    });
  }

  #remember(record: ExecutionRecord): KnownExecution {
    return this.#options.registry.remember(
      record.executionId,
      new KnownExecution({
        projectNo: record.projectNo,
        executionNo: record.executionNo,
        homeDay: record.homeDay ?? undefined,
        environmentKnown: record.environment !== null,
      }),
    );
  }
}

/** Undefined: the execution is still started, so the update has to be tried again. */
function finishResultOf(
  call: FinishedExecution,
  answer: { readonly record: ExecutionRecord; readonly changed: boolean } | undefined,
): FinishResult | undefined {
  if (answer === undefined) return { kind: "not_found" };
  const { record, changed } = answer;
  if (changed) return { kind: "finished", record };
  if (record.status === "started") return undefined;
  return { kind: record.status === call.status ? "unchanged" : "final", record };
}
