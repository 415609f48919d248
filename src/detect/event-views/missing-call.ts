import { wordsOfName } from "../building-blocks/calls/tool-class.ts";
import { endsRun, onlyReads } from "../building-blocks/calls/work-evidence.ts";
import { cutText } from "../building-blocks/cut-text.ts";
import { hashText } from "../building-blocks/hash.ts";
import { roundsIn } from "../client-forms/answered-rounds.ts";
import type { DetectorEvent } from "../detector.ts";
import { modelToolCalls } from "./model-tool-calls.ts";

/** How a model call ended, and what it asks for. */
export interface LastModelCall {
  readonly seq: number;
  readonly finish: string;
  readonly eventId: string;
  /** Names of the tools that it asks for. */
  readonly asked: readonly string[];
}

/** A verb that a model asked a tool for. */
export interface AskedVerb {
  readonly seq: number;
  readonly verb: number;
}

const WANTS_TOOL = new Set(["tool_calls", "tool_use", "function_call"]);
const ASKED_MAX = 4;
const NAME_CHARS_MAX = 60;
const NONE: readonly string[] = [];

/**
 * An agent in a shell ends its run by a command that only says so: a word in capitals, and what is to be
 * handed in.
 */
const ENDS_BY_WORD = /^\s{0,4}echo ["']?[A-Z][A-Z0-9]{1,20}(?:_[A-Z0-9]{1,20}){1,8}["']?\s{0,4}(?:&&|$)/;
const COMMAND_IN_JSON = /^\{\s{0,4}"(?:command|cmd|script|input)"\s{0,4}:\s{0,4}"(echo [^"\\]{1,160})/;
/** As an output tool is called. */
const HANDED_IN = "final_result";

function endsByWord(args: unknown): boolean {
  if (typeof args === "string") return ENDS_BY_WORD.test(COMMAND_IN_JSON.exec(args)?.[1] ?? args);
  if (typeof args !== "object" || args === null) return false;
  const { command, cmd, script, input } = args as Record<string, unknown>;
  return [command, cmd, script, input].some((one) => typeof one === "string" && ENDS_BY_WORD.test(one));
}

/**
 * What the answer asks of tools. One that ended well asks for nothing; a provider that calls a tool itself
 * answers in the same breath.
 */
export function namesAsked(event: DetectorEvent, finish: string): readonly string[] {
  if (finish !== "" && !WANTS_TOOL.has(finish)) return NONE;
  const calls = modelToolCalls(event);
  if (calls.length === 0 || roundsIn(event.payload).length > 0) return NONE;
  return calls
    .slice(0, ASKED_MAX)
    .map(({ name, args }) => (endsByWord(args) ? HANDED_IN : cutText(name, NAME_CHARS_MAX)));
}

export const verbOf = (tool: string): number => hashText(wordsOfName(tool)[0] ?? tool);

export const wantsTool = ({ finish, asked }: Pick<LastModelCall, "finish" | "asked">): boolean =>
  WANTS_TOOL.has(finish) || (finish === "" && asked.length > 0);

/**
 * What the run has shown: where its latest call of a tool stands, whether chats gave results back, and the
 * verbs that came before.
 */
export interface SeenTools {
  readonly lastToolSeq: number;
  readonly isAnswered: boolean;
  readonly verbs: readonly AskedVerb[];
}

/**
 * The run ends where the model waits for a tool. An output tool, which many frameworks never call, ends it as
 * it should. Where chats alone tell of calls, or nothing says how the answer ended, any tool may be one, but
 * for those that only read and those of a verb that the run had used before.
 */
export function isCallMissing(last: LastModelCall, { lastToolSeq, isAnswered, verbs }: SeenTools): boolean {
  const { seq, finish, asked } = last;
  if (!wantsTool(last) || (asked.length > 0 && asked.every(endsRun))) return false;
  if (lastToolSeq >= 0) {
    if (seq <= lastToolSeq) return false;
    if (finish !== "") return true;
  } else if (!isAnswered || asked.length === 0) return false;
  const isKnown = (verb: number) => verbs.some((one) => one.verb === verb && one.seq < seq);
  return asked.every((tool) => onlyReads(tool) || isKnown(verbOf(tool)));
}
