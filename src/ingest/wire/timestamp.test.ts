import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  epochDayOf,
  type ParsedTimestamp,
  parseTimestamp,
  parseTimestampBytes,
  unixMsOf,
} from "./timestamp.ts";

/** Against a reference of its own: Date for the calendar, BigInt for the microseconds. */

interface Parts {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  fraction: string;
  offset: string;
  separator: string;
}

const two = (value: number) => String(value).padStart(2, "0");

function textOf(parts: Parts): string {
  const date = `${String(parts.year).padStart(4, "0")}-${two(parts.month)}-${two(parts.day)}`;
  const time = `${two(parts.hour)}:${two(parts.minute)}:${two(parts.second)}`;
  return `${date}${parts.separator}${time}${parts.fraction === "" ? "" : `.${parts.fraction}`}${parts.offset}`;
}

const FIRST_MICROS = BigInt(new Date("0001-01-01T00:00:00Z").getTime()) * 1000n;
const LAST_MICROS = BigInt(Date.UTC(9999, 11, 31, 23, 59, 59)) * 1000n + 999_999n;

/**
 * Microseconds since 1970, or undefined when the calendar has no such day, or the moment is none of the years
 * 0001 to 9999.
 */
function referenceMicros(parts: Parts): bigint | undefined {
  const date = new Date(0);
  date.setUTCFullYear(parts.year, parts.month - 1, parts.day);
  if (date.getUTCMonth() !== parts.month - 1 || date.getUTCDate() !== parts.day) return undefined;
  date.setUTCHours(parts.hour, parts.minute, 0, 0);
  const match = /^([+-])(\d\d):(\d\d)$/.exec(parts.offset);
  const offsetMinutes =
    match === null ? 0 : (match[1] === "+" ? 1 : -1) * (Number(match[2]) * 60 + Number(match[3]));
  const fraction = parts.second === 60 ? 0n : BigInt(parts.fraction.padEnd(6, "0").slice(0, 6));
  const micros =
    (BigInt(date.getTime()) - BigInt(offsetMinutes) * 60_000n) * 1000n +
    BigInt(parts.second) * 1_000_000n +
    fraction;
  return micros < FIRST_MICROS || micros > LAST_MICROS ? undefined : micros;
}

const range = (min: number, max: number) => fc.integer({ min, max });
const parts: fc.Arbitrary<Parts> = fc.record({
  year: fc.oneof(range(1, 9999), range(1999, 2030), fc.constantFrom(1, 9999)),
  month: range(1, 12),
  day: range(1, 31),
  hour: range(0, 23),
  minute: range(0, 59),
  second: fc.oneof({ weight: 9, arbitrary: range(0, 59) }, { weight: 1, arbitrary: fc.constant(60) }),
  fraction: fc.oneof(fc.constant(""), fc.stringMatching(/^[0-9]{1,20}$/)),
  offset: fc.oneof(
    fc.constantFrom("Z", "z", "+00:00", "-00:00", "+23:59", "-23:59"),
    fc
      .tuple(fc.constantFrom("+", "-"), range(0, 23), range(0, 59))
      .map(([s, h, m]) => `${s}${two(h)}:${two(m)}`),
  ),
  separator: fc.constantFrom("T", "t"),
});

function parse(text: string): ParsedTimestamp | undefined {
  const into = { seconds: Number.NaN, micros: Number.NaN };
  return parseTimestamp(text, into) ? into : undefined;
}

test("every date-time means what Date and BigInt say, and days the calendar lacks are refused", () => {
  fc.assert(
    fc.property(parts, (given) => {
      const reference = referenceMicros(given);
      const parsed = parse(textOf(given));
      if (reference === undefined) return expect(parsed).toBeUndefined();
      expect(parsed).toBeDefined();
      const { seconds, micros } = parsed!;
      expect(micros).toBeWithin(0, 1_000_000);
      const epoch = BigInt(Date.UTC(2000, 0, 1)) * 1000n;
      expect(BigInt(seconds) * 1_000_000n + BigInt(micros) + epoch).toBe(reference);
      const dayMicros = 86_400_000_000n;
      const day = (reference - (((reference % dayMicros) + dayMicros) % dayMicros)) / dayMicros;
      expect(BigInt(epochDayOf(seconds))).toBe(day);
      expect(unixMsOf(seconds)).toBe(Date.UTC(2000, 0, 1) + seconds * 1000);
    }),
    { numRuns: 3_000 },
  );
});

