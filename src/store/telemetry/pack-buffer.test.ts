import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { cloneDatabase, type TestDatabase } from "../../../test/support/database.ts";
import {
  append,
  decode,
  EPOCH_2000_MICROS,
  EVENT,
  expectPacks,
  fill,
  microsOf,
  RECEIVED_MICROS,
  RECEIVED_MS,
  request,
  requests,
  safeInteger,
  TUPLE_BYTES_MAX,
  YEAR_1_S,
  YEAR_10000_S,
} from "../../../test/support/encoded-packs.ts";
import { connect, type Sql } from "../database/connect.ts";
import { copyEvents } from "./event-copy.ts";
import { PackBuffer, type PackedEvent } from "./pack-buffer.ts";
import { COPY_HEADER_BYTES } from "./pack-format.ts";
import { eventIdOf, eventsOf } from "./packed-events.ts";

/**
 * The encoder against a reader of PostgreSQL's COPY format written from its manual, and against PostgreSQL
 * itself.
 */

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
          // A double of today's milliseconds resolves a quarter of a microsecond: it may round to the
          // neighbour.
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
          const next = buffer.numberPacks(new Map(sent.flat().map((event) => [event.executionNo, from])));
          const expected = new Map<bigint, number>();
          const packs = decode(buffer.finish());
          expectPacks(packs, sent, 7);
          for (const { executionNo, eventTypes, packNo } of packs) {
            if (eventTypes.length === 0) continue;
            expect(packNo).toBe(expected.get(executionNo) ?? from);
            expected.set(executionNo, packNo + 1);
          }
          for (const [executionNo, after] of expected) expect(next.get(Number(executionNo))).toBe(after);
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
    buffer.numberPacks(new Map(sent.flat().map((event) => [event.executionNo, 0])));
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
