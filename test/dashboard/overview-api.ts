import type { Sql } from "postgres";
import type { Role } from "../../src/dashboard/api/guard.ts";
import { apiRoutes } from "../../src/dashboard/api/routes.ts";

/** Asks the dashboard's API without a server between. */

export interface ApiReply<Body> {
  readonly status: number;
  readonly body: Body;
}

export interface SeriesBody {
  readonly from: string;
  readonly to: string;
  readonly step_seconds: number;
  readonly event_types_available: boolean;
  readonly at: number[];
  readonly series: Record<string, number[]>;
}

export interface TotalsBody {
  readonly executions: { started: number; running: number; completed: number; crashed: number };
  readonly events: { total: number; by_type: { event_type: string; count: number }[] };
  readonly tokens: { in: number; out: number };
  readonly detections: { class: string; severity: string; count: number }[];
  readonly open_groups: Record<string, number>;
  readonly project_empty: boolean;
}

export interface HealthBody {
  readonly ingest: {
    totals: Record<string, number>;
    reasons: { outcome: string; reason: string; count: number }[];
    keys: ({ key_id: string; name: string | null; hint: string } & Record<string, unknown>)[];
    last_event_at: string | null;
  };
  readonly detection: {
    running: boolean;
    lag_seconds: number;
    owed_batches: number;
    owed_events: number;
    owed_at_least: boolean;
  };
  readonly deliveries: Record<string, unknown>;
}

export function overviewApi(sql: Sql, role: Role | null = "viewer") {
  const app = apiRoutes({
    sql,
    memberOf: async () => (role === null ? null : { id: "m", email: "m@example.org", name: "M", role }),
    appUrl: "http://app.example",
  });
  async function get<Body>(
    projectId: string,
    part: "series" | "totals" | "health",
    query: Record<string, string> = {},
  ): Promise<ApiReply<Body>> {
    const search = new URLSearchParams(query);
    const url = `http://app.example/app/api/projects/${encodeURIComponent(projectId)}/overview/${part}?${search}`;
    const response = await app.handle(new Request(url));
    return { status: response.status, body: (await response.json()) as Body };
  }
  return {
    get,
    series: async (projectId: string, query?: Record<string, string>) =>
      (await get<SeriesBody>(projectId, "series", query)).body,
    totals: async (projectId: string, query?: Record<string, string>) =>
      (await get<TotalsBody>(projectId, "totals", query)).body,
    health: async (projectId: string, query?: Record<string, string>) =>
      (await get<HealthBody>(projectId, "health", query)).body,
  };
}

export const sumOf = (values: readonly number[] = []) => values.reduce((sum, value) => sum + value, 0);
