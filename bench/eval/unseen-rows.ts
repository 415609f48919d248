import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Texts, runs and cases by writers who knew nothing of the rules, dealt by a hash of their ids. Rules may be
 * worked on with the open part in sight; of the sealed part only totals may be looked at, or it says nothing
 * any more. It is compressed, so that no search of the tree shows it; large open files are too, for their
 * size alone.
 */
export type UnseenPart = "open" | "sealed";

export const UNSEEN_PARTS: readonly UnseenPart[] = ["open", "sealed"];

export function unseenRows<Row>(part: UnseenPart, name: string): Row[] {
  const path = join(import.meta.dir, "unseen", part, `${name}.jsonl`);
  const text = existsSync(path) ? readFileSync(path, "utf8") : gunzipped(`${path}.gz`);
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Row);
}

const gunzipped = (path: string): string => new TextDecoder().decode(Bun.gunzipSync(readFileSync(path)));
