import type { SecretRule } from "./secret-rule.ts";

/**
 * Passwords in what a program opens a database with: fields with semicolons between (ADO, ODBC), the query of
 * a JDBC address, libpq's fields with spaces between, and the lines of a `.pgpass`. The fields around it say
 * what it is; a password that a manual or a trial has is none.
 */
export const CONNECTION_STRINGS: readonly SecretRule[] = [
  {
    id: "connection-string",
    keywords: ["password=", "password =", "pwd=", "pwd ="],
    // In quotes or braces it may hold what ends it else.
    pattern:
      /(?<![\w.-])(?:password|pwd) ?= ?(?:'([^'\n]{8,100})'|\{([^{}\n]{8,100})\}|([^\s;"'<>&(){}[\],\\]{8,100})(?=[;"'\s&<\\]|$))/iy,
    anchored: true,
    entropyMin: 2.8,
    kind: "generic",
  },
  {
    id: "pgpass-line",
    keywords: [":5432:", ":5433:", ":6432:"],
    pattern:
      /(?<=^|[\s"'])[\w.*-]{1,100}:(?:543[23]|6432):[\w*.-]{1,63}:[\w*.@-]{1,63}:([^\s:"'<>]{8,100})(?=[\s"'\\]|$)/g,
    anchored: false,
    entropyMin: 2.8,
    kind: "generic",
  },
];

/**
 * What manuals and trials have for a password, and names of variables; letters that signs stand for are read
 * as letters too.
 */
const COMMON =
  /pass|pwd|secret|change|admin|your|example|test|user|demo|qwert|letmein|welcome|123456|hunter|fake|dummy|sample|token|env\b|config|vault|hardcoded|strong|\$\{|\{\{|^[$%@#:]\w/i;
const SIGNS: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "l",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "@": "a",
  $: "s",
};
/** Names, and a word with a number behind it. */
const WORDS = /^(?:[A-Za-z][a-z]{1,40}[._-]?){1,8}\d{0,4}$/;
const KINDS = [/[a-z]/, /[A-Z]/, /\d/, /[^\w.-]/];
const KINDS_MIN = 3;
/** Of letters and digits alone they change that often where nobody made it up. */
const CHANGES_MIN = 3;

function isStrongPassword(value: string): boolean {
  const read = value.replace(/[013457@$]/g, (sign) => SIGNS[sign] as string);
  if (COMMON.test(value) || COMMON.test(read) || WORDS.test(value)) return false;
  if (KINDS.filter((kind) => kind.test(value)).length >= KINDS_MIN) return true;
  return (value.match(/[a-z]\d|\d[a-z]/gi)?.length ?? 0) >= CHANGES_MIN;
}

const AROUND = 300;
const field = (names: string): RegExp => new RegExp(`(?:^|[\\s;"'?&>{])(?:${names}) ?= ?[^\\s=;&]`, "i");
const PLACE = field("server|data source|host|hostname|hostaddr|address|addr|network address");
const OWNER = field("user ?id|uid|user|user ?name|database|initial catalog|dbname");
/** In the query of an address, of a database alone: pages are sent passwords so, too. */
const QUERY = /[?&]$/;
const DATABASE_QUERY =
  /(?:jdbc:[\w:]{2,40}|\b(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|sqlserver|clickhouse):)\/\/[^\s"'<>]{1,280}$/i;
const JDBC = /jdbc:[\w:]{2,40}(?:\/\/|@)[^\s"'<>]{1,280}$/i;

/** Fields of the same line say where to, and as whom or for what. */
function isOfDatabase(text: string, start: number, end: number): boolean {
  const before = text
    .slice(Math.max(0, start - AROUND), start)
    .split("\n")
    .at(-1) as string;
  if (QUERY.test(before)) return DATABASE_QUERY.test(before);
  if (JDBC.test(before)) return true;
  const line = `${before} ${text.slice(end, end + AROUND).split("\n", 1)[0]}`;
  return PLACE.test(line) && OWNER.test(line);
}

export function plausibleConnection(id: string, value: string, match: RegExpExecArray): boolean {
  if (!isStrongPassword(value)) return false;
  const end = match.index + match[0].length;
  return id === "pgpass-line" || isOfDatabase(match.input, match.index, end);
}
