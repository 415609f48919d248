/** Packs as PostgreSQL itself writes them against the reader of detection. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { PackCursor, type StoredEvent, splitByBatch } from "../../src/detect/rows/pack-reader.ts";
import { COPY_HEADER_BYTES } from "../../src/store/telemetry/pack-format.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";

interface Event {
  readonly id: string;
  readonly typeCode: number;
  readonly sequence: number;
  readonly timestamp: string;
  readonly payload: string;
}

interface Pack {
  readonly projectNo: number;
  readonly executionNo: number;
  readonly receivedAt: string;
  readonly batchNo: number;
  /** Of a stand-in, which has no events: their ids. */
  readonly standsInFor?: readonly string[];
  /** And the first moment of its pack. */
  readonly standsInAt?: string;
  readonly events: readonly Event[];
}

const event = (id: string, more: Partial<Event> = {}): Event => ({
  id,
  typeCode: 1,
  sequence: 1,
  timestamp: "2026-11-20T10:00:00Z",
  payload: "{}",
  ...more,
});

const RECEIVED = "2026-11-20T10:00:01.234567Z";

const PACKS: readonly Pack[] = [
  {
    projectNo: 1,
    executionNo: 2 ** 40 + 5,
    receivedAt: RECEIVED,
    batchNo: 2 ** 45 + 1,
    events: [
      event("first", { timestamp: "2026-11-20T23:59:59.999999Z", payload: '{"n":1}' }),
      event("zwölf", { typeCode: 16, sequence: 2_147_483_647, payload: '{"text":"日本 🙂"}' }),
      event("NULL", { typeCode: 7, sequence: 0, payload: "NULL" }),
    ],
  },
  {
    projectNo: 2_147_483_647,
    executionNo: 1,
    receivedAt: "1999-12-31T23:59:59.999999Z",
    batchNo: 2 ** 45 + 1,
    events: [event("old", { timestamp: "0001-01-01T00:00:00Z", payload: "[1]" })],
  },
  {
    projectNo: 1,
    executionNo: 1,
    receivedAt: RECEIVED,
    batchNo: 2 ** 45 + 1,
    standsInFor: ["far"],
    standsInAt: "2026-11-21T00:00:00Z",
    events: [],
  },
  {
    projectNo: 1,
    executionNo: 1,
    receivedAt: RECEIVED,
    batchNo: 2 ** 45 + 1,
    standsInFor: ["of", "before"],
    events: [],
  },
  {
    projectNo: 1,
    executionNo: 1,
    receivedAt: RECEIVED,
    batchNo: 2 ** 45 + 2,
    events: [event("long", { payload: JSON.stringify({ text: "x".repeat(5_000) }) })],
  },
  {
    projectNo: 1,
    executionNo: 1,
    receivedAt: RECEIVED,
    batchNo: 2 ** 45 + 3,
    events: Array.from({ length: 40 }, (_, n) => event(`e${n}`, { typeCode: 1 + (n % 16), sequence: n })),
  },
];

let database: TestDatabase;
/** A whole COPY of `PACKS`, in order. */
let copied: Buffer;

beforeAll(async () => {
  database = await cloneDatabase();
  const { sql } = database;
  for (const [packNo, pack] of PACKS.entries()) {
    const { events } = pack;
    await sql`
      insert into ats.event_pack values (${pack.projectNo}, ${pack.executionNo}, ${packNo}, false,
        ${events[0]?.timestamp ?? RECEIVED}::text::timestamptz, ${pack.receivedAt}::text::timestamptz, ${pack.batchNo}, ${pack.standsInFor ?? events.map(({ id }) => id)},
        ${events.map(({ typeCode }) => typeCode)}::smallint[], ${events.map(({ sequence }) => sequence)}::int[],
        ${pack.standsInAt ? [pack.standsInAt] : events.map(({ timestamp }) => timestamp)}::text[]::timestamptz[], ${events.map(({ payload }) => payload)})`;
  }
  const stream = await sql
    .unsafe("copy (select * from ats.event_pack order by pack_no) to stdout (format binary)")
    .readable();
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece);
  copied = Buffer.concat(pieces);
});
afterAll(() => database.drop());

function eventsOf(rows: Uint8Array, tally = { unreadablePayloads: 0 }) {
  const cursor = new PackCursor(rows, tally);
  const events: { projectNo: number; executionNo: number; batchNo: number; event: StoredEvent }[] = [];
  while (cursor.nextPack()) {
    const { projectNo, executionNo, batchNo } = cursor;
    while (cursor.nextEvent()) events.push({ projectNo, executionNo, batchNo, event: cursor.event() });
  }
  return events;
}

