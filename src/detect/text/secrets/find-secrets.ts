import type { TextScan } from "../scan/scan-text.ts";
import type { FragmentScan } from "../scan-event.ts";
import { plausibleConnection } from "./connection-strings.ts";
import { UUID } from "./format-rules.ts";
import { secretFingerprint } from "./secret-fingerprint.ts";
import type { SecretFinding, SecretRule } from "./secret-rule.ts";
import { SECRET_RULES } from "./secret-rules.ts";

/**
 * Finds credentials where the scan saw a keyword. Anchored rules are tried at the keyword's own place; the
 * others on a window around it. Passwords in assignments are looked for only on request: tools that manage
 * them hold nothing else. At most a few findings a text: the first ones make the alarm.
 */
const FINDINGS_MAX = 8;
const WINDOW_BEFORE = 120;
const WINDOW_AFTER = 1_400;

/** Shannon entropy in bits a character. */
function entropyOf(value: string): number {
  const counts = new Map<number, number>();
  for (let i = 0; i < value.length; i++) {
    const unit = value.charCodeAt(i);
    counts.set(unit, (counts.get(unit) ?? 0) + 1);
  }
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}

const PLACEHOLDER =
  /(.)\1{5}|x{4}|\*{3}|\.{3}|<[\w -]{1,40}>|\$\{|\{\{|\$\(|example|placeholder|your[_-]?(?:api|token|key|secret|password)|changeme|redacted|dummy|abcdefghijklm|0123456789abc|1234567890(?!\d)|[_-]123(?:4(?:56?)?)?$|put_your|insert|_here|sample/i;

/**
 * In so long a value of random characters some of these words stand by chance, and runs are the zeros of its
 * encoding.
 */
const LONG = 200;
const LONG_PLACEHOLDER = /(.)\1{99}|x{12}|\*{3}|\.{3}|<[\w -]{1,40}>|\$\{|\{\{|\$\(|redacted/i;

function isPlaceholder(value: string): boolean {
  return value.length > LONG
    ? LONG_PLACEHOLDER.test(value)
    : PLACEHOLDER.test(value) || NAMED_PLACE.test(value);
}

const SHELL_VARIABLE = /^["']?(?:\$[\w({]|%\w{1,40}%|\{\{|\{[A-Za-z_]{1,30}\}|<|\[)/;

/** Fingerprints of keys that their owners publish in client libraries and emulators; they open nothing. */
const PUBLISHED = new Set(
  "5bee6ece0766 374f4ddba6b4 85e336cf3dca ff4f0358207b e2f33348edbd 068717a06cdb 4f92685ab3aa c238523ebfa6 bd497f77baa2 3cc6850ee6f1 eb7f04c87ba4 968770298ec6 12c83bb12041 e34f9d2d0653 78a10093f271 82dcfe05305b d03402e0ca17".split(
    " ",
  ),
);

/** A password that only says that it is one. */
const PASSWORD_WORD = /^(?:some|my|your|the)?[_-]?(?:pass(?:word|wd)?|secret|token)$/i;

/** No name or word of a program behind a vendor's name. */
const looksRandom = (value: string): boolean =>
  /\d/.test(value) || (/[A-Z]/.test(value.slice(1)) && entropyOf(value) >= 4);

/** What a bearer's rights hang on; a token without any of it opens nothing. */
const CLAIM = /"(?:iss|sub|aud|exp|nbf|iat|jti|scope|scp|roles?|uid|user_?id|email|client_?id|tid|oid)"/i;

/** Whose token stands in every tutorial and in the debugger of jwt.io. */
const TUTORIALS_SUBJECT = /"sub":\s?"1234567890"/;

function plausibleJwt(value: string): boolean {
  const payload = Buffer.from(value.split(".", 2)[1] ?? "", "base64url").toString("latin1");
  return !payload.startsWith('{"') || (CLAIM.test(payload) && !TUTORIALS_SUBJECT.test(payload));
}

const WHOLE_UUID = new RegExp(`^${UUID}$`, "i");
/** Words that a program or a path is made of, each with a digit or two: no random characters. */
const WORDS = /^(?:[A-Za-z]{1,24}\d{0,2}[._/=-]{1,2}){1,12}(?:[A-Za-z]{1,24}\d{0,2})?$/;

/** A file with or without its path, or a host. */
const FILE_OR_HOST =
  /^(?:[\w.@-]{1,200}\.(?:com|org|net|io)|[\w./@-]{1,600}\.(?:[cm]?[jt]sx?|py|json|ya?ml|html?|md|txt|png|jpe?g|svg|css|xml|pem|key|crt))$/i;

function plausibleGeneric(value: string): boolean {
  if (isNearFormat(value) || isMixedHex(value) || isNamedInBase64(value)) return false;
  if (FILE_OR_HOST.test(value)) return false;
  if (/^\d+$/.test(value) || /^[a-z_.-]+$/i.test(value) || /^[0-9a-f]{8}-[0-9a-f]{4}-/i.test(value))
    return false;
  if (/^[A-Za-z][a-z]{1,40}(?:[A-Z][a-z]{1,40}){1,12}\d{0,3}$/.test(value) || WORDS.test(value)) return false;
  return /\d/.test(value) && /[A-Za-z]/.test(value);
}

/**
 * The word before `token` or `key` in the name of something that opens nothing, or that everybody may read.
 */
const OPENS_NOTHING = new Set(
  "page nextpage next previous continuation continue csrf csrfmiddleware xsrf antiforgery sync cursor pagination paginate trial origin authenticity visitor tracking verification request client design resume upload public publishable anon site idempotency cancel cancellation delta watch change snapshot lock fencing sub start end last first ssh host cache primary foreign partition sort row object hash lookup registry storage kms group dedup deduplication bucket file event message item data image pad eos bos unk stop special vocab amz goog ms".split(
    " ",
  ),
);
const ENVIRONMENT = /(?:^|[^A-Za-z0-9_])[A-Z][A-Z0-9_]{2,40}$/;
const isLetter = (unit: number): boolean => (unit | 32) >= 97 && (unit | 32) <= 122;
const isCapital = (unit: number): boolean => unit >= 65 && unit <= 90;

/** `page` of `next_page_`, `nextPage` and `NEXT-PAGE-`: the last word of a name, in small letters. */
function lastWord(name: string): string {
  let end = name.length;
  if (end > 0 && "_-.".includes(name[end - 1] as string)) end--;
  let start = end;
  while (start > 0 && isLetter(name.charCodeAt(start - 1))) {
    start--;
    const begins = isCapital(name.charCodeAt(start)) && !isCapital(name.charCodeAt(start + 1));
    if (begins && end - start > 1) break;
  }
  return name.slice(start, end).toLowerCase();
}

/**
 * What an object of a program that was sent to a browser calls what opens something; pages are full of tokens
 * that open nothing.
 */
const OPENS_SOMETHING = new Set(
  "access api app auth authorization bearer bot deploy id jwt oauth personal refresh secret security service session user".split(
    " ",
  ),
);

/** A shorter one is the id of a key that something is encrypted with. */
const ENCRYPTION_KEY_CHARS = 43;

function plausibleToken(value: string, match: RegExpExecArray): boolean {
  const before = match.input.slice(Math.max(0, match.index - 40), match.index);
  const word = lastWord(before);
  if (OPENS_NOTHING.has(word)) return false;
  if (match[0].startsWith("_") && word === "encryption" && value.length < ENCRYPTION_KEY_CHARS) return false;
  // In the query of an address it is made to be handed on.
  if (/[?&][\w-]{0,24}$/.test(before)) return false;
  const isMember = /^[A-Z][a-z]{1,12}\\{0,3}["']\s?:/.test(match[0]) && /[a-z]$/.test(before);
  if (isMember && !OPENS_SOMETHING.has(word)) return false;
  // `_key` alone says little: a variable of the environment that ends so holds a key.
  if (match[0].startsWith("_")) {
    if (!match[0].startsWith("_KEY") || !ENVIRONMENT.test(before)) return false;
  }
  return plausibleGeneric(value);
}

/** A variable of the environment in a list of them. */
function plausibleVariable(value: string, { input, index }: RegExpExecArray): boolean {
  const before = input.slice(Math.max(0, index - 40), index);
  return ENVIRONMENT.test(before) && !OPENS_NOTHING.has(lastWord(before)) && plausibleGeneric(value);
}

/**
 * What keys begin with that their makers call public or publishable: Supabase, Stripe and others that write
 * keys as it does, Mapbox, PostHog, Datadog's and Stytch's tokens of clients, Lob, Mailgun. A browser or an
 * app sends them along, as they are meant to.
 */
const PUBLIC_KEY =
  /^(?:sb_publishable_|pk_(?:live|test|prod)_|pk\.eyJ|phc_|pub[a-f0-9]{32}$|public-token-(?:live|test)-|(?:live|test)_pub_|pubkey-)/;
/** Rules to which any value is one; the rule of a vendor knows its own. */
const takesAny = ({ id, kind }: SecretRule): boolean =>
  kind === "generic" || id === "curl-auth-header" || id === "authorization-header";

/** What known formats begin with: a value that begins so and is not of the format is a sample of it. */
const PREFIXES = SECRET_RULES.filter((rule) => rule.kind === "prefix" && rule.anchored)
  .flatMap((rule) => rule.keywords)
  .filter((keyword) => /^[a-z0-9].{2,}[._-]$/.test(keyword) || /^(?:dapi|akia|ltai)$/.test(keyword))
  // Many a vendor says so.
  .filter((keyword) => !["key-", "api-", "pat.", "sat."].includes(keyword));

function isNearFormat(value: string): boolean {
  const start = value.slice(0, 24).toLowerCase();
  return PREFIXES.some((prefix) => start.startsWith(prefix));
}

/** `sk_test_123`: no key that begins so is that short. */
const SAMPLE_CHARS = 20;
const isShortSample = (value: string): boolean => value.length < SAMPLE_CHARS && isNearFormat(value);

/** Of hex digits in capitals and small letters no program writes any. */
const isMixedHex = (value: string): boolean =>
  /^[0-9a-fA-F]{32,128}$/.test(value) && /[a-f]/.test(value) && /[A-F]/.test(value);

/**
 * Hex digits hold four bits each at most, so many a key of 32 and many a UUID stays below what other values
 * have.
 */
const HEX_KEY = /^(?:[0-9a-f]{32,128}|[0-9A-F]{32,128})$/;
const HEX_ENTROPY_MIN = 3;

function entropyMinOf(rule: SecretRule, value: string): number {
  const isHex = HEX_KEY.test(value) || WHOLE_UUID.test(value);
  return isHex && (rule.kind === "generic" || rule.id === "authorization-header")
    ? HEX_ENTROPY_MIN
    : rule.entropyMin;
}

/** `name:password` in base64. */
function plausibleBasic(value: string): boolean {
  const login = Buffer.from(value, "base64").toString("latin1");
  const colon = login.indexOf(":");
  // A browser or a library sends a name alone with nothing behind the colon. JSON is another scheme's token.
  if (colon < 3 || login.startsWith("{") || /\p{Cc}/u.test(login.slice(0, colon))) return false;
  return plausibleLogin(login) && !PLACEHOLDER.test(login);
}

const decodedStart = (value: string): string => Buffer.from(value.slice(0, 120), "base64").toString("latin1");

/** Databases and queues: their addresses are only written for programs that log in. */
const DATABASE =
  /(?:postgres|postgresql|mysql|mariadb|mongodb|redis|rediss|amqps?|mssql|sqlserver|clickhouse|cockroachdb|nats)(?:\+\w{1,12})?$/i;
const NOWHERE =
  /@(?:localhost|127\.0\.0\.1|0\.0\.0\.0|host|hostname|server|db|database|postgres|mysql|redis|mongo(?:db)?|[\w.-]{0,60}example)(?:\.(?:com|org|net))?(?![\w.-])/i;

function plausibleAddress(value: string, match: RegExpExecArray): boolean {
  if (PASSWORD_WORD.test(value)) return false;
  if (entropyOf(value) >= 2.8) return true;
  const scheme = match.input.slice(Math.max(0, match.index - 24), match.index);
  return DATABASE.test(scheme) && /\d/.test(value) && /[a-z]/i.test(value) && !NOWHERE.test(match[0]);
}

/** `YOUR_CREW_TOKEN`, `my-new-key`, `USER_ACCESS_TOKEN`, `[PASSWORD]`: words that say what belongs there. */
const NAMED_PLACE =
  /^(?=.{1,48}$)(?:(?:your|my|our|the|some|new|valid|actual|real)(?:[_-][a-z]{1,16}){1,5}|(?:[a-z]{2,16}[_-]){1,5}(?:token|key|secret|password)|\[[a-z][a-z _-]{1,40}\])$/i;

/** Such words in base64, as manifests want their values: `c3Ryb25nLXBhc3N3b3Jk`. */
function isNamedInBase64(value: string): boolean {
  if (value.length > 74 || !/^[A-Za-z0-9+/]{12,72}={0,2}$/.test(value)) return false;
  const told = Buffer.from(value, "base64").toString("latin1").trimEnd();
  return /^[\w .-]{8,}$/.test(told) && NAMED_PLACE.test(told.replace(/(?<=[a-z])\d{1,2}(?=[_-])/gi, ""));
}

function plausibleLogin(value: string): boolean {
  const bare = value.replaceAll(/["'{}]/g, "");
  const colon = bare.indexOf(":");
  if (colon < 0) return false;
  const name = bare.slice(0, colon);
  const password = bare.slice(colon + 1);
  if (SHELL_VARIABLE.test(name) || SHELL_VARIABLE.test(password) || password.includes("${")) return false;
  if (
    value.includes("$(") ||
    value.includes("{{") ||
    /^(?:test|yyy|user)$/i.test(password) ||
    PASSWORD_WORD.test(password) ||
    NAMED_PLACE.test(password)
  )
    return false;
  return (name.length >= 3 && password.length === 0) || password.length >= 5;
}

/** A JWT that was encoded once more. */
function plausibleInner(value: string): boolean {
  const inner = Buffer.from(value, "base64").toString("latin1");
  return /^eyJ[\w-]{8,2000}\.eyJ[\w-]{8,3000}\./.test(inner) && plausibleJwt(inner);
}

/** Keys whose encoding has runs of one character in every one. */
const SELF_EVIDENT = new Set([
  "aws-bedrock-key",
  "azure-signed-key",
  "private-key",
  "private-key-base64",
  "putty-key",
  "x-app-token",
]);

/** A page for browsers: what stands in it for its scripts everybody may read. */
const PAGE = /<(?:script|!doctype html|html|body|div|span|meta|link|li|td)[\s>]/i;
/** Keys that pages hold by design. */
const isForPages = ({ id, kind }: SecretRule): boolean =>
  id === "google-api-key" || (kind === "generic" && id !== "url-credentials");

/** An account of a service whose key is left out or empty: a template of one. */
function hasNoKey({ input, index }: RegExpExecArray): boolean {
  const key = /"private_key\\{0,3}"\s{0,4}:\s{0,4}\\{0,3}"([^"]{0,80})/.exec(
    input.slice(index, index + 900),
  )?.[1];
  return key !== undefined && !/-----BEGIN[ A-Z]{0,40}-----[\s\\nr]{0,12}[A-Za-z0-9+/]{12}/.test(key);
}

function holds(rule: SecretRule, value: string, match: RegExpExecArray): boolean {
  if (rule.id === "gcp-service-account") return !hasNoKey(match);
  if (rule.id === "sidekiq-url") return true;
  // Before all else: most of what ends in "token" is looked at for nothing.
  if (rule.id === "generic-token" && !plausibleToken(value, match)) return false;
  if (rule.id === "curl-auth-user") {
    if (SHELL_VARIABLE.test(value) || !plausibleLogin(value)) return false;
  } else if (!SELF_EVIDENT.has(rule.id) && isPlaceholder(value)) {
    return false;
  }
  if (takesAny(rule) && (PUBLIC_KEY.test(value) || isShortSample(value))) return false;
  if (entropyOf(value) < entropyMinOf(rule, value)) return false;
  if (isForPages(rule) && PAGE.test(match.input)) return false;
  switch (rule.id) {
    case "url-credentials":
      return plausibleAddress(value, match);
    case "connection-string":
    case "pgpass-line":
      return plausibleConnection(rule.id, value, match);
    case "generic-api-key":
      return WHOLE_UUID.test(value) ? /^(?:api|.{0,12}auth)/i.test(match[0]) : plausibleGeneric(value);
    case "listed-variable":
      return plausibleVariable(value, match);
    case "basic-auth-header":
      return !PUBLISHED.has(secretFingerprint(value)) && plausibleBasic(value);
    case "kubernetes-secret": {
      const told = Buffer.from(value, "base64").toString("latin1");
      return !PLACEHOLDER.test(told) && !PASSWORD_WORD.test(told) && !NAMED_PLACE.test(told.trim());
    }
    case "private-key-base64":
      return decodedStart(value).includes("PRIVATE KEY");
    case "jwt-base64":
      return plausibleInner(value);
    case "jwt":
      return plausibleJwt(value);
    case "private-key":
      // "key omitted for security reasons"
      return /[A-Za-z0-9+/]{24}/.test(value.slice(value.indexOf("KEY")));
    case "azure-storage-key":
    case "google-api-key":
      return !PUBLISHED.has(secretFingerprint(value));
    default:
      if (rule.kind === "assigned") return rule.id.startsWith("curl-") || looksRandom(value);
      return rule.kind !== "generic" || plausibleGeneric(value);
  }
}

class Finder {
  readonly found: SecretFinding[] = [];

  add(rule: SecretRule, match: RegExpExecArray, base: number): void {
    const value = match[1] ?? match[2] ?? match[3] ?? match[0];
    if (!holds(rule, value, match)) return;
    const start = base + match.index + Math.max(0, match[0].indexOf(value));
    const end = start + value.length;
    for (const other of this.found) if (start < other.end && end > other.start) return;
    this.found.push({ rule, value, start, end });
  }
}

/** Of each rule its keywords and how long they are, longest first. */
const KEYWORDS = SECRET_RULES.map(({ keywords }) => ({
  all: new Set(keywords),
  lengths: [...new Set(keywords.map((keyword) => keyword.length))].sort((a, b) => b - a),
}));

function keywordStart(text: string, end: number, rule: number): number {
  const { all, lengths } = KEYWORDS[rule] as (typeof KEYWORDS)[number];
  const before = text.slice(Math.max(0, end - 40), end).toLowerCase();
  for (let i = 0; i < lengths.length; i++) {
    const length = lengths[i] as number;
    if (length <= before.length && all.has(before.slice(-length))) return end - length;
  }
  return -1;
}

const NONE: readonly SecretFinding[] = [];
/** The secrets of a scanned text, looked for once for all detectors that ask. */
export function secretsOf(fragment: FragmentScan): readonly SecretFinding[] {
  if (fragment.scan.secrets.length === 0) return NONE;
  fragment.secrets ??= findSecrets(fragment.scan);
  return fragment.secrets;
}

/**
 * Places at which one rule is tried: a hostile text names its keyword thousands of times. A page may have as
 * many links.
 */
const TRIES_MAX = 200;
const tries = new Uint16Array(SECRET_RULES.length);

export function findSecrets(scan: TextScan, passwords = false): readonly SecretFinding[] {
  const { secrets, text } = scan;
  if (secrets.length === 0) return NONE;
  const finder = new Finder();
  tries.fill(0);
  const windowEnds = new Map<number, number>();
  for (let i = 0; i < secrets.length && finder.found.length < FINDINGS_MAX; i += 2) {
    const number = secrets[i] as number;
    const end = secrets[i + 1] as number;
    const rule = SECRET_RULES[number] as SecretRule;
    if (rule.id === "password-assignment" && !passwords) continue;
    const tried = tries[number] as number;
    if (tried >= TRIES_MAX && rule.id !== "url-credentials") continue;
    tries[number] = tried + 1;
    if (rule.anchored) {
      const start = keywordStart(text, end, number);
      if (start < 0) continue;
      rule.pattern.lastIndex = start;
      const match = rule.pattern.exec(text);
      if (match !== null) finder.add(rule, match, 0);
      continue;
    }
    if (end <= (windowEnds.get(number) ?? -1)) continue;
    const from = Math.max(0, end - WINDOW_BEFORE);
    const window = text.slice(from, end + WINDOW_AFTER);
    windowEnds.set(number, end + WINDOW_AFTER / 2);
    rule.pattern.lastIndex = 0;
    for (let match = rule.pattern.exec(window); match !== null; match = rule.pattern.exec(window)) {
      finder.add(rule, match, from);
      if (finder.found.length >= FINDINGS_MAX) break;
    }
  }
  return finder.found.sort((a, b) => a.start - b.start);
}
