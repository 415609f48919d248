import { type EventType, eventTypeOf } from "../../ingest/wire/event-types.ts";
import {
  ARRAY_HEADER_BYTES,
  EMPTY_ARRAY_BYTES,
  EPOCH_2000_US,
  PACK_AT,
  PACK_FIELDS,
  readInt64,
} from "../../store/telemetry/pack-format.ts";
import { byName } from "../building-blocks/by-name.ts";
import type { ToolView } from "../building-blocks/calls/tool-view.ts";
import { ASKED_CALLS, CHAT_TURN, TEXT_SCANS, TOOL_VIEW } from "../building-blocks/event-slots.ts";
import { plainPayload } from "../client-forms/plain-payload.ts";
import type { DetectorEvent } from "../detector.ts";
import type { ChatTurn } from "../event-views/chat-turn.ts";
import type { ModelToolCall } from "../event-views/model-tool-calls.ts";
import type { FragmentScan } from "../text/scan-event.ts";

/**
 * Reads events out of PostgreSQL's binary COPY format, the one shape in which they reach detection: ingest
 * threads hand over the very packs they stored, and the store answers with the same tuples, without header
 * and end (src/store/telemetry/pack-format.ts).
 *
 * The arrays of a pack run side by side, one event in each place. A stand-in, whose event_types are empty,
 * has ids but no events; its one timestamp, which tells the day of its pack, is skipped.
 *
 * Nothing is decoded before somebody asks: walking past an event costs a few loads, and its id and payload
 * become strings and objects when a detector reads them. Bytes not in this format throw; the caller then
 * reads the batch from the store. A payload that is no JSON object reads as `{}` and is counted.
 */

const SIGNATURE_BYTES = 11;
/**
 * Packs may come without the header, as cut out by `splitByBatch`: those start with the field count's 0 byte.
 */
const FIRST_SIGNATURE_BYTE = 0x50;
const MS_FROM_1970_TO_2000 = EPOCH_2000_US / 1000;

/** Where things stand in an array, from its length on. */
const DIMENSIONS = 4;
const COUNT = 16;
const ELEMENTS = 4 + ARRAY_HEADER_BYTES;
/** An element of an array of numbers, with its length. */
const TYPE_BYTES = 4 + 2;
const SEQUENCE_BYTES = 4 + 4;
const TIMESTAMP_BYTES = 4 + 8;

const LARGE_PAYLOAD_BYTES = 262_144;

const sameName = byName((name) => name);

const EMPTY_PAYLOAD: Readonly<Record<string, unknown>> = Object.freeze({});

/** Counts across all readers of a thread. */
export interface ReadCounts {
  unreadablePayloads: number;
}

/** A view of bytes kept alive by the events read from it. */
interface PackSource {
  readonly buffer: Buffer;
  readonly counts: ReadCounts;
}

/** An event whose text is decoded on first use. It must not outlive the call that it was handed to. */
export class StoredEvent implements DetectorEvent {
  readonly typeCode: number;
  readonly type: EventType;
  readonly sequence: number;
  readonly timestampMs: number;
  /** Microseconds since 2000: what events of one batch are ordered by. */
  readonly receivedUs: number;
  readonly #source: PackSource;
  readonly #idStart: number;
  readonly #idEnd: number;
  readonly #payloadStart: number;
  readonly #payloadEnd: number;
  #eventId: string | undefined;
  #payload: Readonly<Record<string, unknown>> | undefined;
  [TEXT_SCANS]: readonly FragmentScan[] | undefined = undefined;
  [TOOL_VIEW]: ToolView | null | undefined = undefined;
  [ASKED_CALLS]: readonly ModelToolCall[] | undefined = undefined;
  [CHAT_TURN]: ChatTurn | undefined = undefined;

  constructor(source: PackSource, cursor: PackCursor) {
    this.#source = source;
    this.typeCode = cursor.typeCode;
    this.type = eventTypeOf(cursor.typeCode);
    this.sequence = cursor.sequence;
    this.timestampMs = Math.floor(cursor.timestampUs / 1000) + MS_FROM_1970_TO_2000;
    this.receivedUs = cursor.receivedUs;
    this.#idStart = cursor.idStart;
    this.#idEnd = cursor.idEnd;
    this.#payloadStart = cursor.payloadStart;
    this.#payloadEnd = cursor.payloadEnd;
  }

  get receivedMs(): number {
    return Math.floor(this.receivedUs / 1000) + MS_FROM_1970_TO_2000;
  }

  get eventId(): string {
    this.#eventId ??= this.#source.buffer.toString("utf8", this.#idStart, this.#idEnd);
    return this.#eventId;
  }

  /** As it is stored: JSON in UTF-8. */
  get payloadBytes(): number {
    return this.#payloadEnd - this.#payloadStart;
  }

  get payload(): Readonly<Record<string, unknown>> {
    this.#payload ??= this.#parse();
    return this.#payload;
  }

