/**
 * Events of every kind for the encoder of packs, and a reader of what it writes: of PostgreSQL's COPY format,
 * written from its manual.
 */
import { expect } from "bun:test";
import fc from "fast-check";
import type { PackBuffer, PackedEvent } from "../../src/store/telemetry/pack-buffer.ts";

export const YEAR_1_S = -63_082_281_600;
export const YEAR_10000_S = 252_455_616_000;
const DAY_S = 86_400;
/** Days from 1970 to 2000. */
const EPOCH_2000_DAYS = 10_957;
/** Year 2000 in Unix microseconds: what PostgreSQL's own unit starts from. */
export const EPOCH_2000_MICROS = BigInt(Date.UTC(2000, 0, 1)) * 1000n;
export const RECEIVED_MS = 1_767_225_600_123.25;
export const RECEIVED_MICROS = 1_767_225_600_123_250n;
/** Half a page without its header and line pointers. */
export const TUPLE_BYTES_MAX = 4_080;

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

/**
 * Reads a whole COPY stream and insists on its header, the field count and widths, the trailer and nothing
 * behind it.
 */
export function decode(bytes: Buffer): DecodedPack[] {
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

export function microsOf(event: { seconds: number; micros: number }): bigint {
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
 * That the packs hold the events of each request in order, and nothing else; that each is of one execution,
 * day and request, with its stand-in behind it if it is away; that none was ended early.
 */
export function expectPacks(
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
          timestampMicros: [pack.firstMicros],
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

/**
 * Appends the events as requests that came a microsecond after each other, and answers with the ends of their
 * shares.
 */
export function fill(
  buffer: PackBuffer,
  requests: readonly (readonly PackedEvent[])[],
  batchNo: number,
): number[] {
  const ends: number[] = [];
  for (const [request, events] of requests.entries()) {
    for (const event of events) append(buffer, event, RECEIVED_MS + request / 1000, batchNo);
    buffer.closePack();
    ends.push(buffer.length);
  }
  return ends;
}

/** By one of the two ways, which must write the same. */
export function append(buffer: PackBuffer, event: PackedEvent, receivedMs: number, batchNo: number): void {
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
export const safeInteger = fc.oneof(
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
export const request = fc.oneof(
  fc.array(event, { minLength: 1, maxLength: 8 }),
  fc.array(run, { minLength: 1, maxLength: 2 }).map((runs) => runs.flat()),
);
export const requests: fc.Arbitrary<PackedEvent[][]> = fc
  .tuple(executions, fc.array(request, { minLength: 1, maxLength: 3 }))
  .map(([known, sent]) =>
    sent.map((events) =>
      events.map(({ execution, ...rest }) => ({ ...rest, ...known[execution % known.length]! })),
    ),
  );

export const EVENT: PackedEvent = {
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
