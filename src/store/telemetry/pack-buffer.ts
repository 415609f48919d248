import {
  ARRAY_HEADER_BYTES,
  COPY_HEADER_BYTES,
  DAY_SECONDS,
  ELEMENT_TYPE,
  EMPTY_ARRAY_BYTES,
  EPOCH_2000_DAYS,
  EPOCH_2000_US,
  MICROS_PER_SECOND,
  PACK_AT,
  PACK_FIELDS,
  readInt64,
  SIGNATURE,
  TRAILER_BYTES,
  writeInt64,
} from "./pack-format.ts";
import { type EventTexts, eventIdOf, eventsOf } from "./packed-events.ts";

/**
 * Packs of events (`eventPack` in src/store/schema/telemetry.ts) in PostgreSQL's binary COPY format
 * (src/store/telemetry/pack-format.ts), written into one growing buffer.
 *
 * Events that come one after the other share a pack as long as they are of one execution, one UTC day and one
 * request, and fit. A pack of another day than the execution's home day is followed by its stand-in. Pack
 * numbers are filled in last, by `numberPacks`: they are known when nothing else can write packs of these
 * executions.
 */

/**
 * What a pack may take as a tuple: two fit a page of 8 KiB. Packs of a page were a sixth cheaper to store
 * (docs/MEASUREMENTS.md), but what reads one event reads its whole pack, and PostgreSQL would compress no
 * event shorter than a page. One that is longer than this stands alone and is compressed
 * (`toast_tuple_target` in the migration).
 */
const TUPLE_BYTES_MAX = 4_060;
/** Headers of tuple and arrays, the columns that are no arrays, and padding. */
const TUPLE_FIXED_BYTES = 240;
/** Type, sequence and timestamp of an event, and the lengths before its two texts with their padding. */
const TUPLE_EVENT_BYTES = 2 + 4 + 8 + 2 * 7;

/**
 * Bytes of one COPY: where the rows are best parted into several. PostgreSQL holds what it has read of a COPY
 * before it stores it, and goes through memory that its caches do not hold (docs/MEASUREMENTS.md).
 */
const COPY_BYTES = 65_536;

/** An event without its two texts, and where it belongs. */
export interface EventPlace {
  readonly projectNo: number;
  readonly executionNo: number;
  /** Of the execution: days since 1970-01-01 (UTC). */
  readonly homeDay: number;
  readonly typeCode: number;
  readonly sequence: number;
  /** Whole seconds since 2000-01-01T00:00:00Z. */
  readonly seconds: number;
  /** 0 to 999,999. */
  readonly micros: number;
}

export interface PackedEvent extends EventPlace {
  readonly eventId: string;
  /** JSON text. */
  readonly payload: string;
}

/** One array of the open pack: elements behind their lengths. */
class Section {
  bytes: Buffer;
  view: DataView;
  length = 0;
  readonly elementType: number;

  constructor(elementType: number, capacity: number) {
    this.elementType = elementType;
    this.bytes = Buffer.allocUnsafeSlow(capacity);
    this.view = new DataView(this.bytes.buffer, this.bytes.byteOffset, this.bytes.byteLength);
  }

  /** Makes room and answers where to write. */
  reserve(bytes: number): number {
    if (this.length + bytes > this.bytes.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(this.length + bytes, this.bytes.length * 2));
      this.bytes.copy(grown, 0, 0, this.length);
      this.bytes = grown;
      this.view = new DataView(grown.buffer, grown.byteOffset, grown.byteLength);
    }
    return this.length;
  }

  /** Forgets what it held, and the memory that one long event took. */
  reset(): void {
    this.length = 0;
    if (this.bytes.length > SECTION_KEPT_BYTES_MAX) {
      this.bytes = Buffer.allocUnsafeSlow(SECTION_BYTES);
      this.view = new DataView(this.bytes.buffer, this.bytes.byteOffset, this.bytes.byteLength);
    }
  }
}

const SECTION_BYTES = 8_192;
const SECTION_KEPT_BYTES_MAX = 1_048_576;

export class PackBuffer {
  #bytes: Buffer;
  #view: DataView;
  #length = SIGNATURE.length;
  /** Where each row begins. */
  readonly #rows: number[] = [];
  /** Ends of rows at which a COPY ends, but for the last. */
  readonly #copyEnds: number[] = [];

