import { expect, test } from "bun:test";
import { eventually } from "../support/postgres-server.ts";
import { detectionSuite } from "./support/detection-suite.ts";
import {
  detectionsOf,
  registryModule,
  type Telemetry,
  type TestEvent,
  validatorCheck,
} from "./support/telemetry.ts";

/** Detection that comes late says what it would have said in time. */

const suite = detectionSuite();
const MINUTE_MS = 60_000;

const handled = (execution: string, id: string, message: string, sequence: number): TestEvent => ({
  execution,
  id,
  type: "exception",
  sequence,
  payload: { type: "Error", message, handled: true },
});
const note = (execution: string, id: string): TestEvent => ({ execution, id, type: "checkpoint" });

/** More batches than one transaction takes. */
async function storeMany(telemetry: Telemetry, execution: string): Promise<void> {
  for (let n = 0; n < 70; n++) await telemetry.store([note(execution, `${n}`)]);
}

async function detectAll(): Promise<void> {
  const detection = suite.start({ detectorsModule: registryModule });
  await detection.drain();
  await suite.stop(detection);
}

for (const [name, between] of [
  ["in one transaction", async () => {}],
  ["in several transactions", (telemetry: Telemetry) => storeMany(telemetry, "other")],
] as const) {
  test(`what came before the end is not taken for what came after it, ${name}`, async () => {
    const telemetry = await suite.newTelemetry();
    await telemetry.store([validatorCheck("mended", "v1", false, 1)]);
    await telemetry.store([handled("crashing", "h1", "first", 1)]);
    await between(telemetry);
    await telemetry.store([validatorCheck("mended", "v2", true, 2)]);
    await telemetry.store([handled("crashing", "h2", "second", 2)]);
    await telemetry.finish("mended", 5);
    await telemetry.finish("crashing", 5, { status: "crashed" });
    await detectAll();
    const { database } = suite;
    expect(await detectionsOf(database, telemetry.projectNo, "premature_completion")).toEqual([]);
    const crashes = await detectionsOf(database, telemetry.projectNo, "execution_crash");
    expect(crashes.map(({ excerpt }) => excerpt)).toEqual([expect.stringContaining("second")]);
    const unhandled = await detectionsOf(database, telemetry.projectNo, "unhandled_exception");
    expect(unhandled.map(({ event_id }) => event_id)).toEqual(["h2"]);
  });
}

test("an event that comes after a detected end finds the execution ended, also after a restart", async () => {
  const telemetry = await suite.newTelemetry();
  await telemetry.store([note("crashed", "n1")]);
  await telemetry.finish("crashed", 5, { status: "crashed" });
  await detectAll();
  await telemetry.store([handled("crashed", "h1", "late", 2)]);
  await detectAll();
  const unhandled = await detectionsOf(suite.database, telemetry.projectNo, "unhandled_exception");
  expect(unhandled.map(({ event_id }) => event_id)).toEqual(["h1"]);
});

test("no time passes for an execution whose events are still owed", async () => {
  const telemetry = await suite.newTelemetry();
  const { sql } = suite.database;
  const longAgo = { receivedMs: Date.now() - 60 * MINUTE_MS };
  for (const execution of ["late", "lost"])
    for (const sequence of [1, 2, 4])
      await telemetry.store([{ ...note(execution, `${sequence}`), ...longAgo, sequence }]);
  await storeMany(telemetry, "other");
  await telemetry.store([{ ...note("late", "3"), sequence: 3 }]);
  await sql`
    update ats.batch set stored_at = stored_at - interval '1 hour' where project_no = ${telemetry.projectNo}`;
  const detection = suite.start({ detectorsModule: registryModule, limits: { tickEveryMs: 1 } });
  const missing = () => detectionsOf(suite.database, telemetry.projectNo, "sequence_anomaly");
  await eventually("the lost one is missed", async () =>
    (await missing()).some(({ execution_id }) => execution_id === "lost"),
  );
  await suite.stop(detection);
  expect((await missing()).map(({ execution_id }) => execution_id)).not.toContain("late");
});

test("the time in which the service was down is no silence", async () => {
  const telemetry = await suite.newTelemetry();
  const { sql } = suite.database;
  await telemetry.store([note("open", "1")]);
  await detectAll();
  await sql`
    update ats.execution set started_at = started_at - interval '1 hour' where project_no = ${telemetry.projectNo}`;
  await sql`
    update ats.event_pack set received_at = received_at - interval '1 hour' where project_no = ${telemetry.projectNo}`;
  const settings = (silenceMinutes: number) => sql`
    update ats.project set detector_settings = ${sql.json({ stalled_execution: { thresholds: { silenceMinutes } } })}
    where project_no = ${telemetry.projectNo}`;
  const detection = suite.start({ detectorsModule: registryModule, limits: { tickEveryMs: 50 } });
  const stalled = () => detectionsOf(suite.database, telemetry.projectNo, "stalled_execution");
  const { ticks } = detection.metrics().counts;
  await eventually("it was asked", () => detection.metrics().counts.ticks > ticks + 3);
  expect(await stalled()).toEqual([]);
  await settings(0.01);
  await eventually("it is silent since the service is up", async () => (await stalled()).length === 1);
});

test("the time in which the database took no writes is no silence", async () => {
  const telemetry = await suite.newTelemetry();
  const { sql } = suite.database;
  await sql`
    update ats.project set detector_settings = ${sql.json({ stalled_execution: { thresholds: { silenceMinutes: 0.1 } } })}
    where project_no = ${telemetry.projectNo}`;
  await telemetry.store([note("open", "1")]);
  await sql.unsafe(`
    create function ats.be_full() returns trigger language plpgsql as $$
    begin raise exception 'no space left on device' using errcode = '53100'; end $$;
    create trigger be_full before insert on ats.detection for each row
    when (new.project_no = ${telemetry.projectNo}) execute function ats.be_full()`);
  const detection = suite.start({ detectorsModule: registryModule, limits: { tickEveryMs: 50 } });
  await detection.drain();
  const { counts } = detection.metrics();
  await eventually("its silence could not be stored", () => {
    return detection.metrics().counts.failedTransactions > counts.failedTransactions;
  });
  await sql.unsafe("drop function ats.be_full cascade");
  const { ticks } = detection.metrics().counts;
  const stalled = () => detectionsOf(suite.database, telemetry.projectNo, "stalled_execution");
  await eventually("it was asked", () => detection.metrics().counts.ticks > ticks + 3);
  expect(await stalled()).toEqual([]);
  await eventually("it is silent since writes are taken", async () => (await stalled()).length === 1);
});
