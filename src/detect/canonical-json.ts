/**
 * JSON with sorted keys and no white space: two texts of the same value are the same text. Depth is bounded by the
 * 64 levels that ingest admits; anything deeper (a value from elsewhere) is cut to null.
 */
const DEPTH_MAX = 80;

export function canonicalJson(value: unknown, depth = 0): string {
  if (depth > DEPTH_MAX) return "null";
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item, depth + 1)).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const entries = value as Record<string, unknown>;
    const keys = Object.keys(entries).sort();
    return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalJson(entries[key], depth + 1)}`).join(",")}}`;
  }
  return JSON.stringify(value) ?? "null";
}