  /**
   * Lets go of what was read of a large payload, once a round is done with it, as the events of a round live
   * as long as the round. Whoever asks again reads it anew. Answers its bytes as text, 0 for a small one.
   */
  forgetLargePayload(): number {
    if (this.#payload === undefined || this.payloadBytes < LARGE_PAYLOAD_BYTES) return 0;
    this.#payload = undefined;
    this[TEXT_SCANS] = undefined;
    this[TOOL_VIEW] = undefined;
    this[ASKED_CALLS] = undefined;
    this[CHAT_TURN] = undefined;
    return this.payloadBytes;
  }

  #parse(): Readonly<Record<string, unknown>> {
    try {
      const text = this.#source.buffer.toString("utf8", this.#payloadStart, this.#payloadEnd);
      const value: unknown = JSON.parse(text);
      if (value !== null && typeof value === "object" && !Array.isArray(value)) {
        const payload = value as Record<string, unknown>;
        // Twenty places ask what a tool's name says: one string for all calls stays in the cache, each
        // payload's own does not.
        if (typeof payload.tool_name === "string") payload.tool_name = sameName(payload.tool_name);
        return plainPayload(this.type, payload);
      }
    } catch {
      // Falls through: counted below like a payload of another shape.
    }
    this.#source.counts.unreadablePayloads++;
    return EMPTY_PAYLOAD;
  }

  /**
   * Order within a batch: by arrival, then by the client's numbering, then by id. The same whether the batch
   * comes from memory or from the store, so that rebuilding a state meets its events in the order they were
   * met before.
   */
  precedes(other: StoredEvent): boolean {
    if (this.receivedUs !== other.receivedUs) return this.receivedUs < other.receivedUs;
    if (this.sequence !== other.sequence) return this.sequence < other.sequence;
    return this.#compareIds(other) <= 0;
  }

  #compareIds(other: StoredEvent): number {
    return this.#source.buffer.compare(
      other.#source.buffer,
      other.#idStart,
      other.#idEnd,
      this.#idStart,
      this.#idEnd,
    );
  }
}

/** Walks the packs and the events in each; its fields describe the current ones. */
export class PackCursor {
  projectNo = 0;
  executionNo = 0;
  packNo = 0;
  receivedUs = 0;
  batchNo = 0;
  typeCode = 0;
  idStart = 0;
  idEnd = 0;
  payloadStart = 0;
  payloadEnd = 0;
  readonly #source: PackSource;
  readonly #view: DataView;
  readonly #end: number;
  /** Where the next pack starts. */
  #next: number;
  #idsEnd = 0;
  #count = 0;
  /** How many events of the pack have been met; the last of them is the current one. */
  #met = 0;
  /** Where the first elements of the arrays of numbers stand, less one element. */
  #types = 0;
  #sequences = 0;
  #timestamps = 0;

  constructor(rows: Uint8Array, counts: ReadCounts) {
    const { buffer, byteOffset, byteLength } = rows;
    this.#source = { buffer: Buffer.from(buffer, byteOffset, byteLength), counts };
    this.#view = new DataView(buffer, byteOffset, byteLength);
    this.#end = byteLength;
    this.#next = rows[0] === FIRST_SIGNATURE_BYTE ? this.#startOfPacks() : 0;
  }

  /** Where the next pack starts, in bytes. */
  get position(): number {
    return this.#next;
  }

