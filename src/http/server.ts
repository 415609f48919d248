import { Elysia } from "elysia";
import type { Executions } from "../ingest/executions.ts";
import type { MigrationState } from "../store/database/migrate.ts";
import { type EventsOptions, postEvents } from "./events.ts";
import { type Exchange, type FrontDesk, type PublicAnswer, refuse } from "./exchange.ts";
import { createExecution, updateExecution } from "./executions.ts";
import { openApiDocument } from "./openapi.ts";
import { health, readiness } from "./probes.ts";

/**
 * The routes, on Elysia over Bun.serve. Bodies are not parsed by the framework: they are read only after the
 * key, the bucket and the version were checked (src/http/exchange.ts).
 */

export interface RoutesOptions {
  readonly version: string;
  readonly desk: FrontDesk;
  readonly executions: Executions;
  readonly events: EventsOptions;
  readonly readMigrations: () => Promise<MigrationState | "schema_unreadable">;
  /** The Prometheus text of the whole process. */
  readonly exposeMetrics: () => Promise<string>;
}

const JSON_TYPE = "application/json";
const UNPARSED = { parse: "none" } as const;

export function buildRoutes(options: RoutesOptions): Elysia {
  const { desk, executions, events, version } = options;
  const openApi = JSON.stringify(openApiDocument(version));
  const json = (body: string): PublicAnswer => ({ code: "ok", body, contentType: JSON_TYPE });
  const methodNotAllowed = (allow: string) => () => {
    const problem = { code: "method_not_allowed", detail: `Allowed here: ${allow}`, allow } as const;
    return desk.servePublic(() => ({ problem }));
  };

  const eventsHandler = {
    recognise: (bytes: Buffer) => events.ingest.recognise(bytes),
    handle: (exchange: Exchange) => postEvents(exchange, events),
  };

  // Elysia otherwise takes every host for one with a dot, and finds no path behind a shorter name:
  // http://api/events.
  const app = new Elysia({ handler: { standardHostname: false } })
    // Before the routes: it holds for those that come after it only.
    .onError(({ code, error }) =>
      desk.servePublic(() => {
        if (code !== "NOT_FOUND") throw error;
        return refuse("route_not_found", "See /openapi for what there is");
      }),
    )
    .post(
      "/executions",
      ({ request }) =>
        desk.serve("executions_create", request, {
          handle: (exchange) => createExecution(exchange, executions),
        }),
      UNPARSED,
    )
    .patch(
      "/executions/:id",
      ({ request, params }) =>
        desk.serve("executions_update", request, {
          handle: (exchange) =>
            updateExecution(exchange, (params.id as string | null) ?? undefined, executions),
        }),
      UNPARSED,
    )
    .post("/events", ({ request }) => desk.serve("events", request, eventsHandler), UNPARSED)
    .get("/health", () => desk.servePublic(() => json(JSON.stringify(health(version)))))
    .get("/ready", () =>
      desk.servePublic(async () => {
        const { code, body } = await readiness(version, options.readMigrations);
        return { code, body: JSON.stringify(body), contentType: JSON_TYPE };
      }),
    )
    .get("/openapi", () => desk.servePublic(() => json(openApi)))
    .get("/metrics", () =>
      desk.servePublic(async () => ({
        code: "ok",
        body: await options.exposeMetrics(),
        contentType: "text/plain; version=0.0.4; charset=utf-8",
      })),
    );
  const allowed = {
    "/executions": "POST",
    "/executions/:id": "PATCH",
    "/events": "POST",
    "/health": "GET, HEAD",
    "/ready": "GET, HEAD",
    "/openapi": "GET, HEAD",
    "/metrics": "GET, HEAD",
  };
  for (const [path, methods] of Object.entries(allowed)) app.all(path, methodNotAllowed(methods), UNPARSED);
  return app as unknown as Elysia;
}
