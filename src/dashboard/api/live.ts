import { Elysia, status, t } from "elysia";
import { EVENT_TYPES, type EventType } from "../../ingest/wire/event-types.ts";
import type { TailFilter } from "../live/live-event.ts";
import { LIVE_LIMITS, type LiveLimits, LiveTails } from "../live/live-tails.ts";
import { type ApiServices, guard } from "./guard.ts";

/**
 * `GET /projects/:project_id/live`: events as they are stored, as a stream of server-sent events.
 *
 * `hello` {resumed, events_per_second} · `events` [LiveEvent] with an id to come back with · `rate` {stored,
 * skipped, seconds} of the project, whatever the filter · `dropped` {count}: this browser was too slow for so
 * many · `store` {state: away|back} · `end` {reason}.
 */

const EVENT_TYPE_LIST = `^(?:${EVENT_TYPES.join("|")})(?:,(?:${EVENT_TYPES.join("|")})){0,15}$`;

const query = t.Object({
  /** Names of event types, with commas between. */
  type: t.Optional(t.String({ maxLength: 400, pattern: EVENT_TYPE_LIST })),
  execution_id: t.Optional(t.String({ minLength: 1, maxLength: 256 })),
  /** Stands in the payload's first 8,192 characters, in any case. */
  q: t.Optional(t.String({ minLength: 1, maxLength: 200 })),
});

function filterOf(given: typeof query.static): TailFilter {
  const types = given.type === undefined ? null : new Set(given.type.split(",") as EventType[]);
  return { types, executionId: given.execution_id ?? null, text: given.q?.toLowerCase() ?? null };
}

export function liveRoutes(services: ApiServices, limits: LiveLimits = LIVE_LIMITS) {
  const tails = new LiveTails(services.sql, limits);
  return new Elysia().use(guard(services)).get(
    "/projects/:project_id/live",
    ({ request, member, projectNo, query: given }) => {
      // The server's own request does not outlive its answer.
      const asked = new Request(request.url, { headers: new Headers(request.headers) });
      const viewer = tails.open({
        member,
        projectNo,
        filter: filterOf(given),
        lastEventId: request.headers.get("last-event-id"),
        refusal: async () => ((await services.memberOf(asked)) === null ? "signed_out" : null),
      });
      if (viewer === "too_many")
        return status(503, {
          code: "too_many_streams",
          detail: "As many live tails are open as the service takes",
        });
      if (viewer === "too_many_of_member")
        return status(429, {
          code: "too_many_streams",
          detail: `You have ${limits.streamsPerMember} live tails open; close one`,
        });
      return new Response(viewer.stream(), {
        headers: {
          "content-type": "text/event-stream; charset=utf-8",
          "cache-control": "no-store",
          "x-accel-buffering": "no",
        },
      });
    },
    { projectRole: "viewer", query },
  );
}
