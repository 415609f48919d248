import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  addDetections,
  addEvents,
  addOutcomes,
  gatherExecutionTally,
} from "../../src/store/upkeep/rollups.ts";
import { keepRollups } from "../../src/store/upkeep/upkeep.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { mintProject, type TestProject } from "../support/projects.ts";
import { overviewApi, sumOf } from "./overview-api.ts";

/**
 * The overview's API on made-up roll-ups: ranges, steps, folding, roles, and one project not seeing another.
 */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let database: TestDatabase;
let project: TestProject;
let stranger: TestProject;
const parts = ["series", "totals", "health"] as const;

beforeAll(async () => {
  database = await cloneDatabase();
  project = await mintProject(database.sql);
  stranger = await mintProject(database.sql);
});

afterAll(async () => {
  await database.drop();
});

const at = (ms: number) => new Date(ms).toISOString();

describe("who may ask, and what", () => {
  test.each(parts)(
    "%s: nobody signed in 401, a project that is not there 404, a viewer 200",
    async (part) => {
      expect((await overviewApi(database.sql, null).get(project.projectId, part)).status).toBe(401);
      const api = overviewApi(database.sql);
      expect((await api.get("proj_missing", part)).status).toBe(404);
      expect((await api.get("' or 1=1 --", part)).status).toBe(404);
      expect((await api.get(project.projectId, part)).status).toBe(200);
    },
  );

  const now = Date.now();
  test.each([
    [{ from: "yesterday" }],
    [{ to: "1" }],
    [{ from: at(now - HOUR), to: at(now - 2 * HOUR) }],
    [{ from: at(now + HOUR) }],
    [{ from: at(now), to: at(now) }],
    [{ from: "1800-01-01T00:00:00Z" }],
    [{ from: "0001-01-01T00:00:00Z", to: "9999-01-01T00:00:00Z" }],
    [{ from: "2026-01-01T00:00'; drop table x --" }],
    [{ from: "2026-13-45T99:99:99Z" }],
    [{ from: "2026-02-30T00:00:00Z", to: "2026-03-20T00:00:00Z" }],
  ])("a bad range is refused: %j", async (query) => {
    for (const part of parts) {
      const { status, body } = await overviewApi(database.sql).get<{ code: string }>(
        project.projectId,
        part,
        query,
      );
      expect({ status, code: body.code }).toEqual({ status: 400, code: "invalid_range" });
    }
  });

  test("an empty project answers zeros everywhere", async () => {
    const empty = await mintProject(database.sql);
    const api = overviewApi(database.sql);
    const series = await api.series(empty.projectId);
    expect(sumOf(Object.values(series.series).flat())).toBe(0);
    expect(await api.totals(empty.projectId)).toMatchObject({
      executions: { started: 0, running: 0 },
      events: { total: 0, by_type: [] },
      open_groups: { low: 0, medium: 0, high: 0, critical: 0, regressed: 0 },
      project_empty: true,
    });
    const health = await api.health(empty.projectId);
    expect(health.ingest).toMatchObject({ totals: { accepted: 0 }, last_event_at: null });
    expect(health.ingest.keys).toHaveLength(1);
    expect(health.deliveries).toMatchObject({ delivered: 0, pending: 0, webhooks: { enabled: 0 } });
  });
});

test("a project is empty until anything was sent, be it refused", async () => {
  const api = overviewApi(database.sql);
  const refused = await mintProject(database.sql);
  const slotMs = Math.floor((Date.now() - 40 * DAY) / HOUR) * HOUR;
  const { projectNo, keyId } = refused;
  await addOutcomes(database.sql, [
    { projectNo, keyId, slotMs, outcome: "rejected", reason: "invalid_event", count: 1, lastMs: slotMs },
  ]);
  expect((await api.totals(refused.projectId)).project_empty).toBe(false);
  const quiet = await mintProject(database.sql);
  await database.sql`
    insert into ats.execution (project_no, execution_id, started_at)
    values (${quiet.projectNo}, 'run-1', now() - interval '90 days')`;
  expect((await api.totals(quiet.projectId)).project_empty).toBe(false);
});

