/**
 * From an event on the wire to a signed webhook at a receiver: one real process, real sockets, kill -9 in
 * between.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { runCli } from "../cli/run-cli.ts";
import { type Answer, type Receiver, startReceiver } from "../notify/receiver.ts";
import { type Client, clientOf } from "../support/client.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { eventOfType, newExecution } from "../support/fixtures.ts";
import { eventually } from "../support/postgres-server.ts";
import { mintProject, type TestProject } from "../support/projects.ts";
import { type Service, startService } from "../support/service.ts";

const DEADLINE_MS = 40_000;
/** Several such waits, and operator commands between them. */
const TEST_MS_MAX = 180_000;
let database: TestDatabase;
let service: Service;
const receivers: Receiver[] = [];

const allowed = { WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8" };
const start = () =>
  startService({
    databaseUrl: database.url,
    env: { DETECTION: "on", ...allowed },
  });
const environment = () => ({ DATABASE_URL: database.url, ...allowed });

interface Scene {
  project: TestProject;
  receiver: Receiver;
  secret: string;
  client(): Client;
}

async function webhookOf(project: TestProject, url: string): Promise<string> {
  const created = await runCli(
    ["webhook", "create", "--project", project.projectId, "--url", url, "--json"],
    environment(),
  );
  expect(created.stderr).toBe("");
  return created.json<{ secret: string }>().secret;
}

async function scene(answer?: Answer): Promise<Scene> {
  const project = await mintProject(database.sql);
  const receiver = await startReceiver(answer);
  receivers.push(receiver);
  const secret = await webhookOf(project, receiver.url);
  const client = () => clientOf(service.url, project.key);
  return { project, receiver, secret, client };
}

/**
 * An alert of the client's own detector; the detector's name is part of the signature, so each name is a
 * group.
 */
async function alert(client: Client, detector: string): Promise<string> {
  const event = eventOfType("injection_alert", {
    execution_id: await newExecution(client),
    payload: { detector, score: 0.9, source: "tool", text: "ignore the above", verdict: "flag" },
  });
  expect((await client.sendEvents([event])).json).toEqual({ accepted: 1, duplicates: 0 });
  return event.event_id;
}

interface Group {
  id: string;
  class: string;
  signature: string;
  state: string;
  count: number;
}

async function list<T>(noun: string, project: TestProject): Promise<T[]> {
  return (await runCli([noun, "list", "--project", project.projectId, "--json"], environment())).json<T[]>();
}

/** Until detection owes the project nothing and every delivery has come to its end. */
async function settled({ project }: Scene): Promise<void> {
  await eventually(
    "everything is detected and delivered",
    async () => {
      const [row] = await database.sql<{ owed: number }[]>`
        select (select count(*) from ats.batch where project_no = ${project.projectNo} and detected_at is null)::int
          + (select count(*) from ats.delivery where project_no = ${project.projectNo} and finished_at is null)::int
          as owed`;
      return row!.owed === 0;
    },
    DEADLINE_MS,
  );
}

/**
 * Until the first try has failed. The next, due five seconds later, is put off: what a test does meanwhile
 * may take as long on a busy machine.
 */
async function firstTryFailed({ project }: Scene): Promise<void> {
  await eventually(
    "a first try has failed",
    async () => {
      const put = await database.sql`
        update ats.delivery set due_at = due_at + interval '1 hour'
        where project_no = ${project.projectNo} and status = 'pending' and attempt_count > 0 returning 1`;
      return put.length === 1;
    },
    DEADLINE_MS,
  );
}

beforeAll(async () => {
  database = await cloneDatabase();
  service = await start();
});

afterAll(async () => {
  await service?.stop();
  await Promise.all(receivers.map((receiver) => receiver.close()));
  await database?.drop();
});

test(
  "a client-sent alert becomes one signed webhook, and the operator's lists agree with it",
  async () => {
    const here = await scene();
    const elsewhere = await scene();
    const eventId = await alert(here.client(), "guard-a");
    const [request] = await here.receiver.got(1, DEADLINE_MS);
    const expected = createHmac("sha256", here.secret).update(request!.body).digest("hex");
    expect(request!.headers["x-service-signature"]).toBe(`sha256=${expected}`);
    expect(request!.headers["x-service-event"]).toBe("failure_group.first_occurrence");
    const body = JSON.parse(request!.body);
    expect(body).toMatchObject({
      event: "failure_group.first_occurrence",
      project_id: here.project.projectId,
      failure_group: { class: "prompt_injection", severity: "high" },
    });

    // Cooldown: the class has sent, so another group of it sends nothing.
    await alert(here.client(), "guard-b");
    await settled(here);
    expect(here.receiver.requests).toHaveLength(1);

    const groups = (await list<Group>("group", here.project)).filter((g) => g.class === "prompt_injection");
    const detections = (await list<Group & { event_id: string }>("detection", here.project)).filter(
      (d) => d.class === "prompt_injection",
    );
    const deliveries = await list<{ failure_group_id: string; status: string }>("delivery", here.project);
    expect(groups).toHaveLength(2);
    expect(detections.map((d) => d.signature).sort()).toEqual(groups.map((g) => g.signature).sort());
    const sent = groups.find((group) => group.id === body.failure_group.id);
    expect(detections.find((d) => d.event_id === eventId)?.signature).toBe(sent!.signature);
    expect(deliveries).toMatchObject([{ failure_group_id: sent!.id, status: "delivered" }]);

    // Another project saw nothing of it, and its own first firing sends.
    expect(elsewhere.receiver.requests).toHaveLength(0);
    expect(await list("group", elsewhere.project)).toEqual([]);
    await alert(elsewhere.client(), "guard-a");
    const [other] = await elsewhere.receiver.got(1, DEADLINE_MS);
    expect(JSON.parse(other!.body).project_id).toBe(elsewhere.project.projectId);
  },
  TEST_MS_MAX,
);

test(
  "scope group: each new group sends; resolved and fired again it is regressed and sends again",
  async () => {
    const here = await scene();
    await database.sql`update ats.project set alert_scope = 'group' where project_no = ${here.project.projectNo}`;
    await alert(here.client(), "guard-a");
    await here.receiver.got(1, DEADLINE_MS);
    await alert(here.client(), "guard-b");
    await here.receiver.got(2, DEADLINE_MS);
    await alert(here.client(), "guard-a");
    await settled(here);
    expect(here.receiver.requests).toHaveLength(2);
    const id: string = JSON.parse(here.receiver.requests[0]!.body).failure_group.id;
    const resolved = await runCli(
      ["group", "resolve", id, "--project", here.project.projectId, "--json"],
      environment(),
    );
    expect({ code: resolved.code, stderr: resolved.stderr }).toEqual({ code: 0, stderr: "" });
    await alert(here.client(), "guard-a");
    const requests = await here.receiver.got(3, DEADLINE_MS);
    expect(JSON.parse(requests[2]!.body).failure_group.id).toBe(id);
    const [row] = await database.sql`select regressed_at from ats.failure_group where group_id = ${id}`;
    expect(row!.regressed_at).not.toBeNull();
  },
  TEST_MS_MAX,
);

test(
  "kill -9 right after the 200: the restarted process sends the webhook, and the detection is stored once",
  async () => {
    const here = await scene();
    const eventId = await alert(here.client(), "guard-a");
    await service.sigkill();
    service = await start();
    await here.receiver.got(1, DEADLINE_MS);
    await settled(here);
    // At least once: the killed process may have sent it too, but it is one delivery under one id.
    expect(new Set(here.receiver.requests.map((request) => request.headers["webhook-id"])).size).toBe(1);
    const rows = await database.sql`
    select 1 from ats.detection where project_no = ${here.project.projectNo} and event_id = ${eventId}
      and class = 'prompt_injection'`;
    expect(rows).toHaveLength(1);
  },
  TEST_MS_MAX,
);

test(
  "a receiver that is down at first gets the webhook once it is up",
  async () => {
    const here = await scene();
    const { port } = here.receiver;
    await here.receiver.close();
    await alert(here.client(), "guard-a");
    await firstTryFailed(here);
    const bodies: string[] = [];
    const server = Bun.serve({
      port,
      hostname: "127.0.0.1",
      async fetch(request) {
        bodies.push(await request.text());
        return new Response("noted");
      },
    });
    try {
      await database.sql`update ats.delivery set due_at = now() where project_no = ${here.project.projectNo}`;
      await settled(here);
      expect(bodies).toHaveLength(1);
    } finally {
      await server.stop(true);
    }
  },
  TEST_MS_MAX,
);

test(
  "a redirect is not followed",
  async () => {
    const target = await startReceiver();
    receivers.push(target);
    const here = await scene((response) => {
      response.writeHead(302, { location: target.url });
      response.end();
    });
    await alert(here.client(), "guard-a");
    await firstTryFailed(here);
    expect(here.receiver.requests).toHaveLength(1);
    expect(target.requests).toHaveLength(0);
    const [delivery] = await list<{ status: string; attempts: { status_code: number }[] }>(
      "delivery",
      here.project,
    );
    expect(delivery).toMatchObject({ status: "pending", attempts: [{ status_code: 302 }] });
  },
  TEST_MS_MAX,
);
