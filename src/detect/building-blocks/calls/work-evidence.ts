import { byName } from "../by-name.ts";
import { hashText } from "../hash.ts";
import { parsedJson } from "../json-text.ts";
import { type Counts, countsIn } from "./result-counts.ts";
import { type Act, actOf } from "./same-act.ts";
import { failureToldBy, toldFailure } from "./told-failure.ts";
import { toolClassOf } from "./tool-class.ts";
import type { ToolView } from "./tool-view.ts";
import { underwayIn } from "./underway.ts";

/**
 * What one ended call says about how far the work is: that it failed, how many of how many are done, that a
 * list goes on, that tests failed, that what was written is a stub, that the agent's own plan has open items.
 * Everything that a claim of completion can be held against, in about 100 bytes.
 */
export interface WorkEvidence {
  readonly seq: number;
  readonly tool: number;
  readonly name: string;
  /**
   * Changes something, only reads, tells somebody, runs a command, or is no call but a note of how far the
   * run is.
   */
  readonly kind: "work" | "read" | "tell" | "run" | "note";
  readonly failed: boolean;
  /** Of a failed call, and of later ones of its tool: what it was about. */
  readonly act: Act | null;
  readonly counts: Counts | null;
  /** How it said that what was asked about still goes on; "" if it did not. */
  readonly underway: string;
  /** What the last lines say of tests. */
  readonly tests: boolean | null;
  /** Items of a plan that nobody has begun. */
  readonly open: number;
  /** Hash of the file that was written; 0 for none. */
  readonly file: number;
  readonly isStub: boolean;
  readonly eventId: string;
}

export function anyFailed(calls: readonly Pick<WorkEvidence, "failed">[]): boolean {
  for (let i = 0; i < calls.length; i++) if (calls[i]!.failed) return true;
  return false;
}

const NAME_CHARS_MAX = 60;

/**
 * Of other kinds of tools by their own names: a call that ends the run, tells of it or keeps the agent's own
 * notes.
 */
const TELLS =
  /^(?:finish|complete|done|final|end|submit_?(?:answer|final|result)|attempt_?completion|report|transition|close_?(?:ticket|issue|task)|resolve|log|say|speak|think|reflect|handoff|transfer_to)/i;
const PLANS = /todo|plan|task_?list|checklist/i;
/** True of a tool by which an agent keeps a plan of its own. */
export const keepsPlan = (name: string): boolean => PLANS.test(name);
const TRIES = /test|spec|build|check|verify|\bci\b|make|gradle|maven|mvn|cargo/i;

function kindOf(name: string): WorkEvidence["kind"] {
  const toolClass = toolClassOf(name);
  if (toolClass === "read" || toolClass === "browse") return "read";
  if (toolClass === "execute") return "run";
  return toolClass === "send" || TELLS.test(name) || keepsPlan(name) ? "tell" : "work";
}

/** What a tool's name says of the evidence that its calls may give. */
const toolNamed = byName((name) => ({
  kind: kindOf(name),
  tries: TRIES.test(name),
  plans: keepsPlan(name),
  hash: hashText(name),
  shown: name.slice(0, NAME_CHARS_MAX),
}));

/**
 * Names that begin with a verb of reading and join no other deed to it; many others read too, but not for
 * certain.
 */
const READS =
  /^(?:get|list|search|read|view|show|look_?up|find|query|describe|count|retrieve|fetch|browse|web_?search|grep|glob|ls|cat)(?![a-z])/i;
const JOINS = /[_-](?:and|or|then)[_-]|(?:And|Or|Then)[A-Z]|replace|create|update|delete/;
const ONLY_NOTES =
  /^(?:think|reflect|plan|reason|finish|complete|done|final_?answer|calculat\w{1,3}|calculator)$/i;

const bareName = (tool: string): string =>
  tool.slice(tool.lastIndexOf("/") + 1).replace(/^mcp__[^_]{1,80}__/, "");

/** True of a tool that cannot have done anything but read, think or end the run. */
export const onlyReads = byName((tool): boolean => {
  const name = bareName(tool);
  return (READS.test(name) && !JOINS.test(name)) || ONLY_NOTES.test(name);
});