const told = (rows: Uint8Array) =>
  eventsOf(rows).map(
    ({ projectNo, executionNo, batchNo, event: { eventId, typeCode, sequence, ...times } }) => ({
      projectNo,
      executionNo,
      batchNo,
      eventId,
      typeCode,
      sequence,
      timestampMs: times.timestampMs,
      receivedUs: times.receivedUs,
    }),
  );

const MS_2000 = Date.UTC(2000, 0, 1);
const expected = PACKS.flatMap(({ projectNo, executionNo, batchNo, receivedAt, events }) =>
  events.map(({ id, typeCode, sequence, timestamp }) => ({
    projectNo,
    executionNo,
    batchNo,
    eventId: id,
    typeCode,
    sequence,
    timestampMs: Date.parse(timestamp),
    receivedUs: (Date.parse(receivedAt) - MS_2000) * 1000 + Number(receivedAt.slice(-4, -1)),
  })),
);

/**
 * Where the int32 words stand that say how long something is or how many there are, of everything that is
 * walked.
 */
function structureWords(rows: Buffer): number[] {
  const words: number[] = [];
  let at = COPY_HEADER_BYTES;
  for (const { events, standsInAt } of PACKS) {
    at += 2;
    for (let field = 0; field < 12; field++) {
      words.push(at);
      const isText = field === 7 || field === 11;
      if (field >= 7) {
        words.push(at + 4);
        const hasOneMoment = field === 10 && standsInAt !== undefined;
        if (events.length > 0 || hasOneMoment) words.push(at + 16);
        for (let n = 0, text = at + 24; isText && n < events.length; n++) {
          words.push(text);
          text += 4 + rows.readInt32BE(text);
        }
      }
      at += 4 + rows.readInt32BE(at);
    }
  }
  expect(at).toBe(rows.length - 2);
  return words;
}

describe("what PostgreSQL writes", () => {
  test("is read back event by event, in order, stand-ins left out", () => {
    expect(told(copied)).toEqual(expected);
  });

  test("payloads are what was stored; one that is no JSON object reads as an empty one and is counted", () => {
    const tally = { unreadablePayloads: 0 };
    const payloads = eventsOf(copied, tally).map(({ event: { payload } }) => payload);
    const stored = PACKS.flatMap(({ events }) => events.map(({ payload }) => payload));
    const readable = stored.map((payload) => (payload.startsWith("{") ? JSON.parse(payload) : {}));
    expect(payloads).toEqual(readable);
    expect(tally.unreadablePayloads).toBe(2);
  });

  test("is cut by batch into packs that read the same without header and end", () => {
    const parts = splitByBatch(copied);
    const batchNos = [...new Set(PACKS.map(({ batchNo }) => batchNo))];
    expect([...parts.keys()]).toEqual(batchNos);
    for (const [batchNo, part] of parts) {
      expect(told(part)).toEqual(expected.filter((one) => one.batchNo === batchNo));
    }
    expect(splitByBatch(new Uint8Array(0)).size).toBe(0);
  });

  test("may be left in the middle of a pack", () => {
    const cursor = new PackCursor(copied, { unreadablePayloads: 0 });
    const firsts: string[] = [];
    while (cursor.nextPack()) if (cursor.nextEvent()) firsts.push(cursor.event().eventId);
    expect(firsts).toEqual(PACKS.flatMap(({ events }) => events.slice(0, 1).map(({ id }) => id)));
  });
});

describe("other bytes throw", () => {
  test("a COPY that ends within a pack", () => {
    const whole: number[] = [];
    for (let end = 1; end < copied.length; end++) {
      try {
        eventsOf(copied.subarray(0, end));
        whole.push(end);
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
      }
    }
    // After the header and after each pack.
    expect(whole).toHaveLength(1 + PACKS.length);
  });

  test("a length, a count or a number of dimensions that is another", () => {
    const words = structureWords(copied);
    expect(words.length).toBeGreaterThan(150);
    const unnoticed: { at: number; was: number; value: number }[] = [];
    for (const at of words) {
      const was = copied.readInt32BE(at);
      for (const value of [was + 1, was - 1, -1, 0x7fffffff]) {
        const rows = Buffer.from(copied);
        rows.writeInt32BE(value, at);
        try {
          eventsOf(rows);
          unnoticed.push({ at, was, value });
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
      }
    }
    expect(unnoticed).toEqual([]);
  });

  test("whatever is damaged, reading ends", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 8 }), (damages) => {
        const rows = Buffer.from(copied);
        for (const [at, byte] of damages) rows[at % rows.length] = byte;
        try {
          eventsOf(rows);
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
      }),
      { numRuns: 500 },
    );
  });
});
