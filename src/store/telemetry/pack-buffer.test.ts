import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { cloneDatabase, type TestDatabase } from "../../../test/support/database.ts";
import { connect, type Sql } from "../database/connect.ts";
import { copyEvents } from "./event-copy.ts";
import { COPY_HEADER_BYTES, eventIdOf, eventsOf, PackBuffer, type PackedEvent } from "./pack-buffer.ts";

/** The encoder against a reader of PostgreSQL's COPY format written from its manual, and against PostgreSQL itself. */

const YEAR_1_S = -63_082_281_600;
const YEAR_10000_S = 252_455_616_000;
const DAY_S = 86_400;
/** Days from 1970 to 2000. */
const EPOCH_2000_DAYS = 10_957;
/** Year 2000 in Unix microseconds: what PostgreSQL's own unit starts from. */
const EPOCH_2000_MICROS = BigInt(Date.UTC(2000, 0, 1)) * 1000n;
const RECEIVED_MS = 1_767_225_600_123.25;
const RECEIVED_MICROS = 1_767_225_600_123_250n;
/** Half a page without its header and line pointers. */
const TUPLE_BYTES_MAX = 4_080;

interface DecodedPack {
  projectNo: number;
  executionNo: bigint;
  packNo: number;
  away: boolean;
  firstMicros: bigint;
  receivedMicros: bigint;
  batchNo: bigint;
  eventIds: string[];
  eventTypes: number[];
  sequences: number[];
  timestampMicros: bigint[];
  payloads: string[];
}

const TEXT = 25;
const INT2 = 21;
const INT4 = 23;
const TIMESTAMPTZ = 1184;

/** As `expect(…).toBe(…)`, which is too slow for every element of every array. */
function must<T>(found: T, expected: T): void {
  if (found !== expected) throw new Error(`${found} where the format has ${expected}`);
}

/** Reads a whole COPY stream and insists on its header, the field count and widths, the trailer and nothing behind it. */
function decode(bytes: Buffer): DecodedPack[] {
  must(bytes.subarray(0, 19).toString("latin1"), "PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0");
  let at = 19;
  const field = (width?: number): Buffer => {
    const length = bytes.readInt32BE(at);
    if (width !== undefined) must(length, width);
    const value = bytes.subarray(at + 4, at + 4 + length);
    must(value.length, length);
    at += 4 + length;
    return value;
  };
  const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const array = <T>(elementType: number, width: number | undefined, read: (element: Buffer) => T): T[] => {
    const value = field();
    const dimensions = value.readInt32BE(0);
    must(value.readInt32BE(4), 0);
    must(value.readInt32BE(8), elementType);
    if (dimensions === 0) {
      must(value.length, 12);
      return [];
    }
    must(dimensions, 1);
    const count = value.readInt32BE(12);
    must(count > 0, true);
    must(value.readInt32BE(16), 1);
    const elements: T[] = [];
    let element = 20;
    for (let nth = 0; nth < count; nth++) {
      const length = value.readInt32BE(element);
      if (width !== undefined) must(length, width);
      elements.push(read(value.subarray(element + 4, element + 4 + length)));
      element += 4 + length;
    }
    must(element, value.length);
    return elements;
  };
  const packs: DecodedPack[] = [];
  for (;;) {
    const fields = bytes.readInt16BE(at);
    at += 2;
    if (fields === -1) break;
    must(fields, 12);
    packs.push({
      projectNo: field(4).readInt32BE(),
      executionNo: field(8).readBigInt64BE(),
      packNo: field(4).readInt32BE(),
      away: field(1).readUInt8() === 1,
      firstMicros: field(8).readBigInt64BE(),
      receivedMicros: field(8).readBigInt64BE(),
      batchNo: field(8).readBigInt64BE(),
      eventIds: array(TEXT, undefined, (element) => strict.decode(element)),
      eventTypes: array(INT2, 2, (element) => element.readInt16BE()),
      sequences: array(INT4, 4, (element) => element.readInt32BE()),
      timestampMicros: array(TIMESTAMPTZ, 8, (element) => element.readBigInt64BE()),
      payloads: array(TEXT, undefined, (element) => strict.decode(element)),
    });
  }
  must(at, bytes.length);
  return packs;
}

