import { type EventType, eventTypeOf } from "../../ingest/event-types.ts";
import type { ToolView } from "../building-blocks/tool-view.ts";
import type { DetectorEvent } from "../detector.ts";
import type { FragmentScan } from "../text/scan-event.ts";
import { TEXT_SCANS, TOOL_VIEW } from "./event-slots.ts";

/**
 * Reads events out of PostgreSQL's binary COPY format, the one shape in which they reach detection: ingest threads
 * hand over the very bytes they stored, and the store answers with the same tuples, without header and end.
 *
 *   11-byte signature · flags int32 · extension int32 (length, bytes) · tuples … · int16 -1
 *   tuple: int16 9, then fields, each an int32 length and its bytes:
 *   project_no int4 · execution_no int8 · event_id text · event_type int2 · sequence int4 · timestamp int8 ·
 *   payload text · received_at int8 · batch_no int8          (times in µs since 2000-01-01 UTC)
 *
 * Nothing is decoded before somebody asks: walking past an event costs a few loads; its id and payload become
 * strings and objects when a detector reads them. Bytes that are not this format throw; the caller then reads the
 * batch from the store. A payload that is no JSON object reads as `{}` and is counted.
 */

const SIGNATURE_BYTES = 11;
/** Tuples may come without the header, as cut out by `splitByBatch`: those start with the field count's 0 byte. */
const FIRST_SIGNATURE_BYTE = 0x50;
const FIELD_COUNT = 9;
const MS_FROM_1970_TO_2000 = 946_684_800_000;
/** What a tuple measures without its id and its payload: field count, nine lengths, the fixed fields. */
const FIXED_TUPLE_BYTES = 2 + 9 * 4 + 4 + 8 + 2 + 4 + 8 + 8 + 8;

const EMPTY_PAYLOAD: Readonly<Record<string, unknown>> = Object.freeze({});

/** Counts across all readers of a thread. */
export interface ReadTally {
  unreadablePayloads: number;
}

/** A view of bytes kept alive by the events read from it. */
interface RowSource {
  readonly buffer: Buffer;
  readonly tally: ReadTally;
}

/** An event whose text is decoded on first use. It must not outlive the call that it was handed to. */
export class StoredEvent implements DetectorEvent {
  readonly typeCode: number;
  readonly sequence: number;
  readonly timestampMs: number;
  /** Microseconds since 2000: what events of one batch are ordered by. */
  readonly receivedUs: number;
  readonly #source: RowSource;
  readonly #idStart: number;
  readonly #idEnd: number;
  readonly #payloadStart: number;
  readonly #payloadEnd: number;
  #eventId: string | undefined;
  #payload: Readonly<Record<string, unknown>> | undefined;
  [TEXT_SCANS]: readonly FragmentScan[] | undefined = undefined;
  [TOOL_VIEW]: ToolView | null | undefined = undefined;

  constructor(source: RowSource, cursor: RowCursor) {
    this.#source = source;
    this.typeCode = cursor.typeCode;
    this.sequence = cursor.sequence;
    this.timestampMs = Math.floor(cursor.timestampUs / 1000) + MS_FROM_1970_TO_2000;
    this.receivedUs = cursor.receivedUs;
    this.#idStart = cursor.idStart;
    this.#idEnd = cursor.idEnd;
    this.#payloadStart = cursor.payloadStart;
    this.#payloadEnd = cursor.payloadEnd;
  }

  get type(): EventType {
    return eventTypeOf(this.typeCode);
  }

  get receivedMs(): number {
    return Math.floor(this.receivedUs / 1000) + MS_FROM_1970_TO_2000;
  }

  get eventId(): string {
    this.#eventId ??= this.#source.buffer.toString("utf8", this.#idStart, this.#idEnd);
    return this.#eventId;
  }

  get payload(): Readonly<Record<string, unknown>> {
    this.#payload ??= this.#parse();
    return this.#payload;
  }

