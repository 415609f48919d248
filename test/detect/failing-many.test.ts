import { expect, test } from "bun:test";
import { eventually } from "../support/postgres-server.ts";
import { detectionSuite } from "./support/detection-suite.ts";
import { detectionsOf, refuseEcho, type TestEvent } from "./support/telemetry.ts";

/** More batches that keep failing than one look lists hold up nobody. */

const suite = detectionSuite();
const FAILING = 520;

test("a batch behind hundreds that keep failing is detected, and no time passes before them", async () => {
  const telemetry = await suite.newTelemetry();
  const { sql } = suite.database;
  const accept = await refuseEcho(sql);
  const failing = (n: number): TestEvent => ({
    execution: `x${n % 7}`,
    id: `f${n}`,
    type: "llm_call",
    payload: { fire: true },
  });
  for (let n = 0; n < FAILING; n++) await telemetry.store([failing(n)]);
  await sql`update ats.batch set stored_at = stored_at - interval '10 minutes' where detected_at is null`;
  const silent = { execution: "silent", id: "s", timestampMs: Date.now() - 5 * 60_000 };
  await telemetry.store([{ ...silent, type: "memory_operation" }]);
  await telemetry.store([{ execution: "behind", id: "b", type: "eval_score" }]);
  const detection = suite.start({ limits: { tickEveryMs: 20, passedOverAfterMs: 3_600_000 } });
  const found = (name: string) => detectionsOf(suite.database, telemetry.projectNo, name);
  await eventually("it is detected", async () => (await found("tally")).length === 1, 180_000);
  await telemetry.store([{ execution: "behind", id: "c", type: "eval_score" }]);
  await eventually("so is the next", async () => (await found("tally")).length === 2);
  expect(await suite.owedCount()).toBe(FAILING);
  // Some that was stored before is not known yet: nobody has been silent since.
  expect(await found("clock")).toEqual([]);
  await accept();
  await eventually("nothing is owed", async () => (await suite.owedCount()) === 0);
  expect(await found("echo")).toHaveLength(FAILING);
  expect(await found("tally")).toHaveLength(2);
  await eventually("time passes again", async () => (await found("clock")).length === 1);
  await suite.stop(detection);
}, 300_000);
