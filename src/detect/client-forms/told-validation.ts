import { type Fields, isFields } from "./fields.ts";
import { tellsFailure, verdictIn, verdictNamed } from "./told-verdict.ts";

/**
 * What a validator reports, where it does not say it as `passed`: by a flag that it raised, by a verdict, by
 * the verdicts of its parts, by what it found, or at the beginning of its message. Guardrails AI, NeMo
 * Guardrails, OpenAI's guardrails, LLM Guard, pydantic, zod, JSON Schema, Great Expectations, DeepEval and
 * promptfoo.
 */
const LISTED_MAX = 50;

/** The validator, whether it passed and what it says, as far as these are not told by name. */
export function validationIn(fields: Fields): Fields {
  const { passed, validator, name, message } = fields;
  const result = isFields(fields.validation_result) ? fields.validation_result : {};
  const summary = failedSummary(fields.validation_summaries);
  const told =
    raisedFlag(fields) ??
    verdictIn(fields) ??
    verdictNamed(fields.validator_status) ??
    verdictIn(result) ??
    (summary === null ? null : false);
  const isFailed = findsAny(fields) || (told === null && tellsFailure(message));
  const called = name ?? summary?.validator_name;
  const said = wordsIn(fields) ?? wordsIn(result) ?? wordsIn(summary ?? {}) ?? firstFound(fields);
  return {
    ...(passed === undefined && (told !== null || isFailed) ? { passed: told ?? false } : {}),
    ...(validator === undefined && typeof called === "string" ? { validator: called } : {}),
    ...(message === undefined && said !== null ? { message: said } : {}),
  };
}

/** A wire that was tripped, content that was flagged, a rail that ended the turn. */
function raisedFlag({
  triggered,
  tripwire_triggered: tripwire,
  flagged,
  stop,
  decisions,
}: Fields): boolean | null {
  const flag = triggered ?? tripwire ?? flagged ?? (Array.isArray(decisions) ? stop : undefined);
  return typeof flag === "boolean" ? !flag : null;
}

function failedSummary(summaries: unknown): Fields | null {
  if (!Array.isArray(summaries)) return null;
  const failed = (one: unknown) => isFields(one) && verdictNamed(one.validator_status) === false;
  return summaries.slice(0, LISTED_MAX).find(failed) ?? null;
}

const FOUND = ["violations", "errors", "issues"] as const;

function findsAny(fields: Fields): boolean {
  if (typeof fields.error_count === "number" && fields.error_count > 0) return true;
  return FOUND.some((key) => {
    const found = fields[key];
    // Some list errors by field.
    return Array.isArray(found) ? found.length > 0 : isFields(found) && Object.keys(found).length > 0;
  });
}

/** What the first of the errors says. */
function firstFound(fields: Fields): string | null {
  for (const key of FOUND) {
    const found = fields[key];
    const first: unknown = Array.isArray(found) ? found[0] : undefined;
    const said = isFields(first) ? (first.msg ?? first.message) : undefined;
    if (typeof said === "string") return said;
  }
  return null;
}

function wordsIn({
  error_message: error,
  failure_reason: failure,
  fail_reason: fail,
  reason,
}: Fields): string | null {
  const said = [error, failure, fail, reason].find((one) => typeof one === "string" && one !== "");
  return typeof said === "string" ? said : null;
}
