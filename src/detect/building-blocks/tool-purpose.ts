/**
 * What a call is for, by the words in the tool's name and, where one tool does many things (`computer` with `{"action": "left_click"}`),
 * by the one word that its arguments give for what it shall do. It tells repeats that are another step each time from repeats that are not.
 */
export interface ToolPurpose {
  /** Its purpose is to be called again: it waits, pages or looks at a screen. */
  readonly waits: boolean;
  /** Turns to another part of what it shows, or back to it. */
  readonly pages: boolean;
  /** Does nothing but let time pass. */
  readonly pauses: boolean;
  /** Tells how far something is that goes on without the agent. */
  readonly asksHowFar: boolean;
  /** Clicks or presses a key, say: what it does is for what is on the screen to decide. */
  readonly handles: boolean;
}

const words = (list: string): RegExp => new RegExp(`(?:^|[_\\W])(?:${list})(?:$|[_\\W])`, "i");

const WAITS = words("wait|sleep|poll|status|heartbeat|ping|next|page|scroll|screenshot|tick|check");
const PAGES = words("next|page|scroll|back");
const PAUSES = words("wait|sleep");
const ASKS_HOW_FAR = words("status|progress|poll|wait");
const HANDLES = words("click|tap|press|key|keypress|hotkey|swipe|drag|hover|mouse");

/** Before the capital in `scrollDown`. */
const INSIDE_A_WORD = /(?<=[a-z\d])(?=[A-Z])/g;
/** Where a handoff is a tool that the model calls, as in most frameworks. */
const HANDS_OVER = words("transfer[_\\W]?(?:back[_\\W]?)?to|hand[_\\W]?(?:off|over)|delegate");
const DEED_FIELDS = ["action", "type", "command"] as const;
/** A single word: a command line, a text to type and a move in a game are none. */
const DEED = /^[A-Za-z][\w.-]{1,30}$/;
const ARGUMENT_CHARS_PARSED_MAX = 16_384;

export function purposeOf(tool: string, args: unknown): ToolPurpose {
  const name = wordsApart(`${tool} ${deedIn(args)}`);
  return {
    waits: WAITS.test(name),
    pages: PAGES.test(name),
    pauses: PAUSES.test(name),
    asksHowFar: ASKS_HOW_FAR.test(name),
    handles: HANDLES.test(name),
  };
}

const wordsApart = (name: string): string => name.replace(INSIDE_A_WORD, "_");

export const handsOver = (tool: string): boolean => HANDS_OVER.test(wordsApart(tool));

function deedIn(args: unknown): string {
  const fields = fieldsOf(args);
  if (fields === null) return "";
  for (const field of DEED_FIELDS) {
    const given = fields[field];
    const deed = typeof given === "object" && given !== null ? (given as { type?: unknown }).type : given;
    if (typeof deed === "string" && DEED.test(deed)) return deed;
  }
  return "";
}

function fieldsOf(args: unknown): Readonly<Record<string, unknown>> | null {
  if (typeof args === "string") {
    if (args.charCodeAt(0) !== 0x7b || args.length > ARGUMENT_CHARS_PARSED_MAX) return null;
    try {
      return JSON.parse(args) as Record<string, unknown>;
    } catch {
      return null;
    }
  }
  return typeof args === "object" && args !== null ? (args as Record<string, unknown>) : null;
}
