import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { cloneDatabase, type TestDatabase } from "../../test/support/database.ts";
import { connect, type Sql } from "../store/database/connect.ts";
import { copyEvents } from "../store/telemetry/event-copy.ts";
import { cleanText } from "./payload.ts";
import { type EventRow, RowBuffer } from "./row-encoder.ts";

/** The encoder against a reader of PostgreSQL's COPY format written from its manual, and against PostgreSQL itself. */

const YEAR_1_S = -63_082_281_600;
const YEAR_10000_S = 252_455_616_000;
const RECEIVED_MS = 1_767_225_600_123.456;

interface DecodedRow {
  projectNo: number;
  executionNo: bigint;
  eventId: string;
  typeCode: number;
  sequence: number;
  timestampMicros: bigint;
  payload: string;
  receivedMicros: bigint;
  batchNo: bigint;
}

/** Reads a whole COPY stream and insists on its header, the field count and widths, the trailer and nothing behind it. */
function decode(bytes: Buffer): DecodedRow[] {
  expect(bytes.subarray(0, 19).toString("latin1")).toBe("PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0");
  let at = 19;
  const field = (width?: number): Buffer => {
    const length = bytes.readInt32BE(at);
    if (width !== undefined) expect(length).toBe(width);
    const value = bytes.subarray(at + 4, at + 4 + length);
    expect(value.length).toBe(length);
    at += 4 + length;
    return value;
  };
  const rows: DecodedRow[] = [];
  const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  for (;;) {
    const fields = bytes.readInt16BE(at);
    at += 2;
    if (fields === -1) break;
    expect(fields).toBe(9);
    rows.push({
      projectNo: field(4).readInt32BE(),
      executionNo: field(8).readBigInt64BE(),
      eventId: strict.decode(field()),
      typeCode: field(2).readInt16BE(),
      sequence: field(4).readInt32BE(),
      timestampMicros: field(8).readBigInt64BE(),
      payload: strict.decode(field()),
      receivedMicros: field(8).readBigInt64BE(),
      batchNo: field(8).readBigInt64BE(),
    });
  }
  expect(at).toBe(bytes.length);
  return rows;
}

function microsOf(row: EventRow): bigint {
  return BigInt(row.seconds) * 1_000_000n + BigInt(row.micros);
}

/** Year 2000 in Unix microseconds: what PostgreSQL's own unit starts from. */
const EPOCH_2000_MICROS = BigInt(Date.UTC(2000, 0, 1)) * 1000n;

function expectRows(decoded: readonly DecodedRow[], rows: readonly EventRow[], batchNo: number): void {
  expect(decoded.map(({ receivedMicros: _, ...rest }) => rest)).toEqual(
    rows.map((row) => ({
      projectNo: row.projectNo,
      executionNo: BigInt(row.executionNo),
      eventId: row.eventId,
      typeCode: row.typeCode,
      sequence: row.sequence,
      timestampMicros: microsOf(row),
      payload: row.payload,
      batchNo: BigInt(batchNo),
    })),
  );
}

const int32 = fc.oneof(
  fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  fc.constantFrom(0, 1, -1, 2 ** 31 - 1, -(2 ** 31)),
);
const safeInteger = fc.oneof(
  fc.maxSafeInteger(),
  fc.constantFrom(0, -1, 2 ** 32, 2 ** 32 - 1, -(2 ** 32), Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER),
);
const seconds = fc.oneof(
  fc.integer({ min: YEAR_1_S, max: YEAR_10000_S - 1 }),
  fc.constantFrom(YEAR_1_S, YEAR_10000_S - 1, 0, -1, 9_007_199_254, 9_007_199_255, -9_007_199_255),
);
// What may stand in an id: everything but control characters and halves of surrogate pairs.
const eventId = fc
  .string({ unit: "binary", minLength: 1, maxLength: 128 })
  .map((text) => text.replace(/\p{Cc}/gu, "x"))
  .filter((text) => text.length >= 1 && text.length <= 128 && text.isWellFormed());
const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: "grapheme" }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
);
const payload = fc
  .dictionary(anyText, fc.oneof(anyText, fc.double(), fc.maxSafeInteger(), fc.jsonValue()))
  .map((value) => cleanText(JSON.stringify(value)).text);

