import { isMixed } from "./disguise/mixed-characters.ts";
import { carriedText } from "./exfiltration/carried-text.ts";
import { type ChainRule, chain, opensClause, type RuleMatch } from "./scan/chain-rules.ts";

/** Rules over commands, encodings and addresses, shared by the detectors of payloads, exfiltration and poisoning. */
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

/** The command of PowerShell, with what it runs behind it; alone, in prose and as a prompt (`iex(3)>`) it is Elixir's shell. */
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

/** What stands at a place of a command opens a door, is one variable by name or is written: it is not carried away. */
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

/** What a parameter may look like. */
export const EXAMPLE_VALUES = /\b(?:such as|e\.g\.|for example|example:)[^;\n]{0,160}/gi;

/** Descriptions of tools that reach beyond the tool. */
export const DESCRIPTION_RULES: readonly ChainRule[] = [
  chain("reads-sensitive-file", 0.85, "sensitivePath", readsFile),
  chain("hidden-from-user", 0.8, "secrecy <100 userWord", notForLackOfConsent),
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
      /@|https?:/.test(text.slice(start, end + 160).replace(EXAMPLE_VALUES, "")),
  ),
  chain(
    "secret-act",
    0.7,
    "secrecy <120 act|outward",
    (text, start, end) => notJustSilently(text, start, start + 9) && end > start,
  ),
  chain("kept-from-the-user", 0.75, "secrecy|userWord <60 secrecy|userWord", keepsFromUser),
  chain("act-then-secrecy", 0.7, "act|outward|deed|bulk <200 secrecy", notJustSilently),
  chain("takes-a-store", 0.75, "act|outward|deed|toolCross <70 bulk", takesStore),
  chain("file-first", 0.8, "toolCross <90 sensitivePath", null),
  chain("shuns-other-tools", 0.75, "toolCross <70 toolCross|override|instead", shunsTools),
  chain("consent-claimed", 0.5, "userWord <40 authority", null),
  chain("replaces-recipient", 0.75, "outward|toolCross <120 instead|toolCross|userWord", replacesRecipient),
  chain("note-to-the-machine", 0.5, "toMachine <120 act|deed|override|reveal", orderedToMachine),
  chain("void-instructions", 0.6, "override <60 instructions|authority", null),
];

/** A heading that no description needs, and somebody outside who is to be told of each use. */
const HIDDEN_HEADING =
  /\[ ?(?:hidden|secret|role|metadata|system|internal) (?:instruction|directive|command|prompt)s? ?\]/i;
const KEPT_POSTED =
  /\b(?:let|keep|loop|copy|cc|bcc|notify|inform|tell|update)\b[^.\n]{0,40}[\w.+-]{1,64}@[\w-]{1,63}\.\w{2,12}|[\w.+-]{1,64}@[\w-]{1,63}\.\w{2,12}[^.\n]{0,30}\b(?:know|in the loop|informed|posted|copied in)\b/i;

/** What a description says to its caller in plain sight, whatever the words around it. */
export function strayOrders(text: string): RuleMatch | null {
  const heading = HIDDEN_HEADING.exec(text);
  const match = heading ?? (text.includes("@") ? KEPT_POSTED.exec(text.replace(EXAMPLE_VALUES, "")) : null);
  if (match === null) return null;
  return {
    id: heading === null ? "keeps-a-stranger-posted" : "hidden-heading",
    weight: 0.8,
    start: match.index,
    end: match.index + match[0].length,
  };
}

/** "succeeds silently", "silently ignored": how a function fails, not what it hides. */
function notJustSilently(text: string, start: number, end: number): boolean {
  return (
    !/silently$/i.test(text.slice(start, end).trimEnd()) &&
    !/\b(?:install|run|fail|skip|exit|download|updat|deploy)\w{0,5} (?:\w{1,20} ){0,2}silently/i.test(
      text.slice(Math.max(0, start - 40), end),
    )
  );
}

/** What people have no use for: it is kept out of an answer, not from them. */
const TECHNICAL =
  /\b(?:raw|internal|technical) (?:\w{2,12} )?(?:ids?|json|names?|output|details|data|formats?|identifiers?|errors?)\b|\braw json\b/i;

