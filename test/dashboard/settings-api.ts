/**
 * The settings' API without a server: requests as a browser on the dashboard's own pages sends them, by a
 * member of any role.
 */
import type { Sql } from "postgres";
import type { Role } from "../../src/dashboard/api/guard.ts";
import { apiRoutes } from "../../src/dashboard/api/routes.ts";

export const APP_URL = "https://telemetry.example.com";

export interface ApiReply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came, and fails where it is not what it expects
  readonly json: any;
  readonly text: string;
}

export type Call = (method: string, path: string, body?: unknown) => Promise<ApiReply>;

export function settingsApi(sql: Sql): (role: Role | null) => Call {
  return (role) => {
    const api = apiRoutes({
      sql,
      appUrl: APP_URL,
      memberOf: async () =>
        role === null ? null : { id: "usr_1", email: "kim@example.com", name: "Kim", role },
    });
    return async (method, path, body) => {
      const response = await api.handle(
        new Request(`${APP_URL}/app/api${path}`, {
          method,
          headers: {
            "sec-fetch-site": "same-origin",
            ...(body === undefined ? {} : { "content-type": "application/json" }),
          },
          ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
        }),
      );
      const text = await response.text();
      return { status: response.status, json: text.startsWith("{") ? JSON.parse(text) : undefined, text };
    };
  };
}
