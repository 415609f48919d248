import { FrameReader, type StackFrame } from "./read-frame.ts";
import { stripColours } from "./strip-colours.ts";

/**
 * Reads a stack trace into frames that survive a new build and another machine: the function and the file's
 * own name, no line numbers, no folders, no content hashes. Python (also notebooks, groups of exceptions and
 * faulthandler), JavaScript of all engines, JVM, Go, C#, Ruby, Rust, PHP, Elixir, Swift and Dart. Pure; lines
 * and their number are cut first, each line is looked at once.
 */

/** Frames of one error of a chain, the one that threw first. */
interface Trace {
  frames: StackFrame[];
  /** As the text names it, where it does. */
  type: string;
}

const STACK_CHARS_MAX = 65_536;
const LINES_MAX = 400;
const LINE_CHARS_MAX = 400;
const FRAMES_GROUPED_MAX = 5;
const CAUSE_FRAMES_MAX = 2;
const TYPE_CHARS_MAX = 80;
const KEY_CHARS_MAX = 1_500;
/** A frame met this often is part of a cycle. */
const CYCLE_MIN = 3;

/**
 * What a key starts with whose frames name nothing of the own code: they alone do not tell one failure from
 * another.
 */
export const NAMELESS = "~";
/** The top of a file, which may be anywhere in it. */
const NO_NAME = /^(?:<(?:anonymous|module|main|top \(required\))>)?$/;
/** What a model wrote and somebody evaluated: its messages are another each time, so its type has to do. */
const EVALUATED = /^<(?!anonymous>)/;

/**
 * What groups a stack: up to five frames, own code only where there is any, the one that threw first; behind
 * them the error that it all began with, if the text has it. Empty when the text holds no frame.
 */
export function stackKey(stack: string): string {
  const { main, cause } = readStack(stack);
  const frames = keyFrames(main.frames, FRAMES_GROUPED_MAX);
  if (frames.length === 0) return "";
  const isNamed = frames.some(
    ({ inApp, name, file }) => inApp && (!NO_NAME.test(name) || EVALUATED.test(file)),
  );
  let key = (isNamed ? "" : NAMELESS) + joined(frames);
  if (cause !== null) {
    const own = keyFrames(cause.frames, CAUSE_FRAMES_MAX).filter((frame) => frame.inApp);
    key += `<${cause.type}:${joined(own)}`;
  }
  return key.slice(0, KEY_CHARS_MAX);
}

/** Frames of the error that escaped, the one that threw first, repeats of one frame (recursion) folded. */
export function parseStack(stack: string): readonly StackFrame[] {
  return readStack(stack).main.frames;
}

function joined(frames: readonly StackFrame[]): string {
  return frames.map((frame) => `${frame.file}:${frame.name}`).join("|");
}

/**
 * The frames that group, each once: how often a walk went round says nothing of the failure. Of a recursion
 * without end it is chance where it stops, so the frames of its cycle stand in order.
 */
function keyFrames(frames: readonly StackFrame[], max: number): readonly StackFrame[] {
  const own = frames.filter((frame) => frame.inApp);
  const packages = own.length > 0 ? own : frames.filter((frame) => !frame.ofRuntime);
  const chosen = packages.length > 0 ? packages : frames;
  const counts = new Map<string, number>();
  const once: StackFrame[] = [];
  for (const frame of chosen) {
    const id = `${frame.file}:${frame.name}`;
    const count = counts.get(id) ?? 0;
    counts.set(id, count + 1);
    if (count === 0) once.push(frame);
  }
  const turns = ({ file, name }: StackFrame) => counts.get(`${file}:${name}`) ?? 0;
  const first = once[0];
  if (first !== undefined && turns(first) >= CYCLE_MIN) {
    const cycle = once.filter((frame) => turns(frame) >= CYCLE_MIN);
    return cycle.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)).slice(0, max);
  }
  return once.slice(0, max);
}

