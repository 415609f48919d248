import type { Availability } from "./availability.ts";
import { ShareSummary, type StoreResult } from "./commit/flush.ts";
import type { GroupCommit } from "./commit/group-commit.ts";
import type { LaneName } from "./commit/lane.ts";
import type { Caller } from "./directory.ts";
import type { ExecutionRegistry, KnownExecution } from "./execution-registry.ts";
import type { Executions } from "./executions.ts";
import type { Outcomes } from "./outcomes.ts";
import { PlainEvents } from "./plain-events.ts";
import {
  emptyValidEvent,
  environmentOf,
  type Fault,
  type FaultCode,
  judgeEvent,
  type ValidEvent,
} from "./wire/event-validation.ts";
import { type BodySigns, parseKeepingNumbers, signsOf } from "./wire/payload.ts";

/**
 * A batch of events from its body to its commit: plain ones by src/ingest/plain-events.ts, all others parsed
 * here. Judging and encoding are one synchronous pass straight into the open flush, so no event is held as an
 * object while its request waits. Every event's outcome is counted here, once.
 */

/** A bad event of a batch. */
export interface BadEvent {
  readonly index: number;
  readonly eventId: string | undefined;
  readonly faults: readonly (Omit<Fault, "code"> & { readonly code: FaultCode | "execution_not_found" })[];
}

export type IngestResult =
  | {
      readonly kind: "stored";
      readonly accepted: number;
      readonly duplicates: number;
      /** Only of a lenient batch. */
      readonly bad: readonly BadEvent[];
    }
  | { readonly kind: "invalid"; readonly bad: readonly BadEvent[] }
  | { readonly kind: "execution_not_found"; readonly bad: readonly BadEvent[] }
  | { readonly kind: "refused"; readonly detail: string }
  | { readonly kind: "database_unavailable" };

export interface EventIngestOptions {
  readonly registry: ExecutionRegistry;
  readonly executions: Executions;
  readonly groupCommit: GroupCommit;
  readonly availability: Availability;
  readonly outcomes: Outcomes;
  readonly batchEventsMax: number;
}

interface Encoded {
  readonly lane: LaneName;
  readonly start: number;
  readonly summary: ShareSummary;
  readonly bad: readonly BadEvent[];
}

export class EventIngest {
  readonly #options: EventIngestOptions;
  readonly #valid: ValidEvent = emptyValidEvent();
  readonly #plain: PlainEvents;

  constructor(options: EventIngestOptions) {
    this.#options = options;
    this.#plain = new PlainEvents(options);
  }

  /**
   * True if the body can be stored unparsed. `ingestRecognised` must follow before any other body is looked
   * at.
   */
  recognise(bytes: Buffer): boolean {
    return this.#plain.recognise(bytes);
  }

  /** Stores the batch recognised last. Undefined, with nothing done, if it has to be parsed after all. */
  ingestRecognised(caller: Caller, bytes: Buffer, receivedMs: number): Promise<IngestResult> | undefined {
    const share = this.#plain.encode(caller, bytes, receivedMs);
    return share === undefined ? undefined : this.#commit(caller, "fast", share.start, share.summary, []);
  }

