import { toolClassOf, toolNameOf } from "../building-blocks/calls/tool-class.ts";
import type { Detection, DetectorEvent, Severity } from "../detector.ts";
import type { RuleMatch, Verdict } from "./scan/chain-rules.ts";
import type { FragmentScan } from "./scan-event.ts";
import { excerptAround } from "./secrets/excerpt-around.ts";

/** What a rule set found in one text of an event. */
export interface Finding {
  readonly fragment: FragmentScan;
  readonly ruleIds: readonly string[];
  readonly score: number;
  readonly start: number;
  readonly end: number;
  /** Named here if it differs from the text around the match. */
  readonly excerpt?: string;
}

/**
 * What fired already in this execution; an `llm_call` repeats the earlier turns of its chat. Four numbers
 * each: digest of the words that were found; where they stood in their text, or in their turn of a
 * transcript; length and digest of that text.
 */
export interface SeenState {
  readonly seen: readonly number[];
  /**
   * What a person said in this run (`own-words.ts`), of a detector that leaves alone what tools tell again of
   * it.
   */
  readonly said: readonly number[];
  /**
   * What the model has given in this run (`given-before.ts`), of a detector that leaves alone who asks for it
   * again.
   */
  readonly given?: number;
}

export const EMPTY_SEEN: SeenState = { seen: [], said: [] };
const SEEN_MAX = 64;
const NUMBERS = 4;
const SPACE = 32;
const BEGINNINGS = "\n\t\r:>\"'`([{|=";
/** So long are whole chats: of which the beginning may have been dropped since. */
const CHAT_LENGTH = 16_384;

/** FNV-1a over the first characters of a text. */
export function digestOf(text: string): number {
  let hash = 0x811c9dc5;
  const length = Math.min(text.length, 400);
  for (let i = 0; i < length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

export function findingOf(fragment: FragmentScan, verdict: Verdict, prefix: string): Finding {
  let best = verdict.matches[0];
  for (const match of verdict.matches) if (best === undefined || match.weight > best.weight) best = match;
  const ordered = [...verdict.matches].sort((a, b) => b.weight - a.weight);
  return {
    fragment,
    ruleIds: ordered.slice(0, 8).map((match) => `${prefix}/${match.id}`),
    score: verdict.score,
    start: best?.start ?? 0,
    end: best?.end ?? 0,
  };
}

/** What one match shows by itself. */
export const findingOfMatch = (fragment: FragmentScan, match: RuleMatch, prefix: string): Finding =>
  findingOf(fragment, { score: match.weight, matches: [match] }, prefix);

/**
 * True if something was found in what the model says or gives to a tool, and not only in what it was given.
 */
export const isGivenOut = (findings: readonly Finding[]): boolean =>
  findings.some(({ fragment: { origin } }) => origin === "assistant" || origin === "arguments");

/** The strongest of an event's findings, as a detection. */
export function firing(
  event: DetectorEvent,
  findings: readonly Finding[],
  severity: Severity,
): Detection | null {
  let best: Finding | null = null;
  const ruleIds = new Set<string>();
  for (const finding of findings) {
    if (best === null || finding.score > best.score) best = finding;
    for (const id of finding.ruleIds) if (ruleIds.size < 12) ruleIds.add(id);
  }
  if (best === null) return null;
  const tool = toolNameOf(event.payload);
  return {
    signatureParts: [
      best.ruleIds[0] ?? "",
      best.fragment.origin,
      event.type,
      tool === "" ? "" : toolClassOf(tool),
    ],
    severity,
    ruleIds: [...ruleIds],
    score: Math.min(1, Math.round(best.score * 1000) / 1000),
    excerpt: best.excerpt ?? excerptAround(best.fragment, best.start, best.end),
    eventId: event.eventId,
    evidenceEventIds: [],
  };
}

/**
 * Drops findings in the input of an `llm_call` that are the same fact as one before: the same words in the
 * same text, whatever stands around it now, or in a whole chat. Different prompts that hold the same words
 * are different attempts. Remembers the rest. Events other than `llm_call` always fire: each is an occurrence
 * of its own.
 */
export function unseen<State extends SeenState>(
  state: State,
  event: DetectorEvent,
  findings: readonly Finding[],
): { state: State; findings: readonly Finding[] } {
  if (findings.length === 0) return { state, findings };
  let { seen } = state;
  const fresh: Finding[] = [];
  for (const finding of findings) {
    const { fragment, start, end } = finding;
    const words = digestOf(fragment.text.slice(start, Math.max(end, start + 60)));
    const isSeen = wasSeen(seen, words, fragment.text, start);
    const repeats = event.type === "llm_call" && fragment.origin !== "assistant";
    if (repeats && isSeen) continue;
    fresh.push(finding);
    if (!isSeen) seen = [...seen.slice(-NUMBERS * (SEEN_MAX - 1)), words, ...placeOf(fragment, start)];
  }
  return { state: seen === state.seen ? state : { ...state, seen }, findings: fresh };
}

/** Where a place stands in its turn of a transcript, or in the whole text; length and digest of that. */
function placeOf({ text, turns }: FragmentScan, at: number): [number, number, number] {
  const turn = turns.find(({ end }) => at < end) ?? { start: 0, end: text.length };
  const said = text.slice(turn.start, turn.end);
  const trimmed = said.trim();
  const start = turn.start + said.indexOf(trimmed);
  return [at - start, trimmed.length, Bun.hash.crc32(trimmed)];
}

function wasSeen(seen: readonly number[], words: number, text: string, at: number): boolean {
  for (let i = 0; i < seen.length; i += NUMBERS) {
    if (seen[i] !== words) continue;
    if (text.length >= CHAT_LENGTH) return true;
    const start = at - (seen[i + 1] as number);
    const end = start + (seen[i + 2] as number);
    if (start < 0 || end > text.length || !mayBegin(text, start)) continue;
    if (Bun.hash.crc32(text.slice(start, end)) === seen[i + 3]) return true;
  }
  return false;
}

/**
 * A turn, or what is quoted, begins a line or follows a mark; words that follow others on their line are one
 * text with them.
 */
function mayBegin(text: string, at: number): boolean {
  let before = at - 1;
  while (before >= 0 && text.charCodeAt(before) === SPACE) before--;
  return before < 0 || BEGINNINGS.includes(text[before] as string);
}