function microsOf(event: { seconds: number; micros: number }): bigint {
  return BigInt(event.seconds) * 1_000_000n + BigInt(event.micros);
}

function dayOf(event: PackedEvent): number {
  return Math.floor(event.seconds / DAY_S) + EPOCH_2000_DAYS;
}

/** What an event needs of a tuple, at least. */
function textBytes(event: PackedEvent): number {
  return Buffer.byteLength(event.eventId) + Buffer.byteLength(event.payload);
}

/**
 * That the packs hold the events of each request in order, and nothing else; that each is of one execution, day and request, with its
 * stand-in behind it if it is away; that none was ended early.
 */
function expectPacks(
  packs: readonly DecodedPack[],
  requests: readonly (readonly PackedEvent[])[],
  batchNo: number,
) {
  let index = 0;
  let previous: { events: readonly PackedEvent[]; request: number } | undefined;
  for (const [request, events] of requests.entries()) {
    for (let first = 0; first < events.length; ) {
      const pack = packs[index++]!;
      const count = pack.eventIds.length;
      const held = events.slice(first, first + count);
      const { projectNo, executionNo, homeDay } = held[0]!;
      const day = dayOf(held[0]!);
      const timestampMicros = held.map(microsOf);
      expect(pack).toEqual({
        projectNo,
        executionNo: BigInt(executionNo),
        packNo: pack.packNo,
        away: day !== homeDay,
        firstMicros: timestampMicros.toSorted((a, b) => Number(a - b))[0]!,
        receivedMicros: RECEIVED_MICROS + BigInt(request) - EPOCH_2000_MICROS,
        batchNo: BigInt(batchNo),
        eventIds: held.map((event) => event.eventId),
        eventTypes: held.map((event) => event.typeCode),
        sequences: held.map((event) => event.sequence),
        timestampMicros,
        payloads: held.map((event) => event.payload),
      });
      expect(held.every((event) => event.executionNo === executionNo && dayOf(event) === day)).toBe(true);
      if (pack.away) {
        expect(packs[index++]).toEqual({
          ...pack,
          away: false,
          firstMicros: BigInt(homeDay - EPOCH_2000_DAYS) * BigInt(DAY_S) * 1_000_000n,
          eventTypes: [],
          sequences: [],
          timestampMicros: [],
          payloads: [],
        });
      }
      if (previous?.request === request) {
        const before = previous.events[0]!;
        if (before.executionNo === executionNo && dayOf(before) === day) {
          // With what an event costs beside its texts, and the tuple beside its events.
          const together = [...previous.events, held[0]!];
          const bytes = together.reduce((sum, event) => sum + textBytes(event) + 28, 240);
          expect(bytes).toBeGreaterThan(TUPLE_BYTES_MAX - 20);
        }
      }
      previous = { events: held, request };
      first += count;
    }
  }
  expect(packs.length).toBe(index);
}

/** Appends the events as requests that came a microsecond after each other, and answers with the ends of their shares. */
function fill(buffer: PackBuffer, requests: readonly (readonly PackedEvent[])[], batchNo: number): number[] {
  const ends: number[] = [];
  for (const [request, events] of requests.entries()) {
    for (const event of events) append(buffer, event, RECEIVED_MS + request / 1000, batchNo);
    buffer.closePack();
    ends.push(buffer.length);
  }
  return ends;
}

