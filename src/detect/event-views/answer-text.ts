import type { DetectorEvent } from "../detector.ts";
import { messagesOf } from "./fields.ts";
import { outputOf } from "./model-call-fields.ts";

const DEPTH_MAX = 4;
/** Before the first words of an answer there may be thoughts. */
const PARTS_MAX = 8;

/**
 * The text of a chat message, or of its first part that holds any, where the output is one; what the model
 * thought is none.
 */
export function answerText(output: unknown): string {
  return textIn(output, 0);
}

function textIn(output: unknown, depth: number): string {
  if (typeof output !== "object" || output === null || depth > DEPTH_MAX) return "";
  if (Array.isArray(output)) {
    for (let i = 0; i < output.length && i < PARTS_MAX; i++) {
      const said = textIn(output[i], depth + 1);
      if (said !== "") return said;
    }
    return "";
  }
  const { content, text, parts, thought, type } = output as Record<string, unknown>;
  if (thought === true || type === "reasoning") return "";
  const found = content ?? text ?? parts;
  return typeof found === "string" ? found : textIn(found, depth + 1);
}

/** The words of the answer, whether it is text, a message or messages as JSON; "" for none. */
export function answerOf(payload: DetectorEvent["payload"]): string {
  const given = outputOf(payload);
  const answer = typeof given === "string" ? (messagesOf(given) ?? given) : given;
  return typeof answer === "string" ? answer : answerText(answer);
}
