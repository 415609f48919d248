import { expect, test } from "bun:test";
import { eventually, eventuallyNone } from "../support/postgres-server.ts";
import { detectionSuite } from "./support/detection-suite.ts";
import { detectionsOf, producerOf, type StoredFlush, type Telemetry } from "./support/telemetry.ts";

/**
 * A batch that takes the detectors seconds does not hold up other projects, and is detected once whatever
 * happens meanwhile.
 */

const suite = detectionSuite();
const SLOW_EVENTS = 600;

/** Each takes 5 ms, all of them some 3 s; 64 of them have the bytes of one block. */
async function storeSlow(telemetry: Telemetry): Promise<StoredFlush> {
  const text = "x".repeat(4_096);
  return await telemetry.store(
    Array.from({ length: SLOW_EVENTS }, (_, n) => ({
      execution: `slow ${n}`,
      id: `s${n}`,
      type: "mcp_call" as const,
      payload: { slow: true, text },
    })),
  );
}

/** With such a batch under way. */
async function startBusy(busy: Telemetry) {
  const detection = suite.start({ handoverBytes: 32 << 20, limits: { tickEveryMs: 3_600_000 } });
  await detection.drain();
  const slow = await storeSlow(busy);
  producerOf(detection).offer(slow.batchNo, slow.parts, slow.rows);
  await eventually("it is under way", () => detection.metrics().executionsHeld >= SLOW_EVENTS);
  return { detection, slow };
}

const detectedUs = async (batchNo: number): Promise<number | null> => {
  const [row] = await suite.database.sql<[{ us: number | null }]>`
    select (extract(epoch from detected_at) * 1000000)::float8 as us from ats.batch where batch_no = ${batchNo}`;
  return row.us;
};

test("what another project sends meanwhile is detected before it, and all of it once", async () => {
  const [busy, quiet] = [await suite.newTelemetry(), await suite.newTelemetry()];
  // By the ring alone: no sweep finds them.
  await suite.database.sql.unsafe(
    "alter table ats.batch alter stored_at set default clock_timestamp() + interval '50 seconds'",
  );
  const { detection, slow } = await startBusy(busy);
  const fire = await quiet.store([{ execution: "a", id: "f", type: "llm_call", payload: { fire: true } }]);
  const own = await busy.store([{ execution: "own", id: "t", type: "tool_call", payload: { tell: true } }]);
  for (const each of [own, fire]) producerOf(detection).offer(each.batchNo, each.parts, each.rows);
  await eventuallyNone("what is owed", () => suite.owedCount());
  await suite.database.sql.unsafe("alter table ats.batch alter stored_at set default clock_timestamp()");
  const [slowUs, fireUs, ownUs] = [
    await detectedUs(slow.batchNo),
    await detectedUs(fire.batchNo),
    await detectedUs(own.batchNo),
  ];
  expect(fireUs!).toBeLessThan(slowUs!);
  // Of its own project nothing goes ahead.
  expect(ownUs!).toBeGreaterThan(slowUs!);
  expect(await detectionsOf(suite.database, quiet.projectNo, "echo")).toHaveLength(1);
  expect(await detectionsOf(suite.database, busy.projectNo, "sluggish")).toHaveLength(SLOW_EVENTS);
  expect(detection.metrics().counts).toMatchObject({
    failedTransactions: 0,
    batchesFromStore: 0,
    rebuilds: 0,
  });
});

test("a connection that is cut meanwhile costs nothing but the work", async () => {
  const [busy, quiet] = [await suite.newTelemetry(), await suite.newTelemetry()];
  const { detection } = await startBusy(busy);
  await suite.database.sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'ats-detection' and datname = current_database()`;
  const fire = await quiet.store([{ execution: "a", id: "f", type: "llm_call", payload: { fire: true } }]);
  producerOf(detection).offer(fire.batchNo, fire.parts, fire.rows);
  await eventuallyNone("what is owed", () => suite.owedCount());
  await detection.drain();
  expect(await detectionsOf(suite.database, quiet.projectNo, "echo")).toHaveLength(1);
  expect(await detectionsOf(suite.database, busy.projectNo, "sluggish")).toHaveLength(SLOW_EVENTS);
  const [group] = await suite.database.sql<[{ n: number }]>`
    select firing_count::int as n from ats.failure_group where project_no = ${busy.projectNo} and class = 'sluggish'`;
  expect(group.n).toBe(SLOW_EVENTS);
});