const eventRow: fc.Arbitrary<EventRow> = fc.record({
  projectNo: int32,
  executionNo: safeInteger,
  eventId,
  typeCode: fc.oneof(fc.integer({ min: 1, max: 16 }), fc.constantFrom(32_767, -32_768)),
  sequence: int32,
  seconds,
  micros: fc.oneof(fc.integer({ min: 0, max: 999_999 }), fc.constantFrom(0, 999_999)),
  payload,
});
const eventRows = fc.uniqueArray(eventRow, {
  minLength: 1,
  maxLength: 12,
  selector: (row) => `${row.projectNo}/${row.executionNo}/${row.eventId}`,
});

describe("bytes", () => {
  test("every row reads back equal, whatever the buffer's first capacity", () => {
    fc.assert(
      fc.property(eventRows, safeInteger, fc.integer({ min: 0, max: 400 }), (rows, batchNo, capacity) => {
        const buffer = new RowBuffer(capacity);
        for (const row of rows) buffer.append(row, RECEIVED_MS, batchNo);
        expectRows(decode(buffer.finish()), rows, batchNo);
        // finish() is only a view: more rows may follow it.
        buffer.append(rows[0]!, RECEIVED_MS, batchNo);
        expectRows(decode(buffer.finish()), [...rows, rows[0]!], batchNo);
      }),
      { numRuns: 300 },
    );
  });

  test("the time of receipt is kept to the microsecond", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 4_102_444_800_000 }),
        fc.integer({ min: 0, max: 999 }),
        (wholeMs, micros) => {
          const buffer = new RowBuffer(0);
          const row = { ...EMPTY_ROW, eventId: "e" };
          buffer.append(row, wholeMs + micros / 1000, 1);
          const [decoded] = decode(buffer.finish());
          const exact = BigInt(wholeMs) * 1000n + BigInt(micros) - EPOCH_2000_MICROS;
          const off = decoded!.receivedMicros - exact;
          // A double of today's milliseconds resolves a quarter of a microsecond: it may round to the neighbour.
          expect(off >= -1n && off <= 1n).toBe(true);
        },
      ),
    );
  });

  test("keys() and slice() give each request's share, under its own number", () => {
    fc.assert(
      fc.property(
        eventRows,
        fc.array(fc.nat({ max: 12 }), { maxLength: 4 }),
        safeInteger,
        (rows, cuts, no) => {
          const buffer = new RowBuffer(0);
          const offsets = [buffer.length];
          for (const row of rows) {
            buffer.append(row, RECEIVED_MS, 7);
            offsets.push(buffer.length);
          }
          const borders = [...new Set([0, ...cuts.map((cut) => Math.min(cut, rows.length)), rows.length])];
          borders.sort((a, b) => a - b);
          for (let i = 1; i < borders.length; i++) {
            const [from, to] = [borders[i - 1]!, borders[i]!];
            const share = rows.slice(from, to);
            expectRows(decode(buffer.slice(offsets[from]!, offsets[to]!, no)), share, no);
            expect([...buffer.keys(offsets[from]!, offsets[to]!)]).toEqual(
              share.map((row) => ({ executionNo: row.executionNo, eventId: row.eventId })),
            );
          }
          // Slices are copies: the buffer itself still carries the number it was written under.
          expectRows(decode(buffer.finish()), rows, 7);
          expect(decode(buffer.slice(offsets[0]!, offsets[0]!, no))).toEqual([]);
        },
      ),
    );
  });

  test("truncate() takes back what a bad request wrote, and nothing else", () => {
    fc.assert(
      fc.property(eventRows, eventRows, eventRows, (before, bad, after) => {
        const buffer = new RowBuffer(0);
        for (const row of before) buffer.append(row, RECEIVED_MS, 3);
        const start = buffer.length;
        for (const row of bad) buffer.append(row, RECEIVED_MS, 3);
        buffer.truncate(start);
        expect(buffer.length).toBe(start);
        for (const row of after) buffer.append(row, RECEIVED_MS, 3);
        expectRows(decode(buffer.finish()), [...before, ...after], 3);
        buffer.reset();
        expect(decode(buffer.finish())).toEqual([]);
        for (const row of bad) buffer.append(row, RECEIVED_MS, 4);
        expectRows(decode(buffer.finish()), bad, 4);
      }),
    );
  });

  test("copyEnds parts the rows at row ends, 64 KiB and no more than a row beyond it, whatever was taken back", () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 30_000 }), { maxLength: 30 });
    fc.assert(
      fc.property(sizes, sizes, sizes, (kept, takenBack, after) => {
        const buffer = new RowBuffer(0);
        const ends: number[] = [];
        const append = (bytes: number) =>
          buffer.append({ ...EMPTY_ROW, payload: "x".repeat(bytes) }, RECEIVED_MS, 1);
        for (const bytes of kept) {
          append(bytes);
          ends.push(buffer.length);
        }
        const length = buffer.length;
        for (const bytes of takenBack) append(bytes);
        buffer.truncate(length);
        for (const bytes of after) {
          append(bytes);
          ends.push(buffer.length);
        }
        const copyEnds = buffer.copyEnds;
        expect(copyEnds.at(-1)).toBe(buffer.length);
        let start = 0;
        for (const end of copyEnds) {
          if (ends.length > 0) expect(ends).toContain(end);
          if (end < buffer.length) expect(end - start).toBeGreaterThanOrEqual(65_536);
          const lastRow = ends.findLast((other) => other < end) ?? start;
          expect(lastRow - start).toBeLessThan(65_536);
          start = end;
        }
        buffer.reset();
        expect(buffer.copyEnds).toEqual([buffer.length]);
      }),
    );
  });
});