/** By one of the two ways, which must write the same. */
function append(buffer: PackBuffer, event: PackedEvent, receivedMs: number, batchNo: number): void {
  if (event.sequence % 2 === 0) {
    buffer.append(event, receivedMs, batchNo);
    return;
  }
  const parts = ["…", event.eventId, event.payload, "…"].map((text) => Buffer.from(text));
  const [start, eventIdEnd] = [parts[0]!.length, parts[0]!.length + parts[1]!.length];
  const texts = {
    bytes: Buffer.concat(parts),
    eventId: start,
    eventIdEnd,
    payload: eventIdEnd,
    payloadEnd: eventIdEnd + parts[2]!.length,
  };
  buffer.appendBytes(event, texts, receivedMs, batchNo);
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
  // Some days that events have in common, and any time.
  { weight: 4, arbitrary: fc.integer({ min: -DAY_S, max: 2 * DAY_S - 1 }) },
  fc.integer({ min: YEAR_1_S, max: YEAR_10000_S - 1 }),
  fc.constantFrom(
    YEAR_1_S,
    YEAR_10000_S - 1,
    0,
    -1,
    DAY_S - 1,
    DAY_S,
    9_007_199_254,
    9_007_199_255,
    -9_007_199_255,
  ),
);
// What may stand in an id: everything but control characters and halves of surrogate pairs.
const eventId = fc
  .string({ unit: "binary", minLength: 1, maxLength: 128 })
  .map((text) => text.replace(/\p{Cc}/gu, "x"))
  .filter((text) => text.length >= 1 && text.isWellFormed());
const anyText = fc
  .oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: "grapheme" }),
    fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
  )
  // What the ingest side replaces before.
  .map((text) => text.toWellFormed().replaceAll("\0", "\ufffd"));
const payload = fc.oneof(
  fc
    .dictionary(anyText, fc.oneof(anyText, fc.double(), fc.maxSafeInteger(), fc.jsonValue()))
    .map((value) => JSON.stringify(value)),
  fc.nat({ max: 6_000 }).map((length) => JSON.stringify({ pad: "é".repeat(length / 2) })),
);
/** The executions of a test, each with one home day. */
const executions = fc.uniqueArray(
  fc.record({
    projectNo: int32,
    executionNo: safeInteger,
    homeDay: fc.oneof(
      fc.integer({ min: EPOCH_2000_DAYS - 1, max: EPOCH_2000_DAYS + 1 }),
      fc.constantFrom(YEAR_1_S / DAY_S + EPOCH_2000_DAYS, YEAR_10000_S / DAY_S - 1 + EPOCH_2000_DAYS),
    ),
  }),
  { minLength: 1, maxLength: 3, selector: (execution) => execution.executionNo },
);
const event = fc.record({
  execution: fc.nat(),
  eventId,
  typeCode: fc.oneof(fc.integer({ min: 1, max: 16 }), fc.constantFrom(32_767, -32_768)),
  sequence: int32,
  seconds,
  micros: fc.oneof(fc.integer({ min: 0, max: 999_999 }), fc.constantFrom(0, 999_999)),
  payload,
});
/** Runs of small events, which share packs. */
const run = fc.tuple(event, fc.integer({ min: 1, max: 100 })).map(([first, count]) =>
  Array.from({ length: count }, (_, nth) => ({
    ...first,
    eventId: `${first.eventId.slice(0, 20).toWellFormed()}${nth}`,
    payload: first.payload.length > 300 ? "{}" : first.payload,
    micros: (first.micros + 999_999 - nth) % 1_000_000,
  })),
);
const request = fc.oneof(
  fc.array(event, { minLength: 1, maxLength: 8 }),
  fc.array(run, { minLength: 1, maxLength: 2 }).map((runs) => runs.flat()),
);
const requests: fc.Arbitrary<PackedEvent[][]> = fc
  .tuple(executions, fc.array(request, { minLength: 1, maxLength: 3 }))
  .map(([known, sent]) =>
    sent.map((events) =>
      events.map(({ execution, ...rest }) => ({ ...rest, ...known[execution % known.length]! })),
    ),
  );

