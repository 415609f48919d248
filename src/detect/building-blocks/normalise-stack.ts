/**
 * Reads a stack trace of Python, JavaScript, Java, Go, C#, Ruby or Rust into frames that survive a new build: the
 * function and the file's own name, no line numbers, no folders, no content hashes. Pure; lines and their number
 * are cut first, each line is looked at once.
 */

export interface StackFrame {
  readonly name: string;
  readonly file: string;
  /** False for frames of the runtime and of installed packages. */
  readonly inApp: boolean;
}

const STACK_CHARS_MAX = 65_536;
const LINES_MAX = 400;
const LINE_CHARS_MAX = 400;
const FRAMES_GROUPED_MAX = 5;

const NOT_IN_APP =
  /node_modules|site-packages|dist-packages|[\\/]lib[\\/]python\d|<frozen |node:|bun:|\(internal[\\/]|native code|[\\/]go[\\/]src[\\/]|[\\/]pkg[\\/]mod[\\/]|[\\/]rustc[\\/]|\.cargo[\\/]registry|[\\/]gems[\\/]|[\\/]usr[\\/]lib[\\/]/;
const RUNTIME_NAME =
  /^(?:java\.|javax\.|jdk\.|sun\.|com\.sun\.|kotlin\.|scala\.|org\.springframework\.|org\.apache\.|System\.|Microsoft\.|std::|core::|alloc::|tokio::|runtime\.)/;

/**
 * What groups a stack: up to five frames, own code only where there is any, the one that threw first. Empty when
 * the text holds no frame.
 */
export function stackKey(stack: string): string {
  const frames = parseStack(stack);
  const own = frames.filter((frame) => frame.inApp);
  const chosen = (own.length > 0 ? own : frames).slice(0, FRAMES_GROUPED_MAX);
  return chosen.map((frame) => `${frame.file}:${frame.name}`).join("|");
}

/** Frames, the one that threw first, repeats of one frame (recursion) folded. */
export function parseStack(stack: string): StackFrame[] {
  const text = stack.length > STACK_CHARS_MAX ? stack.slice(0, STACK_CHARS_MAX) : stack;
  const lines = text.split("\n", LINES_MAX);
  const frames: StackFrame[] = [];
  let newestLast = false;
  let goFunction: string | null = null;
  for (const whole of lines) {
    const line = (whole.length > LINE_CHARS_MAX ? whole.slice(0, LINE_CHARS_MAX) : whole).trim();
    if (line === "") continue;
    if (frames.length > 0 && endsFirstTrace(line)) {
      if (newestLast) {
        frames.length = 0;
        continue;
      }
      break;
    }
    if (line.startsWith('File "')) newestLast = true;
    const frame = readFrame(line, goFunction);
    goFunction =
      frame === null && /^[\w./*()-]{1,200}\([^)]{0,200}\)$/.test(line)
        ? line.replace(/\([^)]{0,200}\)$/, "")
        : null;
    if (frame === null) continue;
    const previous = frames.at(-1);
    if (previous?.name !== frame.name || previous.file !== frame.file) frames.push(frame);
  }
  return newestLast ? frames.reverse() : frames;
}

/** Python prints the cause first and what finally escaped last; Java the other way round. The escaped one counts. */
function endsFirstTrace(line: string): boolean {
  return (
    line.startsWith("Caused by:") ||
    line.startsWith("During handling of the above exception") ||
    line.startsWith("The above exception was the direct cause") ||
    line.startsWith("--- End of inner exception")
  );
}

function readFrame(line: string, goFunction: string | null): StackFrame | null {
  if (line.startsWith('File "')) {
    const quote = line.indexOf('"', 6);
    if (quote < 0) return null;
    const at = line.indexOf(", in ", quote);
    return frameOf(at < 0 ? "<module>" : line.slice(at + 5), line.slice(6, quote));
  }
  if (line.startsWith("at ")) return readAtFrame(line.slice(3));
  const ruby = /^(?:from )?([^:\s]{1,200}\.rb):\d{1,7}:in [`'](.{1,100})'$/.exec(line);
  if (ruby !== null) return frameOf(ruby[2]!, ruby[1]!);
  const go = /^(\S{1,300}\.go):\d{1,7}(?: \+0x[0-9a-f]{1,8})?$/.exec(line);
  if (go !== null) return frameOf(goFunction ?? "", go[1]!);
  const mark = line.indexOf("@");
  if (mark >= 0 && /:\d{1,7}(?::\d{1,7})?$/.test(line)) {
    return frameOf(line.slice(0, mark), line.slice(mark + 1).replace(/(?::\d{1,7}){1,2}$/, ""));
  }
  const rust = /^\d{1,4}: (\S{1,200})$/.exec(line);
  return rust === null ? null : frameOf(rust[1]!.replace(/::h[0-9a-f]{16}$/, ""), "");
}

/** `fn (file:1:2)`, `file:1:2`, `pkg.Class.method(File.java:1)`, `Type.Method(args) in C:\file.cs:line 1`. */
function readAtFrame(body: string): StackFrame | null {
  const inside = body.indexOf(") in ");
  if (inside > 0) {
    const name = body.slice(0, body.indexOf("("));
    return frameOf(name, body.slice(inside + 5).replace(/:line \d{1,7}$/, ""));
  }
  const open = body.lastIndexOf("(");
  if (open >= 0 && body.endsWith(")")) {
    const name = body.slice(0, open).trim();
    return frameOf(name, body.slice(open + 1, -1).replace(/(?::\d{1,7}){1,2}$/, ""));
  }
  return frameOf("", body.replace(/^async /, "").replace(/(?::\d{1,7}){1,2}$/, ""));
}

function frameOf(rawName: string, path: string): StackFrame {
  const bare = rawName.trim().replace(/^(?:async|new) /, "");
  const name = /^(?:<anonymous>|anonymous|\?|Object\.<anonymous>|<lambda>)?$/.test(bare)
    ? "<anonymous>"
    : bare.replace(/\$\d{1,9}|0x[0-9a-f]{1,16}|\d{2,20}/g, "#").slice(0, 120);
  const cut = Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"));
  const file = path
    .slice(cut + 1)
    .replace(/[?#].{0,200}$/, "")
    .replace(/[.-][0-9a-f]{6,64}(?=\.)/g, "")
    .slice(0, 80);
  return { name, file, inApp: !NOT_IN_APP.test(path) && !RUNTIME_NAME.test(name) };
}
