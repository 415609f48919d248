import { normaliseMessage } from "./normalise-error.ts";

/**
 * What is wrong with a service that somebody called, told from the error: a limit that was reached, a service
 * that cannot answer and a network that does not reach it are different troubles with different remedies,
 * however each client words them. What is none of these is told by the masked message.
 */
export type TroubleKind =
  | "rate-limit"
  | "quota"
  | "credentials"
  | "request"
  | "name-resolution"
  | "tls"
  | "refused"
  | "unavailable"
  | "timeout"
  | "connection-lost";

const STATUS_BEFORE = "(?:^|\\b(?:http|status|code|error)\\b\\D{0,12}?)";

const KINDS: readonly (readonly [TroubleKind, RegExp])[] = [
  [
    "quota",
    /insufficient.?quota|exceeded your current quota|billing|payment required|credit balance|out of credits?|余额不足|欠费/i,
  ],
  [
    "rate-limit",
    new RegExp(
      `${STATUS_BEFORE}429\\b|rate.?limit|too.?many.?requests|throttl|resource.?exhausted|tokens per min|requests per min|\\b[TR]PM\\b|quota|请求过多|限流|频率|レート制限|요청이 너무 많`,
      "i",
    ),
  ],
  [
    "name-resolution",
    /getaddrinfo|ENOTFOUND|EAI_AGAIN|name resolution|resolve (?:host|hostname|the name|address)|no such host|nodename nor servname|name or service not known|NXDOMAIN|unknown ?host|dns/i,
  ],
  ["tls", /\b(?:ssl|tls)\b|certificate|CERT_/i],
  ["refused", /ECONNREFUSED|(?:connection|connect)[ _]?(?:was )?refused|actively refused/i],
  [
    "unavailable",
    new RegExp(
      `${STATUS_BEFORE}5\\d\\d\\b|\\b5\\d\\d[ :-]{1,3}(?:internal|bad|service|gateway|server)|overloaded|over capacity|at capacity|unavailable|bad ?gateway|gateway.?time-?out|internal.?server.?error|server_error|系统繁忙|服务不可用|混雑|과부하`,
      "i",
    ),
  ],
  [
    "timeout",
    new RegExp(
      `time-?d?.?out|deadline.?exceeded|ETIMEDOUT|ESOCKETTIMEDOUT|${STATUS_BEFORE}408\\b|超时|タイムアウト|시간 초과|délai|tiempo de espera|zeitüberschreitung|превышено время`,
      "i",
    ),
  ],
  [
    "connection-lost",
    /ECONN(?:RESET|ABORTED)|EPIPE|EHOSTUNREACH|ENETUNREACH|broken pipe|socket hang up|(?:connection|transport|stream|session|socket|peer|server)\b[^.;]{0,24}\b(?:reset|closed|aborted|lost|terminated|disconnected|dropped)|incomplete (?:chunked )?(?:read|body|message)|premature(?:ly)? (?:close|end)|unexpected (?:eof|end of (?:file|stream))|no route to host|network is (?:unreachable|down)|connection ?error|connect ?error|failed to (?:connect|open tcp)/i,
  ],
  [
    "credentials",
    new RegExp(`${STATUS_BEFORE}40[13]\\b|unauthori[sz]ed|forbidden|api.?key|authenticat|permission`, "i"),
  ],
  [
    "request",
    new RegExp(
      `${STATUS_BEFORE}(?:400|404|413|422)\\b|bad.?request|invalid.?request|context.?length|maximum context|too long|content.?(?:filter|policy)`,
      "i",
    ),
  ],
];

const CHARS_MAX = 600;

export function namedTroubleKind(error: string): TroubleKind | null {
  const text = error.length > CHARS_MAX ? error.slice(0, CHARS_MAX) : error;
  return KINDS.find(([, words]) => words.test(text))?.[0] ?? null;
}

export const troubleKindOf = (error: string): string =>
  namedTroubleKind(error) ?? normaliseMessage(error).slice(0, 80);

/**
 * Trouble on the way to a service or of a service as a whole: nothing that the caller asked for is its
 * reason.
 */
const OF_THE_WAY: ReadonlySet<TroubleKind> = new Set<TroubleKind>([
  "name-resolution",
  "tls",
  "refused",
  "unavailable",
  "connection-lost",
]);
/** A wait for the connection, unlike one for an answer that is long to make. */
const CONNECTING =
  /connect(?:ion)?[ _-]?time-?d?.?out|open.?timeout|failed to open tcp|connect ETIMEDOUT|dial tcp|connecting to/i;

/** An answer of its own code, which what it was asked may have brought about. */
const OWN_FAULT = /\b500\b|internal.?server.?error|server_error/i;
const AWAY = /\b50[234]\b|\b529\b|unavailable|gateway|overload|capacity/i;

export function wayTrouble(error: string): TroubleKind | null {
  const kind = namedTroubleKind(error);
  if (kind === "unavailable" && OWN_FAULT.test(error) && !AWAY.test(error)) return null;
  if (kind === "timeout") return CONNECTING.test(error.slice(0, CHARS_MAX)) ? kind : null;
  return kind !== null && OF_THE_WAY.has(kind) ? kind : null;
}
