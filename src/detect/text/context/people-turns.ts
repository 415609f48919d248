import type { Stretch } from "../../event-views/stretches.ts";

/**
 * What each speaker says in the log of a chat between people: "[14:03] <ada> …", "14:03 < ada> …",
 * "[03.02.24, 14:03] Ada: …". What one says and what another answers are no sentence together, so in what a
 * tool returned each turn is judged by itself. Lines of one speaker that follow each other are one turn, and
 * so are the lines without a speaker behind them; what stands before the first is one too. A log only
 * divides: nothing in it is trusted more for the name before it, so who writes an order into a chat writes it
 * in his turn.
 */
const SPEAKER =
  /^[ \t]{0,4}(?:\[[^\]\n]{0,20}\d{1,2}:\d{2}[^\]\n]{0,8}\]|\d{1,2}:\d{2}(?::\d{2})?)[ \t-]{0,4}(?:<[ @+%~&]?([^>\s]{1,32})>|([^\s:<>][^:<>\n]{0,30}):)(?=\s)/gm;
/** Fewer turns, or fewer speakers, are no chat: stamps of times stand in many texts. */
const TURNS_MIN = 8;
const SPEAKERS_MIN = 2;
const TURNS_MAX = 2_048;
const NO_CHAT: readonly Stretch[] = [];

/** The turns of a chat between people in their order, or none if the text is no log of one. */
export function turnsOfPeople(text: string): readonly Stretch[] {
  const turns: Stretch[] = [];
  const speakers = new Set<string>();
  let speaker = "";
  let start = 0;
  let lines = 0;
  for (const match of text.matchAll(SPEAKER)) {
    const name = match[1] ?? match[2] ?? "";
    lines++;
    speakers.add(name);
    if (name === speaker) continue;
    if (match.index > start) turns.push({ start, end: match.index });
    speaker = name;
    start = match.index;
    if (turns.length >= TURNS_MAX) break;
  }
  if (lines < TURNS_MIN || speakers.size < SPEAKERS_MIN) return NO_CHAT;
  turns.push({ start, end: text.length });
  return turns;
}
