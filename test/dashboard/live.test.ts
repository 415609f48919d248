import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { Elysia } from "elysia";
import type { ApiServices, Member, Role } from "../../src/dashboard/api/guard.ts";
import { liveRoutes } from "../../src/dashboard/api/live.ts";
import { LIVE_LIMITS, type LiveLimits } from "../../src/dashboard/live/live-tails.ts";
import { connect, type Sql } from "../../src/store/database/connect.ts";
import { type Client, clientOf } from "../support/client.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/postgres-server.ts";
import { mintProject, type TestProject } from "../support/projects.ts";
import { type Service, startService } from "../support/service.ts";
import { storeEvents } from "../support/stored-packs.ts";
import { LiveReader } from "./live-stream.ts";

/** The live tail over the API, while a real service stores what real clients send. */

let database: TestDatabase;
let service: Service;
let project: TestProject;
let foreign: TestProject;
let client: Client;
let pool: Sql;
const readers: LiveReader[] = [];

/** Nothing waits long, and every tail stops soon after its test. */
const quick: LiveLimits = { ...LIVE_LIMITS, pollMs: 20, lingerMs: 0, heartbeatMs: 100, recheckMs: 60_000 };
const plenty: LiveLimits = { ...quick, eventsPerSecond: 1_000_000, burst: 1_000_000, itemsMax: 10_000 };

beforeAll(async () => {
  database = await cloneDatabase();
  project = await mintProject(database.sql);
  foreign = await mintProject(database.sql);
  service = await startService({ databaseUrl: database.url });
  client = clientOf(service.url, project.key);
  pool = connect({
    url: database.url,
    connectionsMax: 4,
    applicationName: "ats dashboard",
    statementTimeoutMs: 5_000,
  });
});
afterEach(async () => {
  await Promise.all(readers.splice(0).map((reader) => reader.cancel()));
});
afterAll(async () => {
  await service.stop();
  // The tails linger for no longer than a poll.
  await Bun.sleep(200);
  await pool.end();
  await database.drop();
});

const memberOf = (role: Role): Member => ({
  id: `mem-${role}`,
  email: `${role}@example.org`,
  name: role,
  role,
});

function api(limits: LiveLimits, member: () => Member | null = () => memberOf("viewer"), sql = pool) {
  const services: ApiServices = {
    sql,
    memberOf: async () => member(),
    appUrl: "http://localhost:8080",
  };
  const routes = new Elysia({ prefix: "/app/api" }).use(liveRoutes(services, limits));
  return async (query = "", headers: Record<string, string> = {}, id = project.projectId) =>
    await routes.handle(
      new Request(`http://localhost:8080/app/api/projects/${id}/live${query}`, { headers }),
    );
}

type Open = ReturnType<typeof api>;

/** Opens a tail and waits until it is there: what is sent from now on is to be seen. */
async function watch(open: Open, query = "", headers: Record<string, string> = {}): Promise<LiveReader> {
  const response = await open(query, headers);
  expect(response.status).toBe(200);
  const reader = new LiveReader(response);
  readers.push(reader);
  expect((await reader.next())?.event).toBe("hello");
  return reader;
}

let names = 0;
const nameOf = (what: string) => `${what}-${++names}`;

const events = (
  executionId: string,
  from: number,
  count: number,
  type = "checkpoint",
  payload: unknown = { name: "step" },
) =>
  Array.from({ length: count }, (_unused, i) => ({
    event_id: `${executionId}-e${from + i}`,
    execution_id: executionId,
    event_type: type,
    sequence: from + i,
    timestamp: new Date().toISOString(),
    payload,
  }));

async function run(executionId = nameOf("run")): Promise<string> {
  expect((await client.createExecution({ execution_id: executionId, status: "started" })).status).toBe(201);
  return executionId;
}

async function send(list: unknown[]): Promise<void> {
  expect((await client.sendEvents(list)).status).toBe(200);
}

const idsOf = (reader: LiveReader, executions: readonly string[]) =>
  reader.items.filter((item) => executions.includes(item.execution_id)).map((item) => item.event_id);

