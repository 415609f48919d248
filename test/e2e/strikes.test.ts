/**
 * Strikes of every kind, one after the other, under mixed traffic: backends terminated, PostgreSQL killed and
 * frozen, the service killed. What is stored, counted and detected in the end is what the same traffic leaves
 * where nothing happens.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import postgres, { type Sql } from "postgres";
import { type Client, clientOf, type Reply } from "../support/client.ts";
import {
  type EventBody,
  eventOfType,
  executionBody,
  interfaceEventTypes,
  seededRandom,
  uniqueId,
} from "../support/fixtures.ts";
import { inParallel, sendUntilStored } from "../support/load.ts";
import {
  eventually,
  eventuallyNone,
  type PostgresServer,
  startPostgresServer,
} from "../support/postgres-server.ts";
import { mintProject, type TestProject } from "../support/projects.ts";
import { type Service, startService } from "../support/service.ts";

const dayMs = 86_400_000;
const senders = 16;
/** Three of each kind. */
const strikeCount = 12;
/** Classes that look at one execution and at no clock: what they find depends on the traffic alone. */
const comparedClasses = [
  "execution_crash",
  "no_progress",
  "pii_exposure",
  "prompt_injection",
  "sandbox_escape",
  "tool_loop",
  "unhandled_exception",
];

interface Run {
  readonly id: string;
  readonly batches: readonly (readonly EventBody[])[];
  /** Sends each batch a second time. */
  readonly repeats: boolean;
  readonly end: "completed" | "crashed" | null;
}

let server: PostgresServer;
let sql: Sql;
let service: Service;

beforeAll(async () => {
  server = await startPostgresServer();
  sql = postgres(server.url, { max: 2, onnotice: () => {} });
  service = await startServiceAnew();
});

afterAll(async () => {
  await service?.stop();
  await sql?.end({ timeout: 1 });
  await server?.stop();
});

const startServiceAnew = () => startService({ databaseUrl: server.url, env: { DETECTION: "on" } });

function trafficOf(random: () => number, count: number): Run[] {
  const chance = (share: number) => random() < share;
  const upTo = (most: number) => 1 + Math.floor(random() * most);
  return Array.from({ length: count }, () => {
    const id = uniqueId("run");
    const beginsMs = Date.now() - (chance(0.2) ? upTo(5) * dayMs : 0);
    const batches = Array.from({ length: upTo(4) }, () =>
      Array.from({ length: upTo(40) }, (_, at) =>
        eventOfType(interfaceEventTypes[upTo(interfaceEventTypes.length) - 1]!, {
          execution_id: id,
          sequence: at + 1,
          timestamp: new Date(beginsMs - (chance(0.05) ? dayMs : 0) + at).toISOString(),
        }),
      ),
    );
    const fate = random();
    const end = fate < 0.4 ? "completed" : fate < 0.6 ? "crashed" : null;
    return { id, batches, repeats: chance(0.2), end };
  });
}

/** Again and again while the answer is 503 or there is none. */
async function untilDone(send: () => Promise<Reply>): Promise<void> {
  await eventually(
    "the call is answered",
    async () => {
      const reply = await send().catch(() => undefined);
      if (reply === undefined || reply.status === 503) return false;
      expect([200, 201]).toContain(reply.status);
      return true;
    },
    60_000,
  );
}

async function sendRun(run: Run, clientNow: () => Client): Promise<void> {
  await untilDone(() => clientNow().createExecution(executionBody({ execution_id: run.id })));
  for (const batch of run.batches) {
    await sendUntilStored(clientNow, batch);
    if (!run.repeats) continue;
    const again = await sendUntilStored(clientNow, batch);
    expect(again).toMatchObject({ accepted: 0, duplicates: batch.length });
  }
  if (run.end === null) return;
  const body = { status: run.end, duration_ms: 5 };
  await untilDone(() => clientNow().request("PATCH", `/executions/${run.id}`, { body }));
}

/**
 * All kinds in turn, spread evenly over the traffic by how much of it `shareSent` says is through: strikes
 * that followed a clock would leave a slow machine no time to send anything between them.
 */
async function strikeAlong(shareSent: () => number, random: () => number): Promise<void> {
  const strikes = [
    () =>
      sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where pid <> pg_backend_pid() and backend_type = 'client backend' and random() < 0.6`.catch(() => {}),
    async () => {
      await server.kill();
      await Bun.sleep(random() * 300);
      await server.start();
    },
    async () => {
      server.freeze();
      await Bun.sleep(random() * 800);
      server.thaw();
    },
    async () => {
      await service.sigkill();
      service = await startServiceAnew();
    },
  ];
  for (let struck = 0; struck < strikeCount; struck += 1) {
    await eventually(
      "the next part of the traffic is through",
      async () => shareSent() >= (struck + 1) / (strikeCount + 1),
      60_000,
    );
    await strikes[struck % strikes.length]!();
  }
}

/** What is left of a project's traffic, once detection owes nothing. */
async function leftOf({ projectNo }: TestProject) {
  await eventuallyNone("what detection owes", async () => {
    const [owed] = await sql<[{ count: number }]>`
      select count(*)::int as count from ats.batch where detected_at is null`;
    return owed.count;
  });
  const [[counted], ended, events, detections] = await Promise.all([
    sql`
      select (select sum(event_count)::int from ats.event_rollup where project_no = ${projectNo} and step = 3600) as events,
        (select sum(crashed)::int from (
          select crashed from ats.execution_rollup where project_no = ${projectNo} and step = 3600
          union all select crashed from ats.execution_tally where project_no = ${projectNo}
        ) c) as crashed`,
    sql`select execution_id as id, status from ats.execution where project_no = ${projectNo}`,
    sql`
      select x.execution_id || ' ' || e.event_id as key from ats.event e
      join ats.execution x using (project_no, execution_no)
      where e.project_no = ${projectNo}`,
    sql`
      select class, count(*)::int as count from ats.detection
      where project_no = ${projectNo} and class = any(${comparedClasses}) group by 1 order by 1`,
  ]);
  return {
    counted: { ...counted },
    ended: ended.map((row) => `${row.id} ${row.status}`).sort(),
    events: events.map((row) => row.key as string).sort(),
    detections: detections.map((row) => `${row.class} ${row.count}`),
  };
}

test("everything is stored once, counted once and detected once", async () => {
  const random = seededRandom(20_261_121);
  const runs = trafficOf(random, 500);
  const [struck, calm] = [await mintProject(sql), await mintProject(sql)];
  const clientOfProject = (project: TestProject) => clientOf(service.url, project.key);
  for (const project of [struck, calm]) {
    await eventually(
      "its key is known",
      async () => (await clientOfProject(project).sendEvents([])).status === 200,
    );
  }

  let sent = 0;
  await Promise.all([
    strikeAlong(() => sent / runs.length, random),
    inParallel(senders, runs, async (run) => {
      await sendRun(run, () => clientOfProject(struck));
      sent += 1;
    }),
  ]);
  await inParallel(senders, runs, (run) => sendRun(run, () => clientOfProject(calm)));

  const expected = await leftOf(calm);
  expect(expected.events).toEqual(
    runs
      .flatMap(({ id, batches }) => batches.flatMap((batch) => batch.map((e) => `${id} ${e.event_id}`)))
      .sort(),
  );
  expect(expected.counted).toEqual({
    events: expected.events.length,
    crashed: runs.filter(({ end }) => end === "crashed").length,
  });
  expect(expected.detections.length).toBe(comparedClasses.length);
  expect(await leftOf(struck)).toEqual(expected);
}, 300_000);