/** What is there already, or need not be done, was not asked for in vain. */
const HARMLESS =
  /already|exists?\b|duplicate|no changes?\b|nothing to|up.?to.?date|not modified|bereits|déjà|ya existe|уже|已存在|既に|이미/i;
const STATUS_OF_FAILURE = /^(?:fail(?:ed|ure)?|error|rejected|refused|denied|aborted|cancell?ed)$/i;

/**
 * What a state of failure may be where it was asked for: a reservation is cancelled, an application rejected.
 */
const ENDINGS_WANTED = [/cancel/i, /reject/i, /refus|declin/i, /den(?:y|ied)/i, /abort|stop|kill/i];

/** The tool's name, or a short word among its arguments, asks for the very state. */
function isWanted(state: string, { view: { tool }, args }: EndedCall): boolean {
  const ending = ENDINGS_WANTED.find((one) => one.test(state));
  if (ending === undefined) return false;
  const fields = fieldsOf(args);
  const words = typeof fields === "object" && fields !== null ? Object.values(fields) : [];
  return [tool, ...words].some(
    (one) => typeof one === "string" && one.length <= NAME_CHARS_MAX && ending.test(one),
  );
}

function errorIn(call: EndedCall, result: unknown): string {
  const { view, result: given } = call;
  if (view.failed) return view.errorText;
  const told = result === given ? failureToldBy(view, given) : toldFailure(result);
  if (told !== "" || typeof result !== "object" || result === null) return told;
  const { status, state, outcome } = result as Record<string, unknown>;
  const said = [status, state, outcome].find((one) => typeof one === "string" && STATUS_OF_FAILURE.test(one));
  return typeof said === "string" && !isWanted(said, call) ? said : "";
}

const COMMAND_FIELDS = ["command", "cmd", "script", "code"] as const;
/**
 * Commands whose failure leaves undone what they were for; a search or a test that fails has told something.
 */
const CHANGES =
  /\b(?:git (?:push|commit|merge|tag)|(?:npm|yarn|pnpm|cargo) publish|twine upload|docker push|kubectl (?:apply|create|delete|rollout|scale)|helm (?:install|upgrade)|terraform (?:apply|destroy)|ansible-playbook|scp|rsync|aws s3 (?:cp|sync|mv)|alembic upgrade|(?:db|manage\.py|prisma|rails|knex)[ :]migrate|deploy|curl [^|\n]{0,200}-X ?(?:POST|PUT|DELETE|PATCH)|systemctl (?:start|restart|enable)|cp|mv|mkdir|tar|zip|unzip|chmod|chown) /;

function fieldOf(args: unknown, names: readonly string[]): string {
  if (typeof args !== "object" || args === null) return "";
  for (const name of names) {
    const value = (args as Record<string, unknown>)[name];
    if (typeof value === "string") return value;
  }
  return "";
}

const FILE_FIELDS = ["path", "file_path", "filePath", "filename", "file", "target_file"] as const;
const CONTENT_FIELDS = [
  "content",
  "new_string",
  "new_str",
  "file_text",
  "text",
  "code",
  "contents",
  "new_content",
] as const;
const CONTENT_MAX = 40_000;
/**
 * What stands for code that is to be written: an exception that says so, or nothing but a note behind which a
 * bare value is given back.
 */
