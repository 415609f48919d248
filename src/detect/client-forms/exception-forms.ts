import { listedAttributes } from "./attributes.ts";
import { type FrameOrder, printedFrames } from "./exception-frames.ts";
import { wordOf } from "./field-names.ts";
import { type Fields, isFields } from "./fields.ts";

/**
 * An exception as services of error reporting and serialisers have it: Sentry, Rollbar, Bugsnag, Elastic,
 * Raygun, Application Insights, OpenTelemetry's events of spans, structlog, and objects of JavaScript, .NET
 * and the JVM with what caused them. Turned into `type`, `message`, `stack` (a text, the causes behind it)
 * and `handled`. What is none of these is left to the table of names. Bounded in depth, fields, links and
 * frames.
 */
const DEPTH_MAX = 5;
const KEYS_MAX = 60;
const LINKS_MAX = 6;
const LISTED_MAX = 50;
const STACK_CHARS_MAX = 16_384;
const MESSAGE_CHARS_MAX = 2_000;

const HOLDERS = new Set(
  "exception exceptions error errors err data body trace tracechain event events attributes details record payload values thrown throwable".split(
    " ",
  ),
);
/** What stands under these is an exception, however little it says. */
const CALLED_SO = new Set("exception exceptions error err values tracechain thrown throwable".split(" "));
const TYPES =
  "type exceptiontype errortype errorclass errorname exceptionclass exceptionname typename classname class exctype errorkind kind".split(
    " ",
  );
const MESSAGES =
  "message exceptionmessage errormessage value excvalue description msg localizedmessage".split(" ");
const STACKS =
  "stack stacktrace stacktracestring exceptionstacktrace backtrace traceback parsedstack frames errorstack".split(
    " ",
  );
const CAUSES =
  "cause causes causedby innerexception innerexceptions innererror innererrors rootcause aggregateerrors".split(
    " ",
  );
/** A name is that of an exception where it is made as one. */
const CLASS_NAME = /^[A-Za-z_$][\w.$:\\]{0,119}$/;
const ERROR_NAME = /^[A-Za-z_$][\w.$:\\]{0,110}(?:Error|Exception|Fault|Failure|Warning|Interrupt|Exit)$/;

type Words = ReadonlyMap<string, unknown>;

function wordsIn(fields: Fields): Words {
  const words = new Map<string, unknown>();
  let count = 0;
  for (const key in fields) {
    if (count++ > KEYS_MAX) break;
    const value = fields[key];
    const word = wordOf(key);
    if (value !== null && value !== undefined && !words.has(word)) words.set(word, value);
  }
  return words;
}

/** The payload with its exception under the names that are read; null if it has none in such a form. */
export function exceptionForm(payload: Fields): Fields | null {
  for (const key in payload) {
    if (typeof payload[key] !== "object" || payload[key] === null) continue;
    return new Finder().read(payload);
  }
  return null;
}

class Finder {
  private handled: unknown;

  read(payload: Fields): Fields | null {
    const chain = this.chainIn(payload, "", 0);
    const [thrown] = chain ?? [];
    if (thrown === undefined || isBeside(payload, thrown)) return null;
    const { type, message, stack } = linkOf(thrown);
    this.note(thrown);
    const causes = (chain ?? []).slice(1, LINKS_MAX).map((link) => {
      const cause = linkOf(link);
      return `Caused by: ${cause.type}: ${firstLine(cause.message)}\n${cause.stack}`;
    });
    const whole = [stack, ...causes].filter((part) => part !== "").join("\n");
    return {
      ...payload,
      type,
      ...(message === "" ? {} : { message }),
      ...(whole === "" ? {} : { stack: whole.slice(0, STACK_CHARS_MAX) }),
      ...(this.handled === undefined ? {} : { handled: this.handled }),
    };
  }

  /** Nearer to the exception is said later, and counts. */
  private note(words: Words): void {
    const mechanism = words.get("mechanism");
    const said = words.get("handled") ?? words.get("ishandled");
    const unhandled = words.get("unhandled");
    const marked = isFields(mechanism) ? mechanism.handled : undefined;
    this.handled =
      marked ??
      said ??
      (typeof unhandled === "boolean" ? !unhandled : handledUnless(words.get("exceptionescaped"))) ??
      this.handled;
  }

  /** The exception that escaped, and behind it what it came of. */
  private chainIn(fields: Fields, name: string, depth: number): readonly Words[] | null {
    const words = wordsIn(fields);
    if (isThrown(words, name)) return withCauses(words, depth);
    if (depth >= DEPTH_MAX) return null;
    for (const [word, value] of words) {
      if (!HOLDERS.has(word) || typeof value !== "object") continue;
      const found = Array.isArray(value)
        ? this.chainListed(value, word, depth + 1)
        : this.chainIn(value as Fields, word, depth + 1);
      if (found === null) continue;
      if (this.handled === undefined) this.note(words);
      return found;
    }
    return null;
  }

  private chainListed(list: readonly unknown[], name: string, depth: number): readonly Words[] | null {
    const attributes = listedAttributes(list);
    if (attributes !== null) return this.chainIn(attributes, name, depth);
    const links = list.slice(-LISTED_MAX).filter(isFields).map(wordsIn);
    if (links.length > 0 && links.every((link) => isThrown(link, name))) {
      const chain = links.some(isOfSentry) ? links.toReversed() : links;
      return chain.length === 1 ? withCauses(chain[0] as Words, depth) : chain;
    }
    for (const one of list.slice(-LISTED_MAX)) {
      const found = isFields(one) ? this.chainIn(one, "", depth) : null;
      if (found !== null) return found;
    }
    return null;
  }
}

