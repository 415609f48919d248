import type { Config } from "../config.ts";
import { FORWARD_OUTCOMES, Forwarder } from "../dashboard/forward.ts";
import { buildRoutes, type RoutesOptions } from "../http/server.ts";
import type { MetricDeclaration, MetricRegistry } from "../metrics/registry.ts";

/** The port of one thread: the routes of the interface, and below /app the way to the dashboard's thread. */

export const FORWARD_METRICS: readonly MetricDeclaration[] = [
  {
    name: "ats_dashboard_requests_total",
    kind: "counter",
    help: "Requests below /app, by what became of them.",
    series: FORWARD_OUTCOMES.map((outcome) => ({ outcome })),
  },
  {
    name: "ats_dashboard_requests_in_flight",
    kind: "gauge",
    help: "Requests below /app not answered yet, and streams not ended.",
  },
];

/** Where the dashboard's thread is, and what starts it. */
export interface DashboardDoor {
  readonly socketPath: string;
  ready(): Promise<boolean>;
}

export interface HttpListenerOptions {
  readonly config: Config;
  /** The same for all threads. */
  readonly port: number;
  readonly routes: RoutesOptions;
  /** Absent when the dashboard is off. */
  readonly dashboard: DashboardDoor | undefined;
  readonly isDatabaseAway: () => boolean;
  readonly metrics: MetricRegistry;
}

export interface HttpListener {
  readonly port: number;
  readonly forwarder: Forwarder | undefined;
  /** Takes no new connections; resolves when the last request is answered. */
  stop(): Promise<void>;
}

export function listenOnPort(options: HttpListenerOptions): HttpListener {
  const { config, metrics, dashboard } = options;
  const routes = buildRoutes(options.routes);
  const forwarder =
    dashboard === undefined
      ? undefined
      : new Forwarder({
          socketPath: dashboard.socketPath,
          trustedProxies: config.trustedProxies,
          ready: dashboard.ready,
          isDatabaseAway: options.isDatabaseAway,
          count: (outcome) => metrics.add(metrics.slot("ats_dashboard_requests_total", { outcome })),
        });
  // In Bun's own router, so that a request for ingest pays nothing for it.
  const forward = async (request: Request, to: Bun.Server<undefined>) =>
    forwarder === undefined ? await routes.fetch(request) : await forwarder.handle(request, to);
  const server = Bun.serve({
    hostname: config.host,
    port: options.port,
    reusePort: config.httpThreads > 1,
    // The limit that answers with a problem document is our own; Bun's would answer with an empty 413.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    idleTimeout: 30,
    routes: { "/app": forward, "/app/*": forward },
    fetch: routes.fetch,
  });
  return { port: server.port!, forwarder, stop: () => server.stop() };
}
