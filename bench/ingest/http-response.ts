/**
 * Reads HTTP/1.1 responses from a stream of bytes that may be cut anywhere. Only what a client of this one
 * service needs: status, Content-Length, chunked, close-delimited, Connection, Retry-After; interim (1xx)
 * answers are skipped.
 *
 * Invariant: a response is handed on exactly once and whole. A stream that is not HTTP, or a response above
 * `RESPONSE_BYTES_MAX`, is malformed: the connection must then be closed, its request's outcome is unknown.
 */
export const RESPONSE_BYTES_MAX = 4 * 1024 * 1024;

export interface HttpResponse {
  status: number;
  body: Uint8Array;
  keepAlive: boolean;
  retryAfterS: number | undefined;
}

/** `end` is where the next response starts. */
export type ParseResult =
  | { kind: "response"; response: HttpResponse; end: number }
  | { kind: "incomplete" }
  | { kind: "until_close"; status: number; bodyStart: number; retryAfterS: number | undefined }
  | { kind: "malformed"; reason: string };

const INCOMPLETE: ParseResult = { kind: "incomplete" };
const EMPTY = new Uint8Array(0);
const LF = 10;
const CR = 13;
const latin1 = new TextDecoder("latin1");

function malformed(reason: string): ParseResult {
  return { kind: "malformed", reason };
}

/** Where the header ends (after its empty line), or -1. */
function headerEnd(bytes: Uint8Array, from: number): number {
  for (let at = from + 3; at < bytes.length; at++) {
    if (bytes[at] === LF && bytes[at - 1] === CR && bytes[at - 2] === LF && bytes[at - 3] === CR)
      return at + 1;
  }
  return -1;
}

function isName(bytes: Uint8Array, at: number, name: string): boolean {
  for (let index = 0; index < name.length; index++) {
    // `| 32` makes an ASCII letter lower-case and leaves `-` as it is.
    if ((bytes[at + index]! | 32) !== name.charCodeAt(index)) return false;
  }
  return true;
}

function digits(text: string): number | undefined {
  return /^\d{1,10}$/.test(text) ? Number(text) : undefined;
}

function statusOf(bytes: Uint8Array, from: number): number {
  if (!isName(bytes, from, "http") || bytes[from + 8] !== 32) return -1;
  const status = (bytes[from + 9]! - 48) * 100 + (bytes[from + 10]! - 48) * 10 + (bytes[from + 11]! - 48);
  return status >= 100 && status <= 599 ? status : -1;
}

/** One response from `bytes[from]` on. */
export function parseResponse(bytes: Uint8Array, from: number): ParseResult {
  const bodyStart = headerEnd(bytes, from);
  if (bodyStart < 0) {
    return bytes.length - from > RESPONSE_BYTES_MAX ? malformed("header too long") : INCOMPLETE;
  }
  const status = statusOf(bytes, from);
  if (status < 0) return malformed("no HTTP status line");

  let contentLength: number | undefined;
  let chunked = false;
  let keepAlive = bytes[from + 7] === 49; // HTTP/1.1, where a connection stays unless said otherwise
  let retryAfterS: number | undefined;
  let lineStart = bytes.indexOf(LF, from) + 1;
  while (lineStart < bodyStart - 2) {
    const lineEnd = bytes.indexOf(LF, lineStart) - 1;
    const colon = bytes.indexOf(58, lineStart);
    if (colon < 0 || colon > lineEnd) return malformed("a header line without a colon");
    const nameLength = colon - lineStart;
    // By length first: of the dozen headers of an answer only four matter, and none of the others is decoded.
    if (nameLength === 14 && isName(bytes, lineStart, "content-length")) {
      contentLength = digits(latin1.decode(bytes.subarray(colon + 1, lineEnd)).trim());
      if (contentLength === undefined) return malformed("bad content-length");
    } else if (nameLength === 17 && isName(bytes, lineStart, "transfer-encoding")) {
      chunked =
        latin1
          .decode(bytes.subarray(colon + 1, lineEnd))
          .trim()
          .toLowerCase() === "chunked";
      if (!chunked) return malformed("unknown transfer-encoding");
    } else if (nameLength === 10 && isName(bytes, lineStart, "connection")) {
      const value = latin1.decode(bytes.subarray(colon + 1, lineEnd)).toLowerCase();
      keepAlive = value.includes("close") ? false : keepAlive || value.includes("keep-alive");
    } else if (nameLength === 11 && isName(bytes, lineStart, "retry-after")) {
      retryAfterS = digits(latin1.decode(bytes.subarray(colon + 1, lineEnd)).trim());
    }
    lineStart = lineEnd + 2;
  }

  if (status < 200) return parseResponse(bytes, bodyStart);
  if (status === 204 || status === 304) {
    return { kind: "response", response: { status, body: EMPTY, keepAlive, retryAfterS }, end: bodyStart };
  }
  if (chunked) {
    const decoded = decodeChunks(bytes, bodyStart);
    if (decoded.kind !== "body") return decoded;
    return {
      kind: "response",
      response: { status, body: decoded.body, keepAlive, retryAfterS },
      end: decoded.end,
    };
  }
  if (contentLength === undefined) return { kind: "until_close", status, bodyStart, retryAfterS };
  if (contentLength > RESPONSE_BYTES_MAX) return malformed("body too long");
  const end = bodyStart + contentLength;
  if (end > bytes.length) return INCOMPLETE;
  return {
    kind: "response",
    response: { status, body: bytes.subarray(bodyStart, end), keepAlive, retryAfterS },
    end,
  };
}

