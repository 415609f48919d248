import type { BadEvent, EventIngest, IngestResult } from "../ingest/events.ts";
import type { Outcomes } from "../ingest/outcomes.ts";
import { type Answer, type Exchange, refuse } from "./exchange.ts";
import type { ProblemError } from "./problem.ts";

/** POST /events: a batch of events of existing executions. */

export interface EventsOptions {
  readonly ingest: EventIngest;
  readonly outcomes: Outcomes;
  readonly batchEventsMax: number;
}

export async function postEvents(exchange: Exchange, options: EventsOptions): Promise<Answer> {
  const { caller, request, bytes, receivedMs } = exchange;
  const lenient = prefersLenient(request.headers.get("prefer"));
  const stored = options.ingest.ingestRecognised(caller, bytes, receivedMs);
  if (stored !== undefined) return answerOf(await stored, lenient);
  const { json, text } = exchange.body();
  if (!Array.isArray(json)) return refuse("invalid_request", "The body must be a JSON array of events");
  if (json.length > options.batchEventsMax) {
    options.outcomes.rejected(caller, "batch_too_large", json.length);
    return refuse("batch_too_large", `A batch may hold ${options.batchEventsMax} events`);
  }
  if (json.length === 0) return { status: 200, body: { accepted: 0, duplicates: 0 } };
  return answerOf(await options.ingest.ingest(caller, json, text, { lenient, receivedMs }), lenient);
}

function answerOf(result: IngestResult, lenient: boolean): Answer {
  switch (result.kind) {
    case "stored": {
      const { accepted, duplicates, bad } = result;
      const headers: Record<string, string> = lenient ? { "preference-applied": "handling=lenient" } : {};
      if (bad.length === 0) return { status: 200, body: { accepted, duplicates }, headers };
      return { status: 207, body: { accepted, duplicates, rejected: bad.map(rejectionOf) }, headers };
    }
    case "invalid":
      return {
        problem: {
          code: "invalid_request",
          detail: `${countOf(result.bad)} not valid; nothing of the batch was stored`,
          errors: result.bad.flatMap(errorsOf),
        },
      };
    case "execution_not_found":
      return {
        problem: {
          code: "execution_not_found",
          detail: `${countOf(result.bad)} of an execution that does not exist; nothing of the batch was stored`,
          errors: result.bad.flatMap(errorsOf),
        },
      };
    case "refused":
      return refuse("invalid_request", result.detail);
    case "database_unavailable":
      return refuse("database_unavailable", "Nothing was acknowledged; send the batch again");
  }
}

function countOf(bad: readonly BadEvent[]): string {
  return bad.length === 1 ? "1 event is" : `${bad.length} events are`;
}

function rejectionOf(event: BadEvent): {
  index: number;
  event_id: string | null;
  code: string;
  detail: string;
} {
  const [fault] = event.faults;
  return { index: event.index, event_id: event.eventId ?? null, code: fault!.code, detail: fault!.detail };
}

function errorsOf(event: BadEvent): ProblemError[] {
  return event.faults.map(({ pointer, code, detail }) => ({
    index: event.index,
    pointer: `/${event.index}${pointer}`,
    code,
    detail,
  }));
}

/**
 * RFC 7240: preferences separated by commas, names and values in any case, values perhaps quoted; of several
 * the first counts. In steps, since no part of a header may be looked at again and again: by one pattern,
 * 4,000 blanks between two parts took 12 s.
 */
function prefersLenient(prefer: string | null): boolean {
  for (const preference of prefer?.split(",") ?? []) {
    const [token = ""] = preference.split(";");
    const equals = token.indexOf("=");
    if (equals === -1 || token.slice(0, equals).trim().toLowerCase() !== "handling") continue;
    const value = token
      .slice(equals + 1)
      .trim()
      .replace(/^"|"$/g, "");
    if (!value.includes('"')) return value.toLowerCase() === "lenient";
  }
  return false;
}
