import type { DetectorEvent } from "../detector.ts";

/** A token count of a payload; 0 for anything that is not a whole number of tokens. */
export function tokensOf(value: unknown): number {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : 0;
}

/** True if the call says how many tokens it used. */
export function reportsTokens(event: DetectorEvent): boolean {
  return typeof event.payload.tokens_in === "number" || typeof event.payload.tokens_out === "number";
}
