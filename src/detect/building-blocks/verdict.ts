/** Whether a `passed` field says no. Clients send a boolean; some send it as a word. */
export function isFailedVerdict(passed: unknown): boolean {
  if (passed === false) return true;
  if (typeof passed !== "string") return false;
  const word = passed.trim().toLowerCase();
  return word === "false" || word === "fail" || word === "failed";
}

/** Whether a flag is set, as a boolean or as a word. */
export function isTrue(flag: unknown): boolean {
  return flag === true || (typeof flag === "string" && flag.trim().toLowerCase() === "true");
}
