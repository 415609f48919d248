import { clientAddressBy, PEER_HEADER } from "./auth/peer.ts";
import { CLOSED_HEADERS, waitingPage } from "./waiting-page.ts";

/**
 * An HTTP thread's side of the dashboard: what is asked below /app goes to the dashboard's thread, and its
 * answer back. Invariants: the HTTP thread does no work for it but copying, and holds no more than
 * BYTES_HELD_MAX of what was sent; bodies that come slowly or not at all keep nobody else out; an API key
 * never gets there, and who is asking is said by this thread alone; when the dashboard's thread is away the
 * answer is 503, and the rest of the service does not notice.
 */

export const FORWARD_OUTCOMES = ["forwarded", "refused", "unavailable"] as const;
export type ForwardOutcome = (typeof FORWARD_OUTCOMES)[number];

export interface ForwarderOptions {
  readonly socketPath: string;
  /** CIDRs whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
  /** Starts the dashboard's thread if need be. */
  readonly ready: () => Promise<boolean>;
  /**
   * True while PostgreSQL is known to be away: the API then answers at once what it would find out after a
   * while.
   */
  readonly isDatabaseAway: () => boolean;
  readonly count: (outcome: ForwardOutcome) => void;
}

type Server = Bun.Server<unknown>;

/** What is held of one request's body. */
interface HeldBody {
  bytes: number;
  /** Set while it arrives: lets go of what is there and refuses the rest. */
  giveWay: (() => void) | null;
}

const BODY_BYTES_MAX = 1_048_576;
const BYTES_HELD_MAX = 16_777_216;
/** Asked of the dashboard's thread at a time, streams included. */
const REQUESTS_MAX = 256;
const ANSWER_TIMEOUT_MS = 30_000;

/** Of one connection (RFC 9110), or ours to say. A key is for the ingest interface only. */
const NOT_FORWARDED = [
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "expect",
  "content-length",
  "authorization",
  "forwarded",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  PEER_HEADER,
];
const NOT_RETURNED = ["connection", "keep-alive", "transfer-encoding", "trailer", "upgrade", "date"];

export class Forwarder {
  readonly #options: ForwarderOptions;
  readonly #clientAddress: ReturnType<typeof clientAddressBy>;
  readonly #streams = new Set<() => void>();
  /** Gives up requests of the API that are not answered yet. */
  readonly #asked = new Set<() => void>();
  readonly #arriving = new Set<HeldBody>();
  #inFlight = 0;
  /** Of those in flight, whose bodies are here. */
  #asking = 0;
  #bytesHeld = 0;
  #isDraining = false;

  constructor(options: ForwarderOptions) {
    this.#options = options;
    this.#clientAddress = clientAddressBy(options.trustedProxies);
  }

  /** Requests not answered, and streams not ended. */
  get inFlight(): number {
    return this.#inFlight + this.#streams.size;
  }

