import { type Fields, isFields } from "./fields.ts";

/**
 * A stack that is sent as a list of frames, as the text that the frame's own language prints: so it groups as
 * the printed one does. Where the client says which code is its own, only that is left, without the folders
 * by which it could be taken for a package's.
 */
export type FrameOrder = "oldest-first" | "newest-first";

const FRAMES_MAX = 50;
const NAME_CHARS_MAX = 120;
const FILE_CHARS_MAX = 160;

interface Frame {
  readonly name: string;
  /** The class or the module that the function belongs to. */
  readonly owner: string;
  readonly file: string;
  readonly line: number;
  /** Of a script of one long line it says that names are made by a bundler. */
  readonly column: string;
}

/** The frame that threw first, or last where the language prints it so. */
export function printedFrames(frames: readonly unknown[], order: FrameOrder): string {
  const newest = order === "oldest-first" ? frames.slice(-FRAMES_MAX).reverse() : frames.slice(0, FRAMES_MAX);
  const all = newest.filter(isFields);
  const own = all.filter((frame) => isOwn(frame) === true);
  const read = (own.length > 0 ? own : all).map((frame) => frameOf(frame, own.length > 0));
  const lines = read.map(lineOf);
  return (read.some(isPython) ? lines.reverse() : lines).join("\n");
}

function isOwn({ in_app: own, inApp = own, inProject = inApp, library_frame: ofLibrary }: Fields): unknown {
  return inProject ?? (typeof ofLibrary === "boolean" ? !ofLibrary : null);
}

function frameOf(frame: Fields, isBare: boolean): Frame {
  const path = text(frame.abs_path ?? frame.absPath ?? frame.filename ?? frame.fileName ?? frame.file);
  const line = frame.lineno ?? frame.lineNumber ?? frame.line ?? frame.number;
  const column = frame.colno ?? frame.columnNumber ?? frame.column;
  const at = typeof line === "number" || typeof line === "string" ? Number(line) || 0 : 0;
  return {
    name: text(frame.function ?? frame.methodName ?? frame.method ?? frame.name)
      .replace(/\([^)]{0,120}\)?$/, "")
      .slice(0, NAME_CHARS_MAX),
    owner: text(frame.className ?? frame.declaringClass ?? frame.module ?? frame.class).slice(
      0,
      NAME_CHARS_MAX,
    ),
    file: (isBare ? path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1) : path).slice(
      -FILE_CHARS_MAX,
    ),
    line: at,
    column: typeof column === "number" ? `:${column}` : "",
  };
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");

const PYTHON = /\.p(?:y|yx|yc)$|^<(?!anonymous>|unknown>)/;
const JVM = /\.(?:java|kt|kts|scala|groovy|clj)$/;
const DOTNET = /\.(?:cs|vb|fs)$/;
const GO = /\.go$/;
const RUBY = /\.rb$/;
const PHP = /\.php$/;

const isPython = ({ file }: Frame): boolean => PYTHON.test(file);

function lineOf(frame: Frame): string {
  const { name, owner, file, line, column } = frame;
  const full = owner === "" || name.startsWith(`${owner}.`) ? name : `${owner}.${name}`;
  if (isPython(frame)) return `  File "${file}", line ${line}, in ${name || "<module>"}`;
  if (JVM.test(file)) return `    at ${full}(${file}:${line})`;
  if (DOTNET.test(file)) return `   at ${full}() in ${file}:line ${line}`;
  if (GO.test(file)) return `${full}()\n\t${file}:${line}`;
  if (RUBY.test(file)) return `${file}:${line}:in '${name}'`;
  if (PHP.test(file)) return `#0 ${file}(${line}): ${name}()`;
  if (file === "" && owner !== "") return `    at ${full}(Unknown Source)`;
  const place = `${file}:${line}${column}`;
  return name === "" ? `    at ${place}` : `    at ${name} (${place})`;
}
