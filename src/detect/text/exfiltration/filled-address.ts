import type { Heard, ToldText } from "../provenance/heard-texts.ts";
import { saysHost } from "../provenance/named-hosts.ts";
import type { RuleMatch } from "../scan/chain-rules.ts";
import { encodedIn } from "./heard-encoded.ts";
import { matchesOf } from "./matches.ts";
import { addressHosts, type CallHosts } from "./outside-hosts.ts";
import { DRAWS, picturesIn } from "./picture-links.ts";
import { privateValues, type Shares, tellsOn, unquoted } from "./private-values.ts";

/**
 * A text that a tool returned gave an address with a place to fill in, and a picture, a link or a call has it
 * filled with what the run has heard: the page, mail or ticket asked for data and named where to. Known by
 * what changed between the two addresses, however the text asked for it.
 */
const PLACE =
  "\\{\\{?[^{}\\n]{1,60}\\}\\}?|<[^<>\\n]{1,40}>|\\[[^\\[\\]\\n]{1,40}\\]|\\$\\{?\\w{1,40}\\}?|%s";
const PREFIX = "https?:\\/\\/[^\\s\"'<>(){}\\[\\]$\\\\]";
const TEMPLATES: readonly RegExp[] = [
  new RegExp(`(${PREFIX}{4,400}?)(?:${PLACE})`, "g"),
  // The last value of a query may be a word that the text says to replace.
  new RegExp(`(${PREFIX}{4,400}[?&]\\w{1,40}=)[\\w.-]{2,60}`, "g"),
];
const TEMPLATES_MAX = 12;
const FILLED = /^[^\s)"'<>\]\\]{4,2000}/;

/** Around a place to fill in: what nobody has put into an address. */
const ASKS_FOR_PRIVATE =
  /\b(?:secrets?|passwords?|credentials?|tokens?|(?:api|access|private)[ _-]?keys?|sensitive|personal|confidential|conversations?|chat (?:history|logs?)|(?:latest|previous|last) messages?|memor(?:y|ies)|e-?mails?|address(?:es)?|names?)\b/i;
const AROUND_MAX = 500;
const SHOWN_MAX = 200;
/** In a link, which somebody must follow: only where something secret was to take the place of a word. */
const ASKS_FOR_SECRET =
  /\b(?:secrets?|passwords?|credentials?|(?:access |session )?tokens?|(?:api|access|private|other)[ _-]?keys?)\b/i;
const TELLS_TO_REPLACE =
  /\b(?:replac(?:e|ed|ing)|substitut(?:e|ed|ing)|swap(?:ped)?|filled? in|insert(?:ed)?|append(?:ed)?)\b/i;

/** In a picture, which is loaded without being asked. */
const SHOWN: Shares = { wordsMin: 3, toldMin: 0.7, saidMax: 0.4 };
/** In a call: documentation of an interface has places to fill in, too, for a word or a number. */
const CALLED: Shares = { wordsMin: 4, toldMin: 0.7, saidMax: 0.4 };

interface Template {
  /** How far the address stays the same. */
  readonly prefix: string;
  readonly whole: string;
  readonly around: () => string;
}

function templatesIn({ text }: ToldText): Template[] {
  if (!text.includes("://")) return [];
  return TEMPLATES.flatMap((pattern) => matchesOf(text, pattern, TEMPLATES_MAX)).map((match) => ({
    prefix: match[1] ?? "",
    whole: match[0],
    around: () => text.slice(Math.max(0, match.index - AROUND_MAX), match.index + AROUND_MAX),
  }));
}

/** `isCall`: not what an answer shows, but what a call is given. */
export function filledAddress(
  text: string,
  isCall: boolean,
  told: readonly ToldText[],
  heard: Heard,
  hosts: CallHosts,
): RuleMatch | null {
  for (const { prefix, whole, around } of told.flatMap(templatesIn)) {
    const at = text.indexOf(prefix);
    if (at < 0 || text.startsWith(whole, at)) continue;
    // Behind a redirect the last host is the one that is told.
    const host = addressHosts(prefix).at(-1) ?? "";
    if (hosts.outside([host]) === null || saysHost(heard, host)) continue;
    const isLink = !isCall && !picturesIn(text).some(({ addressStart }) => addressStart === at);
    if (!isCall && !isLink && DRAWS.test(host)) continue;
    const filled = FILLED.exec(text.slice(at + prefix.length))?.[0] ?? "";
    if (filled === "" || told.some((one) => one.text.includes(prefix + filled))) continue;
    // An interface is called with a value in each of its places, a sink with all in one.
    const value = unquoted(isCall ? filled.replace(/[&/?].{0,2000}$/, "") : filled);
    // A hyphen stands between words in one client's address and within a name in another's.
    const words = value.replace(/[/|;=&?]|[.,](?!\d)/g, " ");
    const readings = [words, words.replace(/[-_]/g, " ")];
    const asked = around();
    const asksForSecret = ASKS_FOR_SECRET.test(asked) && TELLS_TO_REPLACE.test(asked);
    const isPlain = () =>
      readings.some((one) => tellsOn(one, isCall ? CALLED : SHOWN, told, heard)) ||
      (!isCall &&
        (asksForSecret || ASKS_FOR_PRIVATE.test(asked)) &&
        privateValues(value, told, heard).length > 0);
    if (!(encodedIn(filled, told, heard) || ((!isLink || asksForSecret) && isPlain()))) continue;
    const end = at + prefix.length + Math.min(filled.length, SHOWN_MAX);
    return { id: "told-address-filled", weight: 0.85, start: at, end };
  }
  return null;
}
