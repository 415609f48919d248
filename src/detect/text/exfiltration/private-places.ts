import { byName } from "../../building-blocks/by-name.ts";
import { toolClassOf } from "../../building-blocks/calls/tool-class.ts";
import { looksLikeJson, parsedJson } from "../../building-blocks/json-text.ts";
import type { Heard, ToldText } from "../provenance/heard-texts.ts";
import { tellingWords } from "../provenance/kept-words.ts";
import { saidIn } from "../provenance/named-hosts.ts";
import type { RuleMatch } from "../scan/chain-rules.ts";

/**
 * What stands in a place that a tool called private (a repository, a project, a channel) is written into
 * another one, and the person named neither of the private ones: an issue or a message that anybody may write
 * had the agent carry it over. That a place is private mostly stands in a truth value, which no text of an
 * event holds, so results are walked for it.
 */
const PLACES_MAX = 32;
const NODES_MAX = 4_000;
const DEPTH_MAX = 6;
const JSON_CHARS_MAX = 65_536;
const NAME_MIN = 3;
const NAME_MAX = 100;
/** A cheap look before a result is parsed. */
const SAYS_PRIVATE = /private|visibility/;

const NAMES = "full_name nameWithOwner path_with_namespace fullName name slug title".split(" ");

/** Words that nobody else told and the person did not say: of what is written much may be the agent's own. */
const WORDS_MIN = 5;
/** Where it goes by the name of an argument. */
const TARGET =
  /(?:^|\n)\s{0,8}["']?(?:repo(?:sitory)?(?:_?name)?|project(?:_?(?:id|path|name))?|channel(?:_?(?:id|name))?|full_?name)["']?: ?["']?([\w./#-]{2,120})/i;

const isPrivate = (one: Readonly<Record<string, unknown>>): boolean =>
  one.private === true || one.isPrivate === true || one.is_private === true || one.visibility === "private";

/** A result, or a part of one, that is JSON as a text. */
const parsedPart = (text: string): unknown =>
  text.length <= JSON_CHARS_MAX && looksLikeJson(text) && SAYS_PRIVATE.test(text) ? parsedJson(text) : null;

/** By their names these tell of places; other results are not walked. */
const tellsOfPlaces = byName((tool) =>
  /repo|git|project|channel|conversation|slack|space|folder|drive|search|list/i.test(tool),
);

/** Takes in the names of private places of a result. Changed in place; those heard of longest ago go. */
export function notePrivatePlaces(places: string[], tool: string, result: unknown): void {
  if (!tellsOfPlaces(tool)) return;
  let nodes = 0;
  const walk = (given: unknown, depth: number): void => {
    if (++nodes > NODES_MAX || depth > DEPTH_MAX) return;
    const value = typeof given === "string" ? parsedPart(given) : given;
    if (typeof value !== "object" || value === null) return;
    if (!Array.isArray(value) && isPrivate(value as Record<string, unknown>)) {
      const named = NAMES.map((key) => (value as Record<string, unknown>)[key]).find(
        (one) => typeof one === "string" && one.length >= NAME_MIN && one.length <= NAME_MAX,
      );
      if (typeof named === "string") note(places, lastPart(named));
    }
    for (const key in value) {
      if (nodes > NODES_MAX) return;
      walk((value as Record<string, unknown>)[key], depth + 1);
    }
  };
  walk(result, 0);
}

const lastPart = (name: string): string => (name.split("/").at(-1) ?? name).toLowerCase();

function note(places: string[], name: string): void {
  if (name.length < NAME_MIN || places.includes(name)) return;
  if (places.length >= PLACES_MAX) places.shift();
  places.push(name);
}

const WORD = /[\p{L}\p{N}_-]/u;

/** True if the name stands in the text by itself. */
function names(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (!WORD.test(text[at - 1] ?? " ") && !WORD.test(text[at + name.length] ?? " ")) return true;
  }
  return false;
}

/** null: nothing of a private place goes elsewhere, or the person spoke of that place. */
export function privatePlaceTold(
  text: string,
  tool: string,
  places: readonly string[],
  told: readonly ToldText[],
  heard: Heard,
): RuleMatch | null {
  if (places.length === 0 || toolClassOf(tool) === "read") return null;
  const target = TARGET.exec(text);
  if (target === null || places.includes(lastPart(target[1] ?? ""))) return null;
  const said = saidIn(heard).toLowerCase();
  const unnamed = places.filter((one) => !names(said, one));
  const isPrivatePlace = ({ asked }: ToldText) => {
    const read = asked.toLowerCase();
    return unnamed.some((one) => names(read, one));
  };
  const [sources, others] = [told.filter(isPrivatePlace), told.filter((one) => !isPrivatePlace(one))];
  if (sources.length === 0) return null;
  const open = tellingWords([said, ...others.map((one) => `${one.asked}\n${one.text}`)].join("\n"));
  const hidden = tellingWords(sources.map((one) => one.text).join("\n"));
  const carried = [...tellingWords(text)].filter((word) => hidden.has(word) && !open.has(word));
  if (carried.length < WORDS_MIN) return null;
  return {
    id: "private-place-told",
    weight: 0.85,
    start: target.index,
    end: target.index + target[0].length,
  };
}
