import { fileOf, isOfPackage, isOfRuntime, nameOf, type Runtime } from "./stack-frame.ts";

/**
 * A line of a stack trace read as a frame. Pure but for what the lines before it said; every line is looked
 * at once.
 */

export interface StackFrame {
  readonly name: string;
  readonly file: string;
  /** False for frames of the runtime and of installed packages. */
  readonly inApp: boolean;
  /** Of the runtime itself: it says less than a package does. */
  readonly ofRuntime: boolean;
}

/** The text before `:12` or `:12:3`; null if it does not end so. */
function beforeLocation(text: string): string | null {
  let end = text.length;
  for (let count = 0; count < 2; count++) {
    let at = end;
    while (at > 0 && isDigit(text.charCodeAt(at - 1))) at--;
    if (at === end || at === 0 || text[at - 1] !== ":") break;
    end = at - 1;
  }
  return end === text.length ? null : text.slice(0, end);
}

const isDigit = (unit: number) => unit >= 48 && unit <= 57;

/** Where V8, JavaScriptCore, the JVM and .NET say that there is no place in a file. */
const NO_FILE =
  /^(?:<anonymous>|native|native code|unknown|index \d{1,7}|Native Method|Unknown Source|<eval>)$/;

export class FrameReader {
  isNewestLast = false;
  private isNewestFirst = false;
  /** What was read is the frame before, of which this line tells where its code stands. */
  isSameFrame = false;
  private isNumbered = false;
  private before = "";

  /** "panic" where the frames so far are those that report a panic. */
  read(line: string): StackFrame | "panic" | null {
    this.isSameFrame = false;
    const frame = this.frameIn(line);
    this.before = line;
    return frame;
  }

  private frameIn(line: string): StackFrame | "panic" | null {
    switch (line[0]) {
      case "a":
        if (line.startsWith("at ")) return this.readAt(line.slice(3));
        break;
      case "F":
        if (line.startsWith("File ")) return this.readPython(line);
        break;
      case "C":
      case "I":
        if (/^(?:Cell|Input) In {0,1}\[\d{1,6}\]/.test(line)) return this.readNotebook(line);
        if (line.startsWith("Current thread ")) this.isNewestFirst = line.includes("most recent call first");
        break;
      case "s":
      case "S":
        if (/^stack backtrace:/i.test(line)) this.isNumbered = true;
        break;
      case "#":
        return readHash(line);
      case "(":
        return readElixir(line);
      case "<":
        if (line.startsWith("<ipython-input-")) return this.readNotebook(line);
        break;
    }
    if (line.includes(".go:")) {
      const go = /^(\S.{0,300}\.go):\d{1,7}(?: \+0x[0-9a-f]{1,8})?$/.exec(line);
      if (go !== null) return readGo(this.before, go[1]!);
    }
    if (/^\d/.test(line)) return this.readNumbered(line);
    if (line.includes(":in ")) return readRuby(line);
    const mark = line.indexOf("@");
    if (mark >= 0) return readFirefox(line, mark);
    return /^lib\/\S{1,200}\.exs?:\d/.test(line) ? readElixir(line) : null;
  }

  private readPython(line: string): StackFrame | null {
    let file: string;
    let name: string;
    if (line[5] === '"') {
      const quote = line.indexOf('"', 6);
      if (quote < 0) return null;
      file = line.slice(6, quote);
      // Since the interpreter dies, faulthandler writes without a comma.
      const named = /^, line \d{1,9},? in (.{1,200})$/.exec(line.slice(quote + 1));
      name = named?.[1] ?? "<module>";
    } else {
      const notebook = /^File (\S.{0,300}?):\d{1,9}(?:, in (.{1,200}))?$/.exec(line);
      if (notebook === null) return null;
      file = notebook[1]!;
      name = bareCall(notebook[2] ?? "<module>");
    }
    if (!this.isNewestFirst) this.isNewestLast = true;
    // Since 3.12 these are no frames of their own.
    if (name === "<listcomp>" || name === "<dictcomp>" || name === "<setcomp>") return null;
    return frameOf("python", name, file);
  }

