import { expect, test } from "bun:test";
import { HandoverRouter } from "../../src/detect/rows/handover-router.ts";
import { eventually, eventuallyNone } from "../support/postgres-server.ts";
import { detectionSuite } from "./support/detection-suite.ts";
import { detectionsOf, registryModule, validatorCheck } from "./support/telemetry.ts";

/**
 * The end of a run is detected behind the events that were stored before it, whichever HTTP threads took them
 * in and whatever was dropped.
 */

const suite = detectionSuite();

for (const [name, others] of [
  ["in one transaction", 0],
  ["with more before it than one transaction takes", 300],
] as const) {
  test(`events by one thread, the end by another, ${name}`, async () => {
    const telemetry = await suite.newTelemetry();
    const { sql } = suite.database;
    const detection = suite.start({ detectorsModule: registryModule, ingestThreads: 2 });
    await detection.drain();
    // By the rings alone: a sweep finds none old enough, unless this takes long.
    await sql.unsafe(
      "alter table ats.batch alter stored_at set default clock_timestamp() + interval '50 seconds'",
    );
    const [events, ends] = detection.handovers.map((ring) => new HandoverRouter(ring));
    const flushes = [await telemetry.store([validatorCheck("mended", "v1", false, 1)])];
    for (let n = 0; n < others; n++)
      flushes.push(await telemetry.store([{ execution: "other", id: `${n}`, type: "checkpoint" }]));
    flushes.push(await telemetry.store([validatorCheck("mended", "v2", true, 2)]));
    const end = await telemetry.finish("mended", 5);
    for (const { batchNo, parts, rows } of flushes) events!.offer(batchNo, parts, rows);
    ends!.offer(end.batchNo, end.parts, end.rows);
    await eventuallyNone("what is owed", () => suite.owedCount());
    await sql.unsafe("alter table ats.batch alter stored_at set default clock_timestamp()");
    expect(await detectionsOf(suite.database, telemetry.projectNo, "premature_completion")).toEqual([]);
  });
}

test("an event that did not fit the ring, and the end that did", async () => {
  const telemetry = await suite.newTelemetry();
  const detection = suite.start({ detectorsModule: registryModule, handoverBytes: 1 << 12 });
  await detection.drain();
  const producer = new HandoverRouter(detection.handovers[0]!);
  const first = await telemetry.store([validatorCheck("mended", "v1", false, 1)]);
  const second = await telemetry.store([validatorCheck("mended", "v2", true, 2, "x".repeat(5_000))]);
  const end = await telemetry.finish("mended", 5);
  expect(producer.offer(first.batchNo, first.parts, first.rows)).toBe(true);
  expect(producer.offer(second.batchNo, second.parts, second.rows)).toBe(false);
  expect(producer.offer(end.batchNo, end.parts, end.rows)).toBe(true);
  await eventuallyNone("what is owed", () => suite.owedCount());
  expect(await detectionsOf(suite.database, telemetry.projectNo, "premature_completion")).toEqual([]);
});

for (const [name, before] of [
  ["the first that it takes in", 0],
  ["with more before them than one transaction takes", 100],
] as const) {
  test(`events that another replica took in, and the end by this one, ${name}`, async () => {
    const telemetry = await suite.newTelemetry();
    const detection = suite.start({ detectorsModule: registryModule });
    await detection.drain();
    const producer = new HandoverRouter(detection.handovers[0]!);
    await telemetry.store([validatorCheck("mended", "v1", false, 1)]);
    for (let n = 0; n < before; n++)
      await telemetry.store([{ execution: "other", id: `${n}`, type: "checkpoint" }]);
    await telemetry.store([validatorCheck("mended", "v2", true, 2)]);
    const end = await telemetry.finish("mended", 5);
    expect(producer.offer(end.batchNo, end.parts, end.rows)).toBe(true);
    await eventuallyNone("what is owed", () => suite.owedCount());
    expect(await detectionsOf(suite.database, telemetry.projectNo, "premature_completion")).toEqual([]);
  });
}

test("the end waits for events that are stored and still on their way to the ring", async () => {
  const telemetry = await suite.newTelemetry();
  const detection = suite.start({ detectorsModule: registryModule });
  await detection.drain();
  const { sql } = suite.database;
  // Too young to be read back for as long as this takes.
  await sql.unsafe(
    "alter table ats.batch alter stored_at set default clock_timestamp() + interval '50 seconds'",
  );
  const producer = new HandoverRouter(detection.handovers[0]!);
  const failed = await telemetry.store([validatorCheck("mended", "v1", false, 1)]);
  const passed = await telemetry.store([validatorCheck("mended", "v2", true, 2)]);
  const end = await telemetry.finish("mended", 5);
  await sql.unsafe("alter table ats.batch alter stored_at set default clock_timestamp()");
  producer.offer(end.batchNo, end.parts, end.rows);
  producer.offer(failed.batchNo, failed.parts, failed.rows);
  await eventually("what failed is detected", async () => (await suite.owedCount()) === 2);
  producer.offer(passed.batchNo, passed.parts, passed.rows);
  await eventuallyNone("what is owed", () => suite.owedCount());
  expect(await detectionsOf(suite.database, telemetry.projectNo, "premature_completion")).toEqual([]);
});
