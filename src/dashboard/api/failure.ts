import { isCancelled, isConnectionLoss } from "../../store/database/failure.ts";

/**
 * What the framework or the database throws, in the API's own form. Invariant: nothing that was sent is repeated (it may be a password),
 * and no words of the database leave the service.
 */

interface Failure {
  readonly code: string | number;
  readonly error: unknown;
}

/** undefined: a defect; site.ts logs it and answers 500. */
export function failureResponse({ code, error }: Failure): Response | undefined {
  if (code === "VALIDATION") return answer(422, "invalid_request", ...faultOf(error));
  if (code === "PARSE") return answer(400, "invalid_request", "The body is no JSON document");
  if (code === "NOT_FOUND") return answer(404, "route_not_found", "There is nothing at this address");
  if (isCancelled(error))
    return answer(503, "too_slow", "The database took too long over this: ask for a shorter time");
  if (isConnectionLoss(error) || (error instanceof Error && isConnectionLoss(error.cause)))
    return answer(503, "database_unavailable", "The database does not answer at the moment");
  return undefined;
}

function answer(status: number, code: string, detail: string, field?: string | null): Response {
  return Response.json({ code, detail, field }, { status });
}

interface Fault {
  readonly path?: unknown;
  readonly message?: unknown;
}

/** What is wrong, and the field that it is wrong with: `thresholds.repeats`; null for the whole. */
function faultOf(error: unknown): [detail: string, field: string | null] {
  const faults = error instanceof Error && "all" in error && Array.isArray(error.all) ? error.all : [];
  const { path, message }: Fault = faults[0] ?? {};
  const field = typeof path === "string" && path.length > 1 ? path.slice(1).replaceAll("/", ".") : null;
  const detail = typeof message === "string" ? message : "not the expected shape";
  return [`${field ?? "request"}: ${detail}`, field];
}
