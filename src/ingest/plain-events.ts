import type { Availability } from "./availability.ts";
import { ShareSummary } from "./commit/flush.ts";
import type { GroupCommit } from "./commit/group-commit.ts";
import type { Caller } from "./directory.ts";
import type { ExecutionRegistry, KnownExecution } from "./execution-registry.ts";
import { BatchScan, FIELD, FIELDS_PER_EVENT } from "./wire/batch-scan.ts";
import { eventTypeCode, eventTypeOf } from "./wire/event-types.ts";
import { environmentOf, judgePayload } from "./wire/event-validation.ts";
import { isPayloadRight } from "./wire/payload-glance.ts";
import { type ParsedTimestamp, parseTimestampBytes } from "./wire/timestamp.ts";

/**
 * The plain road of a batch: from the bytes of its body to the packs of the open flush, copying each payload
 * as it stands. For batches of plain events of known executions; all others take the parsed road,
 * `EventIngest.ingest`, which judges and explains. The two agree: what this one stores, the other would have
 * stored with the same meaning.
 *
 * Nothing is changed or remembered until the whole batch is known to fit.
 */

export interface PlainEventsOptions {
  readonly registry: ExecutionRegistry;
  readonly groupCommit: GroupCommit;
  readonly availability: Availability;
  readonly batchEventsMax: number;
}

export interface PlainShare {
  readonly start: number;
  readonly summary: ShareSummary;
}

/** What the scan leaves to be found out about an event. */
interface Place extends ParsedTimestamp {
  projectNo: number;
  executionNo: number;
  homeDay: number;
  typeCode: number;
  sequence: number;
}

const ENVIRONMENT_DECLARATION = eventTypeCode("environment_declaration")!;

export class PlainEvents {
  readonly #options: PlainEventsOptions;
  readonly #scan: BatchScan;
  /** Of the batch under way: seconds and microseconds of each event, one after the other. */
  readonly #moments: Float64Array;
  readonly #executions: KnownExecution[] = [];
  readonly #place: Place = {
    projectNo: 0,
    executionNo: 0,
    homeDay: 0,
    typeCode: 0,
    sequence: 0,
    seconds: 0,
    micros: 0,
  };
  readonly #texts = {
    bytes: Buffer.alloc(0) as Buffer,
    eventId: 0,
    eventIdEnd: 0,
    payload: 0,
    payloadEnd: 0,
  };

  constructor(options: PlainEventsOptions) {
    this.#options = options;
    this.#scan = new BatchScan(options.batchEventsMax);
    this.#moments = new Float64Array(options.batchEventsMax * 2);
  }

  /** True if `bytes` is a batch of plain events: valid JSON, and no project named. */
  recognise(bytes: Buffer): boolean {
    return this.#scan.scan(bytes);
  }

  /**
   * Encodes the batch that `recognise` looked at last. Undefined, with nothing done, if it has to take the
   * parsed road.
   */
  encode(caller: Caller, bytes: Buffer, receivedMs: number): PlainShare | undefined {
    if (this.#scan.count === 0 || !this.#options.availability.available) return undefined;
    if (!this.#resolve(caller, bytes)) return undefined;
    return this.#append(caller, bytes, receivedMs);
  }

  /**
   * Finds every event's execution and moment and checks its payload's known fields; false if one of them is
   * not plain.
   */
  #resolve(caller: Caller, bytes: Buffer): boolean {
    const { fields, count } = this.#scan;
    let lastStart = 0;
    let lastLength = 0;
    let execution: KnownExecution | undefined;
    for (let index = 0; index < count; index++) {
      const base = index * FIELDS_PER_EVENT;
      const start = fields[base + FIELD.executionId]!;
      const length = fields[base + FIELD.executionIdEnd]! - start;
      if (length !== lastLength || !sameBytes(bytes, start, lastStart, length)) {
        execution = this.#options.registry.get(
          caller.projectNo,
          bytes.toString("latin1", start, start + length),
        );
        lastStart = start;
        lastLength = length;
      }
      if (execution === undefined) return false;
      this.#executions[index] = execution;

      const moment = this.#place;
      const timestamp = fields[base + FIELD.timestamp]!;
      if (!parseTimestampBytes(bytes, timestamp, fields[base + FIELD.timestampEnd]!, moment)) return false;
      this.#moments[index * 2] = moment.seconds;
      this.#moments[index * 2 + 1] = moment.micros;

      const typeCode = fields[base + FIELD.typeCode]!;
      const payload = fields[base + FIELD.payload]!;
      if (!isPayloadRight(typeCode, bytes, payload)) {
        const parsed: unknown = JSON.parse(bytes.toString("utf8", payload, fields[base + FIELD.payloadEnd]!));
        if (judgePayload(eventTypeOf(typeCode), parsed) !== undefined) return false;
      }
    }
    return true;
  }

  #append(caller: Caller, bytes: Buffer, receivedMs: number): PlainShare | undefined {
    const flush = this.#options.groupCommit.open("fast");
    if (flush === undefined) return undefined;
    const summary = new ShareSummary(caller);
    if (this.#needsCare(bytes, summary)) return undefined;
    const { rows, batchNo } = flush;
    const start = rows.length;
    const { fields, count } = this.#scan;
    const place = this.#place;
    const texts = this.#texts;
    place.projectNo = caller.projectNo;
    texts.bytes = bytes;
    for (let index = 0; index < count; index++) {
      const base = index * FIELDS_PER_EVENT;
      const execution = this.#executions[index]!;
      place.executionNo = execution.executionNo;
      place.typeCode = fields[base + FIELD.typeCode]!;
      place.sequence = fields[base + FIELD.sequence]!;
      place.seconds = this.#moments[index * 2]!;
      place.homeDay = execution.homeDayBy(place.seconds);
      place.micros = this.#moments[index * 2 + 1]!;
      texts.eventId = fields[base + FIELD.eventId]!;
      texts.eventIdEnd = fields[base + FIELD.eventIdEnd]!;
      texts.payload = fields[base + FIELD.payload]!;
      texts.payloadEnd = fields[base + FIELD.payloadEnd]!;
      rows.appendBytes(place, texts, receivedMs, batchNo);
    }
    return { start, summary };
  }

  /**
   * Notes the events. True if one may be a duplicate. The parsed road then finds the same, as the events
   * noted so far are remembered, and takes the careful lane.
   */
  #needsCare(bytes: Buffer, summary: ShareSummary): boolean {
    const { fields, count } = this.#scan;
    for (let index = 0; index < count; index++) {
      const base = index * FIELDS_PER_EVENT;
      const execution = this.#executions[index]!;
      const eventId = fields[base + FIELD.eventId]!;
      if (execution.seen.noteBytes(bytes, eventId, fields[base + FIELD.eventIdEnd]!)) return true;
      summary.note(execution, this.#moments[index * 2]!);
      if (fields[base + FIELD.typeCode] !== ENVIRONMENT_DECLARATION) continue;
      if (!summary.wantsEnvironment(execution)) continue;
      const payload = bytes.toString("utf8", fields[base + FIELD.payload]!, fields[base + FIELD.payloadEnd]!);
      summary.environments.set(execution, environmentOf(payload));
    }
    return false;
  }
}

function sameBytes(bytes: Uint8Array, one: number, other: number, length: number): boolean {
  for (let index = 0; index < length; index++) {
    if (bytes[one + index] !== bytes[other + index]) return false;
  }
  return true;
}
