import type { DetectorEvent } from "../detector.ts";
import { cutText } from "./cut-text.ts";
import { excerptLine } from "./excerpt.ts";
import { normaliseMessage } from "./normalise-error.ts";
import { stackKey } from "./normalise-stack.ts";

/**
 * What groups an exception: its type and the frames of the own code that it came through; the masked message only
 * where there are no frames, for a message holds what varies. Worked out once an event and shared.
 */
export interface ExceptionView {
  readonly type: string;
  /** `stack` or `message`: what the second part of the group was made from. */
  readonly groupedBy: "stack" | "message";
  readonly groupKey: string;
  readonly excerpt: string;
  /** What the client says; null where it does not. */
  readonly handled: boolean | null;
}

const TYPE_CHARS_MAX = 120;
const KEY_CHARS_MAX = 600;

const memo = new WeakMap<DetectorEvent, ExceptionView>();

export function exceptionViewOf(event: DetectorEvent): ExceptionView {
  const known = memo.get(event);
  if (known !== undefined) return known;
  const { type, message, stack, handled } = event.payload;
  const name =
    typeof type === "string" && type.trim() !== "" ? cutText(type.trim(), TYPE_CHARS_MAX) : "Error";
  const text = typeof message === "string" ? message : "";
  const frames = typeof stack === "string" ? stackKey(stack) : "";
  const normalised = normaliseMessage(text);
  const view: ExceptionView = {
    type: name,
    groupedBy: frames === "" ? "message" : "stack",
    groupKey: cutText(frames === "" ? normalised : frames, KEY_CHARS_MAX),
    excerpt: excerptLine(normalised === "" ? name : `${name}: ${normalised}`),
    handled: typeof handled === "boolean" ? handled : null,
  };
  memo.set(event, view);
  return view;
}
