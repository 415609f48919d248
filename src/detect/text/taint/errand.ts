import { byName } from "../../building-blocks/by-name.ts";
import { wordsOfName } from "../../building-blocks/calls/tool-class.ts";
import { allowedDeeds, askedDeeds } from "../request/asked-deeds.ts";
import { ANY_DEED, wordsIn } from "../request/request-words.ts";
import { isToldBack, NO_RESULTS, type Results, withResult } from "../request/told-back.ts";
import { parsedArguments } from "./argument-values.ts";
import { type ToldSentence, withProse } from "./told-sentences.ts";

/**
 * What an agent was sent to do, as far as it has been read, and what tools told it on the way. Never changed
 * in place.
 */
export interface Errand {
  /** Deeds asked for or allowed by what has been read, as bits of `request-words.ts`. */
  readonly asked: number;
  /** A person has asked for something. */
  readonly isGiven: boolean;
  /** What person and operator said, as they said it, and how many of these have been read. */
  readonly said: readonly Said[];
  readonly read: number;
  readonly told: readonly ToldSentence[];
  /** Tools that the model asked for last: what comes back in a prompt is told by one of them. */
  readonly asking: readonly string[];
  /** Events of tools tell what these returned: prompts only repeat it. */
  readonly hasToolEvents: boolean;
  /** What tools returned since the last model call. */
  readonly results: Results;
}

interface Said {
  readonly origin: "user" | "system";
  readonly text: string;
}

export const NO_ERRAND: Errand = {
  asked: 0,
  isGiven: false,
  said: [],
  read: 0,
  told: [],
  asking: [],
  hasToolEvents: false,
  results: NO_RESULTS,
};
/** Nothing that is still to come can be unasked. */
export const OPEN_ERRAND: Errand = { ...NO_ERRAND, asked: ANY_DEED };

/** Characters of all that was said; of more anything may have been asked. */
const SAID_MAX = 8_000;
const ASKING_MAX = 6;
const NAME_MAX = 120;

/**
 * What a person said, or an operator, whose instructions only allow. It is read when something hangs on it.
 */
export function heardFrom(errand: Errand, origin: Said["origin"], text: string, isBare: boolean): Errand {
  if (errand.asked === ANY_DEED || errand.said.some((one) => one.text === text)) return errand;
  if (origin === "user" && isBare && isToldBack(text, errand.results)) return errand;
  const said = [...errand.said, { origin, text }];
  if (said.reduce((sum, one) => sum + one.text.length, 0) > SAID_MAX) return OPEN_ERRAND;
  return { ...errand, said, isGiven: errand.isGiven || origin === "user" };
}

export const withoutResults = (errand: Errand): Errand =>
  errand.results.length === 0 ? errand : { ...errand, results: NO_RESULTS };

/** The errand with all that was said read. */
export function readErrand(errand: Errand): Errand {
  if (errand.asked === ANY_DEED || errand.read === errand.said.length) return errand;
  let { asked } = errand;
  for (const { origin, text } of errand.said.slice(errand.read)) {
    asked |= origin === "user" ? askedDeeds(text) : allowedDeeds(text);
    if (asked === ANY_DEED) return OPEN_ERRAND;
  }
  return { ...errand, asked, read: errand.said.length };
}

/**
 * Tools that read what the house itself has written down for whoever works there: to do as it says is no
 * obedience to a stranger.
 */
const HOUSE_RULES = wordsIn(`
  kb knowledge knowledgebase runbook runbooks playbook playbooks policy policies handbook guide guides guideline guidelines procedure procedures
  sop sops manual manuals wiki intranet faq faqs help rules standard standards template templates docs
`);

export const isHouseRules = byName((tool) => wordsOfName(tool).some((word) => HOUSE_RULES.has(word)));

/** How a project's own files and pages of that kind are called, as what is read and not as what reads. */
const HOUSE_PAGES = wordsIn("contributing agents conventions checklist circular sops procedure procedures");
const HOUSE = "handbook";
const PAGE_NAME_MAX = 100;
const ARGUMENTS_MAX = 12;

/** "EXPERIMENTS.md": a project's file for whoever works on it; what a README says is for anybody. */
const OWN_PAGE = /(?:^|\/)(?!README)[A-Z][A-Z_-]{3,30}\.(?:md|rst|adoc)$/;

/**
 * True if a call reads such a page by its path or title; what stands on the web, or is looked for there,
 * anybody may have written.
 */
export function readsHouseRules(args: unknown): boolean {
  const given = parsedArguments(args);
  const values = typeof given === "object" && given !== null ? Object.values(given) : [given];
  return values.slice(0, ARGUMENTS_MAX).some((value) => {
    if (typeof value !== "string" || value.length > PAGE_NAME_MAX || value.includes("://")) return false;
    if (OWN_PAGE.test(value)) return true;
    return wordsOfName(value).some((word) => HOUSE_RULES.has(word) || HOUSE_PAGES.has(word));
  });
}

/** The model asks for a tool. */
export function askedFor(errand: Errand, name: string, args: unknown): Errand {
  if (!errand.isGiven || errand.asked === ANY_DEED) return errand;
  const tool = readsHouseRules(args) ? HOUSE : name;
  if (errand.asking.at(-1) === tool) return errand;
  return { ...errand, asking: [...errand.asking.slice(1 - ASKING_MAX), tool.slice(0, NAME_MAX)] };
}

/**
 * What a tool returned, "" where only the prompt has it. Kept only where a deed may still be unasked, and of
 * tools that strangers may speak through.
 */
export function heardFromTool(
  errand: Errand,
  text: string,
  from: { readonly tool: string; readonly args: unknown } & Pick<ToldSentence, "eventId" | "sequence">,
): Errand {
  if (!errand.isGiven || errand.asked === ANY_DEED) return errand;
  const { tool } = from;
  const hasToolEvents = errand.hasToolEvents || tool !== "";
  const results = tool === "" ? errand.results : withResult(errand.results, text);
  const read = readErrand({ ...errand, hasToolEvents, results });
  const isRepeated = tool === "" && hasToolEvents;
  const speakers = tool === "" ? errand.asking : [tool];
  if (read.asked === ANY_DEED || isRepeated || speakers.length === 0 || speakers.some(isHouseRules))
    return read;
  // A client may send a call and its result as events of their own.
  const isHouses = from.args === undefined ? errand.asking.at(-1) === HOUSE : readsHouseRules(from.args);
  if (tool !== "" && isHouses) return read;
  const told = withProse(read.told, text, from);
  return told === read.told ? read : { ...read, told };
}