const WRITTEN_TWICE = /\\n(?:\\t| {1,12})(?:at \S|File \\?")/;
const NEWEST_LAST = "most recent call last";

/** The lines that hold the throwing frames: a long text is cut at the other end. */
function linesOf(stack: string): string[] {
  let text = stack;
  const isNewestLast = text.lastIndexOf(NEWEST_LAST, STACK_CHARS_MAX) >= 0;
  if (text.length > STACK_CHARS_MAX) {
    text = isNewestLast ? text.slice(-STACK_CHARS_MAX) : text.slice(0, STACK_CHARS_MAX);
  }
  text = stripColours(text);
  // A text that was written as JSON twice.
  if (WRITTEN_TWICE.test(text)) {
    text = text.replaceAll("\\r", "").replaceAll("\\n", "\n").replaceAll("\\t", "\t").replaceAll('\\"', '"');
  }
  if (!isNewestLast) return text.split("\n", LINES_MAX);
  let from = text.length;
  for (let count = 0; count < LINES_MAX && from > 0; count++) from = text.lastIndexOf("\n", from - 1);
  return (from > 0 ? text.slice(from + 1) : text).split("\n");
}

type Next =
  /** The traces so far led to the one that follows. */
  | "escaped"
  /** What follows led to the trace so far. */
  | "cause"
  /** What follows is one of several that the trace so far gathers. */
  | "member"
  /** What follows is told beside it. */
  | "aside"
  /** What follows is of another thread. */
  | "end";

/**
 * Python and PHP print the cause first and what finally escaped last, C# too; Java and JavaScript the other
 * way round.
 */
function nextTrace(line: string): Next | null {
  switch (line[0]) {
    case "C":
      return line.startsWith("Caused by:") ? "cause" : null;
    case "D":
      return line.startsWith("During handling of the above exception") ? "escaped" : null;
    case "T":
      return line.startsWith("The above exception was the direct cause") ? "escaped" : null;
    case "S":
      return line.startsWith("Suppressed:") ? "aside" : null;
    case "N":
      return /^Next [\w\\]{1,120}(?:: |$)/.test(line) ? "escaped" : null;
    case "[":
      return line.startsWith("[cause]: ") ? "cause" : null;
    case "g":
      return /^goroutine \d/.test(line) ? "end" : null;
    case "+":
      return /^\+[-+]{2,24} (?:\d{1,4}|\.{3}) -{3,20}$/.test(line) ? "member" : null;
    case "-":
      return line.startsWith("--- End of inner exception") ? "escaped" : null;
    default:
      return null;
  }
}

/** The line of a chain that names an error: `Caused by: a.B: text`, ` ---> A.B: text`, `KeyError: 'x'`. */
const TYPE_LINE = /^(?:Caused by: |\[cause\]: |---> )?([A-Za-z_][\w.$\\]{0,120})(?:: |:?$| \[)/;

function readStack(stack: string): { readonly main: Trace; readonly cause: Trace | null } {
  let trace: Trace = { frames: [], type: "" };
  let main = trace;
  let cause: Trace | null = null;
  const members: Trace[] = [];
  const reader = new FrameReader();
  let asideIndent = -1;
  for (const whole of linesOf(stack)) {
    const cut = whole.length > LINE_CHARS_MAX ? whole.slice(0, LINE_CHARS_MAX) : whole;
    let line = cut.trimStart();
    const indent = cut.length - line.length;
    let isIndented = indent > 0;
    // Beside a group of exceptions Python draws a margin.
    if (line[0] === "|") {
      isIndented = line.startsWith("|  ");
      line = line.slice(1).trimStart();
    }
    line = line.trimEnd();
    if (line === "") continue;
    const next = main.frames.length === 0 ? null : nextTrace(line);
    if (next === "end") break;
    if (asideIndent >= 0) {
      if (next !== "cause" || indent >= asideIndent) continue;
      asideIndent = -1;
    }
    if (next === "aside") {
      asideIndent = indent;
      continue;
    }
    if (next !== null) {
      trace = { frames: [], type: "" };
      if (next === "cause") cause = trace;
      else if (next === "member") members.push(trace);
      else if (members.length > 0) members[members.length - 1] = trace;
      else {
        cause ??= main;
        main = trace;
      }
    }
    const read = reader.read(line);
    if (read === "panic") trace.frames.length = 0;
    else if (read !== null && reader.isSameFrame && trace.frames.length > 0) trace.frames.splice(-1, 1, read);
    else if (read !== null) push(trace.frames, read);
    else if (trace.type === "" && (next !== null || line.startsWith("---> ") || !isIndented)) {
      if (next === null && trace.frames.length === 0 && !line.startsWith("---> ")) continue;
      trace.type = TYPE_LINE.exec(line)?.[1]?.slice(-TYPE_CHARS_MAX) ?? "";
    }
  }
  if (reader.isNewestLast)
    for (const { frames } of new Set([main, ...members, cause ?? main])) frames.reverse();
  const member = leadingOf(members);
  return { main: main.frames.length === 0 && member !== null ? member : main, cause: member ?? cause };
}

function push(frames: StackFrame[], frame: StackFrame): void {
  const previous = frames.at(-1);
  if (previous?.name !== frame.name || previous.file !== frame.file) frames.push(frame);
}

/**
 * Of errors that came at the same time the one that is named first in the alphabet: which of them is told
 * first is chance.
 */
function leadingOf(members: readonly Trace[]): Trace | null {
  let leading: Trace | null = null;
  let least = "";
  for (const member of members) {
    if (member.frames.length === 0 || member.type.endsWith("Group")) continue;
    const key = `${member.type}:${joined(keyFrames(member.frames, FRAMES_GROUPED_MAX))}`;
    if (leading === null || key < least) [leading, least] = [member, key];
  }
  return leading;
}
