import { expect, test } from "bun:test";
import { eventually } from "../support/postgres-server.ts";
import { detectionSuite } from "./support/detection-suite.ts";
import { detectionsOf, refuseEcho, registryModule } from "./support/telemetry.ts";

/**
 * What ticks find after a start, and what they cost and keep when many executions are open in many projects.
 */

const suite = detectionSuite();

test("the memory of a project without a run under way is not read", async () => {
  const telemetry = await suite.newTelemetry();
  const { sql } = suite.database;
  await sql`
    insert into ats.detector_memory (project_no, class, key, value, updated_at)
    values (${telemetry.projectNo}, 'tally', 'events', 'whoever reads this as JSON fails', now())`;
  const detection = suite.start({ limits: { tickEveryMs: 20 } });
  await eventually("it has ticked", () => detection.metrics().counts.ticks > 3);
  expect(detection.metrics().counts.failedTransactions).toBe(0);
  await suite.stop(detection);
  await sql`delete from ats.detector_memory where project_no = ${telemetry.projectNo}`;
});

test("open executions that ticks bring into memory stay within its bounds", async () => {
  const telemetry = await suite.newTelemetry();
  const executions = 40;
  const events = 30;
  // The detector called witness keeps the ids: some 4 kB an execution, which counts as 1 kB before it is
  // measured.
  await telemetry.store(
    Array.from({ length: executions * events }, (_, n) => ({
      execution: `x${n % executions}`,
      id: `${n}`.padEnd(128, "-"),
      type: "tool_call" as const,
    })),
  );
  const before = suite.start();
  await before.drain();
  await suite.stop(before);
  const stateBytesMax = 60_000;
  const after = suite.start({ limits: { tickEveryMs: 20, stateBytesMax } });
  await eventually("all were brought into memory", () => after.metrics().counts.rebuilds >= executions);
  const { ticks } = after.metrics().counts;
  await eventually("another tick", () => after.metrics().counts.ticks > ticks + 1);
  const { executionsHeld, executionsPacked } = after.metrics();
  expect(executionsHeld * events * 128).toBeLessThanOrEqual(stateBytesMax);
  expect(executionsHeld + executionsPacked).toBe(executions);
});

for (const [by, apartS, runs] of [
  ["the same process", 0, 1],
  ["a process whose clock was ahead", 3_600, 1],
  ["a process whose clock was behind", -3_600, 1],
  ["the same process, with more ends in one flush than one look takes", 0, 101],
] as const) {
  test(`runs that ended just before a restart are asked for by time after it: detected by ${by}`, async () => {
    const telemetry = await suite.newTelemetry();
    const { sql } = suite.database;
    const names = Array.from({ length: runs }, (_, n) => `cut-${n}`);
    const payload = { model: "m", finish_reason: "length" };
    await telemetry.store(names.map((execution) => ({ execution, id: "e1", type: "llm_call", payload })));
    // Too late for the first thread, however busy the machine is.
    for (const name of names) await telemetry.finish(name, 5, { receivedMs: Date.now() + 3_600_000 });
    const before = suite.start({ detectorsModule: registryModule });
    await before.drain();
    await suite.stop(before);
    const found = () => detectionsOf(suite.database, telemetry.projectNo, "premature_completion");
    expect(await found()).toEqual([]);
    await sql`
      update ats.execution set finished_at = now() - interval '1 minute' where project_no = ${telemetry.projectNo}`;
    await sql`update ats.batch set detected_at = detected_at + ${apartS} * interval '1 second'`;
    // As of one flush, which has a batch for each project.
    await sql`
      update ats.batch set detected_at = (select max(detected_at) from ats.batch)
      where event_count = 0 and project_no = ${telemetry.projectNo}`;
    suite.start({ detectorsModule: registryModule, limits: { tickEveryMs: 50 } });
    await eventually("all are found", async () => (await found()).length === runs, 60_000);
  });
}

