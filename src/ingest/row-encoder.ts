import { secondsSince2000 } from "./timestamp.ts";

/**
 * Event rows in PostgreSQL's binary COPY format, written straight into one growing buffer.
 *
 *   signature (11) │ flags (4) │ extension (4) │ row │ row │ … │ trailer: int16 -1
 *   row: int16 9 │ project_no int4 │ execution_no int8 │ event_id text │ event_type int2 │ sequence int4 │
 *        timestamp int8 │ payload text │ received_at int8 │ batch_no int8      each behind its int32 length
 *
 * Binary, because the server then parses nothing: 2.5 µs of PostgreSQL CPU an event against 8.5 for text into the wide
 * table (docs/MEASUREMENTS.md). The field order is that of `EVENT_COLUMNS` in src/store/telemetry/event-copy.ts.
 */

const SIGNATURE = Buffer.from("PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0", "latin1");
const TRAILER_BYTES = 2;
/**
 * Bytes of one COPY. PostgreSQL holds up to 1,000 rows of a binary COPY before it stores them, finds a place for each by a search that grows
 * with them, and goes through memory that its caches do not hold: COPYs of 125 to 250 rows take it a sixth less CPU an
 * event than one of 1,500 (docs/MEASUREMENTS.md).
 */
const COPY_BYTES = 65_536;
/** Everything of a row but the bytes of event_id and payload. */
const ROW_FIXED_BYTES = 2 + 9 * 4 + 4 + 8 + 2 + 4 + 8 + 8 + 8;
const FIELDS = 9;
const TWO_32 = 4_294_967_296;
const MICROS_PER_SECOND = 1_000_000;

/** A row without its two texts. */
export interface EventPlace {
  readonly projectNo: number;
  readonly executionNo: number;
  readonly typeCode: number;
  readonly sequence: number;
  /** Seconds since 2000 and microseconds, as src/ingest/timestamp.ts gives them. */
  readonly seconds: number;
  readonly micros: number;
}

export interface EventRow extends EventPlace {
  readonly eventId: string;
  /** JSON text. */
  readonly payload: string;
}

/** The two texts of a row as bytes of UTF-8 that stand elsewhere; ends are exclusive. */
export interface EventTexts {
  readonly bytes: Buffer;
  readonly eventId: number;
  readonly eventIdEnd: number;
  readonly payload: number;
  readonly payloadEnd: number;
}

export class RowBuffer {
  #bytes: Buffer;
  #view: DataView;
  #length = SIGNATURE.length;
  /** Ends of rows at which a COPY ends, but for the last. */
  readonly #copyEnds: number[] = [];

