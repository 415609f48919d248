import http from "node:http";
import https from "node:https";
import net from "node:net";
import tls from "node:tls";
import { dns } from "bun";
import { type NetworkList, type Resolve, type ResolvedAddress, resolveTarget } from "./address-guard.ts";

/**
 * One POST to a receiver that may be hostile. Invariants: the connection goes to an address that the guard
 * passed, with nothing resolved in between (the socket is opened here, on the address, and handed to the HTTP
 * client; TLS still verifies the name); redirects are not followed; no proxy of the environment is used,
 * since it would resolve the name anew; everything ends within `timeoutMs`, whatever the receiver does, and
 * what it sends is read to a cap. Never rejects: every fault of the outside is an error class in the result.
 */

export type ErrorClass =
  /** The URL is not http or https, or not a URL. */
  | "invalid_url"
  /** The name does not resolve. */
  | "dns"
  /** An address of the receiver is not one that may be reached. */
  | "address_refused"
  /** No connection: refused, unreachable, reset before a byte was sent. */
  | "connect"
  /** The TLS handshake or the certificate failed. */
  | "tls"
  /** The time was up, in whichever phase. */
  | "timeout"
  /** The connection ended in the middle of the answer. */
  | "connection_lost"
  /** The answer is no HTTP, or its headers are beyond every measure. */
  | "protocol"
  /** A 3xx. */
  | "redirect"
  /** Any other status but 2xx. */
  | "status";

export interface WebhookRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

export interface WebhookClientOptions {
  allowedNetworks: NetworkList;
  /** For the whole of it: resolving, connecting, sending, and the answer to its last byte. */
  timeoutMs: number;
  /** Of it, for a connection and its TLS, where the name has another address to try. */
  connectTimeoutMs?: number;
  resolve?: Resolve;
  /** PEM of certificate authorities to trust instead of the built-in ones. */
  ca?: string;
  signal?: AbortSignal;
}

export interface AttemptResult {
  /** Null on success. */
  errorClass: ErrorClass | null;
  statusCode: number | null;
  durationMs: number;
  remoteAddress: string | null;
  /** Where nothing was answered, why not, in the words of the system, of TLS or of the address guard. */
  responseExcerpt: string | null;
  retryAfter: string | null;
}

/** What is kept of an answer. */
const EXCERPT_BYTES_MAX = 1_024;

/**
 * What is read of an answer. Beyond it the connection is cut, and the status, which has arrived, is what
 * counts.
 */
const RESPONSE_BYTES_MAX = 65_536;

/**
 * Nor is an answer read further that comes in more pieces than this. 64 attempts whose receivers sent chunks
 * of one byte, or interim answers without end, kept the thread so busy that others heard seconds late, or not
 * within eight.
 */
const RESPONSE_PIECES_MAX = 1_000;

/** Of 1xx, before the answer. */
const INTERIM_ANSWERS_MAX = 20;

const RESPONSE_HEADER_BYTES_MAX = 16_384;

/**
 * A name's addresses are tried in turn; an address that does not answer must leave time for the next. The
 * last has all that is left.
 */
const CONNECT_TIMEOUT_MS = 4_000;
const CONNECT_ADDRESSES_MAX = 3;

class AttemptError extends Error {
  /**
   * `reason`: an expired certificate or one of another name are both `tls`, and mended by different people.
   */
  constructor(
    readonly errorClass: ErrorClass,
    readonly reason: string | null = null,
  ) {
    super(errorClass);
  }
}

function reasonOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined || error.message.includes(code) ? error.message : `${error.message} (${code})`;
}

/**
 * By c-ares, which reads /etc/hosts and resolv.conf and waits on sockets. The system's resolver waits on a
 * thread of a small pool: with twelve names whose servers were silent, localhost took 4 to 6 s to resolve
 * behind them (Bun 1.4.5, two cores), and 8 ms here. One receiver's dead name server must not delay the
 * others.
 */
const systemResolve: Resolve = async (hostname) => {
  const found = await dns.lookup(hostname, { backend: "c-ares" });
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
};