const EVENT: PackedEvent = {
  projectNo: 1,
  executionNo: 1,
  homeDay: EPOCH_2000_DAYS,
  eventId: "e",
  typeCode: 1,
  sequence: 0,
  seconds: 0,
  micros: 0,
  payload: "{}",
};

describe("bytes", () => {
  test("every event reads back equal, whatever the buffer's first capacity", () => {
    fc.assert(
      fc.property(requests, safeInteger, fc.integer({ min: 0, max: 400 }), (sent, batchNo, capacity) => {
        const buffer = new PackBuffer(capacity);
        fill(buffer, sent, batchNo);
        expectPacks(decode(buffer.finish()), sent, batchNo);
        // finish() is only a view: more packs may follow it.
        const more = [...sent, sent[0]!];
        for (const event of sent[0]!) append(buffer, event, RECEIVED_MS + sent.length / 1000, batchNo);
        expectPacks(decode(buffer.finish()), more, batchNo);
      }),
      { numRuns: 200 },
    );
  });

  test("eventsOf() reads what was written, and a buffer filled from it is the same", () => {
    fc.assert(
      fc.property(requests, safeInteger, (sent, batchNo) => {
        const buffer = new PackBuffer(0);
        fill(buffer, sent, batchNo);
        const bytes = Buffer.from(buffer.finish());
        const again = new PackBuffer(0);
        const events = sent.flat();
        let nth = 0;
        for (const { texts, receivedMs, ...place } of eventsOf(bytes)) {
          const { homeDay, eventId, payload, ...written } = events[nth++]!;
          expect(place).toEqual(written);
          expect(eventIdOf(texts)).toBe(eventId);
          expect(texts.bytes.toString("utf8", texts.payload, texts.payloadEnd)).toBe(payload);
          again.appendBytes({ ...place, homeDay }, texts, receivedMs, batchNo);
        }
        expect(nth).toBe(events.length);
        expect(again.finish()).toEqual(bytes);
      }),
    );
  });

  test("the time of receipt is kept to the microsecond", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 4_102_444_800_000 }),
        fc.integer({ min: 0, max: 999 }),
        (wholeMs, micros) => {
          const buffer = new PackBuffer(0);
          buffer.append(EVENT, wholeMs + micros / 1000, 1);
          const [pack] = decode(buffer.finish());
          const off = pack!.receivedMicros - (BigInt(wholeMs) * 1000n + BigInt(micros) - EPOCH_2000_MICROS);
          // A double of today's milliseconds resolves a quarter of a microsecond: it may round to the neighbour.
          expect(off >= -1n && off <= 1n).toBe(true);
        },
      ),
    );
  });

  test("keys() and slice() give each request's share, under its own number", () => {
    fc.assert(
      fc.property(requests, safeInteger, (sent, no) => {
        const buffer = new PackBuffer(0);
        const ends = fill(buffer, sent, 7);
        let start = COPY_HEADER_BYTES;
        for (const [index, end] of ends.entries()) {
          const share = sent.map((events, other) => (other === index ? events : []));
          expectPacks(decode(buffer.slice(start, end, no)), share, no);
          expect([...buffer.keys(start, end)]).toEqual(
            sent[index]!.map(({ executionNo, eventId }) => ({ executionNo, eventId })),
          );
          start = end;
        }
        expect([...buffer.keys()].length).toBe(sent.flat().length);
        // Slices are copies: the buffer itself still carries the number it was written under.
        expectPacks(decode(buffer.finish()), sent, 7);
        expect(decode(buffer.slice(COPY_HEADER_BYTES, COPY_HEADER_BYTES, no))).toEqual([]);
      }),
    );
  });

  test("numberPacks() numbers the packs of each execution in order, a stand-in as its pack", () => {
    fc.assert(
      fc.property(requests, fc.integer({ min: 0, max: 1000 }), (sent, first) => {
        const buffer = new PackBuffer(0);
        fill(buffer, sent, 7);
        // Twice: a number that turned out to be taken gives way to another.
        for (const from of [first, first + 5]) {
          const next = new Map<number, number>();
          buffer.numberPacks((executionNo) => {
            const packNo = next.get(executionNo) ?? from;
            next.set(executionNo, packNo + 1);
            return packNo;
          });
          const expected = new Map<bigint, number>();
          const packs = decode(buffer.finish());
          expectPacks(packs, sent, 7);
          for (const { executionNo, eventTypes, packNo } of packs) {
            if (eventTypes.length === 0) continue;
            expect(packNo).toBe(expected.get(executionNo) ?? from);
            expected.set(executionNo, packNo + 1);
          }
        }
      }),
    );
  });

  test("truncate() takes back what a bad request wrote, its open pack too, and nothing else", () => {
    fc.assert(
      fc.property(requests, request, requests, (before, bad, after) => {
        const buffer = new PackBuffer(0);
        const badEvents = bad.map((event) => ({ ...event, ...EVENT, payload: event.payload }));
        fill(buffer, before, 3);
        const start = buffer.length;
        for (const event of badEvents) append(buffer, event, RECEIVED_MS, 3);
        buffer.truncate(start);
        expect(buffer.length).toBe(start);
        expectPacks(decode(buffer.finish()), before, 3);
        buffer.reset();
        fill(buffer, after, 4);
        expectPacks(decode(buffer.finish()), after, 4);
        buffer.reset();
        expect(decode(buffer.finish())).toEqual([]);
        fill(buffer, [badEvents], 5);
        expectPacks(decode(buffer.finish()), [badEvents], 5);
      }),
    );
  });

  test("events of two requests do not share a pack, whether or not it was closed between them", () => {
    const buffer = new PackBuffer(0);
    buffer.append(EVENT, RECEIVED_MS, 1);
    buffer.append(EVENT, RECEIVED_MS + 0.001, 1);
    expectPacks(decode(buffer.finish()), [[EVENT], [EVENT]], 1);
  });

  test("copyEnds parts the packs at their ends, 64 KiB and no more than a pack beyond it, whatever was taken back", () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 30_000 }), { maxLength: 30 });
    fc.assert(
      fc.property(sizes, sizes, sizes, fc.boolean(), (kept, takenBack, after, away) => {
        const buffer = new PackBuffer(0);
        const ends: number[] = [];
        const write = (bytes: number) => {
          const homeDay = EVENT.homeDay + (away ? 1 : 0);
          buffer.append({ ...EVENT, homeDay, payload: "x".repeat(bytes) }, RECEIVED_MS, 1);
          buffer.closePack();
        };
        for (const bytes of kept) {
          write(bytes);
          ends.push(buffer.length);
        }
        const length = buffer.length;
        for (const bytes of takenBack) write(bytes);
        buffer.truncate(length);
        for (const bytes of after) {
          write(bytes);
          ends.push(buffer.length);
        }
        const copyEnds = buffer.copyEnds;
        expect(copyEnds.at(-1)).toBe(buffer.length);
        let start = 0;
        for (const end of copyEnds) {
          // Never between a pack and its stand-in.
          if (ends.length > 0) expect(ends).toContain(end);
          if (end < buffer.length) expect(end - start).toBeGreaterThanOrEqual(65_536);
          const lastPack = ends.findLast((other) => other < end) ?? start;
          expect(lastPack - start).toBeLessThan(65_536);
          start = end;
        }
        buffer.reset();
        expect(buffer.copyEnds).toEqual([buffer.length]);
      }),
    );
  });
});

