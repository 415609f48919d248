import { expect, test } from "bun:test";
import { eventually } from "../support/postgres-server.ts";
import { detectionSuite } from "./support/detection-suite.ts";
import { detectionsOf, producerOf, refuseEcho, type TestEvent } from "./support/telemetry.ts";

/** A transaction that fails costs the states that it touched, and leaves none behind that is wrong. */

const suite = detectionSuite();
const call = (execution: string, id: string, tell = false): TestEvent => ({
  execution,
  id,
  type: "tool_call",
  payload: { tell },
});

test("executions beside a batch that keeps failing keep their states", async () => {
  const telemetry = await suite.newTelemetry();
  const { sql } = suite.database;
  const names = Array.from({ length: 30 }, (_, n) => `x${n}`);
  const detection = suite.start();
  await telemetry.store([...names, "bad"].map((name) => call(name, "1")));
  await detection.drain();
  const accept = await refuseEcho(sql);
  await telemetry.store([
    call("bad", "2"),
    { execution: "bad", id: "3", type: "llm_call", payload: { fire: true } },
  ]);
  await eventually("it has failed", () => detection.metrics().counts.failedTransactions > 2);
  await telemetry.store(names.map((name) => call(name, "2", true)));
  const told = () => detectionsOf(suite.database, telemetry.projectNo, "witness");
  await eventually("the others are detected", async () => (await told()).length === names.length);
  await accept();
  await detection.drain();
  await telemetry.store([call("bad", "4", true)]);
  await detection.drain();
  const seen = (await told()).map(({ execution_id, excerpt }) => `${execution_id} ${excerpt}`);
  expect(seen.toSorted()).toEqual([...names.map((name) => `${name} 1,2`), "bad 1,2,4"].toSorted());
  await eventually("it is told", () => detection.metrics().executionsHeld > names.length);
  // Its own, each time that it was tried.
  const { rebuilds, failedTransactions } = detection.metrics().counts;
  expect(rebuilds).toBeLessThanOrEqual(failedTransactions + 1);
  expect(rebuilds).toBeLessThan(names.length);
});

test("a state that could not be rebuilt, for the packs could not be read, is rebuilt when they can", async () => {
  const telemetry = await suite.newTelemetry();
  const { sql } = suite.database;
  await telemetry.store([call("open", "1"), call("open", "2")]);
  const before = suite.start();
  await before.drain();
  await suite.stop(before);
  const third = await telemetry.store([call("open", "3", true)]);
  await sql`update ats.batch set stored_at = stored_at + interval '1 hour' where batch_no = ${third.batchNo}`;
  const locked = await sql.reserve();
  await locked.unsafe("begin; lock table ats.event_pack");
  // The walk over open executions wants its past.
  const detection = suite.start({ limits: { tickEveryMs: 50 } });
  await eventually("a step has failed", () => detection.metrics().counts.failedTransactions > 0);
  await locked.unsafe("rollback");
  locked.release();
  producerOf(detection).offer(third.batchNo, third.parts, third.rows);
  const told = () => detectionsOf(suite.database, telemetry.projectNo, "witness");
  await eventually("the third is detected", async () => (await told()).length === 1);
  expect((await told())[0]!.excerpt).toBe("1,2,3");
});

test("a run whose packs cannot be read keeps no other from what fires by time", async () => {
  const telemetry = await suite.newTelemetry();
  const { sql } = suite.database;
  const names = Array.from({ length: 20 }, (_, n) => `silent ${n}`);
  const timestampMs = Date.now() - 3_600_000;
  await telemetry.store(
    names.map((execution) => ({ execution, id: "1", type: "memory_operation", timestampMs })),
  );
  const before = suite.start({ limits: { tickEveryMs: 3_600_000 } });
  await before.drain();
  await suite.stop(before);
  await sql`
    update ats.event_pack p set sequences = '{}' from ats.execution x
    where p.project_no = ${telemetry.projectNo} and x.execution_no = p.execution_no and x.execution_id = 'silent 7'`;
  const detection = suite.start({ limits: { tickEveryMs: 50 } });
  const fired = () => detectionsOf(suite.database, telemetry.projectNo, "clock");
  await eventually("the others have fired", async () => (await fired()).length === names.length - 1);
  expect((await fired()).map(({ execution_id }) => execution_id)).not.toContain("silent 7");
  await eventually("it is counted", () => detection.metrics().counts.failedTransactions > 0);
});