export async function postWebhook(
  request: WebhookRequest,
  options: WebhookClientOptions,
): Promise<AttemptResult> {
  const startedMs = performance.now();
  const result: AttemptResult = {
    errorClass: null,
    statusCode: null,
    durationMs: 0,
    remoteAddress: null,
    responseExcerpt: null,
    retryAfter: null,
  };
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), options.timeoutMs);
  const stop = options.signal ? AbortSignal.any([deadline.signal, options.signal]) : deadline.signal;
  try {
    await exchange(request, options, stop, result);
    result.errorClass = errorClassOfStatus(result.statusCode);
  } catch (error) {
    result.errorClass = stop.aborted
      ? "timeout"
      : error instanceof AttemptError
        ? error.errorClass
        : "connect";
    if (result.statusCode === null && error instanceof AttemptError && error.reason !== null)
      result.responseExcerpt = excerptOf(Buffer.from(error.reason).subarray(0, EXCERPT_BYTES_MAX));
  } finally {
    clearTimeout(timer);
  }
  result.durationMs = Math.round(performance.now() - startedMs);
  return result;
}

function errorClassOfStatus(statusCode: number | null): ErrorClass | null {
  if (statusCode === null) return "protocol";
  if (statusCode >= 200 && statusCode < 300) return null;
  return statusCode >= 300 && statusCode < 400 ? "redirect" : "status";
}

async function exchange(
  request: WebhookRequest,
  options: WebhookClientOptions,
  stop: AbortSignal,
  result: AttemptResult,
): Promise<void> {
  const url = URL.parse(request.url);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new AttemptError("invalid_url");
  }
  const addresses = await unlessStopped(stop, judgedAddresses(url, options));
  const socket = await connectToFirst(addresses, { url, options, stop });
  result.remoteAddress = socket.remoteAddress ?? null;
  try {
    await unlessStopped(stop, sendAndRead({ url, request, socket, result }));
  } finally {
    socket.destroy();
  }
}

async function judgedAddresses(url: URL, options: WebhookClientOptions): Promise<readonly ResolvedAddress[]> {
  const target = await resolveTarget({
    hostname: url.hostname,
    allowedNetworks: options.allowedNetworks,
    resolve: options.resolve ?? systemResolve,
  }).catch((error: unknown) => {
    throw new AttemptError("dns", reasonOf(error));
  });
  if (target.kind === "refused") throw new AttemptError("address_refused", target.reason);
  return target.addresses;
}

interface ConnectInput {
  url: URL;
  options: Pick<WebhookClientOptions, "ca" | "connectTimeoutMs">;
  stop: AbortSignal;
}

async function connectToFirst(
  addresses: readonly ResolvedAddress[],
  input: ConnectInput,
): Promise<net.Socket> {
  let failure = new AttemptError("connect");
  const tried = addresses.slice(0, CONNECT_ADDRESSES_MAX);
  for (const [index, { address }] of tried.entries()) {
    try {
      return await connect(address, { ...input, isLast: index === tried.length - 1 });
    } catch (error) {
      if (input.stop.aborted || !(error instanceof AttemptError)) throw error;
      failure = error;
    }
  }
  throw failure;
}

/** `address` is a literal: no resolver is asked on this path. */
function connect(
  address: string,
  { url, options, stop, isLast }: ConnectInput & { isLast: boolean },
): Promise<net.Socket> {
  const secure = url.protocol === "https:";
  const hostname = url.hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
  const port = url.port === "" ? (secure ? 443 : 80) : Number(url.port);
  return new Promise((done, fail) => {
    const socket = secure
      ? tls.connect({
          host: address,
          port,
          ca: options.ca,
          // A literal has no name to ask for: the certificate is then checked against the address itself.
          ...(net.isIP(hostname) === 0 ? { servername: hostname } : {}),
          rejectUnauthorized: true,
          ALPNProtocols: ["http/1.1"],
        })
      : net.connect({ host: address, port });
    const giveUp = (errorClass: ErrorClass, error?: Error) => {
      settle();
      socket.destroy();
      fail(new AttemptError(errorClass, reasonOf(error)));
    };
    const onStop = () => giveUp("timeout");
    const onError = (error: NodeJS.ErrnoException) => giveUp(connectErrorClass(url.protocol, error), error);
    const onClose = () => giveUp(secure ? "tls" : "connect");
    const timer = isLast
      ? undefined
      : setTimeout(() => giveUp("timeout"), options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS);
    const settle = () => {
      clearTimeout(timer);
      stop.removeEventListener("abort", onStop);
      socket.off("close", onClose);
      // The error listener stays: a socket that is being destroyed may still report one, which must not be
      // thrown.
    };
    stop.addEventListener("abort", onStop, { once: true });
    socket.on("error", onError);
    socket.once("close", onClose);
    socket.once(secure ? "secureConnect" : "connect", () => {
      settle();
      done(socket);
    });
    if (stop.aborted) onStop();
  });
}

