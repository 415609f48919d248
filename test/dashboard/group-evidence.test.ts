import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { prune } from "../../src/store/retention.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { mintProject, type TestProject } from "../support/projects.ts";
import { callerOf, type Firing, fire, type Reply } from "./group-fixtures.ts";

/** One failure group in the dashboard's API: what stands behind it, on a real database. */

let database: TestDatabase;
let project: TestProject;

beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  project = await mintProject(database.sql);
});

const NOW_MS = Date.now();
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

const at = (firing: Omit<Firing, "atMs"> & { agoMs?: number }) => {
  const { agoMs = MINUTE_MS, ...rest } = firing;
  return fire(database.sql, project.projectNo, { ...rest, atMs: NOW_MS - agoMs });
};
const viewer = (path: string): Promise<Reply> =>
  callerOf(database.sql, "viewer")("GET", `/projects/${project.projectId}${path}`);

interface Page {
  items: { id?: string; execution_id: string; detections?: number; detected_at: string }[];
  next_cursor: string | null;
}

async function pages(path: string): Promise<Page["items"]> {
  const items: Page["items"] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const reply = await viewer(`${path}?limit=2${cursor === "" ? "" : `&cursor=${cursor}`}`);
    expect(reply.status).toBe(200);
    const page = reply.json as Page;
    expect(page.items.length).toBeLessThanOrEqual(2);
    items.push(...page.items);
    cursor = page.next_cursor;
  }
  return items;
}

test("tells what fired and why", async () => {
  const id = await at({
    class: "secret_exposure",
    signature: "a",
    ruleIds: ["secret/aws", "secret/generic"],
    excerpt: "key AKIA****",
  });
  const detail = (await viewer(`/groups/${id}`)).json;
  expect(detail).toMatchObject({
    group: { id, class: "secret_exposure", count: 1 },
    detector: {
      failure_class: "secret_exposure",
      family: "security",
      taxonomy: { owasp_llm_2025: ["LLM02:2025"], mitre_atlas: ["AML.T0055", "AML.T0057"] },
    },
    latest: {
      rule_ids: ["secret/aws", "secret/generic"],
      excerpt: "key AKIA****",
      score: 0.75,
      evidence_event_ids: ["before"],
      detector_version: 3,
      execution_id: "run-1",
    },
    recent: {
      detections: 1,
      executions: 1,
      rules: [
        { rule_id: "secret/aws", count: 1 },
        { rule_id: "secret/generic", count: 1 },
      ],
    },
    merged_groups: [],
  });
  expect((await viewer("/groups/fg_none")).status).toBe(404);
  expect((await viewer(`/groups/fg_${"a".repeat(20)}`)).status).toBe(404);
});

test("pages its detections, also of one moment, and its executions by their latest", async () => {
  const id = await at({ signature: "a", count: 5, executionId: "run-1", agoMs: 5 * MINUTE_MS });
  await at({ signature: "a", count: 2, executionId: "run-2", agoMs: 4 * MINUTE_MS });
  await at({ signature: "a", count: 1, executionId: "run-1", agoMs: 3 * MINUTE_MS });
  await at({ signature: "a", count: 1, executionId: "run-3", agoMs: 6 * MINUTE_MS });
  await at({ signature: "other", count: 1, executionId: "run-4" });
  const detections = await pages(`/groups/${id}/detections`);
  expect(new Set(detections.map((item) => item.id)).size).toBe(9);
  expect(detections.map((item) => item.detected_at)).toEqual(
    detections
      .map((item) => item.detected_at)
      .toSorted()
      .toReversed(),
  );
  const executions = await pages(`/groups/${id}/executions`);
  expect(executions.map((item) => [item.execution_id, item.detections])).toEqual([
    ["run-1", 6],
    ["run-2", 2],
    ["run-3", 1],
  ]);
  const iso = (agoMs: number) => new Date(NOW_MS - agoMs).toISOString();
  const range = `from=${iso(5.5 * MINUTE_MS)}&to=${iso(3.5 * MINUTE_MS)}`;
  expect(((await viewer(`/groups/${id}/detections?${range}`)).json as Page).items).toHaveLength(7);
  const within = ((await viewer(`/groups/${id}/executions?${range}`)).json as Page).items;
  expect(within.map((item) => item.execution_id)).toEqual(["run-2", "run-1"]);
});

test("an execution with thousands of detections hides no other", async () => {
  const id = await at({ signature: "a", count: 1, executionId: "run-quiet", agoMs: 9 * MINUTE_MS });
  await at({ signature: "a", count: 12_500, executionId: "run-loud" });
  const executions = await pages(`/groups/${id}/executions`);
  expect(executions).toMatchObject([
    { execution_id: "run-loud", detections: 1000, detections_capped: true },
    { execution_id: "run-quiet", detections: 1, detections_capped: false },
  ]);
});

test("counts its occurrences over a range", async () => {
  const id = await at({ signature: "a", count: 3, agoMs: 2 * HOUR_MS });
  await at({ signature: "a", count: 4, agoMs: 50 * HOUR_MS });
  const total = async (query: string) => {
    const reply = await viewer(`/groups/${id}/occurrences${query}`);
    expect(reply.status).toBe(200);
    return (reply.json as { counts: number[] }).counts.reduce((sum, count) => sum + count, 0);
  };
  expect(await total("")).toBe(3);
  expect(await total("?range=1h")).toBe(0);
  expect(await total("?range=30d")).toBe(7);
});

test("lists its notifications, without the paths of the webhooks", async () => {
  await database.sql`
      insert into ats.webhook (project_no, webhook_id, url, secret)
      values (${project.projectNo}, ${`wh_${project.projectNo}`}, 'https://hooks.example.com/T0/secret', 'whsec_x')`;
  const id = await at({ signature: "a" });
  await at({ signature: "b" });
  const reply = await viewer(`/groups/${id}/deliveries`);
  expect(reply.json).toMatchObject({
    items: [
      { webhook_host: "hooks.example.com", status: "pending", event: "failure_group.first_occurrence" },
    ],
    next_cursor: null,
  });
  expect(JSON.stringify(reply.json)).not.toContain("T0/secret");
});

test("upkeep lets go of short slots that no chart asks for, and of what its project no longer keeps", async () => {
  const DAY_MS = 24 * HOUR_MS;
  const id = await at({ signature: "a", count: 2, agoMs: 9 * DAY_MS });
  await at({ signature: "a", count: 1, agoMs: 40 * DAY_MS });
  await at({ signature: "a", count: 5, agoMs: HOUR_MS });
  const slots = async () =>
    (
      await database.sql<{ text: string }[]>`
        select step || ': ' || sum(firing_count) as text from ats.group_activity
        where project_no = ${project.projectNo} group by step order by step`
    ).map((row) => row.text);
  expect(await slots()).toEqual(["300: 8", "3600: 8"]);
  await prune({ sql: database.sql, nowMs: NOW_MS });
  expect(await slots()).toEqual(["300: 5", "3600: 8"]);
  await database.sql`update ats.project set retention_days = 30 where project_no = ${project.projectNo}`;
  await prune({ sql: database.sql, nowMs: NOW_MS });
  expect(await slots()).toEqual(["300: 5", "3600: 7"]);
  expect((await viewer(`/groups/${id}`)).json).toMatchObject({ group: { count: 8 } });
});