  async #commit(
    caller: Caller,
    lane: LaneName,
    start: number,
    summary: ShareSummary,
    bad: readonly BadEvent[],
  ): Promise<IngestResult> {
    const result = await this.#options.groupCommit.commit(lane, start, summary);
    return this.#settled(caller, result, summary.events, bad);
  }

  /**
   * `items` is the parsed array of `body`; `receivedMs` is Unix time in milliseconds. With `lenient`, good
   * events are stored although others are bad; without it, one bad event keeps the whole batch from being
   * stored.
   */
  async ingest(
    caller: Caller,
    items: readonly unknown[],
    body: string,
    options: { lenient: boolean; receivedMs: number },
  ): Promise<IngestResult> {
    const { outcomes, availability } = this.#options;
    const signs = signsOf(body);
    const exact = signs.suspectNumber ? (parseKeepingNumbers(body) as unknown[]) : undefined;
    const found = await this.#lookUp(caller, items);
    if (found === "database_unavailable" || !availability.available) {
      const bad = this.#judgeAll(items, exact, signs);
      if (bad.length > 0 && !options.lenient) return this.#rejectAll(caller, items.length, bad);
      return this.#shed(caller, items.length, false);
    }

    const encoded = this.#encode(caller, items, exact, signs, { ...options, found });
    if (encoded === undefined) return this.#shed(caller, items.length, false);
    const { summary, bad, lane } = encoded;
    if (bad.length > 0 && !options.lenient) {
      return this.#rejectAll(caller, items.length, bad);
    }
    for (const event of bad) {
      outcomes.rejected(caller, isAbsent(event) ? "execution_not_found" : "invalid_event", 1);
    }
    if (summary.events === 0) return { kind: "stored", accepted: 0, duplicates: 0, bad };
    return await this.#commit(caller, lane, encoded.start, summary, bad);
  }

  /** Counts a strict batch with bad events: these by their faults, the others as rejected along with them. */
  #rejectAll(caller: Caller, events: number, bad: readonly BadEvent[]): IngestResult {
    const { outcomes } = this.#options;
    const invalid = bad.filter((event) => !isAbsent(event));
    outcomes.rejected(caller, "invalid_event", invalid.length);
    outcomes.rejected(caller, "execution_not_found", bad.length - invalid.length);
    outcomes.rejected(caller, "batch_rejected", events - bad.length);
    return invalid.length > 0 ? { kind: "invalid", bad: invalid } : { kind: "execution_not_found", bad };
  }

  #shed(caller: Caller, events: number, countLater: boolean): IngestResult {
    if (!countLater) this.#options.outcomes.shed(caller, "database_unavailable", events);
    return { kind: "database_unavailable" };
  }

  #settled(caller: Caller, result: StoreResult, events: number, bad: readonly BadEvent[]): IngestResult {
    switch (result.kind) {
      case "stored":
        this.#options.outcomes.stored(caller, result.accepted, result.duplicates);
        return { kind: "stored", accepted: result.accepted, duplicates: result.duplicates, bad };
      case "refused":
        this.#options.outcomes.rejected(caller, "refused_by_database", events);
        return { kind: "refused", detail: result.detail };
      case "database_unavailable":
        return this.#shed(caller, events, result.countLater);
    }
  }

  /**
   * Looks up the executions that the batch names and the registry does not know. Undefined if it knows all,
   * which is the hot path; else all executions of the batch that exist, held here so that none is evicted
   * meanwhile.
   */
  async #lookUp(
    caller: Caller,
    items: readonly unknown[],
  ): Promise<ReadonlyMap<string, KnownExecution> | undefined | "database_unavailable"> {
    let unknown: Set<string> | undefined;
    let last: string | undefined;
    for (const item of items) {
      const id = (item as { execution_id?: unknown } | null)?.execution_id;
      if (id === last || typeof id !== "string" || id.length > ID_UNITS_MAX) continue;
      last = id;
      if (this.#options.registry.get(caller.projectNo, id) === undefined) {
        unknown ??= new Set();
        unknown.add(id);
      }
    }
    if (unknown === undefined) return undefined;
    const found = new Map<string, KnownExecution>();
    for (const item of items) {
      const id = (item as { execution_id?: unknown } | null)?.execution_id;
      if (typeof id !== "string" || found.has(id)) continue;
      const known = this.#options.registry.get(caller.projectNo, id);
      if (known !== undefined) found.set(id, known);
    }
    const results = await Promise.all(
      [...unknown].map(async (executionId) => ({
        executionId,
        result: await this.#options.executions.find({
          projectNo: caller.projectNo,
          executionId: executionId.toWellFormed().replaceAll("\0", "\ufffd"),
        }),
      })),
    );
    for (const { executionId, result } of results) {
      if (result.kind === "database_unavailable") return "database_unavailable";
      if (result.kind === "found") found.set(executionId, result.execution);
    }
    return found;
  }

  /**
   * The synchronous pass: on the fast lane until an event turns out to have been seen before, then anew on
   * the careful one.
   */
  #encode(
    caller: Caller,
    items: readonly unknown[],
    exact: readonly unknown[] | undefined,
    signs: BodySigns,
    options: { lenient: boolean; receivedMs: number; found: ReadonlyMap<string, KnownExecution> | undefined },
  ): Encoded | undefined {
    const fast = this.#encodeOn("fast", caller, items, exact, signs, options);
    return fast === "needs_care"
      ? (this.#encodeOn("careful", caller, items, exact, signs, options) as Encoded)
      : fast;
  }

  #encodeOn(
    lane: LaneName,
    caller: Caller,
    items: readonly unknown[],
    exact: readonly unknown[] | undefined,
    signs: BodySigns,
    options: { lenient: boolean; receivedMs: number; found: ReadonlyMap<string, KnownExecution> | undefined },
  ): Encoded | undefined | "needs_care" {
    const { registry, groupCommit, outcomes } = this.#options;
    const flush = groupCommit.open(lane);
    if (flush === undefined) return undefined;
    const { rows } = flush;
    const start = rows.length;
    const summary = new ShareSummary(caller);
    const bad: BadEvent[] = [];
    const valid = this.#valid;
    let needsCare = false;
    let replaced = 0;
    let lastId: string | undefined;
    let execution: KnownExecution | undefined;
    for (let index = 0; index < items.length; index++) {
      const faults = judgeEvent(items[index], exact?.[index], signs, valid);
      if (faults !== undefined) {
        bad.push({ index, eventId: eventIdOf(items[index]), faults });
        continue;
      }
      const { event } = valid;
      if (event.execution_id !== lastId) {
        lastId = event.execution_id;
        execution =
          options.found === undefined ? registry.get(caller.projectNo, lastId) : options.found.get(lastId);
      }
      if (execution === undefined) {
        bad.push({ index, eventId: event.event_id, faults: [ABSENT] });
        continue;
      }
      const homeDay = execution.homeDayBy(valid.seconds);
      summary.note(execution, valid.seconds);
      if (lane === "fast") {
        if (execution.seen.note(event.event_id)) needsCare = true;
        // The rest is still judged and remembered, but will be encoded in the second pass anyway.
        if (needsCare) continue;
      }
      const row = {
        projectNo: caller.projectNo,
        executionNo: execution.executionNo,
        homeDay,
        eventId: event.event_id,
        typeCode: valid.typeCode,
        sequence: event.sequence,
        seconds: valid.seconds,
        micros: valid.micros,
        payload: valid.payload,
      };
      rows.append(row, options.receivedMs, flush.batchNo);
      replaced += valid.replaced;
      if (event.event_type === "environment_declaration" && summary.wantsEnvironment(execution))
        summary.environments.set(execution, environmentOf(valid.payload));
    }
    const rejected = bad.length > 0 && !options.lenient;
    if (needsCare && !rejected) {
      rows.truncate(start);
      return "needs_care";
    }
    if (rejected) {
      rows.truncate(start);
      groupCommit.dropped(summary);
    } else if (replaced > 0) outcomes.replacedCharacters(replaced);
    return { lane, start, summary, bad };
  }

  #judgeAll(items: readonly unknown[], exact: readonly unknown[] | undefined, signs: BodySigns): BadEvent[] {
    const bad: BadEvent[] = [];
    for (const [index, item] of items.entries()) {
      const faults = judgeEvent(item, exact?.[index], signs, this.#valid);
      if (faults !== undefined) bad.push({ index, eventId: eventIdOf(item), faults });
    }
    return bad;
  }
}

/** 128 characters of two UTF-16 units each: nothing longer is an id. */
const ID_UNITS_MAX = 256;

const ABSENT = {
  pointer: "/execution_id",
  code: "execution_not_found",
  detail: "no execution with this execution_id exists in the project of the key",
} as const;

function isAbsent(event: BadEvent): boolean {
  return event.faults[0] === ABSENT;
}

/**
 * The id of a bad event if it is at least a short string: it lets the client find the event, and is not
 * checked further.
 */
function eventIdOf(item: unknown): string | undefined {
  const id = (item as { event_id?: unknown } | null)?.event_id;
  return typeof id === "string" && id.length <= ID_UNITS_MAX ? id.toWellFormed() : undefined;
}