  // The open pack.
  #count = 0;
  #tupleBytes = 0;
  #projectNo = 0;
  #executionNo = 0;
  #homeDay = 0;
  #day = 0;
  #receivedMs = 0;
  #batchNo = 0;
  #firstSeconds = 0;
  #firstMicros = 0;
  readonly #ids = new Section(ELEMENT_TYPE.text, SECTION_BYTES);
  readonly #types = new Section(ELEMENT_TYPE.int2, SECTION_BYTES);
  readonly #sequences = new Section(ELEMENT_TYPE.int4, SECTION_BYTES);
  readonly #timestamps = new Section(ELEMENT_TYPE.timestamptz, SECTION_BYTES);
  readonly #payloads = new Section(ELEMENT_TYPE.text, SECTION_BYTES);
  readonly #sections = [this.#ids, this.#types, this.#sequences, this.#timestamps, this.#payloads];

  constructor(capacityBytes: number) {
    this.#bytes = Buffer.allocUnsafeSlow(Math.max(capacityBytes, 64));
    this.#view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.byteLength);
    SIGNATURE.copy(this.#bytes);
  }

  /** Bytes held, without the open pack and the trailer. */
  get length(): number {
    return this.#length;
  }

  get capacity(): number {
    return this.#bytes.length;
  }

  /**
   * Where the rows are best parted into several COPYs: ends of rows, rising, the last one that of the last
   * row.
   */
  get copyEnds(): number[] {
    const ends = [...this.#copyEnds];
    if (ends.at(-1) !== this.#length) ends.push(this.#length);
    return ends;
  }

  reset(): void {
    this.truncate(SIGNATURE.length);
  }

  /**
   * Gives back everything written after `length` was read, and the open pack: for a request that turned out
   * bad half-way.
   */
  truncate(length: number): void {
    this.#clearPack();
    this.#length = length;
    while (this.#rows.length > 0 && this.#rows.at(-1)! >= length) this.#rows.pop();
    while (this.#copyEnds.length > 0 && this.#copyEnds.at(-1)! > length) this.#copyEnds.pop();
  }

  /** Closes the pack. The whole COPY stream, a view into the buffer: valid until the next write. */
  finish(): Buffer {
    this.closePack();
    this.#reserve(TRAILER_BYTES);
    this.#view.setInt16(this.#length, -1);
    return this.#bytes.subarray(0, this.#length + TRAILER_BYTES);
  }

  /**
   * A COPY stream of its own of the rows in [start, end), under another batch number: one request's share of
   * a flush.
   */
  slice(start: number, end: number, batchNo: number): Buffer {
    const copy = Buffer.concat([SIGNATURE, this.#bytes.subarray(start, end), Buffer.from([0xff, 0xff])]);
    const view = new DataView(copy.buffer, copy.byteOffset, copy.byteLength);
    for (const row of this.#rows) {
      if (row >= start && row < end)
        writeInt64(view, row - start + SIGNATURE.length + PACK_AT.batchNo, batchNo);
    }
    return copy;
  }

  /**
   * Execution number and id of each event in the rows of [start, end), in order; of all that are closed
   * without.
   */
  *keys(start = COPY_HEADER_BYTES, end = this.#length): Generator<{ executionNo: number; eventId: string }> {
    for (const { executionNo, texts } of eventsOf(this.#bytes, start, end)) {
      yield { executionNo, eventId: eventIdOf(texts) };
    }
  }

  /**
   * Gives every pack its number, in the order in which they stand, from the first free one of its execution
   * on; a stand-in has that of its pack. Returns the number after the last of each execution. May be
   * called again.
   */
  numberPacks(firstFree: ReadonlyMap<number, number>): Map<number, number> {
    const view = this.#view;
    const next = new Map(firstFree);
    for (let index = 0; index < this.#rows.length; index++) {
      const row = this.#rows[index]!;
      const executionNo = readInt64(view, row + PACK_AT.executionNo);
      const packNo = next.get(executionNo);
      if (packNo === undefined) throw new Error("an execution of the packs has no number to go on from");
      next.set(executionNo, packNo + 1);
      view.setInt32(row + PACK_AT.packNo, packNo);
      if (view.getUint8(row + PACK_AT.away) === 1)
        view.setInt32(this.#rows[++index]! + PACK_AT.packNo, packNo);
    }
    return next;
  }

  /** Appends an event. `receivedMs` is Unix time in milliseconds, its fraction kept to the microsecond. */
  append(event: PackedEvent, receivedMs: number, batchNo: number): void {
    // UTF-8 needs at most three bytes for a UTF-16 unit.
    const idsAt = this.#ids.reserve(4 + 3 * event.eventId.length);
    const idBytes = this.#ids.bytes.write(event.eventId, idsAt + 4);
    const payloadAt = this.#payloads.reserve(4 + 3 * event.payload.length);
    const payloadBytes = this.#payloads.bytes.write(event.payload, payloadAt + 4);
    if (this.#place(event, idBytes + payloadBytes, receivedMs, batchNo)) {
      // The pack before was closed, and with it the sections began anew: the texts are written where they now
      // belong.
      this.append(event, receivedMs, batchNo);
      return;
    }
    this.#ids.view.setInt32(idsAt, idBytes);
    this.#ids.length = idsAt + 4 + idBytes;
    this.#payloads.view.setInt32(payloadAt, payloadBytes);
    this.#payloads.length = payloadAt + 4 + payloadBytes;
    this.#note(event, idBytes + payloadBytes);
  }

  /** The same with texts that are copied as they stand. */
  appendBytes(place: EventPlace, texts: EventTexts, receivedMs: number, batchNo: number): void {
    const { bytes, eventId, eventIdEnd, payload, payloadEnd } = texts;
    const textBytes = eventIdEnd - eventId + payloadEnd - payload;
    this.#place(place, textBytes, receivedMs, batchNo);
    copyText(this.#ids, bytes, eventId, eventIdEnd);
    copyText(this.#payloads, bytes, payload, payloadEnd);
    this.#note(place, textBytes);
  }

  /** Ends the pack that events are being added to, so that what follows begins another. */
  closePack(): void {
    if (this.#count === 0) return;
    const away = this.#day !== this.#homeDay;
    this.#beginRow(away, this.#firstSeconds, this.#firstMicros);
    for (const section of this.#sections) this.#array(section);
    this.#endRow();
    if (away) {
      this.#beginRow(false, (this.#homeDay - EPOCH_2000_DAYS) * DAY_SECONDS, 0);
      this.#array(this.#ids);
      this.#emptyArray(this.#types.elementType);
      this.#emptyArray(this.#sequences.elementType);
      this.#firstMoment();
      this.#emptyArray(this.#payloads.elementType);
      this.#endRow();
    }
    this.#clearPack();
    if (this.#length - (this.#copyEnds.at(-1) ?? 0) >= COPY_BYTES) this.#copyEnds.push(this.#length);
  }

  /** Finds the pack that the event belongs to; true if that meant to close one. */
  #place(place: EventPlace, textBytes: number, receivedMs: number, batchNo: number): boolean {
    const day = Math.floor(place.seconds / DAY_SECONDS) + EPOCH_2000_DAYS;
    let closed = false;
    if (this.#count > 0) {
      if (
        place.executionNo === this.#executionNo &&
        day === this.#day &&
        // Of several requests when those of a flush are packed anew.
        receivedMs === this.#receivedMs &&
        this.#tupleBytes + TUPLE_EVENT_BYTES + textBytes <= TUPLE_BYTES_MAX
      )
        return false;
      this.closePack();
      closed = true;
    }
    this.#projectNo = place.projectNo;
    this.#executionNo = place.executionNo;
    this.#homeDay = place.homeDay;
    this.#day = day;
    this.#receivedMs = receivedMs;
    this.#batchNo = batchNo;
    this.#firstSeconds = place.seconds;
    this.#firstMicros = place.micros;
    this.#tupleBytes = TUPLE_FIXED_BYTES;
    return closed;
  }

  #note(place: EventPlace, textBytes: number): void {
    const { seconds, micros } = place;
    if (seconds < this.#firstSeconds || (seconds === this.#firstSeconds && micros < this.#firstMicros)) {
      this.#firstSeconds = seconds;
      this.#firstMicros = micros;
    }
    const types = this.#types;
    const typeAt = types.reserve(6);
    types.view.setInt32(typeAt, 2);
    types.view.setInt16(typeAt + 4, place.typeCode);
    types.length = typeAt + 6;
    const sequences = this.#sequences;
    const sequenceAt = sequences.reserve(8);
    sequences.view.setInt32(sequenceAt, 4);
    sequences.view.setInt32(sequenceAt + 4, place.sequence);
    sequences.length = sequenceAt + 8;
    const timestamps = this.#timestamps;
    const timestampAt = timestamps.reserve(12);
    timestamps.view.setInt32(timestampAt, 8);
    writeMicros(timestamps.view, timestampAt + 4, seconds, micros);
    timestamps.length = timestampAt + 12;
    this.#tupleBytes += TUPLE_EVENT_BYTES + textBytes;
    this.#count++;
  }

  #beginRow(away: boolean, firstSeconds: number, firstMicros: number): void {
    let sectionBytes = 0;
    for (const section of this.#sections) sectionBytes += 4 + ARRAY_HEADER_BYTES + section.length;
    this.#reserve(PACK_AT.arrays + sectionBytes);
    const view = this.#view;
    const row = this.#length;
    this.#rows.push(row);
    view.setInt16(row, PACK_FIELDS);
    view.setInt32(row + PACK_AT.projectNo - 4, 4);
    view.setInt32(row + PACK_AT.projectNo, this.#projectNo);
    view.setInt32(row + PACK_AT.executionNo - 4, 8);
    writeInt64(view, row + PACK_AT.executionNo, this.#executionNo);
    view.setInt32(row + PACK_AT.packNo - 4, 4);
    view.setInt32(row + PACK_AT.packNo, 0);
    view.setInt32(row + PACK_AT.away - 4, 1);
    view.setUint8(row + PACK_AT.away, away ? 1 : 0);
    view.setInt32(row + PACK_AT.firstTimestamp - 4, 8);
    writeMicros(view, row + PACK_AT.firstTimestamp, firstSeconds, firstMicros);
    view.setInt32(row + PACK_AT.receivedAt - 4, 8);
    writeInt64(view, row + PACK_AT.receivedAt, Math.round(this.#receivedMs * 1000) - EPOCH_2000_US);
    view.setInt32(row + PACK_AT.batchNo - 4, 8);
    writeInt64(view, row + PACK_AT.batchNo, this.#batchNo);
    this.#at = row + PACK_AT.arrays;
  }

  /** Where the row under way is written on. */
  #at = 0;

  #array(section: Section): void {
    const at = this.#beginArray(section, this.#count, section.length);
    section.bytes.copy(this.#bytes, at, 0, section.length);
  }

  /** In the place of the timestamps of a stand-in: that of the earliest event of its pack. */
  #firstMoment(): void {
    const at = this.#beginArray(this.#timestamps, 1, 12);
    this.#view.setInt32(at, 8);
    writeMicros(this.#view, at + 4, this.#firstSeconds, this.#firstMicros);
  }

  /** Returns where its elements begin. */
  #beginArray({ elementType }: Section, count: number, elementsBytes: number): number {
    const view = this.#view;
    const at = this.#at;
    view.setInt32(at, ARRAY_HEADER_BYTES + elementsBytes);
    view.setInt32(at + 4, 1);
    view.setInt32(at + 8, 0);
    view.setInt32(at + 12, elementType);
    view.setInt32(at + 16, count);
    view.setInt32(at + 20, 1);
    this.#at = at + 24 + elementsBytes;
    return at + 24;
  }

  #emptyArray(elementType: number): void {
    const view = this.#view;
    const at = this.#at;
    view.setInt32(at, EMPTY_ARRAY_BYTES);
    view.setInt32(at + 4, 0);
    view.setInt32(at + 8, 0);
    view.setInt32(at + 12, elementType);
    this.#at = at + 16;
  }

  #endRow(): void {
    this.#length = this.#at;
  }

  #clearPack(): void {
    this.#count = 0;
    for (const section of this.#sections) section.reset();
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

function copyText(section: Section, source: Buffer, start: number, end: number): void {
  const at = section.reserve(4 + end - start);
  section.view.setInt32(at, end - start);
  source.copy(section.bytes, at + 4, start, end);
  section.length = at + 4 + end - start;
}

/** seconds × 10^6 + micros as int64; exact also where the product is no safe integer. */
function writeMicros(view: DataView, at: number, seconds: number, micros: number): void {
  const product = seconds * MICROS_PER_SECOND + micros;
  if (Number.isSafeInteger(product)) writeInt64(view, at, product);
  else view.setBigInt64(at, BigInt(seconds) * BigInt(MICROS_PER_SECOND) + BigInt(micros));
}
