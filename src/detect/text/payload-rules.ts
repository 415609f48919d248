import { chain, type ChainRule, opensClause } from "./chain-rules.ts";

/** Rules over commands, encodings and addresses, shared by the detectors of payloads, exfiltration and poisoning. */
const atClause = (text: string, start: number): boolean => opensClause(text, start);

/** A long run of encoding characters stands near. */
function runNear(text: string, start: number, end: number): boolean {
  return /[A-Za-z0-9+/=_-]{24}/.test(text.slice(Math.max(0, start - 400), Math.min(text.length, end + 400)));
}

const SHELL_AFTER = /\|\s{0,3}(?:ba|z|da)?sh\b|\|\s{0,3}python|\beval\b|\bexec\b|\biex\b/i;

function pipedIntoShell(text: string, start: number, end: number): boolean {
  return SHELL_AFTER.test(text.slice(start, Math.min(text.length, end + 160)));
}

/** Commands that hide what they run. */
export const CODE_RULES: readonly ChainRule[] = [
  chain(
    "encoded-powershell",
    0.9,
    "powershell",
    (text, start, end) => /powershell|pwsh/i.test(text) && runNear(text, start, end),
  ),
  chain("decoded-into-shell", 0.9, "decode", pipedIntoShell),
  chain("evaluated-decoding", 0.85, "execWord <24 decode", (text, start, end) =>
    /(?:eval|exec|invoke|iex|system|popen|function)\W/i.test(text.slice(start, end)),
  ),
  chain("decode-and-obey", 0.8, "decode <90 execWord", runNear),
  chain(
    "obey-decoded",
    0.75,
    "execWord <60 decode",
    (text, start, end) => runNear(text, start, end) && atClause(text, start),
  ),
];

/** A command that carries data out. */
export const EXFILTRATION_RULES: readonly ChainRule[] = [
  chain("sensitive-file-to-network", 0.95, "netTool <240 sensitivePath", null),
  chain("network-after-sensitive-file", 0.9, "sensitivePath <240 netTool", null),
  chain("encoded-then-sent", 0.8, "encodeTool <160 netTool", sendsBody),
  chain("sends-encoded", 0.8, "netTool <160 encodeTool", sendsBody),
  chain("drop-site", 0.8, "dropSite", null),
];

function sendsBody(text: string, start: number, end: number): boolean {
  return /-d\b|--data|-F\b|-T\b|--upload|\bpost\b|body|\?\w{1,20}=|\$\(|\/dev\/tcp|@-/i.test(
    text.slice(Math.max(0, start - 60), Math.min(text.length, end + 120)),
  );
}

/** Descriptions of tools that reach beyond the tool. */
export const DESCRIPTION_RULES: readonly ChainRule[] = [
  chain("reads-sensitive-file", 0.85, "sensitivePath", readsFile),
  chain("hidden-from-user", 0.8, "secrecy <100 userWord", null),
  chain(
    "orders-before-use",
    0.75,
    "toolCross <120 toolCross|act <160 sensitivePath|secrecy|toolCross|outward",
    crossesTools,
  ),
  chain("framed-orders", 0.75, "frame <200 toolCross|act|secrecy|urge", (text, start) =>
    /<(?:important|system|instruction|admin|hidden)/i.test(text.slice(start, start + 16)),
  ),
  chain(
    "takes-conversation",
    0.7,
    "act|toolCross|reveal <60 asset|toolCross <40 toolCross",
    (text, start, end) => /conversation|chat history|system prompt/i.test(text.slice(start, end + 30)),
  ),
  chain(
    "redirects-recipient",
    0.75,
    "outward <120 instead|toolCross|mine",
    (text, start, end) =>
      /instead|bcc|also (?:send|forward|copy)/i.test(text.slice(start, end + 60)) &&
      /@|https?:/.test(text.slice(start, end + 160)),
  ),
  chain("secret-act", 0.7, "secrecy <120 act|outward", null),
];

/** A file with secrets whose content is asked for; an environment variable or an example file is none. */
function readsFile(text: string, start: number, end: number): boolean {
  const path = text.slice(start, end).toLowerCase();
  if (
    path === "process.env" ||
    path === "os.environ" ||
    /^\.(?:example|sample|template|local)/i.test(text.slice(end, end + 12))
  )
    return false;
  const before = text.slice(Math.max(0, start - 90), start);
  return path === ".env"
    ? /content|send|pass|upload/i.test(before)
    : /read|open|cat|content|include|send|pass|load|access/i.test(before);
}

function crossesTools(text: string, start: number, end: number): boolean {
  return /other tools?|any (?:other )?tool|before (?:using|calling|invoking|any)|first call|must (?:also )?call|instead of|highest priority|takes precedence|parameter/i.test(
    text.slice(start, end + 40),
  );
}

/** What does not belong into a memory: orders for later runs, not facts and wishes. */
export const MEMORY_RULES: readonly ChainRule[] = [
  chain(
    "standing-override",
    0.85,
    "persist <160 override|unbound <80 instructions|provider|taskRef|all|noRefuse|authority",
    null,
  ),
  chain("override-from-memory", 0.8, "override <80 instructions|provider|authority <160 persist", null),
  chain("standing-send-away", 0.85, "persist <160 outward|act", goesToAddress),
  chain("send-away-standing", 0.8, "outward <120 persist", goesToAddress),
  chain(
    "standing-secrecy",
    0.8,
    "persist|secrecy <160 secrecy|userWord <80 secrecy|userWord",
    (text, start, end) => /(?:tell|inform|mention|notify|secret|silent|alert)/i.test(text.slice(start, end)),
  ),
  chain("standing-authority", 0.75, "persist <120 authority", null),
  chain("authority-standing", 0.75, "authority <120 persist", null),
  chain("trusts-a-stranger", 0.7, "persist <100 asset <60 outward", goesToAddress),
];

function goesToAddress(text: string, start: number, end: number): boolean {
  const after = text.slice(start, Math.min(text.length, end + 140));
  return /[\w.+-]{1,64}@[\w-]{1,63}\.\w{2,12}|https?:\/\/|\b[A-Z]{2}\d{10,30}\b|\+\d{8,15}/.test(after);
}
