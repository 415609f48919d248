import { toolNameOf } from "../../building-blocks/calls/tool-class.ts";
import { cutText } from "../../building-blocks/cut-text.ts";
import type { DetectorEvent } from "../../detector.ts";
import { addResult, isBare, isToldBack } from "../request/told-back.ts";
import type { FragmentScan } from "../scan-event.ts";

/**
 * What a run has heard, as texts: what its person and its operator said, and the latest of what tools told,
 * each with the call that brought it. Nothing is read here; a detector reads it on the rare day on which
 * something is kept or leaves. Changed in place, and bounded by characters: what was heard longest ago is let
 * go. A state whose outcome was thrown away must be thrown away with it.
 */
export interface Heard {
  readonly said: Said[];
  readonly told: ToldText[];
  saidLength: number;
  toldLength: number;
  /**
   * More was said than is kept, or the beginning is not known: anything may have been asked, and nothing more
   * is heard.
   */
  isOpen: boolean;
  /** What tools returned since the last model call. */
  readonly results: string[];
}

export interface Said {
  readonly origin: "user" | "system";
  readonly text: string;
}

export interface ToldText {
  readonly text: string;
  /** The tool that told it, behind its server; "" where only a prompt tells. */
  readonly tool: string;
  /** The beginning of what it was asked with. */
  readonly asked: string;
  readonly eventId: string;
  readonly sequence: number;
}

const SAID_MAX = 4_000;
const TOLD_MAX = 6_000;
const TOLD_COUNT_MAX = 12;
/** Of one text. */
const TEXT_MAX = 3_000;
const TEXT_MIN = 24;
const NAME_MAX = 160;
/**
 * What is told to machines of their memory is kept though it stands far down a page, with what stands around
 * it.
 */
const OF_MEMORY = /memor|remember|profile|preference/gi;
const OF_MACHINES = /\b(?:assistants?|agents?|chat ?bots?|language models?|llms?|ais?)\b/i;
const MACHINE_WITHIN = 360;
const MEMORIES_MAX = 16;
const BEFORE_IT = 600;
const FROM_IT = 400;

export const createHeard = (isPastCut: boolean): Heard => ({
  said: [],
  told: [],
  saidLength: 0,
  toldLength: 0,
  isOpen: isPastCut,
  results: [],
});

/** What a person or an operator said. */
function noteSaid(heard: Heard, origin: Said["origin"], text: string): void {
  const { said, told } = heard;
  for (let i = 0; i < said.length; i++) if ((said[i] as Said).text === text) return;
  if (heard.saidLength + text.length > SAID_MAX) {
    heard.isOpen = true;
    said.length = 0;
    told.length = 0;
    return;
  }
  heard.saidLength += text.length;
  said.push({ origin, text });
}

/** Where the words to machines stand; words of memory are looked for first, as they are fewer. */
function machineToldOfMemory(text: string): number {
  let left = MEMORIES_MAX;
  for (const { index } of text.matchAll(OF_MEMORY)) {
    const start = Math.max(0, index - MACHINE_WITHIN);
    const at = text.slice(start, index).search(OF_MACHINES);
    if (at >= 0) return start + at;
    if (--left === 0) return -1;
  }
  return -1;
}

/** Its beginning, and of a longer text what tells machines of their memory. */
function tellingPart(given: string): string {
  const head = cutText(given, TEXT_MAX);
  if (head.length === given.length) return head;
  const from = Math.max(0, head.length - FROM_IT);
  const at = machineToldOfMemory(given.slice(from));
  if (at < 0) return head;
  const start = from + at - BEFORE_IT;
  const end = from + at + FROM_IT;
  if (start <= head.length) return cutText(given, Math.max(head.length, end));
  return `${head}\n${cutText(given.slice(start), end - start)}`;
}

/** Gives back what of the text is kept. */
function noteTold(heard: Heard, given: string, tool: string, asked: string, event: DetectorEvent): string {
  const { told } = heard;
  const text = tellingPart(given);
  for (let i = 0; i < told.length; i++) if ((told[i] as ToldText).text === text) return text;
  const { eventId, sequence } = event;
  heard.toldLength += text.length;
  told.push({ text, tool: cutText(tool, NAME_MAX), asked: cutText(asked, NAME_MAX), eventId, sequence });
  while (heard.toldLength > TOLD_MAX || told.length > TOLD_COUNT_MAX)
    heard.toldLength -= (told.shift() as ToldText).text.length;
  return text;
}

/** The tool of an event, behind its server. */
export function speakerOf({ payload }: DetectorEvent): string {
  const { server } = payload;
  const tool = toolNameOf(payload);
  return typeof server === "string" ? `${server}.${tool}` : tool;
}

/** Where only a prompt tells what tools said: those that its turns asked for. */
const askedIn = (fragments: readonly FragmentScan[]): string =>
  fragments.flatMap(({ origin, tool }) => (origin === "arguments" && tool !== "" ? [tool] : [])).join(" ");

/** Takes in what an event says. */
export function hear(heard: Heard, event: DetectorEvent, fragments: readonly FragmentScan[]): void {
  if (heard.isOpen) return;
  const isModel = event.type === "llm_call";
  let asked = "";
  for (let f = 0; f < fragments.length; f++) {
    const fragment = fragments[f] as FragmentScan;
    const { origin, text, repeated } = fragment;
    if (origin === "arguments") asked = text;
    else if (origin === "tool") {
      const isShort = text.length < TEXT_MIN || repeated;
      if (!isModel)
        addResult(heard.results, isShort ? text : noteTold(heard, text, speakerOf(event), asked, event));
      else if (!isShort) noteTold(heard, text, askedIn(fragments), "", event);
    } else if (isModel && (origin === "user" || origin === "system")) {
      const isResult = origin === "user" && isBare(fragment) && isToldBack(text, heard.results);
      if (!isResult) noteSaid(heard, origin, text);
    }
  }
  if (isModel && heard.results.length > 0) heard.results.length = 0;
}

/** True once a person has said something. */
export function hasPerson({ said }: Heard): boolean {
  for (let i = 0; i < said.length; i++) if ((said[i] as Said).origin === "user") return true;
  return false;
}

/**
 * What was told before a call; of events with one number, as a client sends that does not count them, any may
 * have been first.
 */
export const toldBefore = (
  { told }: Heard,
  { eventId, sequence }: Pick<DetectorEvent, "eventId" | "sequence">,
  isAnswer: boolean,
): readonly ToldText[] =>
  told.filter((one) =>
    one.sequence === sequence ? isAnswer || one.eventId !== eventId : one.sequence < sequence,
  );
