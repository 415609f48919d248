/**
 * RFC 3339 date-times to PostgreSQL's own unit: microseconds since 2000-01-01T00:00:00Z.
 *
 * Kept as two numbers, because microseconds of the year 9999 do not fit a double exactly: `seconds` since 2000 (UTC)
 * and `micros` within the second. A fraction beyond microseconds is cut off. A leap second (`:60`) is accepted, as RFC 3339
 * says, and means the first instant of the next minute, as PostgreSQL reads it. Year 0000 is refused: SQL
 * has none. So is what only its offset carries out of the years 0001 to 9999: no reader of such a moment could write it in RFC 3339.
 */

const DAY_SECONDS = 86_400;
/** 1970-01-01 to 2000-01-01, in days. */
const EPOCH_2000_DAYS = 10_957;

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

let dayText = "";
let dayNumber = 0;

/**
 * Parses `text` into `into` and says whether it is a valid RFC 3339 date-time with an offset. `into` is reused by the
 * caller: the hot path allocates nothing.
 */
export function parseTimestamp(text: string, into: ParsedTimestamp): boolean {
  const length = text.length;
  if (length < 20 || length > 64) return false;
  const day = parseDay(text);
  if (day === undefined) return false;
  const t = text.charCodeAt(10);
  if (t !== 84 && t !== 116) return false;
  const hour = twoDigits(text, 11);
  const minute = twoDigits(text, 14);
  const second = twoDigits(text, 17);
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60) return false;
  if (text.charCodeAt(13) !== 58 || text.charCodeAt(16) !== 58) return false;

  let at = 19;
  let micros = 0;
  if (text.charCodeAt(at) === 46) {
    let digits = 0;
    for (at++; at < length; at++) {
      const digit = text.charCodeAt(at) - 48;
      if (digit < 0 || digit > 9) break;
      if (digits < 6) micros = micros * 10 + digit;
      digits++;
    }
    if (digits === 0) return false;
    for (; digits < 6; digits++) micros *= 10;
  }

  let offsetSeconds = 0;
  const zone = text.charCodeAt(at);
  if (zone === 90 || zone === 122) {
    if (at + 1 !== length) return false;
  } else if (zone === 43 || zone === 45) {
    const offsetHour = twoDigits(text, at + 1);
    const offsetMinute = twoDigits(text, at + 4);
    if (at + 6 !== length || text.charCodeAt(at + 3) !== 58) return false;
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

/** Seconds since 2000-01-01 of a Unix time in milliseconds; the fraction is kept. */
export function secondsSince2000(unixMs: number): number {
  return unixMs / 1000 - EPOCH_2000_DAYS * DAY_SECONDS;
}

/** Days since 2000 of the date that `text` starts with. Events of one batch share a day, so the last one is remembered. */
function parseDay(text: string): number | undefined {
  if (dayText !== "" && text.startsWith(dayText)) return dayNumber;
  if (text.charCodeAt(4) !== 45 || text.charCodeAt(7) !== 45) return undefined;
  const century = twoDigits(text, 0);
  const yearOfCentury = twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  if (century < 0 || yearOfCentury < 0 || month < 1 || month > 12 || day < 1) return undefined;
  const year = century * 100 + yearOfCentury;
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  if (year === 0 || day > MONTH_DAYS[month - 1]! + (leap && month === 2 ? 1 : 0)) return undefined;
  const utc = new Date(0);
  utc.setUTCFullYear(year, month - 1, day);
  dayNumber = utc.getTime() / 1000 / DAY_SECONDS - EPOCH_2000_DAYS;
  dayText = text.slice(0, 10);
  return dayNumber;
}

function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48;
  const ones = text.charCodeAt(at + 1) - 48;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : -1;
}
