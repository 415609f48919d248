import { sayingOf } from "../client-forms/verdict-words.ts";

/**
 * Whether a `passed` field says no: as a flag, or in a word or a phrase ("FAIL", "not met", "nicht
 * bestanden").
 */
export function isFailedVerdict(passed: unknown): boolean {
  const flag = flagOf(passed);
  if (flag !== null || typeof passed !== "string") return flag === false;
  const saying = sayingOf(passed, "check");
  return saying === "bad" || saying === "no";
}

/**
 * What a flag says as a boolean, as a word or, as databases keep it, as 1 or 0; null where it says nothing.
 */
export function flagOf(flag: unknown): boolean | null {
  if (typeof flag === "boolean") return flag;
  if (flag === 0 || flag === 1) return flag === 1;
  if (typeof flag !== "string") return null;
  const word = flag.trim().toLowerCase();
  return word === "true" ? true : word === "false" ? false : null;
}

/** What a flag or a word says of a finding; null: nothing. */
export function saidOfFinding(said: unknown): boolean | null {
  const flag = flagOf(said);
  if (flag !== null || typeof said !== "string") return flag;
  const saying = sayingOf(said, "finding");
  if (saying === null || saying === "undecided") return null;
  return saying === "bad" || saying === "yes";
}
