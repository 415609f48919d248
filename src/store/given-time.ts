/**
 * A time that somebody gives, on a command line or in a request of the dashboard: RFC 3339, with or without
 * its seconds. `Date` reads much that nobody means ("5" is a day in May 2001), and moves on what no calendar
 * has: February 30th would be March 2nd.
 */

const TIME =
  /^(?<day>\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

/** The first year that PostgreSQL writes as it was given. */
const MS_MIN = Date.parse("0001-01-01T00:00:00Z");

/** Milliseconds since 1970; null for what is no such time. */
export function timeOf(text: string): number | null {
  const day = TIME.exec(text)?.groups?.day;
  if (day === undefined || !isInCalendar(day)) return null;
  const ms = Date.parse(text.toUpperCase());
  return ms >= MS_MIN ? ms : null;
}

function isInCalendar(day: string): boolean {
  const ms = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day);
}
