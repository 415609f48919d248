import type { DetectorEvent } from "../detector.ts";
import { type Finding, type SeenState, unseen } from "./firing.ts";
import type { FragmentScan } from "./scan-event.ts";

/**
 * What a model has given a person earlier in a run, in whatever event, and whether what is found asks for
 * that again. The rules say what counts as given, as bits; this walks the prompts and answers. Owned by
 * `text-detector.ts`; nothing here can fail.
 */
export interface AskedAgain {
  /** `given` with what a person's prompt asks for. */
  withWish(given: number, asked: string): number;
  /** `given` with what an answer gives. */
  withAnswer(given: number, answer: string): number;
  isAskedFor(finding: Finding, given: number): boolean;
}

/**
 * What a client shows of a chat before the prompt: the answers that an older prompt of the same event called
 * for. Newest first.
 */
function givenInChat(rules: AskedAgain, earlier: readonly FragmentScan[], given: number): number {
  let known = given;
  const oldest = earlier.findLastIndex(({ origin }) => origin === "user");
  for (let f = oldest; f >= 0; f--) {
    const { origin, text } = earlier[f] as FragmentScan;
    if (origin === "user") known = rules.withWish(known, text);
    else if (origin === "assistant") known = rules.withAnswer(known, text);
  }
  return known;
}

/** The turn of a transcript that the finding stands in, with what earlier turns gave. */
function inTranscript(
  rules: AskedAgain,
  finding: Finding,
  given: number,
): { readonly finding: Finding; readonly given: number } {
  const { fragment, start } = finding;
  let known = given;
  for (const turn of fragment.turns) {
    const said = fragment.text.slice(turn.start, turn.end);
    if (turn.end > start) return { finding: { ...finding, fragment: fragment.reworded(said) }, given: known };
    if (turn.origin === "user") known = rules.withWish(known, said);
    else if (turn.origin === "assistant") known = rules.withAnswer(known, said);
  }
  return { finding, given: known };
}

/**
 * True if a person asks for what the run gave before, in earlier events or in the chat that the event shows.
 */
export function isAskedAgain(
  rules: AskedAgain,
  finding: Finding,
  fragments: readonly FragmentScan[],
  given: number,
): boolean {
  const { fragment } = finding;
  if (fragment.origin !== "user") return false;
  if (fragment.turns.length > 1) {
    const asked = inTranscript(rules, finding, given);
    return rules.isAskedFor(asked.finding, asked.given);
  }
  if (rules.isAskedFor(finding, given)) return true;
  const at = fragments.indexOf(fragment);
  return at >= 0 && rules.isAskedFor(finding, givenInChat(rules, fragments.slice(at + 1), given));
}

/**
 * What a model call leaves behind. `found`: a prompt in which something was found asks for nothing of the
 * person's own.
 */
export function afterAnswer(
  rules: AskedAgain,
  state: SeenState,
  fragments: readonly FragmentScan[],
  found: readonly Finding[] | null,
): SeenState {
  const before = state.given ?? 0;
  let given = before;
  for (let f = 0; f < fragments.length; f++) {
    const fragment = fragments[f] as FragmentScan;
    if (fragment.origin !== "user" || fragment.repeated || isIn(fragment, found)) continue;
    given = rules.withWish(given, fragment.text);
  }
  for (let f = 0; f < fragments.length; f++) {
    const { origin, repeated, text } = fragments[f] as FragmentScan;
    if (origin === "assistant" && !repeated) given = rules.withAnswer(given, text);
  }
  return given === before ? state : { ...state, given };
}

const isIn = (fragment: FragmentScan, found: readonly Finding[] | null): boolean =>
  found?.some((one) => one.fragment === fragment) === true;

/** Requests for what was given count as seen: later calls repeat them. */
export const noted = (state: SeenState, event: DetectorEvent, askedAgain: readonly Finding[] | null) =>
  askedAgain === null ? state : unseen(state, event, askedAgain).state;
