import { roundsIn } from "../client-forms/answered-rounds.ts";
import type { DetectorEvent } from "../detector.ts";
import { resultsIn } from "./chat-turn.ts";
import { EVENT_TEXT_MAX, flattenText } from "./fields.ts";
import { callsInMessage, type ModelToolCall } from "./model-tool-calls.ts";

/**
 * The calls that a provider made and answered itself within one answer, each with what tools had given back
 * before it in that answer: what an `llm_call` alone tells of the order. Bounded in calls and characters;
 * none for nearly every event.
 */
export interface AnsweredCall {
  readonly call: ModelToolCall;
  readonly heard: string;
}

const CALLS_MAX = 32;

export function answeredCalls({ payload }: DetectorEvent): readonly AnsweredCall[] {
  const answered: AnsweredCall[] = [];
  let heard = "";
  for (const message of roundsIn(payload)) {
    for (const call of callsInMessage(message)) answered.push({ call, heard });
    for (const { value } of resultsIn(message))
      if (heard.length < EVENT_TEXT_MAX) heard += `${flattenText(value)}\n`;
    if (answered.length >= CALLS_MAX) break;
  }
  return answered;
}