describe("completeness", () => {
  test("with eight writers at once each viewer sees every event once", async () => {
    const open = api(plenty);
    const viewers = [await watch(open), await watch(open)];
    const runs = await Promise.all(Array.from({ length: 8 }, () => run()));
    const sent = runs.flatMap((id) => events(id, 1, 250).map((event) => event.event_id));
    const writing = Promise.all(
      runs.map(async (id) => {
        for (let from = 1; from <= 250; from += 10) await send(events(id, from, 10));
      }),
    );
    for (const viewer of viewers) {
      await viewer.until("all events came", () => idsOf(viewer, runs).length >= sent.length);
    }
    await writing;
    for (const viewer of viewers) {
      // Long enough for a second reading of any batch to show.
      const rounds = viewer.comments + 3;
      await viewer.until("quiet", () => viewer.comments >= rounds || viewer.isClosed);
      expect(idsOf(viewer, runs).toSorted()).toEqual(sent.toSorted());
      expect(viewer).toMatchObject({ dropped: 0, skipped: 0 });
    }
  });

  test("a batch that commits late is seen late, and once", async () => {
    const execution = await run();
    // Of its own: two writers of one execution wait for each other.
    const another = await run();
    await send([...events(execution, 1, 1), ...events(another, 1, 1)]);
    const [known] = await database.sql<[{ execution_no: string }]>`
      select execution_no from ats.execution where execution_id = ${another}`;
    const viewer = await watch(api(plenty));
    const late = connect({ url: database.url, connectionsMax: 1, applicationName: "late writer" });
    const isOpen = Promise.withResolvers<void>();
    const mayCommit = Promise.withResolvers<void>();
    const writing = late.begin(async (tx) => {
      const now = new Date().toISOString();
      await storeEvents(
        tx,
        { projectNo: project.projectNo, executionNo: Number(known.execution_no), batchNo: 900000001 },
        [{ id: "late", type: 3, sequence: 2, timestamp: now, payload: "{}", receivedAt: now }],
      );
      await tx`
        insert into ats.batch (project_no, batch_no, event_count, execution_nos, first_timestamp, last_timestamp)
        values (${project.projectNo}, 900000001, 1, ${[known.execution_no]}::bigint[], ${now}, ${now})`;
      isOpen.resolve();
      await mayCommit.promise;
    });
    await isOpen.promise;
    // Longer than the slack that is there for clocks: what is looked at again must come from the transaction
    // itself.
    const untilMs = performance.now() + 1_500;
    for (let i = 100; performance.now() < untilMs; i++) {
      await send(events(execution, i, 1));
      await viewer.until("the next event", () => idsOf(viewer, [execution]).includes(`${execution}-e${i}`));
    }
    expect(idsOf(viewer, [another])).not.toContain("late");
    mayCommit.resolve();
    await writing;
    await late.end();
    await viewer.until("the late event", () => idsOf(viewer, [another]).includes("late"));
    await send(events(execution, 20, 1));
    await viewer.until("one more", () => idsOf(viewer, [execution]).includes(`${execution}-e20`));
    const seen = idsOf(viewer, [execution, another]);
    expect(seen).toHaveLength(new Set(seen).size);
  });

  test("stand-ins are no events, and nothing of another project shows", async () => {
    const viewer = await watch(api(plenty));
    const other = clientOf(service.url, foreign.key);
    await other.createExecution({ execution_id: "theirs", status: "started" });
    await other.sendEvents(events("theirs", 1, 3));
    const execution = await run();
    const [today, before] = events(execution, 1, 2);
    await send([today]);
    await send([{ ...before, timestamp: new Date(Date.now() - 3 * 86_400_000).toISOString() }]);
    await viewer.until("both events", () => idsOf(viewer, [execution]).length >= 2);
    const one = await run();
    await send(events(one, 1, 1));
    await viewer.until("one more", () => idsOf(viewer, [one]).length > 0);
    expect(idsOf(viewer, [execution])).toHaveLength(2);
    expect(viewer.items.some((item) => item.execution_id === "theirs")).toBe(false);
  });

  test("an event as a browser gets it: interface names, a preview of 2 KiB, whole characters", async () => {
    const viewer = await watch(api(plenty));
    const execution = await run();
    const text = `<script>alert(1)</script>\u2028${"ü".repeat(4_000)}`;
    await send(events(execution, 7, 1, "tool_call", { tool_name: "t", result: text }));
    await viewer.until("it", () => idsOf(viewer, [execution]).length === 1);
    const item = viewer.items.find((one) => one.execution_id === execution);
    expect(item).toMatchObject({ event_type: "tool_call", sequence: 7, event_id: `${execution}-e7` });
    expect(item?.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    const preview = item?.payload_preview ?? "";
    expect(Buffer.byteLength(preview)).toBeWithin(2_040, 2_049);
    expect(preview).toStartWith('{"tool_name":"t","result":"<script>alert(1)</script>');
    expect(preview).not.toContain("\ufffd");
    expect(item?.payload_bytes).toBeGreaterThan(8_000);
  });
});

describe("filters", () => {
  test("by types, by execution, by text in any case, and all together", async () => {
    const open = api(plenty);
    const [first, second] = [await run(), await run()];
    const byType = await watch(open, "?type=exception,egress");
    const byExecution = await watch(open, `?execution_id=${second}`);
    const byText = await watch(open, `?q=${encodeURIComponent("NEEDLE 100%")}`);
    const all = await watch(open, `?type=checkpoint&execution_id=${second}&q=needle`);
    await send([
      ...events(first, 1, 2),
      ...events(first, 3, 1, "exception", { type: "E", message: "m" }),
      ...events(first, 4, 1, "checkpoint", { name: "a needle 100% found" }),
      ...events(second, 1, 1, "egress", { destination: "a.example" }),
      ...events(second, 2, 1, "checkpoint", { name: "Needle" }),
      ...events(second, 3, 1, "exception", { type: "E", message: "end" }),
    ]);
    await byType.until("three", () => byType.items.length >= 3);
    await byExecution.until("three", () => idsOf(byExecution, [second]).length >= 3);
    await byText.until("one", () => byText.items.length >= 1);
    await all.until("one", () => all.items.length >= 1);
    expect(idsOf(byType, [first, second]).toSorted()).toEqual([
      `${first}-e3`,
      `${second}-e1`,
      `${second}-e3`,
    ]);
    expect(byExecution.items.every((item) => item.execution_id === second)).toBe(true);
    expect(byText.items.map((item) => item.event_id)).toEqual([`${first}-e4`]);
    expect(all.items.map((item) => item.event_id)).toEqual([`${second}-e2`]);
  });

  test.each(["?type=", "?type=nothing", "?type=egress,", "?q=", `?q=${"x".repeat(201)}`, "?execution_id="])(
    "%s is refused",
    async (query) => {
      expect((await api(plenty)(query)).status).toBe(422);
    },
  );
});

describe("back-pressure", () => {
  test("a browser that does not read loses the oldest, is told how many, and holds up nobody", async () => {
    const open = api({ ...plenty, itemsMax: 100 });
    const slow = await watch(open);
    const fast = await watch(open);
    const execution = await run();
    for (let from = 1; from <= 2_000; from += 200) await send(events(execution, from, 200));
    // Not by counts: a tail begins a moment back, so what the tests before have stored is dropped as well.
    await fast.until("the newest", () => idsOf(fast, [execution]).includes(`${execution}-e2000`));
    await slow.until("the newest", () => idsOf(slow, [execution]).includes(`${execution}-e2000`));
    const seen = idsOf(slow, [execution]);
    expect(seen.length).toBeLessThanOrEqual(200);
    expect(slow.dropped).toBeGreaterThanOrEqual(2_000 - seen.length);
  });

  test("what waits for a browser is bounded in size, whatever the payloads", async () => {
    const open = api({ ...plenty, charsMax: 100_000 });
    const slow = await watch(open);
    const fast = await watch(open, "?type=exception");
    const execution = await run();
    const heavy = { name: "x".repeat(6_000) };
    for (let from = 1; from <= 400; from += 50) await send(events(execution, from, 50, "checkpoint", heavy));
    await send(events(execution, 401, 1, "exception", { type: "last" }));
    await fast.until("the last", () => idsOf(fast, [execution]).length === 1);
    await slow.until("the last", () => idsOf(slow, [execution]).includes(`${execution}-e401`));
    // What the stream had taken before, and one queue.
    expect(slow.bytes).toBeLessThan(250_000);
    expect(slow.dropped).toBeGreaterThan(300);
  });

  test("a project that stores more than is shown: a sample, and the rest counted as skipped", async () => {
    const open = api({ ...quick, eventsPerSecond: 100, burst: 50 });
    const execution = await run();
    const watched = await run();
    const all = await watch(open);
    const one = await watch(open, `?execution_id=${watched}`);
    // What the first reading finds counts for no rate.
    await all.until("the first reading", () => all.reports > 0);
    const others = await Promise.all(Array.from({ length: 20 }, () => run()));
    await Promise.all(others.map((id) => send(events(id, 1, 500))));
    await send(events(watched, 1, 20));
    await send(events(execution, 1, 100));
    const total = 20 * 500 + 120;
    await all.until("all accounted for", () => all.stored >= total);
    await one.until("all of the watched one", () => idsOf(one, [watched]).length >= 20);
    const shown = idsOf(all, [...others, execution, watched]).length;
    expect(all.skipped).toBe(total - shown);
    expect(shown).toBeLessThan(2_000);
    expect(idsOf(one, [watched]).toSorted()).toEqual(
      events(watched, 1, 20)
        .map((event) => event.event_id)
        .toSorted(),
    );
  });

  test("a browser that comes back goes on after what it had", async () => {
    const open = api({ ...plenty, lingerMs: 500 });
    const first = await watch(open);
    const execution = await run();
    await send(events(execution, 1, 5));
    await first.until("five", () => idsOf(first, [execution]).length >= 5);
    const stays = await watch(open);
    await first.cancel();
    await send(events(execution, 6, 5));
    await stays.until("ten", () => idsOf(stays, [execution]).length >= 10);
    const back = await watch(open, "", { "last-event-id": first.lastId ?? "" });
    await back.until("the rest", () => idsOf(back, [execution]).length >= 5);
    expect(idsOf(back, [execution])).toEqual(events(execution, 6, 5).map((event) => event.event_id));
    expect(back.dropped).toBe(0);
    for (const odd of ["", "nonsense", "a.b", "00000000.5", `${first.lastId?.split(".")[0]}.999999999`]) {
      const fresh = await watch(open, "", { "last-event-id": odd });
      await fresh.until("what was kept", () => idsOf(fresh, [execution]).length >= 10);
    }
  });
});

describe("who may look", () => {
  test.each(["viewer", "member", "owner"] as const)("%s may", async (role) => {
    await watch(api(plenty, () => memberOf(role)));
  });

  test("nobody without a session, and nothing of a project that is not there", async () => {
    expect((await api(plenty, () => null)()).status).toBe(401);
    expect((await api(plenty)("", {}, "proj_missing")).status).toBe(404);
  });

  test("the stream of a member who was removed ends, whether it reads or not", async () => {
    let member: Member | null = memberOf("viewer");
    const open = api({ ...plenty, recheckMs: 50 }, () => member);
    const waiting = await watch(open);
    const slow = await watch(open);
    member = null;
    while ((await waiting.next()) !== null);
    expect(waiting.ended).toBe("signed_out");
    while ((await slow.next()) !== null);
    expect(slow.isClosed).toBe(true);
  });

  test("a member's streams are counted, and given back when they close", async () => {
    const open = api({ ...plenty, streamsPerMember: 2 });
    const first = await watch(open);
    await watch(open);
    const refused = await open();
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ code: "too_many_streams" });
    await first.cancel();
    await watch(open);
    const full = api({ ...plenty, streamsMax: 1 });
    await watch(full);
    expect((await full()).status).toBe(503);
  });
});