test("every part tells the time by the clock of the counts", async () => {
  const before = Date.now();
  for (const part of parts) {
    const { body } = await overviewApi(database.sql).get<{ now: string }>(project.projectId, part);
    expect(Date.parse(body.now)).toBeWithin(before, Date.now() + 1);
  }
});

describe("sums stay what they were", () => {
  const count = (projectNo: number, keyId: string, slotMs: number, events: number) => ({
    projectNo,
    keyId,
    slotMs,
    outcome: "accepted",
    reason: "",
    count: events,
    lastMs: slotMs + 1,
  });

  test("whatever is gathered, let go or added late", async () => {
    const owner = await mintProject(database.sql);
    const hourMs = Math.floor((Date.now() - 3 * DAY) / HOUR) * HOUR;
    const recentMs = Math.floor((Date.now() - HOUR) / MINUTE) * MINUTE;
    const slots = [hourMs, hourMs + MINUTE, hourMs + 59 * MINUTE, hourMs + HOUR + MINUTE, recentMs];
    const add = (events: number) =>
      addOutcomes(
        database.sql,
        slots.flatMap((slotMs) => [
          count(owner.projectNo, owner.keyId, slotMs, events),
          count(stranger.projectNo, stranger.keyId, slotMs, 1),
        ]),
      );
    for (const slotMs of slots) {
      await database.sql`
        insert into ats.execution_tally (project_no, slot_at, started, started_completed, tokens_in)
        values (${owner.projectNo}, ${at(slotMs)}, 2, 1, 9007199254740991)`;
    }
    const ofType = (typeCode: number, events: number, tokensIn: number) =>
      slots.map((slotMs) => ({
        projectNo: owner.projectNo,
        slotMs,
        typeCode,
        count: events,
        tokensIn,
        tokensOut: 0,
      }));
    const detection = await database.sql.reserve();
    await addEvents(detection, [...ofType(1, 5, 10), ...ofType(2, 1, 0)]);
    const fired = slots.map((slotMs) => ({
      projectNo: owner.projectNo,
      class: "tool_loop",
      severity: "high",
      detectedMs: slotMs + 1,
    }));
    await addDetections(detection, [...fired, ...fired, ...fired]);
    detection.release();
    await add(10);
    const api = overviewApi(database.sql);
    const query = { from: at(hourMs) };
    const seen = async () => {
      const [totals, health, series] = await Promise.all([
        api.totals(owner.projectId, query),
        api.health(owner.projectId, query),
        api.series(owner.projectId, query),
      ]);
      expect(series.step_seconds).toBe(1_200);
      return {
        started: totals.executions.started,
        running: totals.executions.running,
        events: totals.events.total,
        tokens: totals.tokens.in,
        detections: totals.detections,
        accepted: health.ingest.totals.accepted,
        curve: sumOf(series.series["outcomes.accepted"]),
        firstStep: series.series["outcomes.accepted"]!.find((value) => value > 0),
      };
    };
    const expected = {
      started: 10,
      running: 5,
      events: 30,
      tokens: 50,
      detections: [{ class: "tool_loop", severity: "high", count: 15 }],
      accepted: 50,
      curve: 50,
      firstStep: 20,
    };
    expect(await seen()).toEqual(expected);

    await gatherExecutionTally(database.sql, 2);
    expect(await seen()).toEqual(expected);
    await keepRollups(database.sql, Date.now());
    expect(await seen()).toEqual(expected);
    const slotsOf = async (step: number) => {
      const rows = await database.sql<{ slot_at: Date; n: number }[]>`
        select slot_at, sum(event_count)::int as n from ats.outcome_rollup
        where project_no = ${owner.projectNo} and step = ${step} group by 1 order by 1`;
      return rows.map((row) => [row.slot_at.getTime(), row.n] as const);
    };
    const floorTo = (ms: number, stepMs: number) => Math.floor(ms / stepMs) * stepMs;
    expect(await slotsOf(60)).toEqual([[recentMs, 10]]);
    expect(await slotsOf(600)).toEqual([
      [hourMs, 20],
      [hourMs + 50 * MINUTE, 10],
      [hourMs + HOUR, 10],
      [floorTo(recentMs, 10 * MINUTE), 10],
    ]);
    expect(await slotsOf(3_600)).toEqual([
      [hourMs, 30],
      [hourMs + HOUR, 10],
      [floorTo(recentMs, HOUR), 10],
    ]);

    await add(1);
    expect((await seen()).accepted).toBe(55);
    await keepRollups(database.sql, Date.now());
    expect(await seen()).toMatchObject({ accepted: 55, curve: 55, firstStep: 22 });
    const hours = await slotsOf(3_600);
    expect(hours[0]).toEqual([hourMs, 33]);
    const theirs = await api.health(stranger.projectId, query);
    expect(theirs.ingest.totals.accepted).toBe(10);
    await keepRollups(database.sql, Date.now() + 9 * DAY);
    expect([await slotsOf(60), await slotsOf(600), await slotsOf(3_600)]).toEqual([[], [], hours]);
    const [tally] = await database.sql`select count(*)::int as n from ats.execution_tally`;
    expect(tally!.n).toBe(0);
  });

  test("open groups count merged ones into theirs, with the highest severity", async () => {
    const owner = await mintProject(database.sql);
    const group = (id: string, severity: string, state = "open") => database.sql`
      insert into ats.failure_group (project_no, group_id, class, signature, severity, firing_count, first_seen_at,
        last_seen_at, sample_execution_ids, state)
      values (${owner.projectNo}, ${id}, 'tool_loop', ${id}, ${severity}, 1, now(), now(), '{}', ${state})`;
    await group("fg_a", "low");
    await group("fg_b", "critical");
    await group("fg_c", "high");
    await group("fg_d", "critical", "resolved");
    await group("fg_e", "medium", "ignored");
    await database.sql`update ats.failure_group set merged_into = 'fg_a' where group_id = 'fg_b'`;
    await database.sql`
      update ats.failure_group set resolved_at = now() - interval '1 hour', regressed_at = now() where group_id = 'fg_c'`;
    const { open_groups } = await overviewApi(database.sql).totals(owner.projectId);
    expect(open_groups).toEqual({ low: 0, medium: 0, high: 1, critical: 1, regressed: 1 });
  });

  test("deliveries by what became of them, and the age of what detection owes", async () => {
    const owner = await mintProject(database.sql);
    await database.sql`
      insert into ats.webhook (project_no, webhook_id, url, secret, failing_since)
      values (${owner.projectNo}, 'wh_overview', 'https://example.org', 's', now())`;
    const statuses = ["delivered", "delivered", "failed", "pending", "delivering", "cancelled"];
    for (const [n, status] of statuses.entries()) {
      const isDone = !["pending", "delivering"].includes(status);
      await database.sql`
        insert into ats.delivery (project_no, delivery_id, webhook_id, event, body, status, due_at, created_at, finished_at)
        values (${owner.projectNo}, ${`dlv_overview_${n}`}, 'wh_overview', 'e', '{}', ${status}, now(), now(),
          ${isDone ? new Date() : null})`;
    }
    await database.sql`
      insert into ats.delivery (project_no, delivery_id, webhook_id, event, body, status, due_at, created_at, finished_at)
      values (${owner.projectNo}, 'dlv_overview_test', 'wh_overview', 'webhook.test', '{}', 'failed', now(), now(), now())`;
    await database.sql`
      insert into ats.batch (project_no, batch_no, event_count, execution_nos, stored_at)
      values (${owner.projectNo}, 1, 7, '{}', now() - interval '90 seconds'), (${stranger.projectNo}, 2, 5, '{}', now())`;
    const health = await overviewApi(database.sql).health(owner.projectId);
    expect(health.deliveries).toEqual({
      delivered: 2,
      failed: 1,
      cancelled: 1,
      pending: 2,
      webhooks: { enabled: 1, disabled: 0, failing: 1 },
    });
    expect(health.detection).toMatchObject({
      running: false,
      owed_batches: 1,
      owed_events: 7,
      owed_at_least: false,
    });
    expect(health.detection.lag_seconds).toBeGreaterThanOrEqual(90);
  });
});
