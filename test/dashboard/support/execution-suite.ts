import { afterAll, beforeAll, beforeEach, expect } from "bun:test";
import type { Role } from "../../../src/dashboard/api/guard.ts";
import { apiRoutes } from "../../../src/dashboard/api/routes.ts";
import { eventTypeCode } from "../../../src/ingest/wire/event-types.ts";
import { cloneDatabase, type TestDatabase } from "../../support/database.ts";
import { mintProject, type TestProject } from "../../support/projects.ts";
import { storeEvents } from "../../support/stored-packs.ts";

/**
 * A database, the dashboard's API on it and a fresh project for each test, with executions, events and
 * detections stored by straight SQL: what the service would refuse can be stored too.
 */

export interface StoredExecution {
  id: string;
  startedAt?: string;
  status?: string;
  language?: string | null;
  version?: string | null;
  mode?: string | null;
  crashSignature?: string | null;
  homeDay?: string;
}

export interface StoredEvent {
  id: string;
  type?: string;
  sequence?: number;
  timestamp?: string;
  payload?: string;
  receivedAt?: string;
}

export function executionSuite() {
  let database: TestDatabase;
  let api: ReturnType<typeof apiRoutes>;
  let role: Role | null = "viewer";
  let project: TestProject;

  beforeAll(async () => {
    database = await cloneDatabase();
    api = apiRoutes({
      sql: database.sql,
      appUrl: "http://dashboard.test",
      memberOf: async () => (role === null ? null : { id: "u1", email: "a@example.com", name: "A", role }),
    });
    await database.sql`select ats.ensure_event_partition(day::date)
      from generate_series(date '2026-03-01', date '2026-03-03', interval '1 day') as day`;
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    role = "viewer";
    project = await mintProject(database.sql);
  });

  async function addExecution(one: StoredExecution): Promise<number> {
    const [row] = await database.sql<{ no: number }[]>`
      insert into ats.execution (project_no, execution_id, status, sdk_language, sdk_version, environment, crash_signature,
        started_at, home_day)
      values (${project.projectNo}, ${one.id}, ${one.status ?? "started"}, ${one.language ?? null}, ${one.version ?? null},
        ${one.mode === undefined || one.mode === null ? null : JSON.stringify({ mode: one.mode })}::text::json,
        ${one.crashSignature ?? null}, ${one.startedAt ?? "2026-03-01T10:00:00Z"}::text::timestamptz, ${one.homeDay ?? null}::text::date)
      returning execution_no::float8 as no`;
    return row!.no;
  }

  async function addEvents(executionNo: number, events: readonly StoredEvent[]): Promise<void> {
    await storeEvents(
      database.sql,
      { projectNo: project.projectNo, executionNo, batchNo: 1 },
      events.map((one, index) => ({
        id: one.id,
        type: eventTypeCode(one.type ?? "tool_call")!,
        sequence: one.sequence ?? index + 1,
        timestamp: one.timestamp ?? "2026-03-01T10:00:01Z",
        payload: one.payload ?? "{}",
        receivedAt: one.receivedAt ?? "2026-03-01T10:00:02Z",
      })),
    );
  }

  async function addDetection(
    executionNo: number,
    one: { class: string; severity?: string; eventId?: string; signature?: string; key?: string },
  ): Promise<void> {
    const key = one.key ?? `${one.class}-${one.eventId ?? ""}`;
    await database.sql`
      insert into ats.detection (project_no, execution_no, class, dedup_key, detection_id, signature, severity, rule_ids, score,
        excerpt, event_id, evidence_event_ids, detector_version, detected_at)
      values (${project.projectNo}, ${executionNo}, ${one.class}, ${key}, ${`det_${executionNo}_${key}`},
        ${one.signature ?? "s"}, ${one.severity ?? "high"}, '{r/1}', 0.5, 'excerpt', ${one.eventId ?? null}, '{}', 1, now())`;
  }

  async function get(path: string) {
    const response = await api.handle(
      new Request(`http://dashboard.test/app/api/projects/${project.projectId}${path}`),
    );
    return { status: response.status, body: await response.json() };
  }

  /** Follows the cursors to the end. */
  async function all(path: string, between: () => Promise<void> = async () => {}): Promise<string[]> {
    const ids: string[] = [];
    let cursor: string | null = null;
    do {
      const { status, body } = await get(
        `${path}${path.includes("?") ? "&" : "?"}${cursor === null ? "" : `cursor=${cursor}`}`,
      );
      expect(status).toBe(200);
      ids.push(...body.items.map((item: Record<string, string>) => item.event_id ?? item.execution_id));
      cursor = body.next_cursor;
      await between();
    } while (cursor !== null);
    return ids;
  }

  return {
    addExecution,
    addEvents,
    addDetection,
    get,
    all,
    get database() {
      return database;
    },
    get project() {
      return project;
    },
    set project(other: TestProject) {
      project = other;
    },
    set role(other: Role | null) {
      role = other;
    },
  };
}