test("every change of one character is refused or means the changed text", () => {
  const shape =
    /^(\d{4})-(\d\d)-(\d\d)([Tt])(\d\d):(\d\d):(\d\d)(?:\.(\d+))?([Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
  fc.assert(
    fc.property(parts, fc.nat(), fc.string({ maxLength: 2 }), (given, where, replacement) => {
      const text = textOf(given);
      const at = where % text.length;
      const changed = text.slice(0, at) + replacement + text.slice(at + 1);
      const match = shape.exec(changed);
      const [year, month, day, hour, minute, second] = [1, 2, 3, 5, 6, 7].map((group) =>
        Number(match?.[group]),
      );
      const inRange =
        match !== null &&
        year! > 0 &&
        month! >= 1 &&
        month! <= 12 &&
        day! >= 1 &&
        hour! < 24 &&
        minute! < 60 &&
        second! <= 60;
      const reference = inRange
        ? referenceMicros({
            year: year!,
            month: month!,
            day: day!,
            hour: hour!,
            minute: minute!,
            second: second!,
            fraction: match[8] ?? "",
            offset: match[9]!,
            separator: match[4]!,
          })
        : undefined;
      const parsed = parse(changed);
      const micros =
        parsed === undefined
          ? undefined
          : BigInt(parsed.seconds) * 1_000_000n +
            BigInt(parsed.micros) +
            BigInt(Date.UTC(2000, 0, 1)) * 1000n;
      expect(micros).toBe(reference);
    }),
    { numRuns: 3_000 },
  );
});

test.each([
  "",
  "2026-01-01",
  "2026-01-01T00:00:00",
  "2026-01-01 00:00:00Z",
  "0000-01-01T00:00:00Z",
  "2026-02-29T00:00:00Z",
  "1900-02-29T00:00:00Z",
  "2026-01-01T24:00:00Z",
  "2026-01-01T00:60:00Z",
  "2026-01-01T00:00:61Z",
  "2026-01-01T00:00:00.Z",
  "2026-01-01T00:00:00,5Z",
  "2026-01-01T00:00:00+24:00",
  "2026-01-01T00:00:00+00:60",
  "2026-01-01T00:00:00+0000",
  "2026-01-01T00:00:00Zx",
  "+02026-01-01T00:00:00Z",
  "２０26-01-01T00:00:00Z",
  `2026-01-01T00:00:00.${"0".repeat(60)}Z`,
  "0001-01-01T00:00:00+00:01",
  "9999-12-31T23:59:59-00:01",
  "9999-12-31T23:59:60Z",
])("refused: %j", (text) => {
  expect(parse(text)).toBeUndefined();
});

test.each(["0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999Z", "0001-01-01T00:01:00+00:01"])(
  "taken: %s",
  (text) => {
    expect(parse(text)).toBeDefined();
  },
);

test("a refusal of one day does not spoil the day remembered from the event before", () => {
  const good = parse("2024-02-29T00:00:00Z");
  expect(parse("2023-02-29T00:00:00Z")).toBeUndefined();
  expect(parse("2024-02-29T00:00:00Z")).toEqual(good!);
  expect(parse("2024-02-28T00:00:00Z")!.seconds).toBe(good!.seconds - 86_400);
});

test("what stands around a text in the bytes is no part of it", () => {
  const read = (text: string, start: number, end: number) => {
    const into: ParsedTimestamp = { seconds: 0, micros: 0 };
    return parseTimestampBytes(Buffer.from(text), start, end, into) ? into : undefined;
  };
  const text = "2026-01-02T03:04:05.123456+01:00";
  fc.assert(
    fc.property(fc.string({ unit: "binary-ascii" }), fc.string({ unit: "binary-ascii" }), (before, after) => {
      const start = before.length;
      expect(read(`${before}${text}${after}`, start, start + text.length)).toEqual(parse(text));
    }),
  );
  for (let end = 0; end < text.length; end++) expect(read(`${text.slice(0, end)}Z`, 0, end)).toBeUndefined();
});