  /** Ends the streams, which would never end by themselves, and refuses what comes now. */
  drain(): void {
    this.#isDraining = true;
    for (const end of [...this.#streams]) end();
  }

  /**
   * PostgreSQL has fallen silent: what waits for it is answered, and streams end, so that nobody takes
   * standing still for quiet.
   */
  databaseSilent(): void {
    for (const leave of [...this.#asked]) leave();
    for (const end of [...this.#streams]) end();
  }

  async handle(request: Request, server: Server): Promise<Response> {
    if (this.#isDraining)
      return this.#refuse("unavailable", 503, "overloaded", "The service is shutting down");
    if (this.#needsDatabase(request) && this.#options.isDatabaseAway()) return this.#databaseAway();
    this.#inFlight += 1;
    const held: HeldBody = { bytes: 0, giveWay: null };
    try {
      const body = await this.#readBody(request, held);
      if (body === "too_large")
        return this.#refuse(
          "refused",
          413,
          "body_too_large",
          `A body has at most ${BODY_BYTES_MAX} bytes here`,
        );
      if (body === "overloaded")
        return this.#refuse("refused", 503, "overloaded", "The dashboard holds as much as it may");
      // Not before: a body that never comes would hold a place as long as its connection lives.
      if (this.#asking + this.#streams.size >= REQUESTS_MAX)
        return this.#refuse("refused", 503, "overloaded", "The dashboard has as many requests as it takes");
      const answer = await this.#ask(request, body, server);
      if (answer === null) return this.#unanswered(request);
      this.#options.count("forwarded");
      return answer;
    } catch {
      // The browser left, the database fell silent, or the dashboard's thread died over this very request.
      return this.#unanswered(request);
    } finally {
      this.#inFlight -= 1;
      this.#letGo(held);
    }
  }

  async #readBody(
    request: Request,
    held: HeldBody,
  ): Promise<Uint8Array<ArrayBuffer> | "too_large" | "overloaded" | null> {
    if (request.body === null || request.method === "GET" || request.method === "HEAD") return null;
    if (Number(request.headers.get("content-length") ?? 0) > BODY_BYTES_MAX) return "too_large";
    const reader = (request.body as ReadableStream<Uint8Array>).getReader();
    // A read that is waited for ends as if the body had ended.
    const stop = () => void reader.cancel().catch(() => undefined);
    let chunks: Uint8Array[] = [];
    let gaveWay = false;
    held.giveWay = () => {
      gaveWay = true;
      chunks = [];
      this.#letGo(held);
      stop();
    };
    this.#arriving.add(held);
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (gaveWay) return "overloaded";
        if (done) return new Uint8Array(Buffer.concat(chunks));
        const refused =
          held.bytes + value.length > BODY_BYTES_MAX
            ? "too_large"
            : this.#makeRoom(held, value.length)
              ? null
              : "overloaded";
        if (refused !== null) {
          stop();
          return refused;
        }
        held.bytes += value.length;
        this.#bytesHeld += value.length;
        chunks.push(value);
      }
    } finally {
      this.#arriving.delete(held);
    }
  }

  /**
   * Of bodies that arrive, the largest gives way to a smaller one: some that are large and slow must not keep
   * a sign-in out.
   */
  #makeRoom(held: HeldBody, bytes: number): boolean {
    while (this.#bytesHeld + bytes > BYTES_HELD_MAX) {
      let largest = held;
      let most = held.bytes + bytes;
      for (const other of this.#arriving) {
        if (other.bytes <= most) continue;
        largest = other;
        most = other.bytes;
      }
      if (largest === held || largest.giveWay === null) return false;
      largest.giveWay();
    }
    return true;
  }

  #letGo(held: HeldBody): void {
    this.#bytesHeld -= held.bytes;
    held.bytes = 0;
    this.#arriving.delete(held);
  }

  async #ask(
    request: Request,
    body: Uint8Array<ArrayBuffer> | null,
    server: Server,
  ): Promise<Response | null> {
    const url = new URL(request.url);
    const headers = new Headers(request.headers);
    for (const name of NOT_FORWARDED) headers.delete(name);
    const forwardedFor = request.headers.get("x-forwarded-for");
    headers.set(PEER_HEADER, this.#clientAddress(server.requestIP(request)?.address, forwardedFor));
    // Without one, this thread's client would name what it can decode itself.
    if (!headers.has("accept-encoding")) headers.set("accept-encoding", "identity");
    const gone = new AbortController();
    const leave = () => gone.abort();
    request.signal.addEventListener("abort", leave, { once: true });
    const late = setTimeout(leave, ANSWER_TIMEOUT_MS);
    if (this.#needsDatabase(request)) this.#asked.add(leave);
    this.#asking += 1;
    const ask = () =>
      fetch(`http://dashboard${url.pathname}${url.search}`, {
        unix: this.#options.socketPath,
        method: request.method,
        headers,
        body,
        redirect: "manual",
        decompress: false,
        // The client's own limit, five minutes without a byte, is not for streams; `late` is the one for
        // answers.
        timeout: false,
        signal: gone.signal,
      });
    try {
      let answer: Response;
      try {
        answer = await ask();
      } catch (error) {
        // Nobody listens, so nothing was done: it may be asked again.
        if (!isNobodyListening(error) || !(await this.#options.ready())) return null;
        answer = await ask();
      }
      clearTimeout(late);
      return await this.#give(request, answer, server, gone);
    } finally {
      this.#asking -= 1;
      this.#asked.delete(leave);
      clearTimeout(late);
    }
  }

  /**
   * A stream goes on as it comes; anything else is taken whole first, so that a thread which dies meanwhile
   * means 503 and not half a page.
   */
  async #give(request: Request, answer: Response, server: Server, gone: AbortController): Promise<Response> {
    const headers = new Headers(answer.headers);
    for (const name of NOT_RETURNED) headers.delete(name);
    const { status } = answer;
    if (answer.body === null || request.method === "HEAD") return new Response(null, { status, headers });
    if (!headers.get("content-type")?.startsWith("text/event-stream")) {
      headers.delete("content-length");
      return new Response(await answer.arrayBuffer(), { status, headers });
    }
    server.timeout(request, 0);
    return new Response(this.#stream(answer.body, gone), { status, headers });
  }

  #stream(source: ReadableStream<Uint8Array>, gone: AbortController): ReadableStream<Uint8Array> {
    const reader = source.getReader();
    const streams = this.#streams;
    let end = () => {};
    return new ReadableStream<Uint8Array>({
      start(controller) {
        end = () => {
          if (!streams.delete(end)) return;
          gone.abort();
          try {
            controller.close();
          } catch {
            // The browser closed it first.
          }
        };
        streams.add(end);
      },
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) end();
          else controller.enqueue(value);
        } catch {
          // The dashboard's thread is gone: the browser sees the end and connects anew.
          end();
        }
      },
      cancel() {
        streams.delete(end);
        gone.abort();
      },
    });
  }

  /** Pages are files. */
  #needsDatabase(request: Request): boolean {
    return new URL(request.url).pathname.startsWith("/app/api/");
  }

  #unanswered(request: Request): Response {
    return this.#needsDatabase(request) && this.#options.isDatabaseAway()
      ? this.#databaseAway(isChange(request) ? "; whether this was done shows once it answers again" : "")
      : this.#unavailable(request);
  }

  #databaseAway(fate = ""): Response {
    return this.#refuse(
      "unavailable",
      503,
      "database_unavailable",
      `The database does not answer at the moment${fate}`,
    );
  }

  #unavailable(request: Request): Response {
    const detail = "The dashboard is not running at the moment; the rest of the service is";
    if (!request.headers.get("accept")?.includes("text/html"))
      return this.#refuse("unavailable", 503, "dashboard_unavailable", detail);
    this.#options.count("unavailable");
    return waitingPage("The dashboard is not running", `${detail}. This page tries again by itself.`);
  }

  #refuse(outcome: ForwardOutcome, status: number, code: string, detail: string): Response {
    this.#options.count(outcome);
    const problem = { type: `urn:agent-telemetry:problem:${code}`, title: detail, status, detail, code };
    return new Response(JSON.stringify(problem), {
      status,
      headers: { ...CLOSED_HEADERS, "retry-after": "2", "content-type": "application/problem+json" },
    });
  }
}

function isChange({ method }: Request): boolean {
  return method !== "GET" && method !== "HEAD";
}

function isNobodyListening(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return /^(ECONNREFUSED|ENOENT|FailedToOpenSocket|ConnectionRefused)$/.test(code);
}