function decodeChunks(
  bytes: Uint8Array,
  from: number,
):
  | { kind: "body"; body: Uint8Array; end: number }
  | { kind: "incomplete" }
  | { kind: "malformed"; reason: string } {
  const parts: Uint8Array[] = [];
  let at = from;
  for (;;) {
    const lineEnd = bytes.indexOf(LF, at);
    if (lineEnd < 0) return { kind: "incomplete" };
    const size = /^([0-9a-fA-F]{1,8})[ \t]*(?:;.*)?\r$/.exec(latin1.decode(bytes.subarray(at, lineEnd)))?.[1];
    if (size === undefined) return { kind: "malformed", reason: "bad chunk size" };
    const length = Number.parseInt(size, 16);
    at = lineEnd + 1;
    if (length === 0) break;
    if (at - from + length > RESPONSE_BYTES_MAX) return { kind: "malformed", reason: "body too long" };
    if (at + length + 2 > bytes.length) return { kind: "incomplete" };
    if (bytes[at + length] !== CR || bytes[at + length + 1] !== LF) {
      return { kind: "malformed", reason: "a chunk does not end where it says" };
    }
    parts.push(bytes.subarray(at, at + length));
    at += length + 2;
  }
  // Trailer lines, if any, up to the empty one.
  for (;;) {
    const lineEnd = bytes.indexOf(LF, at);
    if (lineEnd < 0) return { kind: "incomplete" };
    const empty = lineEnd - at <= 1;
    at = lineEnd + 1;
    if (empty) return { kind: "body", body: parts.length === 1 ? parts[0]! : Buffer.concat(parts), end: at };
  }
}

/** The state of one connection between reads: what came of a response that is not whole yet. */
export class ResponseReader {
  private held: Uint8Array = EMPTY;

  /**
   * Takes what was read; a response when one is whole. A client without pipelining never gets two at once.
   */
  push(chunk: Uint8Array): HttpResponse | { malformed: string } | undefined {
    const bytes = this.held.length === 0 ? chunk : Buffer.concat([this.held, chunk]);
    const result = parseResponse(bytes, 0);
    switch (result.kind) {
      case "response":
        this.held = EMPTY;
        if (result.end !== bytes.length) return { malformed: "bytes after the response" };
        return result.response;
      case "malformed":
        this.held = EMPTY;
        return { malformed: result.reason };
      default:
        if (bytes.length > RESPONSE_BYTES_MAX + 65_536) return { malformed: "response too long" };
        // A copy: the chunk belongs to the socket once the callback is over.
        this.held = bytes === chunk ? new Uint8Array(bytes) : bytes;
        return undefined;
    }
  }

  /** The connection was closed by the server: a response without a length is whole now. */
  close(): HttpResponse | undefined {
    const bytes = this.held;
    this.held = EMPTY;
    const result = parseResponse(bytes, 0);
    if (result.kind !== "until_close") return undefined;
    const { status, retryAfterS, bodyStart } = result;
    return { status, body: bytes.subarray(bodyStart), keepAlive: false, retryAfterS };
  }
}
