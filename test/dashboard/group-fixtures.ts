import { afterAll, beforeAll, beforeEach } from "bun:test";
import type { Sql } from "postgres";
import type { Member, Role } from "../../src/dashboard/api/guard.ts";
import { apiRoutes } from "../../src/dashboard/api/routes.ts";
import { insertDetections } from "../../src/store/detection/detections.ts";
import type { GroupSeverity } from "../../src/store/groups/failure-group-life.ts";
import { recordFirings } from "../../src/store/groups/failure-groups.ts";
import { enqueueFirstOccurrence, FIRST_OCCURRENCE_EVENT } from "../../src/store/webhooks/deliveries.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { uniqueId } from "../support/fixtures.ts";
import { mintProject, type TestProject } from "../support/projects.ts";

/** Firings as detection stores them, and the dashboard's API as a member of a given role calls it. */

export interface Firing {
  class?: string;
  signature: string;
  severity?: GroupSeverity;
  excerpt?: string;
  ruleIds?: string[];
  executionId?: string;
  count?: number;
  atMs: number;
}

async function newExecutionRow(sql: Sql, projectNo: number, executionId: string): Promise<number> {
  const [row] = await sql<{ no: number }[]>`
    insert into ats.execution (project_no, execution_id, started_at, environment)
    values (${projectNo}, ${executionId}, now(), '{"mode": "production"}')
    on conflict (project_no, execution_id) do update set status = excluded.status
    returning execution_no::float8 as no`;
  return row!.no;
}

/** Stores the detections and counts them into their group; answers the group's id. */
export async function fire(sql: Sql, projectNo: number, firing: Firing): Promise<string> {
  const {
    signature,
    count = 1,
    severity = "high",
    excerpt = "an excerpt",
    ruleIds = ["r/one"],
    atMs,
  } = firing;
  const failureClass = firing.class ?? "tool_loop";
  const executionId = firing.executionId ?? "run-1";
  const executionNo = await newExecutionRow(sql, projectNo, executionId);
  const connection = await sql.reserve();
  try {
    await insertDetections(
      connection,
      Array.from({ length: count }, () => {
        const eventId = uniqueId("event");
        return {
          projectNo,
          executionNo,
          class: failureClass,
          dedupKey: eventId,
          signature,
          severity,
          ruleIds,
          score: 0.75,
          excerpt,
          eventId,
          evidenceEventIds: ["before"],
          detectorVersion: 3,
          detectedMs: atMs,
        };
      }),
    );
  } finally {
    connection.release();
  }
  await sql.begin((tx) =>
    recordFirings(tx, {
      nowMs: atMs,
      firings: [
        {
          projectNo,
          class: failureClass,
          signature,
          count,
          severity,
          executionIds: [executionId],
          excerpt,
          ruleIds,
        },
      ],
      owe: (inner, { class: name, ...occurrence }) =>
        enqueueFirstOccurrence(inner, {
          ...occurrence,
          kind: FIRST_OCCURRENCE_EVENT,
          failureClass: name,
          appUrl: "http://localhost:8080",
        }),
    }),
  );
  const [group] = await sql<{ id: string }[]>`
    select group_id as id from ats.failure_group
    where project_no = ${projectNo} and class = ${failureClass} and signature = ${signature}`;
  return group!.id;
}

export interface Reply {
  readonly status: number;
  readonly json: unknown;
}

const APP_URL = "http://localhost:8080";

export type Caller = (method: "GET" | "POST", path: string, body?: unknown) => Promise<Reply>;

/** The API as somebody with this role calls it; `null`: nobody. */
export function callerOf(sql: Sql, role: Role | null, origin = APP_URL, email = "m@example.com"): Caller {
  const member: Member | null = role === null ? null : { id: "m1", email, name: "M", role };
  const api = apiRoutes({ sql, memberOf: async () => member, appUrl: APP_URL });
  return async (method, path, body) => {
    const response = await api.handle(
      new Request(`${APP_URL}/app/api${path}`, {
        method,
        headers: { origin, ...(body === undefined ? {} : { "content-type": "application/json" }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
    const text = await response.text();
    return { status: response.status, json: text === "" ? null : JSON.parse(text) };
  };
}

export const NOW_MS = Date.now();
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;

/** A database for the tests of a file, and for each of them a project of its own. */
export function groupSuite() {
  let database: TestDatabase;
  let project: TestProject;

  beforeAll(async () => {
    database = await cloneDatabase();
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    project = await mintProject(database.sql);
  });

  return {
    get sql(): Sql {
      return database.sql;
    },
    get project(): TestProject {
      return project;
    },
    /** Lets it fire so long ago; answers the group's id. */
    at(firing: Omit<Firing, "atMs"> & { agoMs?: number }): Promise<string> {
      const { agoMs = MINUTE_MS, ...rest } = firing;
      return fire(database.sql, project.projectNo, { ...rest, atMs: NOW_MS - agoMs });
    },
    viewer(path: string): Promise<Reply> {
      return callerOf(database.sql, "viewer")("GET", `/projects/${project.projectId}${path}`);
    },
  };
}
