import type { DetectorEvent } from "../../detector.ts";
import { cutText } from "../cut-text.ts";
import { excerptLine } from "../excerpt.ts";
import { flagOf } from "../verdict.ts";
import { normaliseMessage } from "./normalise-error.ts";
import { NAMELESS, stackKey } from "./normalise-stack.ts";

/**
 * What groups an exception: its type and the frames of the own code that it came through; the masked message
 * only where they name nothing, for a message holds what varies. Reading a stack and masking cost more than
 * all else about an exception, and of most nobody asks: what an execution keeps of its last one is the text,
 * and its group is worked out when it matters. A text too long to keep is read at once.
 */
export interface ThrownException {
  readonly type: string;
  /** What the client says; null where it does not. */
  readonly handled: boolean | null;
  readonly message: Kept;
  readonly stack: Kept;
}

/** A text as it came, or what was made of one that is too long. */
type Kept = { readonly raw: string } | { readonly read: string };

export interface ExceptionGroup {
  /** The type as it groups: without the message, where a client sends both in one. */
  readonly type: string;
  readonly groupKey: string;
  /**
   * Own frames group it, or a message in which something was masked: what differs between two of the same
   * group is known.
   */
  readonly isExplained: boolean;
  readonly excerpt: string;
}

const TYPE_CHARS_MAX = 120;
const KEY_CHARS_MAX = 1_900;
const LINES_MAX = 400;
const KEPT_CHARS_MAX = 2_000;

export function thrownBy(event: DetectorEvent): ThrownException {
  const { type, message, stack, handled } = event.payload;
  return {
    type: typeof type === "string" && type.trim() !== "" ? cutText(type.trim(), TYPE_CHARS_MAX) : "Error",
    handled: flagOf(handled),
    message: keep(message, normaliseMessage),
    stack: keep(Array.isArray(stack) ? linesIn(stack) : stack, stackKey),
  };
}

/** `traceback.format_exception` and Ruby's `backtrace` give a list. */
function linesIn(list: readonly unknown[]): string {
  const ends =
    list.length > LINES_MAX ? [...list.slice(0, LINES_MAX / 2), ...list.slice(-LINES_MAX / 2)] : list;
  return ends.filter((line) => typeof line === "string").join("\n");
}

function typeKey(type: string): string {
  if (!/\s/.test(type)) return type;
  return /^([A-Za-z_][\w.$]{0,119}): /.exec(type)?.[1] ?? normaliseMessage(type);
}

export function groupOf({ type, message, stack }: ThrownException): ExceptionGroup {
  const frames = reading(stack, stackKey);
  const normalised = reading(message, normaliseMessage);
  return {
    type: cutText(typeKey(type), TYPE_CHARS_MAX),
    groupKey: cutText(
      frames === "" ? normalised : frames.startsWith(NAMELESS) ? `${frames}\n${normalised}` : frames,
      KEY_CHARS_MAX,
    ),
    isExplained: (frames !== "" && !frames.startsWith(NAMELESS)) || MASKED.test(normalised),
    excerpt: excerptLine(normalised === "" ? type : `${type}: ${normalised}`),
  };
}

const MASKED = /<(?:n|str|path|url|email|json)\b/;

function keep(text: unknown, read: (text: string) => string): Kept {
  if (typeof text !== "string") return { raw: "" };
  return text.length > KEPT_CHARS_MAX ? { read: read(text) } : { raw: text };
}

function reading(kept: Kept, read: (text: string) => string): string {
  if ("read" in kept) return kept.read;
  return kept.raw === "" ? "" : read(kept.raw);
}
