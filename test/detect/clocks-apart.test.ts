import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { eventually } from "../support/postgres-server.ts";
import { detectionSuite } from "./support/detection-suite.ts";
import { detectionsOf, registryModule, validatorCheck } from "./support/telemetry.ts";

/** A PostgreSQL whose clock is far from the service's: what is detected, and what is said of it. */

const MINUTE_MS = 60_000;

describe.each([10, -10])("PostgreSQL's clock %d minutes ahead", (minutes) => {
  const suite = detectionSuite();
  const told: { fields: Record<string, unknown>; message: string }[] = [];
  const warn = (fields: Record<string, unknown>, message: string) => void told.push({ fields, message });
  const log = { info() {}, warn, error: warn };

  beforeAll(async () => {
    await suite.database.sql.begin(async (sql) => {
      await sql`set local allow_system_table_mods = on`;
      for (const name of ["clock_timestamp", "statement_timestamp", "now"]) {
        await sql.unsafe(`
          alter function pg_catalog.${name}() rename to true_${name};
          create function pg_catalog.${name}() returns timestamptz language sql ${name === "clock_timestamp" ? "volatile" : "stable"}
          as $$ select true_${name}() + interval '${minutes} minutes' $$`);
      }
      await sql.unsafe("alter table ats.batch alter stored_at set default clock_timestamp()");
    });
    const [row] = await suite.database.sql<[{ now: Date; stored: Date }]>`
      select now() as now, clock_timestamp() as stored`;
    for (const moment of [row.now, row.stored])
      expect(Math.abs(moment.getTime() - Date.now() - minutes * MINUTE_MS)).toBeLessThan(MINUTE_MS);
  });
  afterAll(() => void told.splice(0));

  test("a backlog is judged as it would have been in time", async () => {
    const telemetry = await suite.newTelemetry();
    await telemetry.store([validatorCheck("mended", "v1", false, 1)]);
    // More batches than one transaction takes.
    for (let n = 0; n < 70; n++)
      await telemetry.store([{ execution: "other", id: `${n}`, type: "checkpoint" }]);
    await telemetry.store([validatorCheck("mended", "v2", true, 2)]);
    await telemetry.finish("mended", 5);
    const detection = suite.start({ detectorsModule: registryModule });
    await detection.drain();
    expect(await detectionsOf(suite.database, telemetry.projectNo, "premature_completion")).toEqual([]);
    expect(await suite.owedCount()).toBe(0);
  });

  test("nobody is taken for silent, and who is silent is", async () => {
    const telemetry = await suite.newTelemetry();
    await telemetry.store([{ execution: "open", id: "1", type: "checkpoint" }]);
    const first = suite.start({ detectorsModule: registryModule, limits: { tickEveryMs: 20 } });
    await eventually("it has ticked", () => first.metrics().counts.ticks > 20);
    const stalled = () => detectionsOf(suite.database, telemetry.projectNo, "stalled_execution");
    expect(await stalled()).toEqual([]);
    const { sql } = suite.database;
    await sql`
      update ats.project set detector_settings = ${sql.json({ stalled_execution: { thresholds: { silenceMinutes: 0.01 } } })}
      where project_no = ${telemetry.projectNo}`;
    await eventually("it is silent", async () => (await stalled()).length === 1);
  });

  test("it is said in the log and in a metric", async () => {
    const detection = suite.start({ log });
    await eventually("it is measured", () => detection.metrics().clockAheadMs !== 0);
    expect(Math.abs(detection.metrics().clockAheadMs + minutes * MINUTE_MS)).toBeLessThan(MINUTE_MS);
    await eventually("it is told", () => told.length > 0);
    await suite.stop(detection);
    const leader = suite.start();
    await eventually("it leads", () => leader.metrics().isLeader);
    const standby = suite.start();
    await eventually("it is measured by who stands by", () => standby.metrics().clockAheadMs !== 0);
    expect(standby.metrics().isLeader).toBe(false);
    expect(told.map(({ message }) => message)).toEqual([
      "the clocks of this process and of PostgreSQL are far apart",
    ]);
  });
});
