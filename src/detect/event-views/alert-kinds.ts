import { flagOf } from "../building-blocks/verdict.ts";
import { type Fields, isFields } from "../client-forms/fields.ts";
import { sayingOf } from "../client-forms/verdict-words.ts";

/**
 * The kinds of attack that an alert names, wherever it does: in its verdict or its category, as flags and
 * scores by name, in a list of filters or rules that each have a verdict of their own. A kind that is named
 * only to say that it is not there is false. What the alert quotes of the text that it looked at, and how it
 * explains itself, is not read. Bounded in depth and fields.
 */
export interface AlertKinds {
  /** null: not named. */
  injection: boolean | null;
  jailbreak: boolean | null;
}

export type AlertKind = keyof AlertKinds;

const DEPTH_MAX = 4;
const FIELDS_MAX = 200;
const NAME_CHARS_MAX = 120;
const SCORE_MIN = 0.5;

const SIGNS: Readonly<Record<AlertKind, RegExp>> = {
  jailbreak:
    /jail[ _-]?br[eo]|do[ _-]anything[ _-]now|(?:^|[ _:/-])dan(?:[ _-](?:prompt|attack|mode)|$)|(?:guardrail|safety|policy)[ _-]bypass|role[ _-]?play[ _-]attack|越狱|脱獄|탈옥|джейлбрейк/i,
  injection: /inje[ck]|inyecci|inje[cç]|iniezione|инъекц|注入|인젝션|インジェクション/i,
};
/** Fields in which an alert names what it found. */
const NAMING =
  /^(?:verdict|label|classification|class|categor(?:y|ies)|types?|kinds?|names?|(?:attack|threat|risk|detector|filter|alert)[ _]?(?:types?|kind|category|name|class|subtype)|sub[ _]?type|threats?|attacks?|rules?|rule[ _]?(?:id|name)s?|techniques?|tags?|policy|policies|prediction|reason(?:[ _]?code)?)$/i;
const QUOTED =
  /^(?:text|content|prompts?|input|output|messages?|explanation|reason(?:ing)?|description|note|summary|evidence|snippet|excerpt|matched_?text|flagged_?text|detector|source|error|query|document|raw)$/i;

export const isListOfKinds = (name: string, kind: AlertKind): boolean =>
  SIGNS[kind].test(name) && !SIGNS[kind === "jailbreak" ? "injection" : "jailbreak"].test(name);

/** `verdictOf` tells what a part of the alert says of itself. */
export function kindsNamed(payload: Fields, verdictOf: (fields: Fields) => boolean | null): AlertKinds {
  const found: AlertKinds = { injection: null, jailbreak: null };
  let left = FIELDS_MAX;
  const note = (name: string, isThere: boolean) => {
    for (const kind of ["injection", "jailbreak"] as const)
      if (name.length <= NAME_CHARS_MAX && SIGNS[kind].test(name))
        found[kind] = isThere || found[kind] === true;
  };
  const readName = (name: string, isDenied: boolean) => {
    for (const clause of name.slice(0, NAME_CHARS_MAX).split(/[,;|]/)) {
      const saying = sayingOf(clause, "finding");
      note(clause, !isDenied && saying !== "good" && saying !== "no");
    }
  };
  const readField = (key: string, value: unknown, isDenied: boolean, depth: number) => {
    if (isFields(value)) {
      note(key, !isDenied && verdictOf(value) === true);
      read(value, depth + 1);
    } else if (Array.isArray(value)) {
      for (const one of value.slice(0, FIELDS_MAX)) {
        if (isFields(one)) read(one, depth + 1);
        else if (typeof one === "string" && NAMING.test(key)) readName(one, isDenied);
      }
    } else if (typeof value === "string") {
      if (NAMING.test(key)) readName(value, isDenied);
      else if (value.length <= NAME_CHARS_MAX) {
        const saying = sayingOf(value, "finding");
        if (saying !== null && saying !== "undecided") note(key, saying === "bad" || saying === "yes");
      }
    } else {
      const flag = flagOf(value) ?? (typeof value === "number" ? value >= SCORE_MIN : null);
      if (flag !== null) note(key, flag);
    }
  };
  const read = (fields: Fields, depth: number): void => {
    if (depth > DEPTH_MAX) return;
    const isDenied = depth > 0 && saysNothingThere(fields, verdictOf);
    for (const key in fields) {
      if (left-- <= 0) return;
      if (!QUOTED.test(key) || isBriefReason(key, fields[key])) readField(key, fields[key], isDenied, depth);
    }
  };
  read(payload, 0);
  return found;
}

/** A reason of a word or two is a category. */
const isBriefReason = (key: string, value: unknown): boolean =>
  key === "reason" && typeof value === "string" && value.trim().split(/\s+/).length <= 2;

/** Of a filter, a rule or a category: its own verdict, or a confidence or an action of none. */
function saysNothingThere(fields: Fields, verdictOf: (fields: Fields) => boolean | null): boolean {
  if (verdictOf(fields) === false) return true;
  return [fields.confidence, fields.action, fields.severity, fields.filterStrength].some(
    (said) => typeof said === "string" && /^(?:none|no)$/i.test(said),
  );
}
