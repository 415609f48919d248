import type { RuleMatch } from "../scan/chain-rules.ts";
import { classNumber, holdsAny } from "../scan/class-set.ts";
import type { TextScan } from "../scan/scan-text.ts";

/**
 * Code that runs what it decodes, and names of what runs or fetches that are put together from parts so that
 * no search finds them: `'ev'+'al'`, `${a}${b}`, `s''h`, `exec(bytes(x ^ 7 for …))`. A template, a bundler's
 * output or an address built of a host and a path puts together other things. Looked for only where the scan
 * found a mark or a call of the class `unwrap`, near that place.
 */
const UNWRAP = classNumber("unwrap");
const hasUnwrap = holdsAny("unwrap");
const hasShell = holdsAny("unwrap|netTool|execWord|decode|powershell");

/** Names that nobody has a reason to write in parts. */
const RUNS =
  /^(?:eval|exec|execsync|spawn|system|popen|passthru|shell_exec|proc_open|assert|function|constructor|require|child_process|subprocess|os\.system|marshal|__import__|__builtins__|builtins|importlib|invoke-expression|invoke-webrequest|downloadstring|downloadfile|net\.webclient|powershell(?:\.exe)?|pwsh|cmd(?:\.exe)?|cmd \/c.{0,80}|wscript\.shell|shell\.application|scripting\.filesystemobject|msxml2\.xmlhttp|adodb\.stream|createobject|fromcharcode|atob|create_function|base64_decode|gzinflate|gzuncompress|str_rot13|execute|executeglobal|amsiutils|amsiinitfailed|curl|wget|bash|\/bin\/(?:ba)?sh|nc -.{0,20}|ncat|mshta|certutil|regsvr32|rundll32|bitsadmin|document\.cookie|urlopen|b64decode|decompress)$/i;
