import { beforeAll, expect, test } from "bun:test";
import { eventually } from "../support/postgres-server.ts";
import { detectionSuite } from "./support/detection-suite.ts";
import { detectionsOf, type TestEvent } from "./support/telemetry.ts";

/** A state that is rebuilt without an execution's oldest events does not take them for events that never came. */

const suite = detectionSuite();
const detectorsModule = new URL("../../src/detect/registry.ts", import.meta.url).href;
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

let projectNo = 0;

beforeAll(async () => {
  const telemetry = await suite.newTelemetry();
  projectNo = telemetry.projectNo;
  // Pairs that come the wrong way round: whatever is cut off, a number below what is left is not.
  for (let n = 1; n < EVENTS; n += 2)
    for (const sequence of [n + 1, n]) await telemetry.store([call(sequence)]);
  const before = suite.start({ detectorsModule });
  await before.drain();
  await suite.stop(before);
  const { sql } = suite.database;
  await telemetry.store([call(EVENTS + 1), call(EVENTS + 2)]);
  await telemetry.finish("long", 5, { receivedMs: Date.now() - 30_000 });
  await sql`
    update ats.execution set total_tokens_in = ${(EVENTS + 2) * 100}, total_tokens_out = ${(EVENTS + 2) * 10}
    where project_no = ${projectNo}`;
  const after = suite.start({ detectorsModule, limits });
  await after.drain();
  const { ticks } = after.metrics().counts;
  await eventually("time has passed", () => after.metrics().counts.ticks > ticks + 3);
  expect(after.metrics().counts.rebuilds).toBe(1);
  await suite.stop(after);
});

const found = async (failureClass: string) =>
  (await detectionsOf(suite.database, projectNo, failureClass)).map(({ excerpt }) => excerpt);

test("no number is missing", async () => {
  expect(await found("sequence_anomaly")).toEqual([]);
});

test("no token is missing", async () => {
  expect(await found("token_accounting_mismatch")).toEqual([]);
});