  /** Moves to before the first event of the next pack; false at the end. */
  nextPack(): boolean {
    const view = this.#view;
    const at = this.#next;
    if (at === this.#end) return false;
    const fieldCount = view.getInt16(at);
    if (fieldCount === -1) {
      this.#next = this.#end;
      return false;
    }
    if (fieldCount !== PACK_FIELDS || !hasFixedLengths(view, at)) malformed(at);
    this.projectNo = view.getInt32(at + PACK_AT.projectNo);
    this.executionNo = readInt64(view, at + PACK_AT.executionNo);
    this.packNo = view.getInt32(at + PACK_AT.packNo);
    this.receivedUs = readInt64(view, at + PACK_AT.receivedAt);
    this.batchNo = readInt64(view, at + PACK_AT.batchNo);
    const ids = at + PACK_AT.arrays;
    const types = endOfArray(view, ids);
    const count = countOf(view, types);
    const sequences = endOfNumbers(view, types, count, TYPE_BYTES);
    const timestamps = endOfNumbers(view, sequences, count, SEQUENCE_BYTES);
    const moments = count === 0 ? Math.min(countOf(view, timestamps), 1) : count;
    const payloads = endOfNumbers(view, timestamps, moments, TIMESTAMP_BYTES);
    const end = count === 0 ? endOfNumbers(view, payloads, 0, 0) : endOfArray(view, payloads);
    if (end > this.#end || countOf(view, payloads) !== count) malformed(payloads);
    const idCount = countOf(view, ids);
    if (idCount === 0 || (count > 0 && idCount !== count)) malformed(ids);
    this.#count = count;
    this.#met = 0;
    this.#types = types + ELEMENTS - TYPE_BYTES;
    this.#sequences = sequences + ELEMENTS - SEQUENCE_BYTES;
    this.#timestamps = timestamps + ELEMENTS - TIMESTAMP_BYTES;
    this.idEnd = ids + ELEMENTS;
    this.payloadEnd = payloads + ELEMENTS;
    this.#idsEnd = types;
    this.#next = end;
    return true;
  }

  /** Of the current pack. */
  get eventCount(): number {
    return this.#count;
  }

  /** Moves to the next event of the pack; false at its end. */
  nextEvent(): boolean {
    if (this.#met === this.#count) return false;
    const met = ++this.#met;
    const view = this.#view;
    this.typeCode = view.getInt16(this.#types + met * TYPE_BYTES + 4);
    const idEnd = this.idEnd;
    this.idStart = idEnd + 4;
    this.idEnd = endOfText(view, idEnd, this.#idsEnd);
    const payloadEnd = this.payloadEnd;
    this.payloadStart = payloadEnd + 4;
    this.payloadEnd = endOfText(view, payloadEnd, this.#next);
    if (met === this.#count && (this.idEnd !== this.#idsEnd || this.payloadEnd !== this.#next))
      malformed(idEnd);
    return true;
  }

  get sequence(): number {
    return this.#view.getInt32(this.#sequences + this.#met * SEQUENCE_BYTES + 4);
  }

  get timestampUs(): number {
    return readInt64(this.#view, this.#timestamps + this.#met * TIMESTAMP_BYTES + 4);
  }

  /** The current event. */
  event(): StoredEvent {
    return new StoredEvent(this.#source, this);
  }

  #startOfPacks(): number {
    if (this.#source.buffer.toString("latin1", 0, 6) !== "PGCOPY") malformed(0);
    const extension = this.#view.getInt32(SIGNATURE_BYTES + 4);
    if (extension < 0) malformed(0);
    return SIGNATURE_BYTES + 8 + extension;
  }
}

/** Cuts packs ordered by batch into the packs of each batch, without copying. */
export function splitByBatch(rows: Uint8Array): Map<number, Uint8Array> {
  const cursor = new PackCursor(rows, { unreadablePayloads: 0 });
  const parts = new Map<number, Uint8Array>();
  let start = cursor.position;
  let end = start;
  let batchNo = -1;
  while (cursor.nextPack()) {
    if (cursor.batchNo !== batchNo) {
      if (end > start) parts.set(batchNo, rows.subarray(start, end));
      batchNo = cursor.batchNo;
      start = end;
    }
    end = cursor.position;
  }
  if (end > start) parts.set(batchNo, rows.subarray(start, end));
  return parts;
}

/** The packs of some projects, in stretches as they stand, without copying. */
export function packsOfProjects(rows: Uint8Array, projectNos: ReadonlySet<number>): readonly Uint8Array[] {
  const cursor = new PackCursor(rows, { unreadablePayloads: 0 });
  const stretches: Uint8Array[] = [];
  let start = -1;
  let at = cursor.position;
  for (; cursor.nextPack(); at = cursor.position) {
    const isTheirs = projectNos.has(cursor.projectNo);
    if (isTheirs && start < 0) start = at;
    if (isTheirs || start < 0) continue;
    stretches.push(rows.subarray(start, at));
    start = -1;
  }
  if (start >= 0) stretches.push(rows.subarray(start, at));
  return stretches;
}

function hasFixedLengths(view: DataView, pack: number): boolean {
  return (
    view.getInt32(pack + PACK_AT.projectNo - 4) === 4 &&
    view.getInt32(pack + PACK_AT.executionNo - 4) === 8 &&
    view.getInt32(pack + PACK_AT.packNo - 4) === 4 &&
    view.getInt32(pack + PACK_AT.away - 4) === 1 &&
    view.getInt32(pack + PACK_AT.firstTimestamp - 4) === 8 &&
    view.getInt32(pack + PACK_AT.receivedAt - 4) === 8 &&
    view.getInt32(pack + PACK_AT.batchNo - 4) === 8
  );
}

function countOf(view: DataView, array: number): number {
  const dimensions = view.getInt32(array + DIMENSIONS);
  if (dimensions === 0) return 0;
  const count = view.getInt32(array + COUNT);
  if (dimensions !== 1 || count < 1) malformed(array);
  return count;
}

function endOfArray(view: DataView, array: number): number {
  const length = view.getInt32(array);
  if (length < EMPTY_ARRAY_BYTES) malformed(array);
  return array + 4 + length;
}

/** Of an array that must have so many numbers. */
function endOfNumbers(view: DataView, array: number, count: number, elementBytes: number): number {
  const length = count === 0 ? EMPTY_ARRAY_BYTES : ELEMENTS - 4 + count * elementBytes;
  if (view.getInt32(array) !== length || countOf(view, array) !== count) malformed(array);
  return array + 4 + length;
}

/** Of the element whose length stands at `at`, in an array that ends at `arrayEnd`. */
function endOfText(view: DataView, at: number, arrayEnd: number): number {
  const length = view.getInt32(at);
  const end = at + 4 + length;
  if (length < 0 || end > arrayEnd) malformed(at);
  return end;
}

function malformed(at: number): never {
  throw new RangeError(`not packs of events in binary COPY format, at byte ${at}`);
}