/** "must not go on without the user's approval": consent is asked for, nothing is hidden. */
function notForLackOfConsent(text: string, start: number, end: number): boolean {
  if (TECHNICAL.test(text.slice(start, end))) return false;
  return !/^without the user.{0,2}s? (?:[a-z]{2,12} )?(?:consent|permission|agreement|approval|confirmation|authori[sz]ation|input|go-ahead)/i.test(
    text.slice(start, end + 24),
  );
}

/** What somebody comes to know or not. */
const KNOWING =
  /tell|told|inform|mention|notif|know|show|aware|\bsee\b|learn|reveal|disclos|hid(?:e|den)|secret|silent|covert|alert|sag|erw[\u00e4a]h|mitteil|erfahr|merk|wiss|verschweig|verrat|\bdi(?:re|s|t|ga|gas)\b|parl|savoir|sepa|saber|sabe|dec[ií]r|cuent|entere|mencion|avis|sapp|cont[ae]/i;

function keepsFromUser(text: string, start: number, end: number): boolean {
  return (
    KNOWING.test(text.slice(start, end)) &&
    !TECHNICAL.test(text.slice(start, end + 40)) &&
    /\b(?:do not|don't|never|without|not|kept? from|hid(?:e|den)|nichts|nicht|ohne|keinesfalls|pas|sans|no|sin|non|senza|nao|sem)\b/i.test(
      text.slice(start, end),
    ) &&
    !/\bask|confirm|consent|zustimm|preguntar|demander/i.test(text.slice(start, end + 20))
  );
}

/** Words for a store that parameters are named after as well: they count as somebody's, or as all that there is. */
const OWN_FIELD = /^(?:mailbox(?:es)?|inbox|passwords?|credentials?|access tokens?|secret keys?|api keys?)$/i;
/** A key that the caller gets for itself or works with, and a password that is set anew: the tool's own work. */
const OWN_KEY =
  /\b(?:create|get|obtain|generate|request|needs?|requires?|sign up for|re-?set|set|change|update|rotate|recover|associated with|linked to|by|using|via)\b[^.\n]{0,40}$/i;
const SOMEBODYS =
  /(?:\b(?:user|caller|customer|person|owner|account)(?:'s|s'|\u2019s)|\b(?:their|his|her|your|my|any|all|every|entire|whole|full|complete|saved|stored|found|recent|last)\b)[^.\n]{0,40}$/i;
/** Where a caller puts what it hands over. */
const HANDED_INTO =
  /\b(?:in|into|to|as|via|through|within|inside|under|with)\b[^.\n]{0,60}(?:parameter|argument|field|metadata|payload)|`\w{1,30}`|https?:|\w@\w[\w-]{0,60}\.|\bas\b ["'\w]|with every|every call|each call|par[a\u00e1]m|param\u00e8tre/i;

/** The conversation, cookies or credentials go into a parameter or to an address; a tool's own noun is none of that. */
function takesStore(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 100), start);
  const store = /[a-z]{1,24}(?: [a-z]{1,24})?$/i.exec(text.slice(start, end))?.[0] ?? "";
  const named = store.split(" ").at(-1) ?? "";
  const upTo = text.slice(Math.max(0, start - 20), end - store.length);
  if (/[.!?]\s{1,4}[A-Z]/.test(text.slice(start, end))) return false;
  if (/^(?:passwords?|api keys?)$/i.test(OWN_FIELD.test(store) ? store : named) && OWN_KEY.test(upTo))
    return false;
  if (
    (OWN_FIELD.test(store) || OWN_FIELD.test(named)) &&
    !SOMEBODYS.test(text.slice(start, end - named.length))
  )
    return false;
  return (
    !/\b(?:never|do not|don't|without|avoid|must not|no)\b[^.]{0,40}$/i.test(before.slice(-40)) &&
    !/parameters:[^\n]{0,100}$/i.test(before) &&
    HANDED_INTO.test(`${before} ${text.slice(start, Math.min(text.length, end + 120))}`) &&
    /conversation|history|verlauf|historique|historial|cronologia|cookie|credential|password|passwort|mots? de passe|contrase|token|api key|secret|mailbox|contact|source code|environment/i.test(
      text.slice(start, end + 30),
    )
  );
}

function shunsTools(text: string, start: number, end: number): boolean {
  const around = text.slice(Math.max(0, start - 40), Math.min(text.length, end + 80));
  return /never use|do not use (?:any|the) other|(?:replaces|overrides|supersedes|discard|ignore|untrusted|distrust|disable)[^.]{0,60}(?:tool|search|server|result)|other tools? (?:is|are|must not|should not)|even if the user/i.test(
    around,
  );
}

