import type { DetectorEvent } from "../detector.ts";

/**
 * What a model was asked and what it answered, by every name that a plain payload
 * (`client-forms/plain-payload.ts`) leaves to them: text, messages, or either as JSON. Of an `llm_call`.
 */
type Payload = DetectorEvent["payload"];

export const inputOf = (payload: Payload): unknown =>
  payload.input ?? payload.messages ?? payload["gen_ai.input.messages"] ?? payload.prompt;

export const outputOf = (payload: Payload): unknown =>
  payload.output ?? payload.completion ?? payload["gen_ai.output.messages"];
