/**
 * JSON with sorted keys and no white space: two texts of the same value are the same text. Bounded at 5,000
 * values and 80 levels: what is beyond stands as `null`, so a huge value is told by its beginning.
 */
const NODES_MAX = 5000;
const DEPTH_MAX = 80;

export function canonicalJson(value: unknown): string {
  return write(value, 0, { nodes: NODES_MAX });
}

function write(value: unknown, depth: number, budget: { nodes: number }): string {
  if (budget.nodes-- <= 0 || depth > DEPTH_MAX) return "null";
  if (Array.isArray(value)) {
    const items = value.length > NODES_MAX ? value.slice(0, NODES_MAX) : value;
    return `[${items.map((item) => write(item, depth + 1, budget)).join(",")}]`;
  }
  if (typeof value === "object" && value !== null) {
    const entries = value as Record<string, unknown>;
    const keys = Object.keys(entries).slice(0, NODES_MAX).sort();
    const fields = keys.map((key) => `${JSON.stringify(key)}:${write(entries[key], depth + 1, budget)}`);
    return `{${fields.join(",")}}`;
  }
  return JSON.stringify(value) ?? "null";
}