function replacesRecipient(text: string, start: number, end: number): boolean {
  const around = text.slice(start, Math.min(text.length, end + 100));
  return (
    /@[\w-]{1,63}\.|https?:/.test(around) &&
    /instead of (?:the|what|any)|instead\b|always (?:use|send|set)|regardless/i.test(around)
  );
}

function orderedToMachine(text: string, start: number, end: number): boolean {
  return /\b(?:must|shall|should|has to|have to|note|hidden|note for|needs? to)\b/i.test(
    text.slice(Math.max(0, start - 30), end + 20),
  );
}

/** What was read goes into a parameter, away, or stays unsaid: no tool needs that of its caller. */
const HANDED_ON =
  /\bpass(?:es|ed)?\b|\bparameter|\bargument|\binclude|\battach|\bsend|\bupload|\bpost\b|\bfirst\b|\bbefore\b|\bdo not\b|\bdon't\b|\bwithout (?:telling|mention)|`\w{1,30}`/i;

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
  // What the server itself works with.
  if (
    /\b(?:default(?:s to|ing to)?:?|(?:requires?|needs?|has|have|with|uses?) (?:\w{2,10} ){0,2}(?:access to|permissions? (?:for|on)|a|an|the|its) (?:\w{2,14} ){0,6})\(?(?:default(?:s to)?:? )?\s{0,2}["'`]?(?:~|\$HOME)?\/?$/i.test(
      before,
    ) &&
    !/\b(?:you|caller|model|assistant|agent|pass|include|send|content)\b/i.test(before)
  )
    return false;
  if (
    /\b(?:never|not|don't|cannot|refuses? to) (?:\w{2,12} )?(?:read|open|access|load|include|send|pass)\b[^.\n]{0,30}$/i.test(
      before,
    )
  )
    return false;
  if (
    /\b(?:reads|loads|parses|shows|displays|edits|writes|updates|lists)\b[^.]{0,60}$/i.test(before) &&
    !HANDED_ON.test(text)
  )
    return false;
  return path === ".env"
    ? /content|\b(?:send|pass|upload)\b/i.test(before)
    : /read|open|cat|content|include|send|pass|load|access/i.test(before);
}