test("a database that hangs, and refuses nothing, is away too", async () => {
  // A name of its own: tails of the tests before may still be following, and wait as well.
  const patient = connect({ url: database.url, connectionsMax: 2, applicationName: "patient" });
  try {
    const limits = { ...plenty, heartbeatMs: 50, lateMs: 200 };
    const viewer = await watch(api(limits, () => memberOf("viewer"), patient));
    /**
     * Reads on until the state has been told, and no other in ten beats: a machine that stalls is away for a
     * moment, too.
     */
    const untilState = async (state: string) => {
      for (let [told, since] = ["", 0]; told !== state || since < 10; ) {
        const message = await viewer.next();
        if (message === null) throw new Error("the stream has ended");
        if (message.event === "comment") since++;
        else if (message.event === "store") [told, since] = [(message.data as { state: string }).state, 0];
      }
    };
    await database.sql.begin(async (tx) => {
      const isWaiting = async () =>
        (
          await tx`
            select 1 from pg_locks l join pg_stat_activity a using (pid)
            where not l.granted and l.relation = 'ats.batch'::regclass and a.application_name = 'patient'`
        ).length === 1;
      await tx`lock table ats.batch in access exclusive mode`;
      await eventually("the poll waits", isWaiting);
      await untilState("away");
      // The poll has not failed: it still waits.
      expect(await isWaiting()).toBe(true);
    });
    await untilState("back");
    await viewer.cancel();
  } finally {
    await patient.end();
  }
});

test("while the database is away the tail says so, and then shows what was stored meanwhile", async () => {
  const viewer = await watch(api({ ...plenty, heartbeatMs: 50 }));
  const execution = await run();
  await pool`select 1`;
  await database.sql`alter table ats.batch rename to batch_away`;
  const states: unknown[] = [];
  const stateSeen = async (state: string) => {
    while (!states.includes(state)) {
      const message = await viewer.next();
      if (message?.event === "store") states.push((message.data as { state: string }).state);
    }
  };
  try {
    await stateSeen("away");
  } finally {
    await database.sql`alter table ats.batch_away rename to batch`;
  }
  await send(events(execution, 1, 3));
  await stateSeen("back");
  await viewer.until("the events", () => idsOf(viewer, [execution]).length >= 3);
  expect(idsOf(viewer, [execution])).toHaveLength(3);
});