/**
 * The system's codes are E and a word (EHOSTDOWN); those of TLS and of certificates have an underscore, but
 * for EPROTO, a broken handshake.
 */
export function connectErrorClass(protocol: string, { code = "" }: { code?: string }): ErrorClass {
  const isSystemError = /^E[A-Z0-9]+$/.test(code) && code !== "EPROTO";
  return protocol === "https:" && !isSystemError ? "tls" : "connect";
}

interface SendInput {
  url: URL;
  request: WebhookRequest;
  socket: net.Socket;
  result: AttemptResult;
}

/** Settles when the answer is complete, has reached the cap, or cannot come to its end. */
function sendAndRead({ url, request, socket, result }: SendInput): Promise<void> {
  const bytes = Buffer.from(request.body, "utf8");
  const { promise, resolve: done, reject } = Promise.withResolvers<void>();
  const fail = (errorClass: ErrorClass) => reject(new AttemptError(errorClass));
  const outgoing = (url.protocol === "https:" ? https : http).request({
    createConnection: () => socket,
    method: "POST",
    host: url.hostname,
    path: `${url.pathname}${url.search}`,
    headers: { ...request.headers, Host: url.host, "Content-Length": String(bytes.length) },
    maxHeaderSize: RESPONSE_HEADER_BYTES_MAX,
  });
  let answer: http.IncomingMessage | null = null;
  /** Of an answer that has come whole, nothing behind it takes anything back: its end is about to be told. */
  const failUnlessWhole = (errorClass: ErrorClass) => {
    if (answer?.complete !== true) fail(errorClass);
  };
  outgoing.on("error", (error: NodeJS.ErrnoException) =>
    failUnlessWhole(error.code?.startsWith("HPE_") ? "protocol" : "connection_lost"),
  );
  outgoing.on("upgrade", () => fail("protocol"));
  let interimAnswers = 0;
  outgoing.on("information", () => {
    interimAnswers += 1;
    if (interimAnswers <= INTERIM_ANSWERS_MAX) return;
    fail("protocol");
    // At once: of what has been read, the rest would still be parsed.
    socket.destroy();
  });
  socket.once("close", () => failUnlessWhole("connection_lost"));
  outgoing.on("response", (incoming) => {
    answer = incoming;
    result.statusCode = incoming.statusCode ?? null;
    result.retryAfter = incoming.headers["retry-after"] ?? null;
    const kept: Buffer[] = [];
    let bytesRead = 0;
    let piecesRead = 0;
    const keepExcerpt = () => {
      result.responseExcerpt = excerptOf(Buffer.concat(kept));
    };
    keepExcerpt();
    incoming.on("data", (chunk: Buffer) => {
      if (bytesRead < EXCERPT_BYTES_MAX) {
        kept.push(Buffer.from(chunk.subarray(0, EXCERPT_BYTES_MAX - bytesRead)));
        keepExcerpt();
      }
      bytesRead += chunk.length;
      piecesRead += 1;
      if (bytesRead >= RESPONSE_BYTES_MAX || piecesRead >= RESPONSE_PIECES_MAX) {
        done();
        incoming.destroy();
      }
    });
    incoming.on("end", () => (incoming.complete ? done() : fail("connection_lost")));
    incoming.on("error", () => fail("connection_lost"));
    incoming.on("close", () => fail("connection_lost"));
  });
  outgoing.end(bytes);
  return promise;
}

/** PostgreSQL holds no U+0000; a character cut in half at the cap is dropped. */
function excerptOf(bytes: Buffer): string {
  return new TextDecoder().decode(bytes, { stream: true }).replaceAll("\0", "\ufffd");
}

/**
 * `work` goes on in the background when stopped, but nobody waits for it; what it holds is destroyed by the
 * caller.
 */
function unlessStopped<T>(stop: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((done, fail) => {
    const onStop = () => fail(new AttemptError("timeout"));
    if (stop.aborted) onStop();
    stop.addEventListener("abort", onStop, { once: true });
    work.then(done, fail).finally(() => stop.removeEventListener("abort", onStop));
  });
}
