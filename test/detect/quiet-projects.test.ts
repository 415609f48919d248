import { expect, test } from "bun:test";
import { eventuallyNone } from "../support/postgres-server.ts";
import { detectionSuite } from "./support/detection-suite.ts";
import {
  detectionsOf,
  producerOf,
  registryModule,
  type StoredFlush,
  type Telemetry,
  type TestEvent,
  validatorCheck,
} from "./support/telemetry.ts";

/** What a project that sends little owes is detected ahead of a flood from another. */

const suite = detectionSuite();

const WORDS =
  "the invoices of the harbour office were read, sorted by date and put into the folder of the quarter ";

async function storeFlood(
  flood: Telemetry,
  batches: number,
  eventsOf: (batch: number) => readonly Omit<TestEvent, "execution" | "sequence">[],
): Promise<StoredFlush[]> {
  const stored: StoredFlush[] = [];
  let sequence = 0;
  for (let batch = 0; batch < batches; batch++) {
    const events = eventsOf(batch).map((event) => ({ ...event, execution: "flood", sequence: ++sequence }));
    stored.push(await flood.store(events));
  }
  return stored;
}

const ids = (batch: number, count: number) => Array.from({ length: count }, (_, n) => `${batch} ${n}`);

/** How many batches of the flood were detected before the last one of the quiet project. */
async function detectedBefore(flood: Telemetry, quiet: Telemetry): Promise<number> {
  const [row] = await suite.database.sql<[{ count: number }]>`
    select count(*)::int as count from ats.batch where project_no = ${flood.projectNo} and detected_at < (
      select max(detected_at) from ats.batch where project_no = ${quiet.projectNo})`;
  return row.count;
}

async function expectFound(quiet: Telemetry): Promise<void> {
  const found = [];
  for (const failureClass of ["validator_failure", "execution_crash"])
    found.push((await detectionsOf(suite.database, quiet.projectNo, failureClass)).length);
  expect(found).toEqual([1, 1]);
}

for (const [name, batches, eventsEach] of [
  ["in a backlog", 60, 300],
  ["in a backlog of more batches than a look lists", 520, 35],
] as const) {
  test(`behind a flood ${name}: its event and the end of its run`, async () => {
    const [flood, quiet] = [await suite.newTelemetry(), await suite.newTelemetry()];
    await storeFlood(flood, batches, (batch) =>
      ids(batch, eventsEach).map((id) => ({ id, type: "checkpoint" })),
    );
    await quiet.store([validatorCheck("run", "v", false, 1)]);
    await quiet.finish("run", 5, { status: "crashed" });
    const detection = suite.start({ detectorsModule: registryModule });
    await detection.drain();
    expect(await detectedBefore(flood, quiet)).toBe(0);
    await expectFound(quiet);
  });
}

test("behind a flood in the ring", async () => {
  const [flood, quiet] = [await suite.newTelemetry(), await suite.newTelemetry()];
  const { sql } = suite.database;
  const detection = suite.start({ detectorsModule: registryModule, handoverBytes: 32 << 20 });
  await detection.drain();
  // By the ring alone: a sweep finds none old enough, unless this takes long.
  await sql.unsafe(
    "alter table ats.batch alter stored_at set default clock_timestamp() + interval '50 seconds'",
  );
  // Texts of some tens of microseconds each.
  const stored = await storeFlood(flood, 120, (batch) =>
    ids(batch, 150).map((id) => ({
      id,
      type: "tool_call",
      payload: { tool_name: "read_folder", result: `${id} ${WORDS.repeat(10)}` },
    })),
  );
  stored.push(await quiet.store([validatorCheck("run", "v", false, 1)]));
  for (const { batchNo, parts, rows } of stored) producerOf(detection).offer(batchNo, parts, rows);
  await eventuallyNone("what is owed", () => suite.owedCount());
  await sql.unsafe("alter table ats.batch alter stored_at set default clock_timestamp()");
  expect(await detectedBefore(flood, quiet)).toBeLessThan(100);
  expect(await detectionsOf(suite.database, quiet.projectNo, "validator_failure")).toHaveLength(1);
});
