const SHOWN_MAX = 28;

/** An id as long as a line has room for: both ends tell ids apart better than the beginning alone. */
export function shortId(id: string): string {
  const letters = [...id];
  if (letters.length <= SHOWN_MAX) return id;
  return `${letters.slice(0, 18).join("")}…${letters.slice(-8).join("")}`;
}
