import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

/**
 * Reads `NAME.jsonl.gz` of the data folder; null if it is absent, so that an evaluation can say what it
 * skipped.
 */
export function loadRows(folder: string, name: string): readonly Record<string, unknown>[] | null {
  const path = join(folder, `${name}.jsonl.gz`);
  if (!existsSync(path)) return null;
  return gunzipSync(readFileSync(path))
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
