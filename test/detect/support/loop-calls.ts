/** Calls of tools as the tests of loops make them. */
import { event } from "../../support/detector-harness.ts";

export const call = (
  sequence: number,
  tool_name: string,
  args: unknown,
  result: unknown = "same",
  more = {},
) => event("tool_call", sequence, { tool_name, arguments: args, result, ...more });
export const search = (sequence: number, q: string, result: unknown = "none") =>
  call(sequence, "search", { q }, result);

/** Events at a fixed distance of milliseconds. */
export function atGaps(gapsMs: readonly number[], make: (sequence: number) => ReturnType<typeof call>) {
  let timestampMs = Date.UTC(2026, 10, 23);
  return gapsMs.map((gapMs, i) => {
    timestampMs += gapMs;
    return { ...make(i + 1), timestampMs };
  });
}
