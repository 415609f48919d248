import { Elysia, status, t } from "elysia";
import { EVENT_TYPES, eventTypeCode, eventTypeOf } from "../../ingest/wire/event-types.ts";
import {
  type ExecutionFacets,
  type ExecutionFilter,
  listExecutions,
  readExecutionFacets,
} from "../../store/dashboard/executions.ts";
import {
  type EventRow,
  findExecutionEvent,
  listExecutionEvents,
  PREVIEW_CHARS,
} from "../../store/dashboard/executions-events.ts";
import { readActions } from "../../store/dashboard/executions-graph.ts";
import {
  findExecution,
  listExecutionDetections,
  readTotals,
} from "../../store/dashboard/executions-record.ts";
import type { Sql } from "../../store/database/connect.ts";
import { timeOf } from "../../store/given-time.ts";
import type { ExecutionStatus } from "../../store/telemetry/executions.ts";
import { idOfPath } from "../path-id.ts";
import { summaryOf, summaryOfStart } from "./event-summary.ts";
import { eventCursor, executionCursor, readEventCursor, readExecutionCursor } from "./execution-cursors.ts";
import { type ApiServices, guard } from "./guard.ts";
import { handoverGraph } from "./handover-graph.ts";
import { heldAnswers } from "./held-answers.ts";

/**
 * Executions and their events. Payloads leave as the text that is stored: no JSON parser stands between it
 * and the reader, so every digit arrives.
 */

const invalid = (detail: string) => status(400, { code: "invalid_request", detail });
const badCursor = () =>
  status(400, { code: "invalid_cursor", detail: "This place in the list is not known" });
const executionNotFound = () =>
  status(404, { code: "execution_not_found", detail: "There is no such execution" });

/** A browser keeps them for a minute; this is what ten browsers have in common. */
const FACETS_HELD_MS = 5_000;
const FACETS_HELD_MAX = 200;

/** Payloads up to this size stand in the list whole. */
const LISTED_PAYLOAD_BYTES_MAX = 4_096;

const ListQuery = t.Object({
  status: t.Optional(
    t.String({ pattern: "^(started|completed|crashed)(,(started|completed|crashed)){0,2}$" }),
  ),
  from: t.Optional(t.String({ maxLength: 64 })),
  to: t.Optional(t.String({ maxLength: 64 })),
  sdk: t.Optional(t.String({ maxLength: 520, description: "language or language@version" })),
  environment: t.Optional(t.String({ maxLength: 256 })),
  class: t.Optional(t.String({ maxLength: 128 })),
  q: t.Optional(t.String({ maxLength: 256 })),
  sort: t.Optional(t.Union([t.Literal("-started_at"), t.Literal("started_at")])),
  cursor: t.Optional(t.String({ maxLength: 1024 })),
  limit: t.Optional(t.Integer({ minimum: 1, maximum: 200, default: 50 })),
});

const EventsQuery = t.Object({
  type: t.Optional(t.String({ maxLength: 400, description: "Event types, comma-separated" })),
  cursor: t.Optional(t.String({ maxLength: 1024 })),
  from_sequence: t.Optional(t.Integer({ minimum: 0, maximum: 2_147_483_647 })),
  direction: t.Optional(t.Union([t.Literal("forward"), t.Literal("backward")])),
  received_from: t.Optional(t.String({ maxLength: 64 })),
  limit: t.Optional(t.Integer({ minimum: 1, maximum: 500, default: 200 })),
});

/** A time, or a day for its beginning in UTC, to the millisecond; undefined for anything else. */
function momentOf(text: string): string | undefined {
  const ms = timeOf(/^[\d-]{10}$/.test(text) ? `${text}T00:00Z` : text);
  return ms === null ? undefined : new Date(ms).toISOString();
}

/** PostgreSQL takes no U+0000: what holds one is found nowhere. */
const isFindable = (text: string | undefined) => text === undefined || !text.includes("\u0000");

function filterOf(query: typeof ListQuery.static): ExecutionFilter | string {
  const from = query.from === undefined ? null : momentOf(query.from);
  const to = query.to === undefined ? null : momentOf(query.to);
  if (from === undefined || to === undefined) return "from and to are times in RFC 3339, or days";
  if (![query.sdk, query.environment, query.class, query.q].every(isFindable)) return "no U+0000 in a filter";
  const at = query.sdk?.indexOf("@", 1) ?? -1;
  return {
    statuses: (query.status?.split(",") as ExecutionStatus[] | undefined) ?? null,
    from,
    to,
    sdkLanguage: (at === -1 ? query.sdk : query.sdk?.slice(0, at)) || null,
    sdkVersion: at === -1 ? null : query.sdk?.slice(at + 1) || null,
    environment: query.environment || null,
    failureClass: query.class || null,
    text: query.q?.trim() || null,
  };
}

/** The codes of the types asked for; undefined if one of them is none. */
function typeCodesOf(types: string | undefined): number[] | null | undefined {
  if (types === undefined || types === "") return null;
  const codes = types.split(",").map(eventTypeCode);
  return codes.every((code) => code !== undefined) ? codes : undefined;
}

function eventItem(row: EventRow) {
  const { payload, preview, event_type, ...rest } = row;
  const type = eventTypeOf(event_type);
  const whole = row.payload_bytes <= LISTED_PAYLOAD_BYTES_MAX;
  return {
    ...rest,
    event_type: type,
    /** The whole JSON text, or null where only `preview` is given. */
    payload: whole ? payload : null,
    preview: whole && payload !== null ? null : (preview ?? payload?.slice(0, PREVIEW_CHARS) ?? ""),
    summary: payload === null ? summaryOfStart(type, preview ?? "") : summaryOf(type, payload),
  };
}

