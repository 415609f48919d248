/**
 * The one map from error code to response (RFC 9457). A problem never carries driver text, a stack, a secret
 * or what the client sent.
 */

const PROBLEMS = {
  invalid_json: [400, "The body is not valid JSON"],
  invalid_request: [400, "The request does not have the expected shape"],
  unsupported_schema_version: [400, "The schema version is not supported"],
  missing_bearer: [401, "A bearer key is required"],
  unknown_key: [401, "The API key is not recognised"],
  project_mismatch: [403, "The project_id is not the project of the key"],
  execution_not_found: [404, "The execution does not exist"],
  route_not_found: [404, "There is nothing at this address"],
  method_not_allowed: [405, "The method is not allowed here"],
  execution_final: [409, "The execution already has another final status"],
  body_too_large: [413, "The body is too large"],
  batch_too_large: [413, "The batch holds too many events"],
  unsupported_media_type: [415, "The media type is not supported"],
  unsupported_encoding: [415, "The content encoding is not supported"],
  rate_limited: [429, "The project's rate limit is reached"],
  internal_error: [500, "The service failed to handle the request"],
  overloaded: [503, "The service is overloaded"],
  database_unavailable: [503, "The database is not available"],
} as const satisfies Record<string, readonly [number, string]>;

export type ProblemCode = keyof typeof PROBLEMS;
export const PROBLEM_CODES = Object.keys(PROBLEMS) as ProblemCode[];

/** One fault inside the body; `pointer` is a JSON pointer from the body's root. */
export interface ProblemError {
  readonly index?: number;
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
}

export interface Problem {
  readonly code: ProblemCode;
  readonly detail: string;
  readonly errors?: readonly ProblemError[];
  /** Methods that the address does take; only with `method_not_allowed`. */
  readonly allow?: string;
  /** The rest of the body is not read: the connection is of no more use. */
  readonly closes?: boolean;
}

/** Seconds to wait before trying again, for the codes that say so. */
const RETRY_AFTER_S: Partial<Record<ProblemCode, number>> = {
  rate_limited: 1,
  overloaded: 1,
  database_unavailable: 2,
};

export function statusOf(code: ProblemCode): number {
  return PROBLEMS[code][0];
}

/** The response of a problem; `headers` are the rate-limit headers that every response carries. */
export function problemResponse(problem: Problem, headers: Record<string, string>): Response {
  const [status, title] = PROBLEMS[problem.code];
  const retryAfterS = RETRY_AFTER_S[problem.code];
  return new Response(
    JSON.stringify({
      type: `urn:agent-telemetry:problem:${problem.code}`,
      title,
      status,
      detail: problem.detail,
      code: problem.code,
      ...(problem.errors === undefined ? {} : { errors: problem.errors }),
    }),
    {
      status,
      headers: {
        ...headers,
        "content-type": "application/problem+json",
        ...(status === 401 ? { "www-authenticate": "Bearer" } : {}),
        ...(problem.allow === undefined ? {} : { allow: problem.allow }),
        ...(retryAfterS === undefined ? {} : { "retry-after": String(retryAfterS) }),
        ...(problem.closes ? { connection: "close" } : {}),
      },
    },
  );
}
