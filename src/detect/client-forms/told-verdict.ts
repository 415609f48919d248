import type { Fields } from "./fields.ts";
import { sayingOf } from "./verdict-words.ts";

/** What the smaller events say of an outcome, where they do not say it in the field that is read. */

/** Fields that tell whether something was found in order; each a flag or a word. */
export const VERDICTS = "success ok pass validated result outcome status verdict decision action failed";

const TEXT_MAX = 200;
/** Words longer than that are a report, of which the verdict is elsewhere. */
const VERDICT_CHARS_MAX = 60;

/** What a verdict says in a word, a phrase or a flag; null: nothing. */
export function verdictNamed(said: unknown): boolean | null {
  if (typeof said === "boolean") return said;
  if (typeof said !== "string" || said.length > VERDICT_CHARS_MAX) return null;
  const saying = sayingOf(said, "check");
  if (saying === "good" || saying === "yes") return true;
  return saying === "bad" || /^false$/i.test(said) ? false : null;
}

/**
 * Where tests are counted: `{passed: 18, failed: 2}`, `{passed: 18, total: 20}`; null where none ran,
 * undefined where nothing is counted.
 */
export function countedVerdict({ passed, failed, total }: Fields): boolean | null | undefined {
  if (typeof passed !== "number") return undefined;
  if (typeof failed === "number") return passed + failed > 0 ? failed === 0 : null;
  return typeof total === "number" && total > 1 ? passed >= total : undefined;
}

/**
 * Words of a report's beginning that say how it ended, where nothing else does: "FAILED: 41 s, allowed 20 s".
 */
const HEAD = /^[^:;.,(\n–—]{1,60}/;
const HEAD_WORDS_MAX = 3;
const COUNTED_ERRORS = /^\W{0,9}[1-9]\d{0,6} validation errors?\b/i;

export function tellsFailure(message: unknown): boolean {
  if (typeof message !== "string") return false;
  if (COUNTED_ERRORS.test(message)) return true;
  const head = HEAD.exec(message.slice(0, TEXT_MAX))?.[0].trim() ?? "";
  return (
    head.split(/\s+/).length <= HEAD_WORDS_MAX && !COUNTS.test(head) && sayingOf(head, "check") === "bad"
  );
}

/** Names of what is counted: a report may begin with how few there were. */
const COUNTS = /^(?:errors|failures|violations|issues|problems|failed|fehler|erreurs)$/;

/** True of "drift", "DRIFT_DETECTED" and "drifting", not of "no drift". */
export const namesDrift = (said: unknown): boolean =>
  typeof said === "string" &&
  said.length <= VERDICT_CHARS_MAX &&
  /drift/i.test(said) &&
  sayingOf(said, "finding") === "bad";

/** Of a scan: that nothing was found. That it passed may mean that it was let through. */
export function saysClean(said: unknown): boolean {
  if (
    typeof said !== "string" ||
    said.length > VERDICT_CHARS_MAX ||
    /allow|pass|permit|\bok|succe|accept|approv|valid/i.test(said)
  )
    return false;
  const saying = sayingOf(said, "finding");
  return saying === "good" || saying === "no";
}

export function verdictIn(fields: Fields): boolean | null {
  if (typeof fields.failed === "boolean") return !fields.failed;
  for (const key of VERDICTS.split(" ")) {
    const told = verdictNamed(fields[key]);
    if (told !== null) return told;
  }
  return null;
}
