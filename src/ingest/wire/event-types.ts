/**
 * The 16 event types of the interface, in the order of their codes: `ats.event_pack.event_types` stores index
 * + 1, and `ats.event_type_name` in the migrations holds the same list. Append only: a code never changes its
 * meaning.
 */
export const EVENT_TYPES = [
  "llm_call",
  "tool_call",
  "checkpoint",
  "exception",
  "validator_result",
  "drift_signal",
  "injection_alert",
  "infrastructure_event",
  "dlp_scan_result",
  "mcp_call",
  "eval_score",
  "memory_operation",
  "agent_handoff",
  "human_intervention",
  "egress",
  "environment_declaration",
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

const codes = new Map<string, number>(EVENT_TYPES.map((name, index) => [name, index + 1]));

/** The stored code of a type, 1 to 16; undefined for anything that is not one of the 16 names. */
export function eventTypeCode(name: string): number | undefined {
  return codes.get(name);
}

/** The type that a stored code names. Throws on a code that no build ever wrote. */
export function eventTypeOf(code: number): EventType {
  const name = EVENT_TYPES[code - 1];
  if (name === undefined) throw new RangeError(`no event type has code ${code}`);
  return name;
}
