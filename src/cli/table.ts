/**
 * In a terminal a name must not move the cursor, change colours, break the line or turn the text around it.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it replaces
const MOVES_TERMINAL = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

/** Rows as columns for a reader; `empty` instead of a bare head. */
export function table(options: {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  readonly empty: string;
}): string {
  if (options.rows.length === 0) return options.empty;
  const lines = [options.columns, ...options.rows.map((row) => row.map(cell))];
  const widths = options.columns.map((_, column) =>
    Math.max(...lines.map((line) => Bun.stringWidth(line[column] ?? ""))),
  );
  return lines
    .map((line) =>
      line
        .map((text, column) => text + " ".repeat((widths[column] ?? 0) - Bun.stringWidth(text)))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** Names and values below each other, for one record. */
export function record(fields: Readonly<Record<string, unknown>>): string {
  const width = Math.max(...Object.keys(fields).map((name) => name.length));
  return Object.entries(fields)
    .map(([name, value]) => `${name.padEnd(width)}  ${cell(value)}`)
    .join("\n");
}

/** One value on one line, whatever it holds. */
export function cell(value: unknown): string {
  if (value === null || value === undefined) return "-";
  if (Array.isArray(value)) return value.length === 0 ? "-" : value.map(cell).join(", ");
  if (value instanceof Date) return value.toISOString().replace(/\.\d+Z$/, "Z");
  return String(value).replace(MOVES_TERMINAL, "\ufffd");
}

/** One line of JSON that may be shown in a terminal too: the same value to whoever parses it. */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replace(
    MOVES_TERMINAL,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
