import { DAY_SECONDS, EPOCH_2000_DAYS } from "../../store/telemetry/pack-format.ts";

/**
 * RFC 3339 date-times to PostgreSQL's own unit: microseconds since 2000-01-01T00:00:00Z.
 *
 * Kept as two numbers, because microseconds of the year 9999 do not fit a double exactly: `seconds` since
 * 2000 (UTC) and `micros` within the second. A fraction beyond microseconds is cut off. A leap second (`:60`)
 * is accepted, as RFC 3339 says, and means the first instant of the next minute, as PostgreSQL reads it. Year
 * 0000 is refused: SQL has none. So is what only its offset carries out of the years 0001 to 9999: no reader
 * of such a moment could write it in RFC 3339.
 */

/** 0001-01-01T00:00:00Z, and the first instant after 9999. */
const SECONDS_MIN = -63_082_281_600;
const SECONDS_END = 252_455_616_000;

export interface ParsedTimestamp {
  /** Whole seconds since 2000-01-01T00:00:00Z; negative before. */
  seconds: number;
  /** 0 to 999,999. */
  micros: number;
}

const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const LENGTH_MIN = 20;
const LENGTH_MAX = 64;
/** The bytes of `yyyy-mm-dd`. */
const DATE_BYTES = 10;

/** The last date that was read, as it was written; zeros before the first. */
const lastDate = new Uint8Array(DATE_BYTES);
let lastDay = 0;

/** UTF-8 takes three bytes for a character of a text at most. */
const scratch = Buffer.alloc(LENGTH_MAX * 3);

/**
 * Parses `text` into `into` and says whether it is a valid RFC 3339 date-time with an offset. `into` is
 * reused by the caller: the hot path allocates nothing.
 */
export function parseTimestamp(text: string, into: ParsedTimestamp): boolean {
  return text.length <= LENGTH_MAX && parseTimestampBytes(scratch, 0, scratch.write(text), into);
}

/** The same of a text that stands in `bytes` from `start` to `end`. */
export function parseTimestampBytes(
  bytes: Uint8Array,
  start: number,
  end: number,
  into: ParsedTimestamp,
): boolean {
  if (end - start < LENGTH_MIN || end - start > LENGTH_MAX) return false;
  const day = parseDay(bytes, start);
  if (day === undefined) return false;
  const t = bytes[start + 10];
  if (t !== 84 && t !== 116) return false;
  const hour = twoDigits(bytes, start + 11);
  const minute = twoDigits(bytes, start + 14);
  const second = twoDigits(bytes, start + 17);
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60) return false;
  if (bytes[start + 13] !== 58 || bytes[start + 16] !== 58) return false;

  let at = start + 19;
  let micros = 0;
  if (bytes[at] === 46) {
    let digits = 0;
    for (at++; at < end; at++) {
      const digit = bytes[at]! - 48;
      if (digit < 0 || digit > 9) break;
      if (digits < 6) micros = micros * 10 + digit;
      digits++;
    }
    if (digits === 0) return false;
    for (; digits < 6; digits++) micros *= 10;
  }

  let offsetSeconds = 0;
  const zone = bytes[at];
  if (zone === 90 || zone === 122) {
    if (at + 1 !== end) return false;
  } else if (zone === 43 || zone === 45) {
    if (at + 6 !== end || bytes[at + 3] !== 58) return false;
    const offsetHour = twoDigits(bytes, at + 1);
    const offsetMinute = twoDigits(bytes, at + 4);
    if (offsetHour < 0 || offsetHour > 23 || offsetMinute < 0 || offsetMinute > 59) return false;
    offsetSeconds = (offsetHour * 3600 + offsetMinute * 60) * (zone === 43 ? 1 : -1);
  } else return false;

  if (second === 60 && micros > 0) micros = 0;
  const seconds = day * DAY_SECONDS + hour * 3600 + minute * 60 + second - offsetSeconds;
  if (seconds < SECONDS_MIN || seconds >= SECONDS_END) return false;
  into.seconds = seconds;
  into.micros = micros;
  return true;
}

/** The UTC day of a parsed timestamp, in days since 1970-01-01. */
export function epochDayOf(seconds: number): number {
  return Math.floor(seconds / DAY_SECONDS) + EPOCH_2000_DAYS;
}

/** Milliseconds since the Unix epoch of `seconds` since 2000. */
export function unixMsOf(seconds: number): number {
  return (seconds + EPOCH_2000_DAYS * DAY_SECONDS) * 1000;
}

/**
 * Days since 2000 of the date that stands at `start`. Events of one batch share a day, so the last one is
 * remembered.
 */
function parseDay(bytes: Uint8Array, start: number): number | undefined {
  // From the end: two dates that differ mostly do so in their day.
  let same = DATE_BYTES;
  while (same > 0 && bytes[start + same - 1] === lastDate[same - 1]) same--;
  if (same === 0) return lastDay;
  if (bytes[start + 4] !== 45 || bytes[start + 7] !== 45) return undefined;
  const century = twoDigits(bytes, start);
  const yearOfCentury = twoDigits(bytes, start + 2);
  const month = twoDigits(bytes, start + 5);
  const day = twoDigits(bytes, start + 8);
  if (century < 0 || yearOfCentury < 0 || month < 1 || month > 12 || day < 1) return undefined;
  const year = century * 100 + yearOfCentury;
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  if (year === 0 || day > MONTH_DAYS[month - 1]! + (leap && month === 2 ? 1 : 0)) return undefined;
  const utc = new Date(0);
  utc.setUTCFullYear(year, month - 1, day);
  lastDay = utc.getTime() / 1000 / DAY_SECONDS - EPOCH_2000_DAYS;
  for (let index = 0; index < DATE_BYTES; index++) lastDate[index] = bytes[start + index]!;
  return lastDay;
}

/** -1 where there are none. */
function twoDigits(bytes: Uint8Array, at: number): number {
  const tens = bytes[at]! - 48;
  const ones = bytes[at + 1]! - 48;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : -1;
}
