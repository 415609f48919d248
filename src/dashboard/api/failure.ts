import { isCancelled, isConnectionLoss } from "../../store/database/failure.ts";

/**
 * What the framework or the database throws, in the API's own form. Invariant: nothing that was sent is
 * repeated (it may be a password), and no words of the database leave the service.
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
  readonly schema?: { readonly const?: unknown; readonly type?: unknown };
  readonly value?: unknown;
  /** By alternative, where what was sent fits none of several. */
  readonly errors?: readonly Iterable<Fault>[];
}

/** What is wrong, and the field that it is wrong with: `thresholds.repeats`; null for the whole. */
function faultOf(error: unknown): [detail: string, field: string | null] {
  const faults = error instanceof Error && "all" in error && Array.isArray(error.all) ? error.all : [];
  const { path, message } = leafOf(faults[0] ?? {});
  const field = typeof path === "string" && path.length > 1 ? path.slice(1).replaceAll("/", ".") : null;
  const detail = typeof message === "string" ? message : "not the expected shape";
  return [`${field ?? "request"}: ${detail}`, field];
}

/**
 * Of alternatives: what is wrong with the one that the literals sent are those of, and the type; or else
 * which literals there are.
 */
function leafOf(fault: Fault): Fault {
  const alternatives = (fault.errors ?? []).map((faults) => [...faults]).filter(([first]) => first);
  const possible = alternatives.filter((faults) => !faults.some(isOtherLiteral));
  const chosen = possible.find(([first]) => isOfItsType(first!)) ?? possible[0];
  if (chosen !== undefined) return leafOf(chosen[0]!);
  const literals = alternatives.flatMap((faults) => faults.filter(isOtherLiteral));
  if (literals[0] === undefined) return fault;
  const known = literals.map(({ schema }) => schema?.const).join(", ");
  return { path: literals[0].path, message: `Expected one of ${known}` };
}

const isOtherLiteral = ({ schema }: Fault): boolean => schema?.const !== undefined;

const isOfItsType = ({ schema, value }: Fault): boolean =>
  schema?.type === (Number.isInteger(value) ? "integer" : typeof value);
