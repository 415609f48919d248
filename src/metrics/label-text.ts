/**
 * A series' labels in the Prometheus text format, by name; empty without labels. Names are taken as they are.
 */
export function labelText(labels: Readonly<Record<string, string>>): string {
  const parts = Object.keys(labels)
    .sort()
    .map((name) => `${name}="${escaped(labels[name]!)}"`);
  return parts.length === 0 ? "" : `{${parts.join(",")}}`;
}

/** The three characters that the format gives another meaning within a value. */
function escaped(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
