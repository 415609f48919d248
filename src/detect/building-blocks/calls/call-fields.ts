import type { DetectorEvent } from "../../detector.ts";

/**
 * What a call of a tool was given and what it gave back, by the names that a plain payload
 * (`client-forms/plain-payload.ts`) leaves to them: our own, or those of the OpenTelemetry GenAI conventions.
 * Of a `tool_call` or an `mcp_call`.
 */
type Payload = DetectorEvent["payload"];

export const argumentsOf = (payload: Payload): unknown =>
  payload.arguments ?? payload["gen_ai.tool.call.arguments"];

/** Where nothing is called the arguments, what a plain payload keeps as a second telling of them. */
export const argumentsHoweverTold = (payload: Payload): unknown => argumentsOf(payload) ?? payload.args;

export const resultOf = (payload: Payload): unknown => payload.result ?? payload["gen_ai.tool.call.result"];
