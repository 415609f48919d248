import { toolViewOf } from "../../building-blocks/calls/tool-view.ts";
import type { DetectorEvent } from "../../detector.ts";
import { comparable } from "./argument-values.ts";

/**
 * What an agent looked up because a passage named it ("buy a pencil set" → search for "pencil set"): the
 * answer gives it other names, and by one of these it acts. Such an answer vouches for nothing.
 */
export interface LookUp {
  /** The value of the passage that was looked up, as the passage spells it. */
  readonly value: string;
  readonly tool: string;
  readonly callId: string;
  readonly eventId: string;
  readonly sequence: number;
  /** In comparable form; "" until it is there. */
  readonly answer: string;
}

const ANSWER_MAX = 4_096;
const NAME_MIN = 3;
const NAME_MAX = 64;
const NAMES_MAX = 12;
const PART_OF_A_NAME = /[\p{L}\p{N}_]/u;

export const callIdOf = (event: DetectorEvent): string => toolViewOf(event)?.callId ?? "";

/**
 * True if the event brings the answer to the look-up: it is the same one, or tells the same call, or the next
 * of the tool where calls have no ids.
 */
export function isAnswerTo(lookUp: LookUp, event: DetectorEvent, tool: string): boolean {
  if (lookUp.eventId === event.eventId) return true;
  if (lookUp.tool !== tool || event.sequence < lookUp.sequence) return false;
  return lookUp.callId === callIdOf(event) && (lookUp.callId !== "" || lookUp.answer === "");
}

export function answered(lookUp: LookUp, texts: readonly string[]): LookUp {
  const answer = comparable([lookUp.answer, ...texts].join("\n").slice(0, ANSWER_MAX));
  return { ...lookUp, answer };
}

/**
 * The names and numbers by which a call may mean what an answer told: whole strings and numbers, one or in a
 * list.
 */
function namesIn(args: unknown): readonly string[] {
  const names: string[] = [];
  if (typeof args !== "object" || args === null) return names;
  for (const one of Object.values(args).flat(1)) {
    if (typeof one !== "string" && typeof one !== "number") continue;
    const name = comparable(String(one));
    const isName = name.length >= NAME_MIN && name.length <= NAME_MAX && /\d/.test(name);
    if (isName && !/^[\d.,]{1,3}$/.test(name) && names.length < NAMES_MAX) names.push(name);
  }
  return names;
}

function standsIn(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (at > 0 && PART_OF_A_NAME.test(text.charAt(at - 1))) continue;
    if (!PART_OF_A_NAME.test(text.charAt(at + name.length))) return true;
  }
  return false;
}

/** A name, with a digit in it, that the answer gives and the call takes; null if there is none. */
export function nameTaken({ answer }: LookUp, args: unknown): string | null {
  return namesIn(args).find((name) => standsIn(answer, name)) ?? null;
}