const STUB =
  /\b(?:todo|unimplemented)!\(|\bT(?:ODO)\("|(?:throw new \w{0,30}|raise \w{0,30}|panic!?|fatalError|fail|abort)\W{1,3}["'(]{0,3}(?:[Nn]ot (?:yet )?implemented|(?:to ?do|T(?:ODO))\b|[Uu]nimplemented)|(?:T(?:ODO)|FI(?:XME)|[Ss]tub|[Pp]laceholder|[Nn]ot (?:yet )?implemented|[Ii]mplement (?:this|me|later))\b[^\n]{0,160}\n\s{0,40}(?:raise NotImplementedError|throw new (?:Error|NotImplemented\w{0,20})|pass\s{0,4}(?:\n|$)|return (?:null|None|nil|true|True|\[\]|\{\}|"")\W{0,3}(?:\n|$))/;
const ABSTRACT = /\b(?:abstract|ABC|Protocol|interface|subclass(?:es)?)\b/;

const PLAN_FIELDS = ["todos", "items", "plan", "tasks", "steps"] as const;
const NOT_BEGUN = /^(?:pending|todo|open|not[ _-]?started|queued)$/i;

const ITEMS_MAX = 200;

function openItems(args: unknown): number {
  if (Array.isArray(args)) return args.slice(0, ITEMS_MAX).filter(isNotBegun).length;
  if (typeof args !== "object" || args === null) return 0;
  for (const name of PLAN_FIELDS) {
    const list = (args as Record<string, unknown>)[name];
    if (Array.isArray(list)) return list.slice(0, ITEMS_MAX).filter(isNotBegun).length;
  }
  return 0;
}

function isNotBegun(item: unknown): boolean {
  if (typeof item !== "object" || item === null) return false;
  const { status, state, s, done, completed } = item as Record<string, unknown>;
  const said = status ?? state ?? s;
  return typeof said === "string" ? NOT_BEGUN.test(said) : (done ?? completed) === false;
}

const TAIL_CHARS = 2_000;
const SOME_FAILED =
  /\b[1-9]\d{0,5} (?:tests? )?(?:failed|failing)\b|\b[1-9]\d{0,5} failures?\b|FAILED \((?:failures|errors)=|test result: FAILED|^--- FAIL:|^FAIL\b|Tests:? {1,8}[1-9]\d{0,5} failed|Failed: {1,8}[1-9]|Failures: [1-9]|Errors: [1-9]|^FAILURES!|^# fail [1-9]|^ {0,4}[1-9]\d{0,5} fail$|BUILD FAILURE/m;
const ALL_PASSED =
  /\b\d{1,6} (?:tests? )?(?:passed|passing)\b|\b0 failures\b|test result: ok|^OK\b|^ok\s{1,8}\S|^PASS\b|Passed!|^# fail 0|^ {0,4}0 fail$|BUILD SUCCESS|\ball (?:\w{1,12} )?tests? pass/m;

/** What runs tests, and what a machine says on which that does not stand. */
const RUNS_TESTS =
  /\b(?:(?:npm|yarn|pnpm|bun|deno|go|cargo|dotnet|swift|mix|make|mvn|gradlew?|sbt|composer|rake)\s(?:[\w:=./-]{1,40}\s){0,3}?(?:run\s)?[\w:-]{0,12}test\w{0,3}|pytest|unittest|jest|vitest|mocha|rspec|phpunit|ctest|tox|nosetests)\b/;
const NOT_THERE =
  /\b(?:command )?not found\b|\bis not recognized as\b|\bNo module named\b|\bMissing script\b|\bNo such file or directory\b|\bCannot find module\b/i;

/** The summary stands at the end. Tests that could not be started have not passed. */
function testsIn(result: unknown, args: unknown): boolean | null {
  const held = typeof result === "string" ? result : fieldOf(result, ["stdout", "output", "text", "content"]);
  const tail = held.slice(-TAIL_CHARS);
  if (SOME_FAILED.test(tail)) return false;
  if (ALL_PASSED.test(tail)) return true;
  return NOT_THERE.test(tail) && RUNS_TESTS.test(fieldOf(args, COMMAND_FIELDS).slice(0, 2_000))
    ? false
    : null;
}

export interface EndedCall {
  readonly seq: number;
  readonly view: Pick<ToolView, "tool" | "failed" | "errorText" | "told">;
  readonly args: unknown;
  readonly result: unknown;
  readonly eventId: () => string;
  /** Its tool failed before: what it is about matters too. */
  readonly isAfterFailure: boolean;
}

const JSON_CHARS_MAX = 16_384;

/** OpenAI's clients send arguments as text. */
function fieldsOf(args: unknown): unknown {
  if (typeof args !== "string" || args.charCodeAt(0) !== 0x7b || args.length > JSON_CHARS_MAX) return args;
  return parsedJson(args) ?? args;
}

const FILE_IN_JSON = /"(?:file_?path|path|file_?name|file|target_file)"/i;
const ARGUMENT_CHARS = 400;

const namesFile = (args: unknown): boolean =>
  typeof args === "string"
    ? FILE_IN_JSON.test(args.slice(0, ARGUMENT_CHARS))
    : fieldOf(args, FILE_FIELDS) !== "";

const PARTS_MAX = 6;

/** What MCP and chats give back as a list of parts is the text that these hold. */
function wordsOf(result: unknown): unknown {
  if (typeof result !== "object" || result === null) return result;
  const parts = Array.isArray(result) ? result : (result as { content?: unknown }).content;
  if (!Array.isArray(parts)) return result;
  const texts = parts
    .slice(0, PARTS_MAX)
    .flatMap((part) => (typeof part?.text === "string" ? [part.text] : []));
  return texts.length === 0 ? result : texts.join("\n");
}

export function evidenceOf(call: EndedCall): WorkEvidence {
  const { seq, view, isAfterFailure } = call;
  const { kind, tries, plans, hash, shown } = toolNamed(view.tool);
  const args = kind === "read" ? call.args : fieldsOf(call.args);
  const result = wordsOf(call.result);
  const error = errorIn(call, result);
  const leavesUndone = kind !== "run" || CHANGES.test(`${fieldOf(args, COMMAND_FIELDS).slice(0, 2_000)} `);
  const failed = error !== "" && !HARMLESS.test(error) && leavesUndone;
  const counts = error === "" ? countsIn(result, kind === "read" && namesFile(args)) : null;
  const underway = error === "" && kind !== "tell" ? underwayIn(view.tool, result) : "";
  const tests = kind === "run" || tries ? testsIn(result ?? view.errorText, args) : null;
  const path = kind === "work" ? fieldOf(args, FILE_FIELDS) : "";
  const content = path === "" ? "" : fieldOf(args, CONTENT_FIELDS);
  const isStub =
    content !== "" && content.length <= CONTENT_MAX && STUB.test(content) && !ABSTRACT.test(content);
  const open = kind === "tell" && plans ? openItems(args) : 0;
  const matters = failed || counts !== null || underway !== "" || tests === false || isStub || open > 0;
  return {
    seq,
    tool: hash,
    name: shown,
    kind,
    failed,
    act: failed || isAfterFailure ? actOf(view.tool, args) : null,
    counts,
    underway,
    tests,
    open,
    file: path === "" ? 0 : hashText(path),
    isStub,
    eventId: matters ? call.eventId() : "",
  };
}

/** What a checkpoint says of how far the run is. */
export function evidenceOfNote(seq: number, name: string, state: unknown, eventId: string): WorkEvidence {
  return {
    seq,
    tool: 0,
    name: name.slice(0, NAME_CHARS_MAX),
    kind: "note",
    failed: false,
    act: null,
    counts: countsIn(state, false),
    underway: "",
    tests: null,
    open: openItems(state),
    file: 0,
    isStub: false,
    eventId,
  };
}

/** Ends the run with words of the agent's own, in most frameworks that have a tool for it. */
const ENDS =
  /^(?:finish|complete|done|final|end_?(?:run|task)|submit_?(?:answer|final|result|report)|attempt_?completion|report|respond|reply|message_?user|say|speak|close_?(?:ticket|issue|task)|resolve|return|output|answer|hand_?off|transfer_to|escalate)(?![a-z])/i;
const WORDS_FIELDS = [
  "result",
  "summary",
  "message",
  "answer",
  "final_answer",
  "text",
  "output",
  "report",
  "comment",
  "resolution",
] as const;

export const endsRun = (tool: string): boolean => ENDS.test(bareName(tool));

/** What a call that ends the run says; "" for any other call. */
export function lastWordsIn(tool: string, args: unknown): string {
  return endsRun(tool) ? fieldOf(fieldsOf(args), WORDS_FIELDS) : "";
}