  #parse(): Readonly<Record<string, unknown>> {
    try {
      const text = this.#source.buffer.toString("utf8", this.#payloadStart, this.#payloadEnd);
      const value: unknown = JSON.parse(text);
      if (value !== null && typeof value === "object" && !Array.isArray(value)) {
        return value as Record<string, unknown>;
      }
    } catch {
      // Falls through: counted below like a payload of another shape.
    }
    this.#source.tally.unreadablePayloads++;
    return EMPTY_PAYLOAD;
  }

  /**
   * Order within a batch: by arrival, then by the client's numbering, then by id. The same whether the batch comes
   * from memory or from the store, so that rebuilding a state meets its events in the order they were met before.
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

/** Walks the tuples; its fields describe the current one. */
export class RowCursor {
  projectNo = 0;
  executionNo = 0;
  typeCode = 0;
  sequence = 0;
  timestampUs = 0;
  receivedUs = 0;
  batchNo = 0;
  idStart = 0;
  idEnd = 0;
  payloadStart = 0;
  payloadEnd = 0;
  readonly #source: RowSource;
  readonly #view: DataView;
  readonly #end: number;
  #at: number;

  constructor(rows: Uint8Array, tally: ReadTally) {
    const { buffer, byteOffset, byteLength } = rows;
    this.#source = { buffer: Buffer.from(buffer, byteOffset, byteLength), tally };
    this.#view = new DataView(buffer, byteOffset, byteLength);
    this.#end = byteLength;
    this.#at = rows[0] === FIRST_SIGNATURE_BYTE ? this.#startOfTuples() : 0;
  }

  /** Where the next tuple starts, in bytes. */
  get position(): number {
    return this.#at;
  }

  /** Moves to the next tuple; false at the end. */
  next(): boolean {
    const view = this.#view;
    const at = this.#at;
    if (at === this.#end) return false;
    this.#need(at, 2);
    const count = view.getInt16(at);
    if (count === -1) {
      this.#at = this.#end;
      return false;
    }
    this.#need(at, FIXED_TUPLE_BYTES);
    if (count !== FIELD_COUNT || view.getInt32(at + 2) !== 4 || view.getInt32(at + 10) !== 8) malformed(at);
    this.projectNo = view.getInt32(at + 6);
    this.executionNo = view.getInt32(at + 14) * 4294967296 + view.getUint32(at + 18);
    const idLength = view.getInt32(at + 22);
    if (idLength < 0) malformed(at);
    this.idStart = at + 26;
    this.idEnd = this.idStart + idLength;
    this.#need(this.idEnd, 2 + 4 + 8 + 8 + 8 + 6 * 4);
    const afterId = this.idEnd;
    this.typeCode = view.getInt16(afterId + 4);
    this.sequence = view.getInt32(afterId + 10);
    this.timestampUs = view.getInt32(afterId + 18) * 4294967296 + view.getUint32(afterId + 22);
    const payloadLength = view.getInt32(afterId + 26);
    if (payloadLength < 0) malformed(at);
    this.payloadStart = afterId + 30;
    this.payloadEnd = this.payloadStart + payloadLength;
    const afterPayload = this.payloadEnd;
    this.#need(afterPayload, 24);
    this.receivedUs = view.getInt32(afterPayload + 4) * 4294967296 + view.getUint32(afterPayload + 8);
    this.batchNo = view.getInt32(afterPayload + 16) * 4294967296 + view.getUint32(afterPayload + 20);
    this.#at = afterPayload + 24;
    return true;
  }

  /** The current tuple as an event. */
  event(): StoredEvent {
    return new StoredEvent(this.#source, this);
  }

  #startOfTuples(): number {
    this.#need(0, SIGNATURE_BYTES + 8);
    if (this.#source.buffer.toString("latin1", 0, 6) !== "PGCOPY") malformed(0);
    const extension = this.#view.getInt32(SIGNATURE_BYTES + 4);
    if (extension < 0) malformed(0);
    return SIGNATURE_BYTES + 8 + extension;
  }

  #need(at: number, bytes: number): void {
    if (at + bytes > this.#end) malformed(at);
  }
}

/** Cuts rows ordered by batch into the tuples of each batch, without copying. */
export function splitByBatch(rows: Uint8Array): Map<number, Uint8Array> {
  const cursor = new RowCursor(rows, { unreadablePayloads: 0 });
  const parts = new Map<number, Uint8Array>();
  let start = cursor.position;
  let end = start;
  let batchNo = -1;
  while (cursor.next()) {
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

function malformed(at: number): never {
  throw new RangeError(`not rows of events in binary COPY format, at byte ${at}`);
}
