/**
 * How packs of events (`eventPack` in src/store/schema/telemetry.ts) stand in PostgreSQL's binary COPY
 * format.
 *
 *   signature (11) │ flags (4) │ extension (4) │ pack │ pack │ … │ trailer: int16 -1
 *   pack: int16 12 │ project_no int4 │ execution_no int8 │ pack_no int4 │ away bool │ first_timestamp int8 │ received_at int8 │
 *         batch_no int8 │ event_ids │ event_types │ sequences │ timestamps │ payloads           each behind its int32 length
 *   stand-in: a pack whose event_types, sequences and payloads are empty, and whose timestamps are the first_timestamp of the pack it stands for
 *   array: dimensions int32 │ has nulls int32 │ element type int32 │ count int32 │ lower bound int32 │ elements, each behind its length
 */

export const EVENT_PACK_COLUMNS =
  "project_no, execution_no, pack_no, away, first_timestamp, received_at, batch_no, " +
  "event_ids, event_types, sequences, timestamps, payloads";

export const SIGNATURE = Buffer.from("PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0", "latin1");
/** Signature, flags and extension: what every binary COPY begins with. */
export const COPY_HEADER_BYTES = SIGNATURE.length;
export const TRAILER_BYTES = 2;
export const PACK_FIELDS = 12;

/** Where the values of a pack stand, counted from its first byte. */
export const PACK_AT = {
  projectNo: 6,
  executionNo: 14,
  packNo: 26,
  away: 34,
  firstTimestamp: 39,
  receivedAt: 51,
  batchNo: 63,
  arrays: 71,
};

/** Element types of the arrays, as PostgreSQL numbers them. */
export const ELEMENT_TYPE = { text: 25, int2: 21, int4: 23, timestamptz: 1184 };
/** Dimensions, flag, type, count, lower bound. */
export const ARRAY_HEADER_BYTES = 20;
export const EMPTY_ARRAY_BYTES = 12;

const TWO_32 = 4_294_967_296;
export const MICROS_PER_SECOND = 1_000_000;
export const DAY_SECONDS = 86_400;
/** 1970-01-01 to 2000-01-01, from where PostgreSQL counts. */
export const EPOCH_2000_DAYS = 10_957;
export const EPOCH_2000_US = EPOCH_2000_DAYS * DAY_SECONDS * MICROS_PER_SECOND;

/** A safe integer, positive or negative, as int64. */
export function writeInt64(view: DataView, at: number, value: number): void {
  const high = Math.floor(value / TWO_32);
  view.setInt32(at, high);
  view.setUint32(at + 4, value - high * TWO_32);
}

export function readInt64(view: DataView, at: number): number {
  return view.getInt32(at) * TWO_32 + view.getUint32(at + 4);
}
