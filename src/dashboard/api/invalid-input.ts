import { status } from "elysia";

/** The field at fault of a body or query that does not fit its schema, as `rate_burst` or `thresholds.repeats`. */
function fieldOf(error: object): string | null {
  const path = "valueError" in error && (error.valueError as { path?: unknown } | undefined)?.path;
  return typeof path === "string" && path !== "" ? path.slice(1, 200).replaceAll("/", ".") : null;
}

/** What does not fit a route's schema, or is no JSON, in the form of all the API's refusals. Anything else goes on as it was. */
export function answerInvalidInput({ code, error }: { code: string | number; error: unknown }) {
  if (code === "PARSE") return status(400, { code: "invalid_json", detail: "The body is not JSON" });
  if (code !== "VALIDATION" || typeof error !== "object" || error === null) return;
  const field = fieldOf(error);
  const detail =
    field === null ? "The request does not have the form asked for" : `${field} is not as asked for`;
  return status(422, { code: "invalid_field", detail, field });
}
