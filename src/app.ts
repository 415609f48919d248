import type { Logger } from "pino";
import type { Config } from "./config.ts";

/** The composition root as far as this branch needs it: liveness, so that the start and the drain can be tried. */
export interface App {
  readonly port: number;
  /** Takes no new work, finishes what was taken, and settles within `deadlineMs` from now. */
  drain(deadlineMs: number): Promise<void>;
}

export async function startApp(options: {
  readonly config: Config;
  readonly databaseUrl: string;
  readonly log: Logger;
}): Promise<App> {
  const { config, log } = options;
  const server = Bun.serve({
    hostname: config.host,
    port: config.port,
    routes: {
      "/health": () =>
        Response.json({
          ok: true,
          service: "agent-telemetry-service",
          version: "0.1.0",
          time: new Date().toISOString(),
        }),
    },
    fetch: () => new Response(null, { status: 404 }),
  });
  const port = server.port ?? config.port;
  log.info({ port }, "listening");
  return {
    port,
    async drain() {
      await server.stop();
    },
  };
}
