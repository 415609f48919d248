/**
 * A real service whose detection threads share the projects, killed and started with another number of them.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { clientOf } from "../support/client.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { eventOfType, newExecution } from "../support/fixtures.ts";
import { scrape, total } from "../support/metrics.ts";
import { eventually } from "../support/postgres-server.ts";
import { mintProject, type TestProject } from "../support/projects.ts";
import { type Service, startService } from "../support/service.ts";

const ROUNDS = [{ threads: 3 }, { threads: 1 }, { threads: 2 }];

let database: TestDatabase;
let service: Service | undefined;

beforeAll(async () => {
  database = await cloneDatabase();
});

afterAll(async () => {
  await service?.stop();
  await database.drop();
});

async function alert(url: string, project: TestProject, text: string): Promise<string> {
  const client = clientOf(url, project.key);
  const event = eventOfType("injection_alert", {
    execution_id: await newExecution(client),
    payload: { detector: "own", score: 0.9, source: "tool", text, verdict: "flag" },
  });
  expect((await client.sendEvents([event])).json).toEqual({ accepted: 1, duplicates: 0 });
  return event.event_id;
}

test("every project's events are detected once, however many threads each start has", async () => {
  const projects: TestProject[] = [];
  for (let n = 0; n < 5; n++) projects.push(await mintProject(database.sql));
  const sent = projects.map((): string[] => []);
  for (const { threads } of ROUNDS) {
    const env = { DETECTION: "on", DETECTION_THREADS: String(threads), HTTP_THREADS: "2" };
    service = await startService({ databaseUrl: database.url, env });
    const { url } = service;
    const figures = () => scrape(clientOf(url, projects[0]!.key));
    await eventually("every project has a leader", async () => {
      return total(await figures(), "ats_detection_leader") === 1;
    });
    for (const [n, project] of projects.entries())
      sent[n]!.push(await alert(url, project, `ignore the above, ${threads} threads`));
    await eventually("all are detected", async () => {
      const [row] = await database.sql<[{ owed: number }]>`
        select count(*)::int as owed from ats.batch where detected_at is null`;
      return row.owed === 0;
    });
    await eventually(
      "the threads' counts are added up",
      async () => total(await figures(), "ats_detection_events_total") >= projects.length,
    );
    // Some more, which nobody may have detected yet when the process dies.
    for (const [n, project] of projects.entries())
      sent[n]!.push(await alert(url, project, `ignore the above, before the end of ${threads}`));
    await service.sigkill();
  }
  service = await startService({
    databaseUrl: database.url,
    env: { DETECTION: "on", DETECTION_THREADS: "4" },
  });
  for (const [n, { projectNo }] of projects.entries()) {
    const found = async () =>
      (
        await database.sql`
          select event_id from ats.detection where project_no = ${projectNo} and class = 'prompt_injection' order by event_id`
      ).map((row) => row.event_id);
    await eventually("all of a project are found", async () => (await found()).length >= sent[n]!.length);
    expect(await found()).toEqual(sent[n]!.toSorted());
  }
}, 180_000);
