import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

export type Row = Readonly<Record<string, unknown>>;

const ENDINGS = [".jsonl.gz", ".jsonl"];

/** The names of all sets in the folder, in the order of the alphabet. */
export function setNames(folder: string): readonly string[] {
  const names = new Set<string>();
  for (const file of readdirSync(folder)) {
    const ending = ENDINGS.find((each) => file.endsWith(each));
    if (ending !== undefined) names.add(file.slice(0, -ending.length));
  }
  return [...names].sort();
}

/**
 * Reads `NAME.jsonl.gz` or `NAME.jsonl` of the data folder; null if neither is there, so that an evaluation
 * can say what it skipped. Throws, with the number of the line, where a line is no JSON object.
 */
export function loadRows(folder: string, name: string): readonly Row[] | null {
  const path = ENDINGS.map((ending) => join(folder, name + ending)).find((each) => existsSync(each));
  if (path === undefined) return null;
  const bytes = readFileSync(path);
  const text = (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
  return text.split("\n").flatMap((line, at) => (line.trim() === "" ? [] : [rowOf(line, at + 1)]));
}

function rowOf(line: string, lineNo: number): Row {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new Error(`line ${lineNo} is no JSON`);
  }
  if (value === null || typeof value !== "object" || Array.isArray(value))
    throw new Error(`line ${lineNo} is no JSON object`);
  return value as Row;
}