/** Sentry's list ends with the exception that escaped; all others' begin with it. */
const isOfSentry = (words: Words): boolean =>
  words.has("value") || words.has("mechanism") || isFields(words.get("stacktrace"));

/**
 * What the exception's own payload tells of some other error, as of a provider's answer, is none that was
 * thrown.
 */
const isBeside = ({ type }: Fields, thrown: Words): boolean =>
  typeof type === "string" &&
  ERROR_NAME.test(type) &&
  ![framesIn, causeIn].some((of) => of(thrown) !== null) &&
  !isOfSentry(thrown);

function isThrown(words: Words, name: string): boolean {
  if (framesIn(words) !== null || causeIn(words) !== null) return hasWords(words);
  if (words.has("exceptiontype") && name !== "") return hasWords(words) || hasStack(words);
  if (name === "" || !CALLED_SO.has(name))
    return ERROR_NAME.test(String(words.get("name"))) && hasStack(words);
  return typeIn(words, name) !== "" && (hasWords(words) || hasStack(words));
}

const hasWords = (words: Words): boolean =>
  textOf(words, MESSAGES) !== "" || typeIn(words, "exception") !== "" || isFields(words.get("exception"));
const hasStack = (words: Words): boolean => textOf(words, STACKS) !== "";

function textOf(words: Words, names: readonly string[]): string {
  for (const name of names) {
    const value = words.get(name);
    if (typeof value === "string" && value.trim() !== "") return value;
  }
  return "";
}

function typeIn(words: Words, name: string): string {
  const said = textOf(words, TYPES);
  const named = words.get("name");
  if (said !== "" || typeof named !== "string") return said;
  return (CALLED_SO.has(name) ? CLASS_NAME : ERROR_NAME).test(named) ? named : "";
}

interface Frames {
  readonly list: readonly unknown[];
  readonly order: FrameOrder;
}

/** Under `frames` the oldest comes first, under the name of a stack the newest. */
function framesIn(words: Words): Frames | null {
  for (const name of STACKS) {
    const value = words.get(name);
    if (Array.isArray(value) && value.some(isFields))
      return { list: value, order: name === "frames" ? "oldest-first" : "newest-first" };
    if (isFields(value) && Array.isArray(value.frames)) return { list: value.frames, order: "oldest-first" };
  }
  return null;
}

function causeIn(words: Words): Fields | null {
  for (const name of CAUSES) {
    const value = words.get(name);
    const cause = Array.isArray(value) ? value[0] : value;
    if (isFields(cause) && hasWords(wordsIn(cause))) return cause;
  }
  return null;
}

function withCauses(words: Words, depth: number): readonly Words[] {
  const cause = depth >= DEPTH_MAX + LINKS_MAX ? null : causeIn(words);
  return cause === null ? [words] : [words, ...withCauses(wordsIn(cause), depth + 1)];
}

interface Link {
  readonly type: string;
  readonly message: string;
  readonly stack: string;
}

function linkOf(words: Words): Link {
  // Rollbar has the frames beside the exception.
  const inner = words.get("exception");
  const told = isFields(inner) ? wordsIn(inner) : words;
  const frames = framesIn(words) ?? framesIn(told);
  const stack = textOf(words, STACKS) || textOf(told, STACKS);
  return {
    type: typeIn(told, "exception") || "Error",
    message: textOf(told, MESSAGES).slice(0, MESSAGE_CHARS_MAX),
    stack: frames === null ? stack : printedFrames(frames.list, frames.order),
  };
}

/**
 * Whether it was handled, by `exception.escaped`: the "False" of OpenTelemetry's Python stands beside what
 * escaped, too.
 */
export function handledUnless(escaped: unknown): boolean | undefined {
  if (typeof escaped === "boolean") return !escaped;
  return typeof escaped === "string" && /^true$/i.test(escaped) ? false : undefined;
}

const PRINTED_MAX = 65_536;
const LINES_MAX = 400;
const TRACE = /(?:^|\n)[ \t]{1,12}(?:at \S|File "|from \S{1,200}:\d)|Traceback \(most recent call last\)/;
const HEADLINE =
  /^(?:Uncaught |Exception in thread "[^"]{1,80}" |Unhandled exception\. {0,2})?([A-Za-z_$][\w.$\\]{0,119})(?:: (.{0,1000}))?$/;

/**
 * The type and the message that a printed stack begins with, or in Python ends with; null for a text that is
 * no stack.
 */
export function printedException(
  text: unknown,
): { readonly type?: string; readonly message?: string } | null {
  if (typeof text !== "string" || !TRACE.test(text.slice(0, PRINTED_MAX))) return null;
  const isNewestLast = text.includes("most recent call last");
  const lines = isNewestLast
    ? text.slice(-PRINTED_MAX).trimEnd().split("\n").slice(-LINES_MAX)
    : text.slice(0, PRINTED_MAX).trimStart().split("\n", 1);
  const lastFrame = lines.findLastIndex((line) => /^\s/.test(line));
  const [, type, message] = HEADLINE.exec((lines[isNewestLast ? lastFrame + 1 : 0] ?? "").trimEnd()) ?? [];
  return { ...(type === undefined ? {} : { type }), ...(message === undefined ? {} : { message }) };
}

const firstLine = (text: string): string => text.split("\n", 1)[0] as string;
