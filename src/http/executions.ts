import type { Executions } from "../ingest/executions.ts";
import { faultsOf } from "../ingest/wire/event-validation.ts";
import { checks } from "../ingest/wire/wire-schemas.ts";
import type { ExecutionRecord } from "../store/telemetry/executions.ts";
import { type Answer, type Exchange, refuse } from "./exchange.ts";

/** POST /executions and PATCH /executions/{id}. */

const UNAVAILABLE = refuse("database_unavailable", "Nothing was stored; send the request again");

export async function createExecution(exchange: Exchange, executions: Executions): Promise<Answer> {
  const { caller, receivedMs } = exchange;
  const { json } = exchange.body();
  if (!checks.executionCreate.Check(json)) return invalid(faultsOf(checks.executionCreate.Errors(json)));
  const result = await executions.create({
    projectNo: caller.projectNo,
    executionId: json.execution_id,
    sdkLanguage: storable(json.sdk_language),
    sdkVersion: storable(json.sdk_version),
    receivedMs,
  });
  if (result.kind === "database_unavailable") return UNAVAILABLE;
  const body = bodyOf(result.record, caller.projectId);
  if (result.kind === "known") return { status: 200, body };
  return { status: 201, body, headers: { location: `/executions/${encodeURIComponent(json.execution_id)}` } };
}

/** `id` is the path's, decoded; undefined when its escapes are broken. */
export async function updateExecution(
  exchange: Exchange,
  id: string | undefined,
  executions: Executions,
): Promise<Answer> {
  const { caller, receivedMs } = exchange;
  const { json } = exchange.body();
  if (!checks.executionUpdate.Check(json)) return invalid(faultsOf(checks.executionUpdate.Errors(json)));
  if (json.crash_signature !== undefined && json.status !== "crashed") {
    return invalid([
      {
        pointer: "/crash_signature",
        code: "invalid_format",
        detail: "crash_signature is only for status crashed",
      },
    ]);
  }
  // An id that could never have been created: the same answer as for one that was not.
  if (id === undefined || !checks.identifier.Check(id)) return notFound();
  const result = await executions.finish({
    projectNo: caller.projectNo,
    executionId: id,
    status: json.status,
    durationMs: json.duration_ms ?? null,
    totalTokensIn: json.total_tokens_in ?? null,
    totalTokensOut: json.total_tokens_out ?? null,
    crashSignature: json.crash_signature ?? null,
    receivedMs,
  });
  switch (result.kind) {
    case "finished":
    case "unchanged":
      return { status: 200, body: bodyOf(result.record, caller.projectId) };
    case "final":
      return refuse("execution_final", `The execution is ${result.record.status}, which is final`);
    case "not_found":
      return notFound();
    case "database_unavailable":
      return UNAVAILABLE;
  }
}

function notFound(): Answer {
  return refuse("execution_not_found", "No execution with this id exists in the project of the key");
}

function invalid(errors: readonly { pointer: string; code: string; detail: string }[]): Answer {
  return {
    problem: { code: "invalid_request", detail: errors[0]?.detail ?? "The body is not valid", errors },
  };
}

/** The record as clients see it. */
function bodyOf(record: ExecutionRecord, projectId: string): Record<string, unknown> {
  return {
    execution_id: record.executionId,
    project_id: projectId,
    status: record.status,
    sdk_language: record.sdkLanguage,
    sdk_version: record.sdkVersion,
    duration_ms: record.durationMs,
    total_tokens_in: record.totalTokensIn,
    total_tokens_out: record.totalTokensOut,
    crash_signature: record.crashSignature,
    environment: record.environment,
    started_at: record.startedAt,
    finished_at: record.finishedAt,
  };
}

/** PostgreSQL's text holds neither U+0000 nor a lone surrogate. */
function storable(text: string | undefined): string | null {
  return text === undefined ? null : text.toWellFormed().replaceAll("\0", "\ufffd");
}