  private readNotebook(line: string): StackFrame | null {
    const named = /[\])>](?:, line \d{1,9})?,? in ([\w<>.]{1,120})/.exec(line);
    this.isNewestLast = true;
    return frameOf(
      "python",
      named === null || named[1]!.startsWith("<cell") ? "<module>" : named[1]!,
      "<ipython-input>",
    );
  }

  /**
   * `fn (file:1:2)`, `file:1:2`, `pkg.Class.method(File.java:1)`, `Type.Method(args) in C:\file.cs:line 1`.
   */
  private readAt(whole: string): StackFrame | "panic" | null {
    if (this.isNumbered && whole.includes(".rs:")) return this.readRustPlace(whole);
    // Logging libraries of the JVM say the archive behind a frame.
    const body = whole.endsWith("]") ? whole.replace(/\) ~?\[[^\]]{0,200}\]$/, ")") : whole;
    const inside = body.indexOf(") in ");
    if (inside > 0) {
      const open = body.indexOf("(");
      return frameOf(
        "dotnet",
        body.slice(0, open < 0 ? inside : open),
        body.slice(inside + 5).replace(/:line \d{1,7}$/, ""),
      );
    }
    if (body.endsWith(")")) {
      const evaluated = /^(.{0,120}?) ?\(eval at \S{1,80} \((.{1,250}?)(?::\d{1,7}){1,2}\)/.exec(body);
      if (evaluated !== null) return frameOf("js", evaluated[1]!, evaluated[2]!);
      const open = body.lastIndexOf("(");
      const place = body.slice(open + 1, -1);
      const name = body.slice(0, open);
      if (
        /\.(?:java|kt|kts|scala|groovy|clj|rs)(?::\d{1,7})?$|^(?:Native Method|Unknown Source)$/.test(
          place,
        ) &&
        !place.includes("/")
      ) {
        return frameOf("jvm", name, "");
      }
      const path = beforeLocation(place) ?? (NO_FILE.test(place) ? place : null);
      if (path !== null) return frameOf("js", name, path, isMinifiedAt(place));
    }
    // What stands behind the name in .NET are types, those of generics in brackets and with their versions.
    const method = /^([\w.$<>`,+~#|]{3,200})(?:\[|\()/.exec(body)?.[1];
    if (method?.includes(".") === true) return frameOf("dotnet", method, "");
    const place = body.replace(/^async /, "");
    if (place === "<anonymous>") return frameOf("js", "", place);
    const path = beforeLocation(place);
    return path === null ? null : frameOf("js", "", path, isMinifiedAt(place));
  }

  /** Rust says the place of a frame in a line of its own, and of what was inlined only name and place. */
  private readRustPlace(place: string): StackFrame | "panic" | null {
    const numbered = RUST.exec(this.before);
    const name = numbered === null ? this.before : numbered[1]!;
    if (name.startsWith("at ") || !name.includes("::")) return null;
    if (PANICS.test(name)) return numbered === null ? "panic" : null;
    this.isSameFrame = numbered !== null;
    return frameOf("rust", name, beforeLocation(place) ?? place);
  }

  /** Rust `0: a::b`, with addresses `0: 0x55 - a::b`; Swift and Apple's `0  App  0x10 step() + 48`. */
  private readNumbered(line: string): StackFrame | "panic" | null {
    const apple =
      /^\d{1,4} {1,9}(\S{1,80})\s{1,40}0x[0-9a-f]{4,16} (.{1,250}?)(?: \+ \d{1,9})?(?: \(.{1,80}\))?$/.exec(
        line,
      );
    if (apple !== null) return PANICS.test(apple[2]!) ? "panic" : frameOf("native", apple[2]!, apple[1]!);
    const rust = RUST.exec(line);
    if (rust === null) return null;
    const name = rust[1]!;
    if (!(this.isNumbered && !name.includes(": ")) && !/^\S{1,200}::\S{1,200}$/.test(name)) return null;
    this.isNumbered = true;
    return PANICS.test(name) ? "panic" : frameOf("rust", name, "");
  }
}

const RUST = /^\d{1,4}: {1,9}(?:0x[0-9a-f]{4,16} - )?(\S.{0,300})$/;

/** What Rust calls to report a panic: before it come the hook and whatever is installed as one. */
const PANICS =
  /^(?:core::panicking::|std::panicking::(?:begin_panic|panic_with_hook|panic_handler|default_hook|rust_panic)|(?:__rustc(?:\[[0-9a-f]{1,20}\])?::)?rust_begin_unwind|core::(?:option|result)::(?:unwrap|expect)_failed|std::rt::begin_panic)/;

/** `goFunction` is the line before the file: the function, with its arguments unless a library wrote it. */
function readGo(before: string, file: string): StackFrame | "panic" | null {
  if (before.startsWith("created by ")) return null;
  const open = before.endsWith(")") ? before.lastIndexOf("(") : -1;
  const name =
    open > 0 ? before.slice(0, open) : /^\S{1,300}$/.test(before) && before.includes(".") ? before : "";
  if (name === "panic" || /^runtime\.(?:gopanic|sigpanic|panic\w{1,40}|goPanic\w{1,40})$/.test(name))
    return "panic";
  return frameOf("go", name, file);
}

/** `a.rb:1:in 'm'`, the first with the message behind it. */
function readRuby(line: string): StackFrame | null {
  const at = line.indexOf(":in ");
  const place = /^(?:from )?(.{1,250}):\d{1,7}$/.exec(line.slice(0, at));
  const name = /^[`'](.{1,120}?)'(?:: .{0,300})?$/.exec(line.slice(at + 4));
  return place === null || name === null ? null : frameOf("ruby", name[1]!, place[1]!);
}

/** `fn@https://host/file.js:1:2`; the address of a mail with a port behind it is no frame. */
function readFirefox(line: string, mark: number): StackFrame | null {
  const place = line.slice(mark + 1);
  const path = beforeLocation(place);
  if (path === null || !(path.includes("/") || path.endsWith(".bundle"))) return null;
  return frameOf("js", line.slice(0, mark), path, isMinifiedAt(place));
}

/**
 * PHP `#0 /a/b.php(12): A->b(…)`, Dart `#0  A.b (package:a/b.dart:1:2)`, gdb `#0  0x55 in f (a=1) at f.c:3`.
 */
function readHash(line: string): StackFrame | null {
  const body = /^#\d{1,5} {1,9}(\S.{0,380})$/.exec(line)?.[1];
  if (body === undefined) return null;
  const php = /^(\[internal function\]|.{1,200}?\(\d{1,7}\)): ([\w\\:>{}<-]{1,160})/.exec(body);
  if (php !== null) return frameOf("php", php[2]!, php[1]!.replace(/\(\d{1,7}\)$/, ""));
  if (body.endsWith(")")) {
    const open = body.lastIndexOf("(");
    const place = body.slice(open + 1, -1);
    const path = beforeLocation(place);
    if (path !== null) return frameOf("dart", body.slice(0, open), path);
  }
  const native = /^(?:0x[0-9a-f]{4,16} in )?([\w:~<>,*& ]{1,160}?) ?\(/.exec(body);
  if (native === null || !/ (?:at|from) /.test(body)) return null;
  const at = Math.max(body.lastIndexOf(" at "), body.lastIndexOf(" from "));
  const place = body.slice(body.indexOf(" ", at + 1) + 1);
  return frameOf("native", native[1]!, beforeLocation(place) ?? place);
}

/** `(app 1.2.0) lib/a.ex:12: A.b/2`, inside an application without its name. */
function readElixir(line: string): StackFrame | null {
  const read = /^(?:\((\w{1,60})(?: [^)]{1,40})?\) )?(\S{1,200}\.(?:exs?|erl)):\d{1,7}: (.{1,200})$/.exec(
    line,
  );
  return read === null ? null : frameOf("elixir", read[3]!, `${read[1] ?? ""}:${read[2]!}`);
}

/** `step(self, n)` of a notebook. */
function bareCall(name: string): string {
  const open = name.indexOf("(");
  return open > 0 ? name.slice(0, open) : name;
}

/** Nobody writes lines this long: `app.js:1:20480`. */
const isMinifiedAt = (place: string) => /:\d{1,7}:(?:[5-9]\d\d|\d{4,7})$/.test(place);

function frameOf(runtime: Runtime, rawName: string, path: string, isMinified = false): StackFrame {
  const ofPackage = isOfPackage(runtime, rawName, path);
  const ofRuntime = !ofPackage && isOfRuntime(runtime, rawName, path);
  const file = fileOf(runtime, path);
  return {
    name: nameOf(runtime, rawName, isMinified || file.isBundle),
    file: file.name,
    inApp: !ofRuntime && !ofPackage,
    ofRuntime,
  };
}
