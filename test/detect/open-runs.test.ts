import { expect, test } from "bun:test";
import type { Detection } from "../../src/detect/thread/detection-threads.ts";
import { eventually } from "../support/postgres-server.ts";
import { detectionSuite } from "./support/detection-suite.ts";
import { detectionsOf, registryModule, type Telemetry } from "./support/telemetry.ts";

/**
 * What fires by time reaches executions whose states nobody holds ready, and reaches the silent ones first.
 */

const suite = detectionSuite();

async function change(telemetry: Telemetry, settings: Record<string, Record<string, number>>): Promise<void> {
  const classes = Object.entries(settings).map(([name, thresholds]) => [name, { thresholds }]);
  const { sql } = suite.database;
  await sql`
    update ats.project set detector_settings = ${sql.json(Object.fromEntries(classes))}
    where project_no = ${telemetry.projectNo}`;
}

const passOthers = async (telemetry: Telemetry, detection: Detection) => {
  for (const execution of ["other", "another", "third"])
    await telemetry.store([{ execution, id: "1", type: "checkpoint" }]);
  await detection.drain();
};

for (const [name, limits, count] of [
  ["packed", {}, "executionsPacked"],
  ["lost", { packedStateBytesMax: 0 }, "evictions"],
] as const) {
  test(`a run that ended and gave way to others is asked by time: its state is ${name}`, async () => {
    const telemetry = await suite.newTelemetry();
    await change(telemetry, { premature_completion: { graceSeconds: 120 } });
    const payload = { model: "m", finish_reason: "length" };
    const detection = suite.start({
      detectorsModule: registryModule,
      limits: { tickEveryMs: 50, executionsMax: 1, ...limits },
    });
    await telemetry.store([{ execution: "cut", id: "e1", type: "llm_call", payload }]);
    // Waits for late events until long after this test, whatever the machine does.
    await telemetry.finish("cut", 5, { receivedMs: Date.now() + 3_600_000 });
    await detection.drain();
    await passOthers(telemetry, detection);
    await eventually("it has given way", () => detection.metrics()[count] > 0);
    const found = () => detectionsOf(suite.database, telemetry.projectNo, "premature_completion");
    expect(await found()).toEqual([]);
    const { sql } = suite.database;
    await sql`
      update ats.execution set finished_at = now() - interval '1 minute'
      where project_no = ${telemetry.projectNo} and execution_id = 'cut'`;
    await change(telemetry, { premature_completion: { graceSeconds: 1 } });
    await eventually("it is found", async () => (await found()).length === 1);
  });
}

test("a run that gave way is asked at its moment, with nothing said of it in between", async () => {
  const telemetry = await suite.newTelemetry();
  await change(telemetry, { stalled_execution: { silenceMinutes: 0.05 } });
  const detection = suite.start({
    detectorsModule: registryModule,
    limits: { tickEveryMs: 50, executionsMax: 1, packedStateBytesMax: 1 << 20 },
  });
  await telemetry.store([{ execution: "silent", id: "e1", type: "checkpoint" }]);
  await passOthers(telemetry, detection);
  const stalled = () => detectionsOf(suite.database, telemetry.projectNo, "stalled_execution");
  await eventually("all four have fired", async () => (await stalled()).length === 4);
  const pass = async (count: number) => {
    const { ticks } = detection.metrics().counts;
    await eventually("it goes on", () => detection.metrics().counts.ticks > ticks + count);
    return detection.metrics().unpackings;
  };
  // They have said what they could: nobody is asked again in vain.
  const unpackings = await pass(5);
  expect(await pass(20)).toBe(unpackings);
});

test("after a restart silent runs are found before those that miss events", async () => {
  const telemetry = await suite.newTelemetry();
  const { sql } = suite.database;
  const runs = 1_000;
  await change(telemetry, { stalled_execution: { silenceMinutes: 0.01 } });
  const note = (execution: string, sequence: number, receivedMs: number) =>
    ({ execution, id: `${sequence}`, type: "checkpoint", sequence, receivedMs }) as const;
  const nowMs = Date.now();
  // Each misses an event; and none is silent before an hour has passed.
  const missing = Array.from({ length: runs }, (_, n) =>
    [1, 2, 4, 5].map((sequence) =>
      note(`missing ${n}`, sequence, nowMs + (sequence < 5 ? -60_000 : 3_600_000)),
    ),
  );
  await telemetry.store([...missing.flat(), note("silent", 1, nowMs)]);
  const before = suite.start({ detectorsModule: registryModule, limits: { tickEveryMs: 3_600_000 } });
  await before.drain();
  await suite.stop(before);
  // The silent one is the last of all walks.
  await sql`
    update ats.execution set started_at = started_at - interval '10 minutes'
    where project_no = ${telemetry.projectNo} and execution_id <> 'silent'`;
  // By the first tick its silence has lasted since the start.
  suite.start({ detectorsModule: registryModule, limits: { tickEveryMs: 2_000 } });
  const found = (name: string) => detectionsOf(suite.database, telemetry.projectNo, name);
  await eventually("the silent one is found", async () => (await found("stalled_execution")).length === 1);
  const [row] = await sql<[{ missed: number }]>`
    select count(*)::int as missed from ats.detection d
    where d.project_no = ${telemetry.projectNo} and d.class = 'sequence_anomaly'
      and d.detected_at <= (
        select detected_at from ats.detection s where s.project_no = d.project_no and s.class = 'stalled_execution'
      )`;
  expect(row.missed).toBeLessThan(runs / 2);
  await eventually(
    "the others are found, too",
    async () => (await found("sequence_anomaly")).length === runs,
    120_000,
  );
}, 180_000);

test("after a restart a run that misses an event is found without asking those that miss none", async () => {
  const telemetry = await suite.newTelemetry();
  const { sql } = suite.database;
  const runs = 2_000;
  const note = (execution: string, sequence: number) =>
    ({ execution, id: `${sequence}`, type: "checkpoint", sequence }) as const;
  const whole = Array.from({ length: runs }, (_, n) =>
    [1, 2, 3].map((sequence) => note(`whole ${n}`, sequence)),
  );
  await telemetry.store([...whole.flat(), ...[1, 2, 4].map((sequence) => note("missing", sequence))]);
  const before = suite.start({ detectorsModule: registryModule, limits: { tickEveryMs: 3_600_000 } });
  await before.drain();
  await suite.stop(before);
  await change(telemetry, { sequence_anomaly: { graceSeconds: 0 } });
  // It is the last of all walks.
  await sql`
    update ats.execution set started_at = started_at - interval '10 minutes'
    where project_no = ${telemetry.projectNo} and execution_id <> 'missing'`;
  const detection = suite.start({ detectorsModule: registryModule, limits: { tickEveryMs: 1_000 } });
  const found = () => detectionsOf(suite.database, telemetry.projectNo, "sequence_anomaly");
  await eventually("it is found", async () => (await found()).length === 1);
  expect(detection.metrics().counts.rebuilds).toBeLessThan(runs);
});
