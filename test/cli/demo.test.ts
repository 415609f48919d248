import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { planRuns, SCENARIOS } from "../../src/cli/demo/plan.ts";
import { EVENT_TYPES } from "../../src/ingest/wire/event-types.ts";
import { findProjectNo } from "../../src/store/projects/projects.ts";
import { fire } from "../dashboard/group-fixtures.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/postgres-server.ts";
import { type Service, startService } from "../support/service.ts";
import { runCli, type StartedCli, startCli } from "./run-cli.ts";

/** The demo on a real service with its real detectors. */

const SEED = 11;
const RUNS = 420;

let database: TestDatabase;
let service: Service;
const cli = (...args: string[]) =>
  runCli(["demo", ...args], { DATABASE_URL: database.url, PORT: String(service.port) });

interface DemoJson {
  project_id: string;
  seed: number;
  runs: number;
  incidents: number;
  accepted: number;
  duplicates: number;
  rejected: number;
  groups: number;
  classes: { class: string; groups: number; firings: number }[];
  dashboard: string;
}

beforeAll(async () => {
  database = await cloneDatabase();
  service = await startService({ databaseUrl: database.url, env: { DETECTION: "on" } });
});
afterAll(async () => {
  await service.stop();
  await database.drop();
});

describe("the plan", () => {
  const plan = planRuns(SEED, RUNS);
  const events = plan.flatMap(({ run }) => run.events);

  test("is the same for the same seed, and another for another", () => {
    expect(planRuns(SEED, RUNS)).toEqual(plan);
    expect(planRuns(SEED + 1, RUNS)[0]?.run.executionId).not.toBe(plan[0]?.run.executionId);
  });

  test("holds every scenario, every event type, several SDKs, and mostly healthy runs", () => {
    expect(new Set(plan.map((one) => one.scenario))).toEqual(new Set(SCENARIOS.map((one) => one.name)));
    expect(new Set(events.map((one) => one.event_type))).toEqual(new Set(EVENT_TYPES));
    expect(new Set(plan.map(({ run }) => run.sdkLanguage)).size).toBeGreaterThanOrEqual(4);
    expect(plan.filter((one) => one.isIncident).length).toBeLessThan(RUNS / 4);
  });

  test("lies within the last day, oldest first, and what ended did so by now", () => {
    expect(plan.map((one) => one.agoMs)).toEqual(plan.map((one) => one.agoMs).toSorted((a, b) => b - a));
    expect(plan.every((one) => one.agoMs >= 0 && one.agoMs <= 86_400_000)).toBe(true);
    expect(plan.every(({ run, agoMs }) => run.end === null || run.durationMs < agoMs)).toBe(true);
  });

  test.each([1, 2, 30, 3_000])("of %i runs has as many", (count) => {
    expect(planRuns(1, count)).toHaveLength(count);
  });
});

