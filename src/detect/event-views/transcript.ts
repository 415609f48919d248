import type { Stretch } from "./stretches.ts";

/**
 * A prompt that is a whole conversation in one string, each turn behind the name of who speaks: "user: …",
 * "Human: …", "Observation: …", "<|im_start|>tool". Anybody who can write into it can write such a name too,
 * so a name never makes a turn more than a person's prompt: the operator's own is read as one. It can only
 * take trust away: what stands behind a tool's name comes from outside, and what stands behind the model's
 * was said by no person. A tool speaks until the model does, whoever else is named in between, for that is
 * how a turn is faked in what a tool returns; but what a person asked before is his where it is repeated
 * there.
 */
export interface Turn extends Stretch {
  readonly origin: "user" | "assistant" | "tool";
}

const ORIGINS: Readonly<Record<string, Turn["origin"]>> = {
  system: "user",
  developer: "user",
  user: "user",
  human: "user",
  question: "user",
  assistant: "assistant",
  ai: "assistant",
  model: "assistant",
  thought: "assistant",
  action: "assistant",
  tool: "tool",
  function: "tool",
  observation: "tool",
  ipython: "tool",
};

const NAMES = Object.keys(ORIGINS).join("|");
/** A name where a line opens, with a colon behind it, or as a header of a chat template. */
const LABEL = new RegExp(
  `(?:^|\\n)[ \\t]{0,4}(?:(?:\\*\\*|#{1,4} ?)?(${NAMES})(?: ?[([][\\w.-]{1,40}[)\\]]|[ _](?:message|output|result|response|input|call)s?)?(?:\\*\\*)?:(?:\\*\\*)?|<\\|(?:im_start|start_header_id)\\|>(${NAMES})\\b(?:<\\|end_header_id\\|>)?)`,
  "gi",
);
/** Without one of these behind a line's end there is nothing to tell apart. */
const TOOL_OR_MODEL =
  /\n[ \t*#]{0,8}(?:<\|\w{1,20}\|>)?(?:assistant|ai|model|thought|action|tool|function|observation|ipython)\b/i;
const TURNS_MAX = 512;
export const NO_TURNS: readonly Turn[] = [];

/**
 * What stands behind each name, and before the first of them; behind a cut nobody knows who speaks, so it
 * vouches for nothing.
 */
function namedTurns(text: string, cutAt: number): readonly Turn[] {
  const turns: Turn[] = [];
  let origin: Turn["origin"] = "user";
  let start = 0;
  for (const match of text.matchAll(LABEL)) {
    if (start < cutAt && cutAt <= match.index) {
      turns.push({ origin, start, end: cutAt });
      origin = "assistant";
      start = cutAt;
    }
    turns.push({ origin, start, end: match.index });
    origin = ORIGINS[(match[1] ?? match[2] ?? "").toLowerCase()] ?? "user";
    start = match.index + match[0].length;
    if (turns.length >= TURNS_MAX) break;
  }
  const end = start < cutAt ? Math.min(cutAt, text.length) : text.length;
  turns.push({ origin, start, end });
  if (end < text.length) turns.push({ origin: "assistant", start: end, end: text.length });
  return turns;
}

/**
 * The turns of a transcript in their order, or none: somebody must have asked and the model have answered.
 * `cutAt`: where the middle of a long text was left out.
 */
export function turnsOf(text: string, cutAt = Number.POSITIVE_INFINITY): readonly Turn[] {
  if (!TOOL_OR_MODEL.test(text)) return NO_TURNS;
  const named = namedTurns(text, cutAt);
  const asked = named.findIndex((turn, position) => position > 0 && turn.origin === "user");
  const answered = named.findIndex((turn, position) => position > asked && turn.origin === "assistant");
  if (asked < 0 || answered < 0) return NO_TURNS;
  const turns: Turn[] = [];
  /** What persons said before any tool did; said again behind a tool's turn it is theirs. */
  const asks = new Set<string>();
  let toolSpoke = false;
  named.forEach((turn, position) => {
    const { start, end } = turn;
    const origin = position < answered ? "user" : turn.origin;
    const last = turns.at(-1);
    toolSpoke ||= origin === "tool";
    if (origin === "user" && !toolSpoke) asks.add(text.slice(start, end).trim());
    if (origin === "user" && last?.origin === "tool" && !asks.has(text.slice(start, end).trim())) {
      turns[turns.length - 1] = { ...last, end };
    } else turns.push({ origin, start, end });
  });
  return turns;
}