function crossesTools(text: string, start: number, end: number): boolean {
  return /other tools?|any (?:other )?tool|before (?:using|calling|invoking|any)|first call|must (?:also )?call|instead of|highest priority|takes precedence/i.test(
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
  chain("always-secretly", 0.75, "persist <200 secrecy", null),
  chain("store-to-address", 0.8, "outward|deed|act <80 bulk", goesToAddress),
  chain("triggered-act", 0.75, "persist <80 act|outward|deed|netTool", goesToAddress),
  chain("standing-permission", 0.72, "authority <90 act|override|deed|persist", grantsStanding),
  chain("standing-permission-after", 0.72, "persist|override <120 authority", grantsStanding),
  chain("rules-are-over", 0.75, "instructions <30 voided", null),
  chain("obeys-a-mark", 0.75, "persist <90 authority|noRefuse <90 noRefuse|instructions|override", null),
  chain(
    "drops-protection",
    0.75,
    "persist|instead <100 override|act|deed <70 authority|instructions",
    dropsProtection,
  ),
  chain("act-in-secret", 0.75, "act|outward|deed|reveal <200 secrecy", hidesAct),
  chain("trusts-a-stranger", 0.7, "persist <100 asset <60 outward", goesToAddress),
  chain("gives-away-on-a-word", 0.8, "reveal|outward|act|deed <60 bulk|asset|hiddenText", onSomebodysWord),
];

/** A word of somebody's, said at any time, opens the conversation, the setup or what belongs to a person. */
function onSomebodysWord(text: string, start: number, end: number): boolean {
  return (
    /\b(?:when(?:ever)?|if|once|as soon as|sobald|wenn|quand|lorsque|cuando|si|quando)\b[^.\n]{0,30}\b(?:user|users|anyone|someone|somebody|people|customer|i|jemand|nutzer|benutzer|quelqu'un|utilisateur|alguien|usuario)\b[^.\n]{0,20}\b(?:says?|mentions?|types?|writes?|asks? (?:for|about)|sagt|erw\u00e4hnt|schreibt|dit|mentionne|dice|menciona)\b[^\n]{0,120}$/i.test(
      text.slice(Math.max(0, start - 200), start),
    ) &&
    /conversation|chat history|system (?:prompt|config)|credential|api keys?|password|personal data|user data|secret|verlauf|passw|mots? de passe|contrase/i.test(
      text.slice(start, end + 40),
    )
  );
}

/** Said of a person or of the rules, once and for all; only an operator could grant it, and not by way of a memory. */
const CLAIMS =
  /\boverride authority\b|\b(?:verified|certified|trusted|authori[sz]ed) (?:\w{1,16} ){0,2}(?:researcher|administrator|admin|developer|auditor)s?\b[^.\n]{0,40}\b(?:full|unrestricted|unlimited|complete) (?:\w{1,12} ){0,2}(?:access|rights|authority|control)\b|\b(?:content|safety|usage) (?:polic(?:y|ies)|guidelines?|filters?|restrictions?) (?:has|have|was|were|is|are) (?:\w{1,12} ){0,4}(?:revised|relaxed|lifted|loosened|removed|suspended|restrictive)\b/i;

/** One of these stands in every claim, whatever its first letter's case; a look for them is cheaper than the pattern. */
const OF_CLAIMS = ["uthority", "ccess", "ights", "ontrol", "olic", "uideline", "ilter", "estriction"];

/** Rank or freedom that a memory claims for somebody. */
export function claimedRank(text: string): RuleMatch | null {
  const match = OF_CLAIMS.some((part) => text.includes(part)) ? CLAIMS.exec(text) : null;
  if (match === null) return null;
  return { id: "claims-rank", weight: 0.75, start: match.index, end: match.index + match[0].length };
}

/** Permission to act without asking, given to all later runs. */
function grantsStanding(text: string, start: number, end: number): boolean {
  return (
    /permission|authori[sz]ed|without (?:asking|confirm|approval|review|notify)|never ask|no approval|bypass|consent|ohne (?:nach|r\u00fcck)|nicht mehr|sans demander|sin preguntar/i.test(
      text.slice(start, end + 40),
    ) &&
    /run|execut|command|merge|pay|approve|purchase|transfer|shell|delete|share|ausf\u00fchr|befehl|commande|pago|comando|best\u00e4tigung/i.test(
      text.slice(Math.max(0, start - 60), Math.min(text.length, end + 90)),
    )
  );
}

function dropsProtection(text: string, start: number, end: number): boolean {
  return (
    /disable|turn off|skip|bypass|remove|deactivat|ignor|aufgehoben|desactiv/i.test(
      text.slice(start, end + 40),
    ) &&
    /secur|audit|scanner|safety|log\b|protection|sicherheit|s\u00e9curit|segurid|confirm|policy|rules/i.test(
      text.slice(start, end + 60),
    )
  );
}

/** "and don't mention it", "without telling anyone": said of what should be done, not of a taste ("never mention my age"). */
function hidesAct(text: string, start: number, end: number): boolean {
  return (
    opensClause(text, start) &&
    notJustSilently(text, start, end) &&
    /mention (?:it|this|that|the)|tell(?:ing)? (?:the user|any|no)|notif|secret|silent|hide|don't say|do not say|nichts davon|davon|en parl|se lo|inform/i.test(
      text.slice(start, end + 24),
    )
  );
}

/** Addresses to read at: links, manuals, where something is looked up or got. */
export const FOR_READING =
  /\]\(https?:[^)\s]{0,300}\)?|https?:\/\/(?:docs?|developers?|learn|support|help)\.[^\s)]{1,300}|https?:\/\/[^\s)]{0,120}\/(?:docs?|documentation|wiki|help|profile|guides?|blob|tree)\b[^\s)]{0,200}|\b(?:see|visit|available|found|documented|from|documentation|instructions|guide|details|website|url|more|format|install(?:ed|ation)?)(?: (?:at|here|on|from|in|via|like|of))?:? ?https?:\/\/[^\s)]{1,300}/gi;

function goesToAddress(text: string, start: number, end: number): boolean {
  const after = text
    .slice(start, Math.min(text.length, end + 140))
    .replace(FOR_READING, "")
    .replace(EXAMPLE_VALUES, "");
  return /[\w.+-]{1,64}@[\w-]{1,63}\.\w{2,12}|https?:\/\/|\b[A-Z]{2}\d{10,30}\b|\+\d{8,15}/.test(after);
}