describe("demo", () => {
  test("fills a new project: all events stored, most classes found, in runs that went wrong", async () => {
    const run = await cli("--minutes", "0", "--seed", String(SEED), "--runs", String(RUNS), "--json");
    expect(run).toMatchObject({ code: 0 });
    expect(run.stderr).toContain(`Sending ${RUNS} runs`);
    const demo = run.json<DemoJson>();
    const plan = planRuns(SEED, RUNS);
    const events = plan.reduce((sum, one) => sum + one.run.events.length, 0);
    expect(demo).toMatchObject({ seed: SEED, runs: RUNS, accepted: events });
    expect(demo.dashboard).toEndWith(`/app/p/${demo.project_id}/overview`);
    expect(demo.duplicates).toBeGreaterThan(0);
    expect(demo.rejected).toBeGreaterThan(0);
    expect(demo.classes.length).toBeGreaterThanOrEqual(20);
    const [stored] = await database.sql`
      select count(*)::int as events, count(distinct event_type)::int as types from public.events
      where project_id = ${demo.project_id}`;
    expect(stored).toEqual({ events, types: 16 });
    const fired = await database.sql<{ execution_id: string; class: string }[]>`
      select distinct x.execution_id, d.class from ats.detection d join ats.execution x using (project_no, execution_no)
      join ats.project p using (project_no) where p.project_id = ${demo.project_id}`;
    const healthy = new Set(plan.filter((one) => !one.isIncident).map((one) => one.run.executionId));
    // These judge a run by what the project did before, and which run came before depends on the order of
    // arrival.
    const byHistory = ["eval_regression", "behavior_drift", "unexpected_egress"];
    const wrong = fired.filter((one) => healthy.has(one.execution_id) && !byHistory.includes(one.class));
    expect(wrong).toEqual([]);
  }, 180_000);

  test("the same seed again is answered as duplicates", async () => {
    const args = ["--minutes", "0", "--seed", "3", "--runs", "20", "--json"];
    const first = (await cli(...args)).json<DemoJson>();
    const projectNo = (await findProjectNo(database.sql, first.project_id)) ?? 0;
    await fire(database.sql, projectNo, { atMs: Date.now(), signature: "v1:before", count: 1_000 });
    const again = (await cli(...args, "--project", first.project_id)).json<DemoJson>();
    // What stood in the project before is not of this run.
    expect(again.classes.reduce((sum, { firings }) => sum + firings, 0)).toBeLessThan(1_000);
    expect(again).toMatchObject({ project_id: first.project_id, accepted: 0 });
    expect(again.duplicates).toBeGreaterThanOrEqual(first.accepted);
    const [left] = await database.sql`
      select rate_burst, rate_per_second, count(*)::int as keys, count(revoked_at)::int as revoked
      from ats.project p join ats.api_key k using (project_no) where project_id = ${first.project_id} group by p.project_no`;
    expect(left).toEqual({ rate_burst: 100, rate_per_second: 10, keys: 4, revoked: 4 });
  }, 180_000);

  test("live runs happen now", async () => {
    const before = new Date();
    const demo = (
      await cli("--live", "--minutes", "0", "--seed", "5", "--runs", "6", "--json")
    ).json<DemoJson>();
    const [times] = await database.sql`
      select min(timestamp) >= ${before} as began, max(timestamp) <= now() as ended from public.events
      where project_id = ${demo.project_id}`;
    expect(times).toEqual({ began: true, ended: true });
  }, 180_000);

  describe("into an existing project", () => {
    interface Own {
      readonly id: string;
      /** Its limits and settings, and its keys that are not revoked. */
      now(): Promise<unknown>;
    }
    const ownProject = async (...limits: string[]): Promise<Own> => {
      const made = await runCli(["project", "create", "--name", "Own", ...limits, "--json"], {
        DATABASE_URL: database.url,
      });
      const { id } = made.json<{ id: string }>();
      const now = async () => {
        const [row] = await database.sql`
          select rate_burst, rate_per_second, detector_settings, (
            select count(*)::int from ats.api_key k where k.project_no = p.project_no and revoked_at is null
          ) as keys from ats.project p where project_id = ${id}`;
        return row;
      };
      return { id, now };
    };
    const untouched = { rate_burst: 900_000, rate_per_second: 7, detector_settings: {}, keys: 0 };
    const lent = { ...untouched, rate_per_second: 20_000, keys: 2 };
    /** A demo that has borrowed, and goes on for a day. */
    const lending = async ({ id, now }: Own): Promise<StartedCli> => {
      const demo = startCli(["demo", "--project", id, "--minutes", "1440", "--runs", "2"], {
        DATABASE_URL: database.url,
        PORT: String(service.port),
      });
      await eventually("the demo has what it needs", async () => Bun.deepEquals(await now(), lent));
      return demo;
    };
    const limits = ["--rate-burst", "900000", "--rate-per-second", "7"];

    test("its limits are raised, never lowered, and all is as before when it was interrupted", async () => {
      const own = await ownProject(...limits);
      const demo = await lending(own);
      demo.signal("SIGINT");
      const { code, stderr } = await demo.ended;
      expect(code).toBe(1);
      expect(stderr).toContain(
        `project update ${own.id} --rate-burst 900000 --rate-per-second 7; key revoke key_`,
      );
      expect(stderr).toContain("The keys are revoked, and the limits are what they were.");
      expect(stderr).toContain("Interrupted by SIGINT");
      expect(await own.now()).toEqual(untouched);
    }, 180_000);

    test("what somebody else sets meanwhile stands", async () => {
      const own = await ownProject(...limits);
      const demo = await lending(own);
      await database.sql`update ats.project set rate_per_second = 55 where project_id = ${own.id}`;
      demo.signal("SIGTERM");
      await demo.ended;
      expect(await own.now()).toEqual({ ...untouched, rate_per_second: 55 });
    }, 180_000);

    test("all is as before when the service refuses", async () => {
      const { id, now } = await ownProject(...limits);
      using refusing = Bun.serve({
        port: 0,
        fetch: (request) => new Response("{}", { status: request.url.endsWith("/health") ? 200 : 418 }),
      });
      const run = await cli("--project", id, "--minutes", "0", "--url", `http://127.0.0.1:${refusing.port}`);
      expect(run).toMatchObject({ code: 1, stdout: "" });
      expect(run.stderr).toContain("was answered 418");
      expect(await now()).toEqual(untouched);
    }, 180_000);
  });

  test("without a service it says what to do", async () => {
    const run = await runCli(["demo", "--url", "http://127.0.0.1:1", "--json"], {
      DATABASE_URL: database.url,
    });
    expect(run).toMatchObject({ code: 1, stdout: "" });
    expect(run.stderr).toContain("bun start");
  });

  test.each([
    [["--minutes", "1441"], '--minutes "1441": expected 0 to 1440'],
    [["--runs", "0"], '--runs "0": expected 1 to 20000'],
    [["--seed=-1"], '--seed "-1": expected 0 to'],
    [["--url", "ftp://example.org"], '--url "ftp://example.org": expected an http or https address'],
    [["extra"], "Unexpected argument"],
  ])("%j is typed wrongly: exit 2", async (flags, said) => {
    const run = await cli(...flags);
    expect(run).toMatchObject({ code: 2, stdout: "" });
    expect(run.stderr).toContain(said);
    expect(run.stderr).toContain("Usage: bun run cli demo [flags]");
  });

  test("of a project that is not there: exit 1", async () => {
    expect(await cli("--project", "proj_missing")).toMatchObject({ code: 1, stdout: "" });
  });
});