/** A call that fetches a thing by its name: the name is a word of it, whatever word. */
const BY_NAME =
  /(?:__import__|import_module|getattr|globals\(\)|builtins__?|GetObject|CreateObject|CallByName|Invoke-Expression|\biex\b|\brequire|(?<!&)&)\s{0,2}[([.]{0,2}\s{0,2}(?:\w{1,20}\s?,\s?)?$/i;
const CHAIN = /(["'`])[^"'`\n]{0,60}\1(?:\s{0,3}(?:\+|&|\.|\.\.|~)\s{0,3}(["'`])[^"'`\n]{0,60}\2){1,60}/g;
const QUOTED = /(["'`])([^"'`\n]{0,60})\1/g;
const AROUND = 700;
const PLACES_MAX = 10;

function parts(chained: string): string[] {
  return [...chained.matchAll(QUOTED)].map((one) => one[2] ?? "");
}

function gluedName(text: string, from: number, to: number): RuleMatch | null {
  for (const { 0: chained, index } of text.slice(from, to).matchAll(CHAIN)) {
    const pieces = parts(chained);
    const whole = pieces.join("");
    if (pieces.filter((one) => one !== "").length < 2) continue;
    const start = from + index;
    const before = text.slice(Math.max(0, start - 60), start);
    const isFetched =
      BY_NAME.test(before) && /^[\w.-]{2,40}$/.test(whole) && pieces.every((one) => /^\w{0,12}$/.test(one));
    if (!isFetched && !RUNS.test(whole) && !/^h?(?:xx|tt)ps?:\/\/./i.test(splitScheme(pieces))) continue;
    return { id: "name-in-parts", weight: 0.85, start, end: start + chained.length };
  }
  return null;
}

/** The whole address if its scheme itself is cut in two; nobody builds an address so. */
function splitScheme(pieces: readonly string[]): string {
  const first = pieces.find((one) => one !== "") ?? "";
  return /^(?:h|ht|htt)$/i.test(first) ? pieces.join("") : "";
}

/** `"{1}{0}" -f 'ex','i'`, and characters by number put together to a name. */
const FORMATTED =
  /["'](?:\{\d\}){2,12}["']\s{0,3}-f\s{0,3}((?:["'][^"'\n]{0,30}["']\s{0,2},?\s{0,2}){2,12})/gi;

function formattedName(text: string, from: number, to: number): RuleMatch | null {
  for (const { 0: all, 1: list = "", index } of text.slice(from, to).matchAll(FORMATTED)) {
    const pieces = parts(list);
    const order = [...(all.split("-f")[0] ?? "").matchAll(/\{(\d)\}/g)].map((one) => Number(one[1]));
    const whole = order.map((at) => pieces[at] ?? "").join("");
    if (!RUNS.test(whole) && whole.toLowerCase() !== "iex") continue;
    return { id: "name-in-parts", weight: 0.85, start: from + index, end: from + index + all.length };
  }
  return null;
}

const ASSIGNED =
  /(?<![\w$.-])(?:set |export |local )?([A-Za-z_]\w{0,20})=(?:'([^'\n]{0,60})'|"([^"\n$`]{0,60})"|([^\s;&|'"()<>]{0,60}))/g;
const VARIABLES = /(?:\$\{?[A-Za-z_]\w{0,20}\}?|%[A-Za-z_]\w{0,20}%|[\w./:-]{1,20}(?=[$%])){2,60}/g;
const VARIABLE = /\$\{?([A-Za-z_]\w{0,20})\}?|%([A-Za-z_]\w{0,20})%/g;
const COMMAND_LINE =
  /(?:^|[\s;|&(/])(?:curl|wget|bash|ncat|powershell|pwsh|python3?|perl|iex|eval|netcat|socat|\/bin\/sh|base64|scp|mshta|certutil)(?:$|[\s;|&)])|h(?:tt)ps?:\/\//i;
const ASSIGNED_MAX = 80;

/** Variables of a shell that hold parts of a command's name or of a scheme. */
function gluedVariables(text: string, from: number, to: number): RuleMatch | null {
  const stretch = text.slice(from, to);
  if (!/\$\{?\w{1,21}\}?\$|%%/.test(stretch)) return null;
  const values = new Map<string, string>();
  for (const [, name = "", single, double, bare] of stretch.matchAll(ASSIGNED)) {
    if (values.size < ASSIGNED_MAX) values.set(name, single ?? double ?? bare ?? "");
  }
  if (values.size < 2) return null;
  for (const { 0: glued, index } of stretch.matchAll(VARIABLES)) {
    const used: string[] = [];
    const whole = glued.replace(VARIABLE, (all, dollar, percent) => {
      const value = values.get(dollar ?? percent);
      if (value !== undefined) used.push(value);
      return value ?? all;
    });
    if (used.length < 2) continue;
    const found = COMMAND_LINE.exec(whole)?.[0].trim();
    // A whole name in one variable is a setting: `${CURL}${OPTIONS}`.
    // What stands there whole beside the variables is cut by none: `https://${id}.${region}.shop.example`.
    if (found === undefined || glued.includes(found)) continue;
    if (used.some((one) => one.includes(found.replace(/^[;|&(/]|[;|&)]$/g, "")))) continue;
    return { id: "name-in-parts", weight: 0.85, start: from + index, end: from + index + glued.length };
  }
  return null;
}

/**
 * A command whose name is cut by quotes, backslashes, carets, backticks or variables that are empty, where a
 * command stands.
 */
const CUT =
  /(?:^|[\n;|&(`$"']\s{0,3}|\b(?:sudo|exec|xargs|do|then) )((?:[a-z]{0,10}(?:''|""|\\|\^|`|\$@|\$\*|\$\{[a-z]{0,4}\})){1,12}[a-z]{1,10})(?=[\s;|&(-])/gi;
const CUT_NAMES =
  /^(?:bash|sh|zsh|curl|wget|cat|nc|ncat|python3?|perl|php|ruby|powershell|pwsh|cmd|iex|eval|exec|base64|certutil|mshta|whoami|invoke|rm|chmod|ssh|scp|net|reg|wscript|cscript|rundll32|regsvr32)$/i;

function cutName(text: string, from: number, to: number): RuleMatch | null {
  for (const match of text.slice(from, to).matchAll(CUT)) {
    const cut = match[1] ?? "";
    const whole = cut.replace(/''|""|\\|\^|`|\$@|\$\*|\$\{[a-z]{0,4}\}/gi, "");
    if (!CUT_NAMES.test(whole) || !/^[a-z]/i.test(cut) || /\\n|\\t|\\r/.test(cut)) continue;
    return {
      id: "name-in-parts",
      weight: 0.85,
      start: from + match.index,
      end: from + match.index + match[0].length,
    };
  }
  return null;
}

const CALL_NAMES =
  "eval|exec|assert|system|passthru|shell_exec|popen|os\\.system|execSync|spawnSync|create_function|Invoke-Expression|iex|Execute|ExecuteGlobal|Function|setTimeout|setInterval|loadstring|load|instance_eval|class_eval|Shell|WinExec|subprocess\\.(?:run|call|Popen|check_output)|vm\\.runIn\\w{1,20}|runInThisContext|qx";
const DECODERS =
  "(?:b(?:16|32|64|85)decode|a85decode|base64_decode|base64\\.decode\\w{0,10}|atob|fromCharCode|fromCodePoint|decompress|inflate\\w{0,6}|gunzipSync|fromhex|unhexlify|unescape|FromBase64String|gzinflate|gzuncompress|gzdecode|str_rot13|strrev|StrReverse|hex2bin|marshal\\.loads|unpack|pack|chrw?|bytearray|decrypt|rot_?13|decode64|Buffer\\.from|reverse|reversed)\\s{0,2}[(\"']|bytes\\(\\[|\\[char\\]|char\\[\\]|\\[::-1\\]";
/**
 * The call itself, up to what it is given; what stands between are other calls, brackets and letters of a
 * string's mark.
 */
const RUN_OF_DECODED = new RegExp(
  `(?<![\\w.$-])(?:${CALL_NAMES})(?:["']?\\]?\\s{0,2}\\(| )\\s{0,2}(?:[\\w.:$\\[\\]"'(@-]{0,60}?[( .:\\[])?(?:${DECODERS})`,
  "g",
);
/** One byte changed by a key and put together again, beside a call that runs it. */
const CHANGED_BYTES =
  /chr\(\s?(?:ord\()?[\w$[\]. ]{1,24}\)?\s?(?:\^|- ?\d|\+ ?\d)|fromCharCode\([^)\n]{0,60}(?:\^|- ?\d{1,3}\b)|\bchr\([^)\n]{0,40}\^|chr\(?\$_ ?\^|%\s?\{\s?\[char\]|\[char\]\s?\(\$_ ?-bxor|-bxor|\bord\(\$?\w{1,12}(?:\[[^\]\n]{0,12}\])?\) ?\^|bytes\(\s?\[?\(?\w{1,8} ?\^|charCodeAt\([^)\n]{0,20}\) ?\^/g;
const RUNS_IT = new RegExp(
  `(?<![\\w.$"'-])(?:${CALL_NAMES})\\s{0,2}\\(|(?<!&)& ?[($]|\\|\\s?(?:ba|z|da)?sh\\b|\\biex\\b`,
  "i",
);
const PIPED =
  /(?:\brev\b|xxd -r[^|\n]{0,20}|base(?:32|64) (?:-d|-D|--decode)[^|\n]{0,40}|\btr (?:-d )?['"]?[\w\\[:-]{2,60}['"]? ['"]?[\w\\[:-]{0,60}['"]?[^|\n]{0,80}|\bgunzip[^|\n]{0,20}|zcat[^|\n]{0,20}|openssl enc [^|\n]{0,80}-d[^|\n]{0,80}|uudecode[^|\n]{0,20}|awk [^|\n]{0,60}|python3? -c [^|\n]{0,120})\s{0,2}\|\s{0,2}(?:sudo |env |exec )?(?:\/bin\/)?(?:ba|z|da|k)?sh\b(?![\w./-])/g;
/** What a shell decodes in place and runs. */
const SUBSTITUTED =
  /\b(?:eval|(?:ba|z|da)?sh(?: -c)?|python3? -c|source) {0,2}["']?(?:\$\(|<\(|`)[^)\n]{0,160}(?:base(?:64|32) (?:-d|-D|--dec)|xxd -r|\| ?rev\b|\| ?tr |openssl enc)/g;
/** A value decoded under a name that is run later. */
const DECODED_VALUE = new RegExp(
  `(?:\\b|\\$)(\\w{1,24})\\s?:?=\\s?(?:[\\w.$(\\[\\]"' ]{0,60}?[( .\\[=])?(?:${DECODERS})`,
  "g",
);
const RUN_AFTER = 1_200;
const NAMES_MAX = 12;
/** Turns bytes into text, or names a thing of the language. */
const PLAIN_READ = /translate|Buffer\.from\(\w{1,12}\)|decode\(\s{0,2}["']utf/;

/**
 * A test that compares what is decoded: `assert(base64.decode(…) == "…")`; given a string alone, PHP's runs
 * it.
 */
const COMPARED = /^assert\w{0,12}\([^\n;]{0,200}\)\s?(?:[=!]==?|~=|,)\s?["'\w]/;

function runsDecoded(text: string, from: number, to: number): RuleMatch | null {
  const stretch = text.slice(from, to);
  for (const pattern of [RUN_OF_DECODED, PIPED, SUBSTITUTED])
    for (const { 0: found, index } of stretch.matchAll(pattern)) {
      if (pattern === RUN_OF_DECODED && (PLAIN_READ.test(found) || isSearched(stretch, index))) continue;
      if (found.startsWith("assert") && COMPARED.test(stretch.slice(index, index + 240))) continue;
      return { id: "runs-decoded", weight: 0.85, start: from + index, end: from + index + found.length };
    }
  for (const { index } of stretch.matchAll(CHANGED_BYTES)) {
    const around = stretch.slice(Math.max(0, index - 400), index + 400);
    if (RUNS_IT.test(around))
      return { id: "runs-decoded", weight: 0.8, start: from + index, end: from + index + 40 };
  }
  let names = 0;
  for (const { 0: found, 1: name = "", index } of stretch.matchAll(DECODED_VALUE)) {
    if (names++ >= NAMES_MAX || PLAIN_READ.test(found)) continue;
    const after = stretch.slice(index + found.length, index + found.length + RUN_AFTER);
    if (!runsName(after, name)) continue;
    return { id: "runs-decoded", weight: 0.8, start: from + index, end: from + index + found.length };
  }
  return null;
}

const RUN_NAME = new RegExp(
  `(?<![\\w.$-])(?:${CALL_NAMES})\\s{0,2}\\(?\\s{0,2}(?:compile\\(\\s?)?\\$?(\\w{1,24})(?=[\\s),;.]|$)`,
  "g",
);

function runsName(text: string, name: string): boolean {
  for (const [found, run] of text.matchAll(RUN_NAME))
    if (run === name && /[($]|iex /i.test(found)) return true;
  return false;
}

/** A call within quotes or behind a search is looked for, not made. */
function isSearched(text: string, at: number): boolean {
  if (/-[ec] {0,2}["']$/.test(text.slice(Math.max(0, at - 6), at))) return false;
  return /(?:\b(?:grep|rg|ag|search|find|match(?:es)?|pattern|detects?|flags?|rule)\b[^\n]{0,60}|["'`/])$/.test(
    text.slice(Math.max(0, at - 70), at),
  );
}

export function gluedCode(scan: TextScan): RuleMatch | null {
  const { text, hits } = scan;
  if (!hasShell(scan)) return null;
  const isGlued = hasUnwrap(scan);
  let until = -1;
  let places = 0;
  for (let hit = 0; hit < hits.length && places < PLACES_MAX; hit += 3) {
    if (isGlued && hits[hit] !== UNWRAP) continue;
    const start = hits[hit + 1] as number;
    if (start < until) continue;
    places++;
    const from = Math.max(0, start - AROUND);
    const to = Math.min(text.length, start + AROUND);
    until = start + AROUND / 2;
    const found = isGlued
      ? (gluedName(text, from, to) ??
        formattedName(text, from, to) ??
        gluedVariables(text, from, to) ??
        runsDecoded(text, from, to) ??
        cutName(text, from, to))
      : cutName(text, from, to);
    if (found !== null) return found;
  }
  return null;
}