  constructor(capacityBytes: number) {
    this.#bytes = Buffer.allocUnsafeSlow(Math.max(capacityBytes, 64));
    this.#view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.byteLength);
    SIGNATURE.copy(this.#bytes);
  }

  /** Bytes held, without the trailer. */
  get length(): number {
    return this.#length;
  }

  get capacity(): number {
    return this.#bytes.length;
  }

  /** Where the rows are best parted into several COPYs: ends of rows, rising, the last one that of the last row. */
  get copyEnds(): number[] {
    const ends = [...this.#copyEnds];
    if (ends.at(-1) !== this.#length) ends.push(this.#length);
    return ends;
  }

  reset(): void {
    this.truncate(SIGNATURE.length);
  }

  /** Gives back everything written after `length` was read: for a request that turned out bad half-way. */
  truncate(length: number): void {
    this.#length = length;
    while (this.#copyEnds.length > 0 && this.#copyEnds.at(-1)! > length) this.#copyEnds.pop();
  }

  /** The whole COPY stream, a view into the buffer: valid until the next write. */
  finish(): Buffer {
    this.#reserve(TRAILER_BYTES);
    this.#view.setInt16(this.#length, -1);
    return this.#bytes.subarray(0, this.#length + TRAILER_BYTES);
  }

  /** A COPY stream of its own of the rows in [start, end), under another batch number: one request's share of a flush. */
  slice(start: number, end: number, batchNo: number): Buffer {
    const copy = Buffer.concat([SIGNATURE, this.#bytes.subarray(start, end), Buffer.from([0xff, 0xff])]);
    const view = new DataView(copy.buffer, copy.byteOffset, copy.byteLength);
    for (let at = SIGNATURE.length; at < copy.length - TRAILER_BYTES; ) {
      at = rowEnd(view, at);
      writeInt64(view, at - 8, batchNo);
    }
    return copy;
  }

  /** Execution number and event id of each row in [start, end), in order. */
  *keys(start: number, end: number): Generator<{ executionNo: number; eventId: string }> {
    for (let at = start; at < end; at = rowEnd(this.#view, at)) {
      const executionNo = this.#view.getInt32(at + 14) * TWO_32 + this.#view.getUint32(at + 18);
      const idBytes = this.#view.getInt32(at + 22);
      yield { executionNo, eventId: this.#bytes.toString("utf8", at + 26, at + 26 + idBytes) };
    }
  }

  /** Appends a row. `receivedMs` is Unix time in milliseconds, its fraction kept to the microsecond. */
  append(row: EventRow, receivedMs: number, batchNo: number): void {
    // UTF-8 needs at most three bytes for a UTF-16 unit.
    this.#reserve(ROW_FIXED_BYTES + 3 * (row.eventId.length + row.payload.length));
    let at = this.#text(this.#upToEventId(row), row.eventId);
    at = this.#text(this.#upToPayload(row, at), row.payload);
    this.#afterPayload(at, receivedMs, batchNo);
  }

  /** The same with texts that are copied as they stand. */
  appendBytes(place: EventPlace, texts: EventTexts, receivedMs: number, batchNo: number): void {
    const { bytes, eventId, eventIdEnd, payload, payloadEnd } = texts;
    this.#reserve(ROW_FIXED_BYTES + eventIdEnd - eventId + payloadEnd - payload);
    let at = this.#copy(this.#upToEventId(place), bytes, eventId, eventIdEnd);
    at = this.#copy(this.#upToPayload(place, at), bytes, payload, payloadEnd);
    this.#afterPayload(at, receivedMs, batchNo);
  }

  #upToEventId(place: EventPlace): number {
    const view = this.#view;
    const at = this.#length;
    view.setInt16(at, FIELDS);
    view.setInt32(at + 2, 4);
    view.setInt32(at + 6, place.projectNo);
    view.setInt32(at + 10, 8);
    writeInt64(view, at + 14, place.executionNo);
    return at + 22;
  }

  #upToPayload(place: EventPlace, at: number): number {
    const view = this.#view;
    view.setInt32(at, 2);
    view.setInt16(at + 4, place.typeCode);
    view.setInt32(at + 6, 4);
    view.setInt32(at + 10, place.sequence);
    view.setInt32(at + 14, 8);
    this.#micros(at + 18, place.seconds, place.micros);
    return at + 26;
  }

  #afterPayload(at: number, receivedMs: number, batchNo: number): void {
    const view = this.#view;
    view.setInt32(at, 8);
    const received = secondsSince2000(receivedMs);
    const receivedSeconds = Math.floor(received);
    this.#micros(at + 4, receivedSeconds, Math.floor((received - receivedSeconds) * MICROS_PER_SECOND));
    view.setInt32(at + 12, 8);
    writeInt64(view, at + 16, batchNo);
    this.#length = at + 24;
    if (this.#length - (this.#copyEnds.at(-1) ?? 0) >= COPY_BYTES) this.#copyEnds.push(this.#length);
  }

  #copy(at: number, source: Buffer, start: number, end: number): number {
    this.#view.setInt32(at, end - start);
    source.copy(this.#bytes, at + 4, start, end);
    return at + 4 + end - start;
  }

  #text(at: number, text: string): number {
    const bytes = this.#bytes.write(text, at + 4);
    this.#view.setInt32(at, bytes);
    return at + 4 + bytes;
  }

  /** seconds × 10^6 + micros as int64; exact also where the product is no safe integer. */
  #micros(at: number, seconds: number, micros: number): void {
    const product = seconds * MICROS_PER_SECOND + micros;
    if (Number.isSafeInteger(product)) writeInt64(this.#view, at, product);
    else this.#view.setBigInt64(at, BigInt(seconds) * BigInt(MICROS_PER_SECOND) + BigInt(micros));
  }

  #reserve(bytes: number): void {
    const needed = this.#length + bytes + TRAILER_BYTES;
    if (needed <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer, grown.byteOffset, grown.byteLength);
  }
}

/** A safe integer, positive or negative, as int64. */
function writeInt64(view: DataView, at: number, value: number): void {
  const high = Math.floor(value / TWO_32);
  view.setInt32(at, high);
  view.setUint32(at + 4, value - high * TWO_32);
}

/** Where the row that starts at `at` ends. */
function rowEnd(view: DataView, at: number): number {
  let next = at + 2;
  for (let field = 0; field < FIELDS; field++) next += 4 + view.getInt32(next);
  return next;
}