test("runs that ended just before a restart are asked all the same where the step that asks them fails at first", async () => {
  const telemetry = await suite.newTelemetry();
  const { sql } = suite.database;
  const payload = { model: "m", finish_reason: "length" };
  await telemetry.store([{ execution: "cut", id: "e1", type: "llm_call", payload }]);
  await telemetry.finish("cut", 5, { receivedMs: Date.now() + 3_600_000 });
  const before = suite.start({ detectorsModule: registryModule });
  await before.drain();
  await suite.stop(before);
  await sql`
    update ats.execution set finished_at = now() - interval '1 minute' where project_no = ${telemetry.projectNo}`;
  const locked = await sql.reserve();
  // Which the step that holds the run's state reads, and nothing before it does.
  await locked.unsafe("begin; lock table ats.detector_memory");
  const after = suite.start({ detectorsModule: registryModule, limits: { tickEveryMs: 50 } });
  await eventually("the step waits and is cut off", async () => {
    const [cut] = await sql`
      select pg_cancel_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%from ats.detector_memory%'`;
    return cut !== undefined;
  });
  await eventually("it has failed", () => after.metrics().counts.failedTransactions > 0);
  await locked.unsafe("rollback");
  locked.release();
  const found = () => detectionsOf(suite.database, telemetry.projectNo, "premature_completion");
  await eventually("it is found", async () => (await found()).length === 1);
});

test("of very many that ended just before a restart, each tick takes some", async () => {
  const telemetry = await suite.newTelemetry();
  const { sql } = suite.database;
  const runs = 2_400;
  const perFlush = 100;
  await telemetry.store(
    Array.from({ length: runs }, (_, n) => ({ execution: `${n}`, id: "e", type: "tool_call" })),
  );
  await sql`
    update ats.execution set status = 'completed', finished_at = now() where project_no = ${telemetry.projectNo}`;
  await sql`
    insert into ats.batch (project_no, batch_no, event_count, execution_nos)
    select project_no, ${1_000_000} + execution_no / ${perFlush}, 0, array_agg(execution_no) from ats.execution
    where project_no = ${telemetry.projectNo} group by 1, 2`;
  const before = suite.start();
  await before.drain();
  await suite.stop(before);
  const after = suite.start({ limits: { tickEveryMs: 50 } });
  const most: number[] = [];
  await eventually("all were taken", () => {
    const { rebuilds, ticks } = after.metrics().counts;
    // The tick under way is not counted yet.
    most.push(rebuilds / (ticks + 1));
    return rebuilds >= runs;
  });
  // With some that still run, of other projects.
  expect(Math.max(...most)).toBeLessThan(800);
});

test("a batch that keeps failing for a reason that is not its data's holds up what fires by time for a while only", async () => {
  const telemetry = await suite.newTelemetry();
  const { sql } = suite.database;
  const accept = await refuseEcho(sql);
  const secondsAgo = (s: number) => Date.now() - s * 1000;
  await telemetry.store([{ execution: "failing", id: "f", type: "llm_call", payload: { fire: true } }]);
  await sql`update ats.batch set stored_at = stored_at - interval '120 seconds' where detected_at is null`;
  await telemetry.store([
    { execution: "silent", id: "s", type: "memory_operation", timestampMs: secondsAgo(90) },
  ]);
  const detection = suite.start({ limits: { tickEveryMs: 20, passedOverAfterMs: 3_000 } });
  const found = () => detectionsOf(suite.database, telemetry.projectNo, "clock");
  await eventually("it has ticked", () => detection.metrics().counts.ticks > 2);
  expect(await found()).toEqual([]);
  await eventually("it is asked by time", async () => (await found()).length === 1);
  // The thread tells its figures a moment later.
  await eventually("it is told", () => detection.metrics().passedOver === 1);
  await accept();
  await detection.drain();
  await eventually("nothing is passed over", () => detection.metrics().passedOver === 0);
  expect((await detectionsOf(suite.database, telemetry.projectNo, "echo")).length).toBe(1);
});