/**
 * By the id as the path has it, percent-decoded by the router; nothing that could not be stored is looked
 * for.
 */
const findByPath = async (sql: Sql, projectNo: number, pathId: string) => {
  const executionId = idOfPath(pathId);
  return isFindable(executionId) && executionId.length <= 256
    ? await findExecution(sql, projectNo, executionId)
    : null;
};

export const executionRoutes = (services: ApiServices) => {
  const { sql } = services;
  const facets = heldAnswers<number, ExecutionFacets>({
    heldMs: FACETS_HELD_MS,
    keysMax: FACETS_HELD_MAX,
    now: () => performance.now(),
  });
  return new Elysia()
    .use(guard(services))
    .get(
      "/projects/:project_id/executions",
      async ({ projectNo, query }) => {
        const filter = filterOf(query);
        if (typeof filter === "string") return invalid(filter);
        const newestFirst = query.sort !== "started_at";
        const after = query.cursor === undefined ? null : readExecutionCursor(query.cursor, newestFirst);
        if (query.cursor !== undefined && after === null) return badCursor();
        const limit = query.limit ?? 50;
        const page = await listExecutions(sql, { projectNo, filter, newestFirst, after, limit });
        return {
          items: page.items,
          next_cursor: page.next === null ? null : executionCursor(page.next, newestFirst),
          searched_until: page.searchedUntil,
        };
      },
      { projectRole: "viewer", query: ListQuery },
    )
    .get(
      "/projects/:project_id/execution-facets",
      ({ projectNo }) => facets(projectNo, () => readExecutionFacets(sql, projectNo)),
      { projectRole: "viewer" },
    )
    .get(
      "/projects/:project_id/executions/:execution_id",
      async ({ projectNo, params }) => {
        const found = await findByPath(sql, projectNo, params.execution_id);
        if (found === null) return executionNotFound();
        const [{ byType, ...totals }, detections] = await Promise.all([
          readTotals(sql, found.key),
          listExecutionDetections(sql, found.key),
        ]);
        return {
          ...found.record,
          totals: {
            ...totals,
            by_type: byType.map(({ code, count }) => ({ event_type: eventTypeOf(code), count })),
          },
          detections,
        };
      },
      { projectRole: "viewer" },
    )
    .get(
      "/projects/:project_id/executions/:execution_id/events",
      async ({ projectNo, params, query }) => {
        const typeCodes = typeCodesOf(query.type);
        if (typeCodes === undefined) return invalid(`type is any of ${EVENT_TYPES.join(", ")}`);
        const from = query.cursor === undefined ? null : readEventCursor(query.cursor);
        if (query.cursor !== undefined && from === null) return badCursor();
        const receivedFrom = query.received_from === undefined ? null : momentOf(query.received_from);
        if (receivedFrom === undefined) return invalid("received_from is a time in RFC 3339, or a day");
        const found = await findByPath(sql, projectNo, params.execution_id);
        if (found === null) return executionNotFound();
        const fromSequence = from === null ? (query.from_sequence ?? null) : null;
        const events = { key: found.key, typeCodes, receivedFrom };
        const { rows, more } = await listExecutionEvents(sql, {
          ...events,
          from,
          fromSequence,
          backward: query.direction === "backward",
          limit: query.limit ?? 200,
        });
        const placeOf = ({ sequence, timestamp, event_id }: EventRow) => ({
          sequence,
          timestamp,
          eventId: event_id,
        });
        const cursorAt = (row: EventRow | undefined) =>
          row === undefined ? null : eventCursor(placeOf(row));
        const [first] = rows;
        const earlier =
          fromSequence === null || first === undefined
            ? []
            : (
                await listExecutionEvents(sql, {
                  ...events,
                  from: placeOf(first),
                  fromSequence: null,
                  backward: true,
                  limit: 1,
                })
              ).rows;
        return {
          items: rows.map(eventItem),
          /** Where to go on in the direction asked for; null at its end. */
          next_cursor: more ? cursorAt(query.direction === "backward" ? rows[0] : rows.at(-1)) : null,
          /** Asked for from a sequence on: whether anything stands before it. */
          has_earlier: earlier.length > 0,
          /** The page's own ends, to go on either way. */
          first_cursor: cursorAt(rows[0]),
          last_cursor: cursorAt(rows.at(-1)),
        };
      },
      { projectRole: "viewer", query: EventsQuery },
    )
    .get(
      "/projects/:project_id/executions/:execution_id/events/:event_id",
      async ({ projectNo, params }) => {
        const found = await findByPath(sql, projectNo, params.execution_id);
        if (found === null) return executionNotFound();
        const eventId = idOfPath(params.event_id);
        const event = isFindable(eventId) ? await findExecutionEvent(sql, found.key, eventId) : null;
        if (event === null) return status(404, { code: "event_not_found", detail: "There is no such event" });
        return { ...event, event_type: eventTypeOf(event.event_type) };
      },
      { projectRole: "viewer" },
    )
    .get(
      "/projects/:project_id/executions/:execution_id/graph",
      async ({ projectNo, params }) => {
        const found = await findByPath(sql, projectNo, params.execution_id);
        if (found === null) return executionNotFound();
        const { rows, complete } = await readActions(sql, found.key, {
          handoff: eventTypeCode("agent_handoff")!,
          others: [eventTypeCode("llm_call")!, eventTypeCode("tool_call")!, eventTypeCode("mcp_call")!],
        });
        const actions = rows.map((row) => ({ ...row, event_type: eventTypeOf(row.event_type) }));
        return { ...handoverGraph(actions), complete };
      },
      { projectRole: "viewer" },
    );
};
