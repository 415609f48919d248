import { stripColours } from "./strip-colours.ts";

/**
 * Folds an error message to what stays the same from one occurrence to the next: quoted values, paths,
 * addresses, hosts, ids, dates, durations and numbers are masked, whatever form the value happens to have.
 * What says which failure it is stays: a status or an exit code, a name of code behind a word that calls it
 * one, type and code of a JSON body. Pure and linear: the text is cut first, and every regex has bounded or
 * single quantifiers over plain character classes.
 */

const INPUT_CHARS_MAX = 1000;
const OUTPUT_CHARS_MAX = 300;

type Mask = readonly [RegExp, string | ((match: string, ...groups: string[]) => string)];

/** Digits that stay, out of reach of the masks that follow. */
const KEPT_DIGIT = 0xe000;
const keepDigits = (text: string) =>
  text.replace(/\d/g, (digit) => String.fromCharCode(KEPT_DIGIT + Number(digit)));
const restoreDigits = (text: string) =>
  text.replace(/[\ue000-\ue009]/g, (digit) => String(digit.charCodeAt(0) - KEPT_DIGIT));

/**
 * Codes are few, and each is another failure: `status code 404`, `[Errno 13]`, `exited with 137`,
 * `SQLSTATE[42S02]`.
 */
const CODE =
  /\b(?:status|code|errno|winerror|exit(?:ed)?(?: with)?|signal|SQLSTATE)["']?[ :=([#]{1,3}-?(?:\d{1,3}|[0-9][0-9A-Z]{4})(?![\w.])|\bHTTP(?:\/\d(?:\.\d)?)? [1-5]\d\d\b/gi;

/**
 * What stands before and behind a quoted name of the code itself, of which there are as many as the code has.
 */
const BEFORE_NAME =
  /(?:attribute|property|properties|reading|setting|calling|module(?: named)?|arguments?|parameter|column|relation|field|method|function|class|import(?: name)?|of type|operand type\(s\) for \S{1,3}:|operator|unpack(?: non-iterable)?) ?\(?$/i;
const BEHIND_NAME = /^ (?:object\b|is not defined|is not a function|and '|has no attribute)/;
const NAME = /^[A-Za-z_$][A-Za-z_$.]{0,60}\d{0,2}$/;

function quoted(match: string, ...rest: unknown[]): string {
  const at = rest.at(-2) as number;
  const text = rest.at(-1) as string;
  if (match.length < 64 && NAME.test(match.slice(1, -1))) {
    const end = at + match.length;
    if (
      BEFORE_NAME.test(text.slice(Math.max(0, at - 30), at)) ||
      BEHIND_NAME.test(text.slice(end, end + 20))
    ) {
      return match;
    }
  }
  return "<str>";
}

/**
 * A word with a digit in it. Part by part, so that `blk_17`, `blk_9f2e` and `blk_-17` are one, and `float32`
 * stays a word.
 */
function token(whole: string): string {
  if (/^\d/.test(whole) && !/[_-]/.test(whole)) return "<n>";
  const parts = whole.split(/([_-]{1,40})/);
  let masked = "";
  for (let i = 0; i < parts.length; i += 2) {
    const part = parts[i]!;
    const isId = /\d/.test(part) && (/^[0-9a-f]{6,300}$/i.test(part) || !WORD_WITH_NUMBER.test(part));
    // Behind a random part the rest is random too.
    if (isId) return i === 0 ? "<n>" : `${masked}<n>`;
    // A letter before a number belongs to it: rack A8, row B12.
    masked +=
      part.replace(/^[a-z]?\d[a-z\d]{0,300}$|\d{1,300}[a-z]?$|\d{1,300}/gi, "<n>") + (parts[i + 1] ?? "");
  }
  return masked;
}
const WORD_WITH_NUMBER =
  /^(?:\d{1,20}[a-z]{0,3}|[A-Za-z]{1,24}\d{1,3}|[A-Z]{0,8}[a-z]{1,20}\d{1,2}[A-Z]?[a-z]{1,20})$/;

const MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}";
const DAY = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6}";
const UNIT =
  "(?:n|u|m|milli|micro)?(?:s|secs?|seconds?)|min(?:ute)?s?|h|hours?|hrs?|days?|weeks?|[kmgt]?i?b|bytes?";

const QUOTES: readonly Mask[] = [
  [/\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'<>)\]]{1,1000}/gi, "<url>"],
  [/[^\s@<>"'(),;:=]{1,64}@[a-z0-9.-]{1,255}\.[a-z]{2,24}/gi, "<email>"],
  [/"[^"]{0,1000}(?:"|$)/g, quoted],
  [/`[^`]{0,1000}`/g, quoted],
  [/(?<![\w])'[^']{0,1000}'(?![\w])/g, quoted],
];

const PLACES: readonly Mask[] = [
  // A key that the provider has blotted out itself.
  [/(?<![\w*-])[\w-]{0,60}\*{3,200}[\w-]{0,60}/g, "<str>"],
  [/(?<![\w.])(?:[a-z]:|\.{1,2}|~)?[\\/][\w.@~+-]{1,100}[\\/][\w.@~+\\/-]{0,400}/gi, "<path>"],
  [/(?<![\w.\\/])(?:\.{1,2}|~)[\\/][\w.@~+-]{1,100}/g, "<path>"],
  [
    /(?<![\w.\\/@-])[\w-]{1,100}(?:\.[\w-]{1,40}){0,3}\.(?:txt|csv|tsv|jsonl?|ya?ml|toml|xml|html?|md|pdf|docx?|xlsx?|pptx?|log|py|ipynb|[jt]sx?|[cm]js|rb|go|rs|java|php|sh|sql|db|sqlite3?|parquet|png|jpe?g|gif|svg|zip|gz|tar|lock|cfg|ini|env)\b(?![.\w(])/gi,
    "<path>",
  ],
  [
    /(?<![\w.@-])(?:[a-z0-9][a-z0-9-]{0,62}\.){1,8}(?:com|net|org|edu|gov|io|dev|app|cloud|internal|local|localdomain|lan|arpa)(?:\.[a-z]{2})?(?::\d{1,5})?(?![\w.(-])/gi,
    "<n>",
  ],
  // Two letters end names of code too, so where a country does it takes three labels.
  [
    /(?<![\w.@-])(?:[a-z0-9][a-z0-9-]{0,62}\.){2,8}(?:uk|de|fr|nl|eu|jp|cn|br|ru|it|es|pl|in|au|at|be|ca|kr|tw|ch|se|no|dk|us|ai)(?::\d{1,5})?(?![\w.(-])/gi,
    "<n>",
  ],
];

const NUMBERS: readonly Mask[] = [
  [/(?<![\w:.])(?=[0-9a-f:]{0,9}\d)(?:[0-9a-f]{0,4}:){2,8}[0-9a-f]{0,4}(?![\w:])/gi, "<n>"],
  [/\b0x[0-9a-f]{1,64}\b/gi, "<n>"],
  [/\b(?=[a-z_-]{0,60}\d)[a-z0-9_-]{1,300}/gi, token],
  [/(?<![A-Za-z0-9>])[+-]<n>/g, "<n>"],
  [/<n>(?:[.,:/-]{1,3}<n>){1,200}/g, "<n>"],
  [new RegExp(`<n> ?(?:${UNIT}|AM|PM|GMT|UTC)\\b`, "gi"), "<n>"],
  [
    new RegExp(
      `\\b(?:${DAY},? )?(?:<n>[ -])?${MONTH}[ .-]{1,2}<n>(?:,? <n>)?(?: (?:GMT|UTC|[A-Z]{3,4})\\b)?(?: <n>)?`,
      "g",
    ),
    "<n>",
  ],
];

/** A value without quotes is one all the same, unless its key says that it is a kind. */
const ASSIGNED = /\b([A-Za-z_]\w{0,40})=(?!<)([A-Za-z][\w./:@-]{0,100})(?![\w({[])/g;
const KIND_KEY = /(?:code|errno|reason|status|type|kind|error|state|op|syscall|method|class)$/i;

/** One id in twenty holds no digit; capitals all over it no name has. */
const RANDOM_LETTERS = /(?<=\b[a-z]{1,12}[_-])[A-Za-z]{16,64}(?![A-Za-z0-9_-])/g;

function randomLetters(word: string): string {
  const capitals = word.replace(/[a-z]{1,64}/g, "").length;
  return capitals >= 5 && capitals <= word.length - 5 ? "<n>" : word;
}

const FOLDS: readonly Mask[] = [
  [RANDOM_LETTERS, randomLetters],
  [ASSIGNED, (match, key) => (KIND_KEY.test(key!) ? match : `${key}=<str>`)],
  [/[<~]<n>/g, "<n>"],
  [/<n> \(<n>\)/g, "<n>"],
  [/(<(?:n|str|path|url|email|json)>)(?:(?:, ?|; ?| )(?:and |or )?\1){1,300}/g, "$1"],
  [/\b([A-Za-z]{1,20}[_-]<n>)(?:, ?\1){1,100}/g, "$1"],
];

/** Names and kinds in words with one space between them, shorter than a uuid: nothing in them is masked. */
const PLAIN = /^[a-z_.,-]{1,35}(?: [a-z_.,-]{1,35}){0,17}$/i;
const FILE_LIKE = /[a-z]\.[a-z]/i;

export function normaliseMessage(message: string): string {
  if (message.length < 36 && PLAIN.test(message) && !FILE_LIKE.test(message)) return message;
  let text = message.length > INPUT_CHARS_MAX ? message.slice(0, INPUT_CHARS_MAX) : message;
  text = stripColours(text).replace(/\s+/g, " ").trim();
  text = foldObjects(text);
  const hasDigit = /\d/.test(text);
  if (hasDigit) text = text.replace(CODE, keepDigits);
  if (/["'`@]|:\/\//.test(text)) text = masked(text, QUOTES);
  if (/[./\\*]/.test(text)) text = masked(text, PLACES);
  if (hasDigit) text = restoreDigits(masked(text, NUMBERS));
  text = masked(text, FOLDS).trim();
  return text.length > OUTPUT_CHARS_MAX ? text.slice(0, OUTPUT_CHARS_MAX) : text;
}

function masked(whole: string, masks: readonly Mask[]): string {
  let text = whole;
  for (const [pattern, mask] of masks) text = text.replace(pattern, mask as string);
  return text;
}

// A body that is a text in another body has its quotes escaped.
const KIND_IN_OBJECT =
  /["'](?:__)?(?:type|code|status|kind|reason|error|name|error_?type|error_?code)\\{0,3}["'] {0,2}: {0,2}(?:\\{0,3}["']([A-Za-z_][\w.-]{0,60})\\{0,3}["']|(\d{3})\b)/gi;
const WORDS_IN_OBJECT =
  /["'](?:message|detail|details|msg|error|error_?message|error_description|description)\\{0,3}["'] {0,2}: {0,2}\\{0,3}(?:"([^"\\]{1,300})|'([^'\\]{1,300}))/gi;
const KINDS_MAX = 4;

/**
 * An object as JSON or as Python prints it, for `<json>` with its type, its code and what it says in words:
 * the rest of a body differs from one call to the next, and so do its fields.
 */
function foldObjects(text: string): string {
  let folded = "";
  let from = 0;
  for (let at = text.indexOf("{"); at >= 0; at = text.indexOf("{", at + 1)) {
    if (!/^\{ ?["'][\w$@. -]{1,60}["'] ?:/.test(text.slice(at, at + 70))) continue;
    const end = objectEnd(text, at);
    const body = text.slice(at, end);
    const kinds = new Set<string>();
    for (const [, word, code] of body.matchAll(KIND_IN_OBJECT)) {
      if (kinds.size < KINDS_MAX) kinds.add(word ?? `code ${code}`);
    }
    let words = "";
    for (const [, double, single] of body.matchAll(WORDS_IN_OBJECT)) {
      const said = (double ?? single)!;
      if (said.includes(" ") && words === "") words = said;
    }
    folded += `${text.slice(from, at)}<json>${[...kinds].map((kind) => ` ${kind}`).join("")}`;
    if (words !== "") folded += `: ${words.replace(/["'`]$/, "")}`;
    from = end;
    at = end - 1;
  }
  return from === 0 ? text : folded + text.slice(from);
}

function objectEnd(text: string, start: number): number {
  let depth = 0;
  let quote = "";
  for (let at = start; at < text.length; at++) {
    const char = text[at]!;
    if (quote !== "") {
      if (char === "\\") at++;
      else if (char === quote) quote = "";
    } else if (char === '"' || char === "'") quote = char;
    else if (char === "{") depth++;
    else if (char === "}" && --depth === 0) return at + 1;
  }
  return text.length;
}

/** The class of an error text, for grouping: `ValueError: No row 17` and `ValueError: No row 18` are one. */
export function errorKind(text: string): string {
  const head = normaliseMessage(text);
  const named = /^([A-Za-z_][\w.]{2,80}(?:Error|Exception|Timeout|Fault|Warning))\b/.exec(head);
  return named?.[1] ?? (head.slice(0, 80) || "error");
}
