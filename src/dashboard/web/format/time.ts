/**
 * Times come from the API as ISO 8601 in UTC and are shown in the reader's time zone; a tooltip gives UTC.
 */

const dateTime = new Intl.DateTimeFormat("en-GB", {
  day: "2-digit",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  timeZoneName: "short",
});
const day = new Intl.DateTimeFormat("en-GB", { day: "2-digit", month: "short", year: "numeric" });
const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const short = new Intl.DateTimeFormat("en-GB", {
  day: "2-digit",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
});

type Time = string | number | Date;

/** 21 Nov 2026, 14:05:09 CET: with its zone, as logs elsewhere are in another. */
export function formatDateTime(time: Time): string {
  return dateTime.format(new Date(time));
}

/** 21 Nov, 14:05 */
export function formatShortDateTime(time: Time): string {
  return short.format(new Date(time));
}

/** 21 Nov 2026 */
function formatDay(time: Time): string {
  return day.format(new Date(time));
}

/** 14:05:09, with milliseconds 14:05:09.123 */
export function formatClock(time: Time, options: { readonly milliseconds?: boolean } = {}): string {
  const date = new Date(time);
  const text = clock.format(date);
  return options.milliseconds ? `${text}.${String(date.getMilliseconds()).padStart(3, "0")}` : text;
}

/** 2026-11-21 14:05:09 UTC */
export function formatUtc(time: Time): string {
  return `${new Date(time).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** 340 ms, 4.2 s, 3 min 5 s, 2 h 10 min, 3 d 4 h */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 0) return `−${formatDuration(-milliseconds)}`;
  if (milliseconds < 1) return milliseconds === 0 ? "0 ms" : "< 1 ms";
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${Number(seconds.toFixed(seconds < 10 ? 2 : 1))} s`;
  const units = [
    ["d", 86_400],
    ["h", 3_600],
    ["min", 60],
    ["s", 1],
  ] as const;
  let rest = Math.round(seconds);
  const parts: string[] = [];
  for (const [name, size] of units) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count} ${name}`);
    else if (parts.length > 0) break;
    if (parts.length === 2) break;
  }
  return parts.join(" ");
}

/** "just now", "3 min ago", "in 2 h"; a day and more by days, a month and more as the date. */
export function formatRelative(time: Time, now: number): string {
  const difference = new Date(time).getTime() - now;
  const size = Math.abs(difference);
  if (size < 5_000) return "just now";
  if (size >= 30 * 86_400_000) return formatDay(time);
  const [count, unit] =
    size < 60_000
      ? [Math.round(size / 1000), "s"]
      : size < 3_600_000
        ? [Math.round(size / 60_000), "min"]
        : size < 86_400_000
          ? [Math.round(size / 3_600_000), "h"]
          : [Math.round(size / 86_400_000), "d"];
  return difference < 0 ? `${count} ${unit} ago` : `in ${count} ${unit}`;
}
