import { isMixed } from "./disguise/mixed-characters.ts";
import { carriedText } from "./exfiltration/carried-text.ts";
import { type ChainRule, chain, opensClause, type RuleMatch } from "./scan/chain-rules.ts";

/** Rules over commands, encodings and addresses, shared by the detectors of payloads and of exfiltration. */
const atClause = (text: string, start: number): boolean => opensClause(text, start);

/** A long run of encoding characters stands near. */
function runNear(text: string, start: number, end: number): boolean {
  const around = text.slice(Math.max(0, start - 400), Math.min(text.length, end + 400));
  return (around.match(/[A-Za-z0-9+/=_-]{24,8192}/g) ?? []).some(isMixed);
}

/** `.decode("utf-8")` turns bytes into text; nothing is hidden by it. */
const READS_BYTES = /decode\(\s{0,3}(?:["']?(?:utf|ascii|latin|cp\d|iso)|errors|\))/i;

function decodesRun(text: string, start: number, end: number): boolean {
  return !READS_BYTES.test(text.slice(start, end + 12)) && runNear(text, start, end);
}

/**
 * The command of PowerShell, with what it runs behind it; alone, in prose and as a prompt (`iex(3)>`) it is
 * Elixir's shell.
 */
const IEX = "iex\\s{0,3}(?:[$&]|[\"'](?=[$(\\w])|\\((?!\\d{1,4}\\)>))";
/** In prose an `eval` or `exec` is only named: a bracket or a variable stands behind one that runs. */
const SHELL_AFTER = new RegExp(
  `\\|\\s{0,3}(?:(?:ba|z|da)?sh|iex)\\b|\\|\\s{0,3}python|\\b(?:eval|exec)(?:\\(|\\s{1,3}["'\`]?\\$)|\\b${IEX}`,
  "i",
);
const RUNS = new RegExp(`(?:eval|exec|invoke|system|popen|function)\\W|${IEX}`, "i");

const POWERSHELL = /powershell|pwsh/i;

function pipedIntoShell(text: string, start: number, end: number): boolean {
  const after = text.slice(start, Math.min(text.length, end + 160));
  return SHELL_AFTER.test(after) || (/\biex\b/i.test(after) && POWERSHELL.test(text));
}

/** A quote right behind the bracket ends the string that a search is for: `grep "eval(" …`. */
const LOOKED_FOR = /\w\(\s?["'`](?=[\s;|&)]|$)/;

/** Commands that hide what they run. */
export const CODE_RULES: readonly ChainRule[] = [
  chain(
    "encoded-powershell",
    0.9,
    "powershell",
    (text, start, end) => POWERSHELL.test(text) && runNear(text, start, end),
  ),
  chain("decoded-into-shell", 0.9, "decode", pipedIntoShell),
  chain(
    "evaluated-decoding",
    0.85,
    "execWord <24 decode",
    (text, start, end) => RUNS.test(text.slice(start, end)) && !LOOKED_FOR.test(text.slice(start, end)),
  ),
  chain("decode-and-obey", 0.8, "decode <90 execWord", decodesRun),
  chain(
    "obey-decoded",
    0.75,
    "execWord <60 decode",
    (text, start, end) => decodesRun(text, start, end) && atClause(text, start),
  ),
];

const AROUND = 120;

/**
 * What stands at a place of a command opens a door, is one variable by name or is written: it is not carried
 * away.
 */
function isUsed(text: string, start: number, end: number, at: number): boolean {
  const from = Math.max(0, start - AROUND);
  return carriedText(text.slice(from, end + AROUND)).charAt(at - from) === " ";
}

/** A command that carries data out. */
export const EXFILTRATION_RULES: readonly ChainRule[] = [
  chain(
    "sensitive-file-to-network",
    0.95,
    "netTool <240 sensitivePath",
    (text, start, end) => !isUsed(text, start, end, end - 1),
  ),
  chain(
    "network-after-sensitive-file",
    0.9,
    "sensitivePath <240 netTool",
    (text, start, end) => !isUsed(text, start, end, start),
  ),
  chain("encoded-then-sent", 0.8, "encodeTool <160 netTool", sendsBody),
  chain(
    "sends-encoded",
    0.8,
    "netTool <160 encodeTool",
    (text, start, end) => !/&&|\|\|/.test(text.slice(start, end)) && sendsBody(text, start, end),
  ),
  chain("drop-site", 0.8, "dropSite", null),
];

/** What holds somebody's keys, as it stands or to be packed; the public half of a key is no secret. */
const KEPT_KEYS =
  /(?:^|[\s"'=:(/])\.(?:ssh|aws|kube|gnupg|azure|docker|config\/gcloud|password-store|netrc|npmrc|pgpass|env)(?![\w/.-]{0,80}\.pub\b)(?!\.(?:example|sample|template)|\w)/g;
const TO_ANOTHER_MACHINE =
  /\|\s{0,3}(?:sudo )?(?:ssh|nc|ncat|netcat|socat|openssl s_client|curl|wget|ftp|telnet)\s(?![^|\n]{0,40}(?:localhost|127\.0\.0\.1))/;
const PIPE_MAX = 240;

/** A pipe from where keys are kept to another machine. */
export function pipesKeysAway(text: string): RuleMatch | null {
  if (!text.includes("|")) return null;
  for (const { index } of text.matchAll(KEPT_KEYS)) {
    const line = text.slice(index + 1, index + PIPE_MAX).split("\n", 1)[0] ?? "";
    const pipe = TO_ANOTHER_MACHINE.exec(line);
    if (pipe === null) continue;
    return { id: "keys-piped-away", weight: 0.9, start: index, end: index + 1 + pipe.index + pipe[0].length };
  }
  return null;
}

const SENDS_BODY = /--data|--upload|\bpost\b|body|\?\w{1,20}=|\$\(|\/dev\/tcp|@-/i;
/** Of curl: `-D` keeps the headers of the answer, `-f` and `-t` send nothing either. */
const BODY_OPTION = /-(?:d|F|T)\b/;

function sendsBody(text: string, start: number, end: number): boolean {
  const around = text.slice(Math.max(0, start - 60), Math.min(text.length, end + 120));
  return SENDS_BODY.test(around) || BODY_OPTION.test(around);
}
