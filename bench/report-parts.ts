/** What the reports of all benches are put together from. */

export type Row = readonly string[];

export interface Table {
  readonly title: string;
  readonly head: Row;
  readonly rows: readonly Row[];
}

const NONE = "–";

export function whole(value: number | undefined): string {
  return value === undefined || Number.isNaN(value) ? NONE : Math.round(value).toLocaleString("en");
}

export function fixed(value: number | undefined, digits: number): string {
  return value === undefined || Number.isNaN(value) ? NONE : value.toFixed(digits);
}

/** The first column to the left, numbers to the right. */
export function textTable({ title, head, rows }: Table): string {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: Row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
      .join("  ");
  return [title, ...all.map(line)].join("\n");
}

export function markdownTable({ title, head, rows }: Table): string {
  const line = (row: Row) => `| ${row.join(" | ")} |`;
  const rule = head.map((_, column) => (column === 0 ? "---" : "---:"));
  return [`## ${title}`, "", line(head), line(rule), ...rows.map(line)].join("\n");
}

/** What the service warned of, and which checks do not hold. */
export function verdictLines(results: {
  readonly serviceWarnings: readonly string[];
  readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly found: string }[];
}): string[] {
  const { serviceWarnings, checks } = results;
  const failed = checks.filter((check) => !check.ok);
  return [
    ...(serviceWarnings.length === 0
      ? []
      : [`Warnings logged by the service: ${serviceWarnings.length}, the first ${serviceWarnings[0]}`]),
    `Checks: ${checks.length - failed.length} of ${checks.length} hold`,
    ...failed.map(({ name, found }) => `FAILED ${name}: ${found}`),
  ];
}
