import { fullGC } from "bun:jsc";
import type { Caller, Directory } from "../ingest/directory.ts";
import type { Outcomes, RejectionReason } from "../ingest/outcomes.ts";
import type { BucketReading, TokenBuckets } from "../ingest/token-bucket.ts";
import type { MetricDeclaration, MetricRegistry, Slot } from "../metrics/registry.ts";
import {
  BudgetShare,
  contentProblem,
  countEvents,
  countObjects,
  elementsOf,
  freeBody,
  type MemoryBudget,
  readBody,
} from "./body.ts";
import { PROBLEM_CODES, type Problem, type ProblemCode, problemResponse } from "./problem.ts";
import { rateLimitHeaders } from "./rate-limit-headers.ts";
import { Turnstile } from "./turnstile.ts";

/**
 * What every request goes through, in the order that the contract fixes:
 *
 *   bearer key (401) → bucket (429) → schema version (400) → media type, encoding, size (415, 413) → JSON
 *   (400) → project_id (403) → and only then the resource: shape (400), existence (404)
 *
 * A request that passes the key costs its token whatever follows. Nothing here waits for the database, but
 * for a key that nobody knows yet.
 */

const ROUTES = ["executions_create", "executions_update", "events", "other"] as const;
export type Route = (typeof ROUTES)[number];

const SCHEMA_VERSION = "1";

/**
 * A body made to be large once it is parsed, 5 MiB of nothing but brackets, is up to 370 MiB of arrays. Left
 * to itself, the collector let eight of them, of 5 kB each on the wire, take the process from 0.2 to 1 GiB. A
 * batch as clients send it has some 10,000 objects.
 */
const OBJECTS_PARSED_MAX = 2_000_000;
const REQUESTS = "ats_http_requests_total";
const DURATION = "ats_http_request_duration_seconds";
const CODES = ["ok", "created", "partial", "not_ready", ...PROBLEM_CODES] as const;
type Code = (typeof CODES)[number];

export const HTTP_METRICS: readonly MetricDeclaration[] = [
  {
    name: REQUESTS,
    kind: "counter",
    help: "Requests answered, by route and by success or problem code; not_ready is /ready's 503.",
    series: ROUTES.flatMap((route) => CODES.map((code) => ({ route, code }))),
  },
  {
    name: DURATION,
    kind: "histogram",
    help: "Time from the request's headers to its answer, in seconds.",
    series: ROUTES.map((route) => ({ route })),
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  },
  {
    name: "ats_bucket_refusals_total",
    kind: "counter",
    help: "Requests refused because their project's bucket was empty.",
  },
  { name: "ats_http_body_bytes_held", kind: "gauge", help: "Bytes of bodies of requests in flight." },
];

/** What a resource answers: a success with a JSON body, or a problem. */
export type Answer =
  | {
      readonly status: 200 | 201 | 207;
      readonly body: unknown;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly problem: Problem };

/** Text and JSON of a body; no project_id in it is foreign. */
export interface ParsedBody {
  readonly text: string;
  readonly json: unknown;
}

/** What a public route answers: the text of a body, or a problem. */
export type PublicAnswer =
  | { readonly code: "ok" | "not_ready"; readonly body: string; readonly contentType: string }
  | { readonly problem: Problem };

export interface Exchange {
  readonly caller: Caller;
  readonly request: Request;
  /** Until `handle` first waits for anything; empty if the body is parsed already. */
  readonly bytes: Buffer;
  /**
   * Parsed when first asked for if the route's own look at the bytes has shown that they are JSON, else
   * already.
   */
  readonly body: () => ParsedBody;
  /** Unix time in milliseconds at which the request's headers had arrived. */
  readonly receivedMs: number;
}

export interface RouteHandler {
  /**
   * True if `bytes` are valid JSON in UTF-8 that names no project: then they are not parsed before `handle`,
   * which is called at once.
   */
  readonly recognise?: (bytes: Buffer) => boolean;
  readonly handle: (exchange: Exchange) => Promise<Answer>;
}

export interface FrontDeskOptions {
  readonly directory: Directory;
  readonly buckets: TokenBuckets;
  readonly budget: MemoryBudget;
  readonly metrics: MetricRegistry;
  readonly outcomes: Outcomes;
  readonly bodyBytesMax: number;
  /** Monotonic across threads, in milliseconds. */
  readonly clock: () => number;
  /** Unix time in milliseconds. */
  readonly wallClock: () => number;
  readonly onError: (error: unknown) => void;
}

