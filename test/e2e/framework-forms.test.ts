/**
 * What clients of frameworks send, over HTTP to one real process: the classes that it stores are those that
 * the run shows.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { FRAMEWORK_FORMS } from "../../bench/eval/frameworks/framework-forms.ts";
import { PROVIDER_FORMS } from "../../bench/eval/frameworks/provider-forms.ts";
import { type FrameworkForm, payloadsOf } from "../../bench/eval/frameworks/run.ts";
import { scenarios } from "../../bench/eval/frameworks/scenarios.ts";
import { TELEMETRY_FORMS } from "../../bench/eval/frameworks/telemetry-forms.ts";
import { clientOf } from "../support/client.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { eventOfType, newExecution } from "../support/fixtures.ts";
import { eventually } from "../support/postgres-server.ts";
import { mintProject } from "../support/projects.ts";
import { type Service, startService } from "../support/service.ts";

let database: TestDatabase;
let service: Service;

beforeAll(async () => {
  database = await cloneDatabase();
  service = await startService({ databaseUrl: database.url, env: { DETECTION: "on" } });
});

afterAll(async () => {
  await service.stop();
  await database.drop();
});

const FORMS: readonly FrameworkForm[] = [...PROVIDER_FORMS, ...FRAMEWORK_FORMS, ...TELEMETRY_FORMS].filter(
  ({ name }) => /^(?:OpenAI Responses|Gemini|LangSmith|messages as Python|OpenInference)/.test(name),
);

test("an injected letter that is obeyed is stored as such, in five forms", async () => {
  expect(FORMS.length).toBe(5);
  const { run } = scenarios().find(({ name }) => name === "injected letter obeyed")!;
  const project = await mintProject(database.sql);
  const client = clientOf(service.url, project.key);
  for (const form of FORMS) {
    const execution_id = await newExecution(client);
    const events = payloadsOf(form, run).map(([type, payload], at) => ({
      ...eventOfType(type, { execution_id, payload }),
      sequence: at + 1,
    }));
    expect((await client.sendEvents(events)).json).toEqual({ accepted: events.length, duplicates: 0 });
  }
  await eventually(
    "each run is known as an attack that was obeyed",
    async () => {
      const [row] = await database.sql`
        select count(distinct execution_no)::int as runs from ats.detection where class = 'injection_followed'`;
      return row!.runs === FORMS.length;
    },
    60_000,
  );
}, 180_000);
