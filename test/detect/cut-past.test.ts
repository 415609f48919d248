import { expect, test } from "bun:test";
import { eventually } from "../support/postgres-server.ts";
import { detectionSuite } from "./support/detection-suite.ts";
import { detectionsOf, registryModule, type TestEvent } from "./support/telemetry.ts";

/**
 * A state that is rebuilt without an execution's oldest events does not take them for events that never came.
 */

const suite = detectionSuite();
const EVENTS = 30;
const limits = { tickEveryMs: 50, replayEventsMax: 20 };

const call = (n: number): TestEvent => ({
  execution: "long",
  id: `e${n}`,
  type: "llm_call",
  sequence: n,
  receivedMs: Date.now() - 60_000 + n,
  payload: { model: "m", tokens_in: 100, tokens_out: 10 },
});

/** What upkeep leaves of a past that is older than what is kept. */
const KEPT = {
  "the oldest of many are left out": async () => {},
  "the batches are kept no longer": async (projectNo: number) => {
    const { sql } = suite.database;
    await sql`delete from ats.batch where project_no = ${projectNo}`;
    await sql`
      update ats.execution set started_at = started_at - interval '8 days' where project_no = ${projectNo}`;
  },
  "the events are kept no longer": async (projectNo: number) => {
    const { sql } = suite.database;
    await sql`delete from ats.event_pack where project_no = ${projectNo}`;
    await sql`
      update ats.execution set started_at = started_at - interval '2 days' where project_no = ${projectNo}`;
  },
};

for (const [name, age] of Object.entries(KEPT)) {
  test(`no number and no token is missing where ${name}`, async () => {
    const telemetry = await suite.newTelemetry();
    const { projectNo } = telemetry;
    // Pairs that come the wrong way round: whatever is cut off, a number below what is left is not.
    for (let n = 1; n < EVENTS; n += 2)
      for (const sequence of [n + 1, n]) await telemetry.store([call(sequence)]);
    const before = suite.start({ detectorsModule: registryModule });
    await before.drain();
    await suite.stop(before);
    await age(projectNo);
    const { sql } = suite.database;
    await telemetry.store([call(EVENTS + 1), call(EVENTS + 2)]);
    await telemetry.finish("long", 5, { receivedMs: Date.now() - 30_000 });
    await sql`
      update ats.execution set total_tokens_in = ${(EVENTS + 2) * 100}, total_tokens_out = ${(EVENTS + 2) * 10}
      where project_no = ${projectNo}`;
    const after = suite.start({ detectorsModule: registryModule, limits });
    await after.drain();
    const { ticks } = after.metrics().counts;
    await eventually("time has passed", () => after.metrics().counts.ticks > ticks + 3);
    await suite.stop(after);
    const found = async (failureClass: string) =>
      (await detectionsOf(suite.database, projectNo, failureClass)).map(({ excerpt }) => excerpt);
    expect(await found("sequence_anomaly")).toEqual([]);
    expect(await found("token_accounting_mismatch")).toEqual([]);
  });
}
