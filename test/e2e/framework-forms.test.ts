/**
 * What clients of frameworks send, over HTTP to one real process: the classes that it stores are those that
 * the run shows.
 */
import { expect, test } from "bun:test";
import { FRAMEWORK_FORMS } from "../../bench/eval/frameworks/framework-forms.ts";
import { PROVIDER_FORMS } from "../../bench/eval/frameworks/provider-forms.ts";
import { type FrameworkForm, payloadsOf } from "../../bench/eval/frameworks/run.ts";
import { scenarios } from "../../bench/eval/frameworks/scenarios.ts";
import { TELEMETRY_FORMS } from "../../bench/eval/frameworks/telemetry-forms.ts";
import { eventOfType, newExecution } from "../support/fixtures.ts";
import { eventually } from "../support/postgres-server.ts";
import { testSuite } from "../support/suite.ts";

const suite = testSuite({ env: { DETECTION: "on" } });

const FORMS: readonly FrameworkForm[] = [...PROVIDER_FORMS, ...FRAMEWORK_FORMS, ...TELEMETRY_FORMS].filter(
  ({ name }) => /^(?:OpenAI Responses|Gemini|LangSmith|messages as Python|OpenInference)/.test(name),
);

test("an injected letter that is obeyed is stored as such, in five forms", async () => {
  expect(FORMS.length).toBe(5);
  const { run } = scenarios().find(({ name }) => name === "injected letter obeyed")!;
  const { client } = suite;
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
      const [row] = await suite.database.sql`
        select count(distinct execution_no)::int as runs from ats.detection where class = 'injection_followed'`;
      return row!.runs === FORMS.length;
    },
    60_000,
  );
}, 180_000);