const EMPTY_ROW: EventRow = {
  projectNo: 1,
  executionNo: 1,
  eventId: "e",
  typeCode: 1,
  sequence: 0,
  seconds: 0,
  micros: 0,
  payload: "{}",
};

describe("PostgreSQL", () => {
  let database: TestDatabase;
  let sql: Sql;
  beforeAll(async () => {
    database = await cloneDatabase();
    sql = connect({ url: database.url, connectionsMax: 1, applicationName: "test flush" });
  });
  afterAll(async () => {
    await sql?.end({ timeout: 1 });
    await database?.drop();
  });

  let lastBatchNo = 2 ** 52;
  async function copyAndRead(rows: readonly EventRow[]): Promise<Record<string, unknown>[]> {
    const batchNo = ++lastBatchNo;
    const buffer = new RowBuffer(0);
    for (const row of rows) buffer.append(row, RECEIVED_MS, batchNo);
    const copied = await copyEvents(sql, {
      batchNo,
      rows: buffer.finish(),
      copyEnds: buffer.copyEnds,
      batches: [
        { projectNo: 1, eventCount: rows.length, executionNos: [1], firstTimestampS: 0, lastTimestampS: 1 },
      ],
      environments: [],
    });
    expect(copied).toEqual({ kind: "committed" });
    const stored = await database.sql`
      select project_no as "projectNo", execution_no::text as "executionNo", event_id as "eventId",
        event_type as "typeCode", sequence, (extract(epoch from timestamp) * 1000000)::bigint::text as "unixMicros",
        payload, payload::jsonb is not null as castable
      from ats.event where batch_no = ${batchNo}`;
    await database.sql`delete from ats.event where batch_no = ${batchNo}`;
    return [...stored];
  }
  const keyOf = (row: Record<string, unknown>) => `${row.projectNo}/${row.executionNo}/${row.eventId}`;
  const byKey = (rows: readonly Record<string, unknown>[]) =>
    rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));

  test("rows with everything JSON can hold, any time and any int are stored as they are", async () => {
    await fc.assert(
      fc.asyncProperty(eventRows, async (rows) => {
        const expected = rows.map((row) => ({
          projectNo: row.projectNo,
          executionNo: String(row.executionNo),
          eventId: row.eventId,
          typeCode: row.typeCode,
          sequence: row.sequence,
          unixMicros: String(microsOf(row) + EPOCH_2000_MICROS),
          payload: row.payload,
          castable: true,
        }));
        expect(byKey(await copyAndRead(rows))).toEqual(byKey(expected));
      }),
      { numRuns: 120 },
    );
  });

  test("the first and the last instant that RFC 3339 can name", async () => {
    const [first, last] = byKey(
      await copyAndRead([
        { ...EMPTY_ROW, eventId: "first", seconds: YEAR_1_S },
        { ...EMPTY_ROW, eventId: "last", seconds: YEAR_10000_S - 1, micros: 999_999 },
      ]),
    );
    expect(first!.unixMicros).toBe("-62135596800000000");
    expect(last!.unixMicros).toBe("253402300799999999");
  });
});