describe("PostgreSQL", () => {
  let database: TestDatabase;
  let sql: Sql;
  beforeAll(async () => {
    database = await cloneDatabase();
    sql = connect({ url: database.url, connectionsMax: 1, applicationName: "test flush" });
    // Beside the default partition.
    await database.sql`select ats.ensure_event_partition('2000-01-01')`;
  });
  afterAll(async () => {
    await sql?.end({ timeout: 1 });
    await database?.drop();
  });

  let lastBatchNo = 2 ** 52;
  async function copyAndRead(sent: readonly (readonly PackedEvent[])[]): Promise<Record<string, unknown>[]> {
    const batchNo = ++lastBatchNo;
    const buffer = new PackBuffer(0);
    fill(buffer, sent, batchNo);
    let packNo = 0;
    buffer.numberPacks(() => packNo++);
    const copied = await copyEvents(sql, {
      batchNo,
      rows: buffer.finish(),
      copyEnds: buffer.copyEnds,
      batches: [
        {
          projectNo: 1,
          eventCount: sent.flat().length,
          executionNos: [1],
          firstTimestampS: 0,
          lastTimestampS: 1,
        },
      ],
      environments: [],
    });
    expect(copied).toEqual({ kind: "committed" });
    const stored = await database.sql`
      select e.project_no as "projectNo", e.execution_no::text as "executionNo", e.event_id as "eventId",
        e.event_type as "typeCode", e.sequence, (extract(epoch from e.timestamp) * 1000000)::bigint::text as "unixMicros",
        e.payload, e.payload::jsonb is not null as castable, e.batch_no::text as "batchNo",
        (extract(epoch from e.received_at) * 1000000)::bigint::text as "receivedMicros"
      from ats.event e where e.batch_no = ${batchNo}`;
    const [large] = await database.sql`
      select count(*)::int as packs from ats.event_pack p
      where batch_no = ${batchNo} and cardinality(event_ids) > 1 and pg_column_size(p.*) > ${TUPLE_BYTES_MAX}`;
    expect(large).toEqual({ packs: 0 });
    await database.sql`delete from ats.event_pack where batch_no = ${batchNo}`;
    return [...stored];
  }
  const textOf = (rows: readonly Record<string, unknown>[]) => rows.map((row) => JSON.stringify(row)).sort();

  test("events with everything JSON can hold, any time and any int are stored as they are, in packs below half a page", async () => {
    await fc.assert(
      fc.asyncProperty(requests, async (sent) => {
        const expected = sent.flatMap((events, request) =>
          events.map((event) => ({
            projectNo: event.projectNo,
            executionNo: String(event.executionNo),
            eventId: event.eventId,
            typeCode: event.typeCode,
            sequence: event.sequence,
            unixMicros: String(microsOf(event) + EPOCH_2000_MICROS),
            payload: event.payload,
            castable: true,
            batchNo: String(lastBatchNo + 1),
            receivedMicros: String(RECEIVED_MICROS + BigInt(request)),
          })),
        );
        expect(textOf(await copyAndRead(sent))).toEqual(textOf(expected));
      }),
      { numRuns: 80 },
    );
  });

  test("packs of the smallest and of the longest ids are below half a page", async () => {
    const ids = ["a", "é".repeat(128), "x".repeat(128)];
    for (const id of ids) {
      const events = Array.from({ length: 400 }, (_, nth) => ({
        ...EVENT,
        eventId: `${id}${nth}`,
        sequence: nth,
      }));
      expect((await copyAndRead([events])).length).toBe(400);
    }
  });

  test("the first and the last instant that RFC 3339 can name", async () => {
    const stored = await copyAndRead([
      [
        { ...EVENT, eventId: "first", seconds: YEAR_1_S },
        { ...EVENT, eventId: "last", seconds: YEAR_10000_S - 1, micros: 999_999 },
      ],
    ]);
    expect(new Map(stored.map((row) => [row.eventId, row.unixMicros]))).toEqual(
      new Map([
        ["first", "-62135596800000000"],
        ["last", "253402300799999999"],
      ]),
    );
  });
});