export class FrontDesk {
  readonly #options: FrontDeskOptions;
  readonly #durations: Record<Route, (seconds: number) => void>;
  readonly #requests: Record<Route, Record<Code, Slot>>;
  readonly #refusals: Slot;
  readonly #turnstile = new Turnstile();
  #draining = false;
  #inFlight = 0;
  /** In large bodies, since the last collection that was asked for. */
  #objectsParsed = 0;
  #idle: (() => void)[] = [];

  constructor(options: FrontDeskOptions) {
    this.#options = options;
    const requestsOf = (route: Route) =>
      Object.fromEntries(
        CODES.map((code) => [code, options.metrics.slot(REQUESTS, { route, code })]),
      ) as Record<Code, Slot>;
    this.#requests = {
      executions_create: requestsOf("executions_create"),
      executions_update: requestsOf("executions_update"),
      events: requestsOf("events"),
      other: requestsOf("other"),
    };
    this.#refusals = options.metrics.slot("ats_bucket_refusals_total");
    const durationOf = (route: Route) => options.metrics.histogram(DURATION, { route });
    this.#durations = {
      executions_create: durationOf("executions_create"),
      executions_update: durationOf("executions_update"),
      events: durationOf("events"),
      other: durationOf("other"),
    };
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** From now on every protected request is told to come back; resolves when those in flight are answered. */
  async drain(): Promise<void> {
    this.#draining = true;
    while (this.#inFlight > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  /** Runs a protected request through all checks and, if it passes, through the route's handler. */
  async serve(route: Route, request: Request, handler: RouteHandler): Promise<Response> {
    const startedMs = performance.now();
    const nowMs = this.#options.wallClock();
    this.#inFlight++;
    const context: RequestContext = {
      route,
      request,
      nowMs,
      reading: undefined,
      held: new BudgetShare(this.#options.budget),
    };
    let response: Response;
    let code: Code;
    try {
      const answer = await this.#answer(context, handler);
      const headers = rateLimitHeaders(context.reading, nowMs);
      if ("problem" in answer) {
        code = answer.problem.code;
        response = problemResponse(answer.problem, headers);
      } else {
        code = answer.status === 201 ? "created" : answer.status === 207 ? "partial" : "ok";
        response = new Response(JSON.stringify(answer.body), {
          status: answer.status,
          headers: { ...headers, "content-type": "application/json", ...answer.headers },
        });
      }
    } catch (error) {
      const problem = this.#failure(error);
      code = problem.code;
      response = problemResponse(problem, rateLimitHeaders(context.reading, nowMs));
    }
    context.held.release();
    if (this.#objectsParsed > OBJECTS_PARSED_MAX) {
      this.#objectsParsed = 0;
      fullGC();
    }
    this.#inFlight--;
    if (this.#draining) {
      response.headers.set("connection", "close");
      for (const wake of this.#idle.splice(0)) wake();
    }
    this.#count(route, code, startedMs);
    return response;
  }

  /**
   * Runs a request that needs no key. Not `async`: an answer that is there at once goes out at once, and a
   * pipelined request for it is answered, too.
   */
  servePublic(answer: () => PublicAnswer | Promise<PublicAnswer>): Response | Promise<Response> {
    const startedMs = performance.now();
    const finish = (given: PublicAnswer): Response => {
      const headers = rateLimitHeaders(undefined, this.#options.wallClock());
      if ("problem" in given) {
        this.#count("other", given.problem.code, startedMs);
        return problemResponse(given.problem, headers);
      }
      this.#count("other", given.code, startedMs);
      return new Response(given.body, {
        status: given.code === "ok" ? 200 : 503,
        headers: { ...headers, "content-type": given.contentType, "cache-control": "no-store" },
      });
    };
    const fail = (error: unknown): Response => finish({ problem: this.#failure(error) });
    try {
      const given = answer();
      return given instanceof Promise ? given.then(finish, fail) : finish(given);
    } catch (error) {
      return fail(error);
    }
  }

  /** What a client is told of a defect of ours; the log has the rest. */
  #failure(error: unknown): Problem {
    this.#options.onError(error);
    return { code: "internal_error", detail: "The failure was logged" };
  }

  #count(route: Route, code: Code, startedMs: number): void {
    this.#options.metrics.add(this.#requests[route][code]);
    this.#durations[route]((performance.now() - startedMs) / 1000);
  }

  async #answer(context: RequestContext, { recognise, handle }: RouteHandler): Promise<Answer> {
    const { directory, outcomes } = this.#options;
    const { request, nowMs } = context;
    const key = bearerOf(request);
    if (key === undefined) {
      return refuse("missing_bearer", "Send the API key as Authorization: Bearer service_sk_…");
    }
    const caller = directory.find(key) ?? (await directory.findNew(key));
    if (caller === undefined) return refuse("unknown_key", "The key does not exist or was revoked");
    directory.noteUse(caller, nowMs);

    if (this.#draining) {
      outcomes.shed(caller, "draining", await this.#countRefused(context));
      return refuse("overloaded", "The service is shutting down");
    }
    const limited = this.#limit(context, caller);
    if (limited !== undefined) {
      outcomes.limited(caller, await this.#countRefused(context));
      return limited;
    }
    const version = request.headers.get("x-service-schema-version");
    if (version !== null && version.trim() !== SCHEMA_VERSION) {
      await this.#reject(context, caller, "unsupported_schema_version");
      return refuse("unsupported_schema_version", `Supported schema versions: ${SCHEMA_VERSION}`);
    }
    const unfit = contentProblem(request);
    if (unfit !== undefined) {
      if (unfit.code === "unsupported_media_type") await this.#reject(context, caller, unfit.code);
      return { problem: unfit };
    }

    const body = await readBody(request, this.#options.bodyBytesMax, context.held);
    if (body.kind === "problem") {
      if (body.problem.code === "overloaded") {
        outcomes.shed(caller, "overloaded", await this.#countRefused(context));
      }
      return { problem: body.problem };
    }
    await this.#turnstile.enter();
    const { bytes } = body;
    const exchange = { caller, request, bytes, receivedMs: nowMs };
    if (recognise?.(bytes)) {
      const answer = handle({ ...exchange, body: () => this.#parse(bytes) as ParsedBody });
      freeBody(bytes);
      return await answer;
    }
    const parsed = this.#parse(bytes);
    if ("code" in parsed && context.route === "events")
      outcomes.rejected(caller, "invalid_json", elementsOf(bytes));
    freeBody(bytes);
    if ("code" in parsed) return { problem: parsed };
    if (namesForeignProject(parsed.json, caller.projectId)) {
      if (context.route === "events" && Array.isArray(parsed.json)) {
        outcomes.rejected(caller, "project_mismatch", parsed.json.length);
      }
      return refuse("project_mismatch", "project_id must be the project of the key, or be left out");
    }
    return await handle({ ...exchange, body: () => parsed });
  }

  #parse(bytes: Buffer): ParsedBody | Problem {
    this.#objectsParsed += countObjects(bytes);
    return parse(bytes);
  }

  #limit(context: RequestContext, caller: Caller): Answer | undefined {
    const { buckets, metrics } = this.#options;
    if (caller.bucket === undefined) {
      return refuse("overloaded", "The service holds as many projects as it can limit");
    }
    context.reading = buckets.take(caller.bucket, this.#options.clock());
    if (context.reading.admitted) return undefined;
    metrics.add(this.#refusals);
    return refuse("rate_limited", "Wait for Retry-After, and send events in batches");
  }

  async #reject(context: RequestContext, caller: Caller, reason: RejectionReason): Promise<void> {
    this.#options.outcomes.rejected(caller, reason, await this.#countRefused(context));
  }

  /** Events of a request that is refused unparsed; only event batches hold any. */
  async #countRefused(context: RequestContext): Promise<number> {
    if (context.route !== "events" || context.request.bodyUsed) return 0;
    return await countEvents(context.request, this.#options.bodyBytesMax);
  }
}

interface RequestContext {
  readonly route: Route;
  readonly request: Request;
  readonly nowMs: number;
  reading: BucketReading | undefined;
  readonly held: BudgetShare;
}

export function refuse(code: ProblemCode, detail: string): { problem: Problem } {
  return { problem: { code, detail } };
}

function bearerOf(request: Request): string | undefined {
  return /^bearer +([^\s]+) *$/i.exec(request.headers.get("authorization") ?? "")?.[1];
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function parse(bytes: Buffer): ParsedBody | Problem {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return { code: "invalid_json", detail: "The body is not valid UTF-8" };
  }
  try {
    return { text, json: JSON.parse(text) };
  } catch {
    return { code: "invalid_json", detail: "The body could not be parsed as JSON" };
  }
}

function namesForeignProject(json: unknown, projectId: string): boolean {
  if (Array.isArray(json)) {
    for (const item of json) if (isForeign(item, projectId)) return true;
    return false;
  }
  return isForeign(json, projectId);
}

function isForeign(value: unknown, projectId: string): boolean {
  if (typeof value !== "object" || value === null) return false;
  const named = (value as { project_id?: unknown }).project_id;
  return named !== undefined && named !== projectId;
}
