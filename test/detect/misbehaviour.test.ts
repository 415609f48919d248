import { afterEach, expect, test } from "bun:test";
import type { Detection, DetectionOptions } from "../../src/detect/thread/detection-threads.ts";
import { eventually } from "../support/postgres-server.ts";
import { detectionSuite } from "./support/detection-suite.ts";
import { detectionsOf } from "./support/telemetry.ts";

/**
 * What becomes of a batch, and of the other detectors, when one detector is slow, throws or spoils the
 * transaction.
 */

interface LogLine {
  readonly level: "info" | "warn" | "error";
  readonly message: string;
  readonly fields: Record<string, unknown>;
}

const suite = detectionSuite();
let lines: LogLine[] = [];

afterEach(() => {
  lines = [];
});

function start(limits: DetectionOptions["limits"] = {}): Detection {
  const note = (level: LogLine["level"]) => (fields: Record<string, unknown>, message: string) => {
    lines.push({ level, message, fields });
  };
  const log = { info: note("info"), warn: note("warn"), error: note("error") };
  return suite.start({ log, limits });
}

const linesOf = (failureClass: string, message: string) =>
  lines.filter((line) => line.fields.class === failureClass && line.message === message);

const slow = (id: string) => ({ execution: "a", id, type: "mcp_call", payload: { slow: true } }) as const;
const boom = (execution: string, id: string) =>
  ({ execution, id, type: "checkpoint", payload: { boom: true } }) as const;
const fire = (execution: string, id: string) =>
  ({ execution, id, type: "llm_call", payload: { fire: true } }) as const;

test("a slow detector is counted each time, named once a minute when it was slow thrice, and keeps its answers", async () => {
  const telemetry = await suite.newTelemetry();
  const detection = start({ budgetBaseMs: 4, budgetPerEventUs: 0 });
  const ids = ["s1", "s2", "s3", "s4"];
  for (const [i, id] of ids.entries()) {
    await telemetry.store([slow(id)]);
    await detection.drain();
    expect(linesOf("sluggish", "a detector took too long")).toHaveLength(i < 2 ? 0 : 1);
  }
  const counts = detection.metrics().classes.sluggish!;
  expect(counts).toMatchObject({ overBudget: 4, calls: 4, events: 4, errors: 0 });
  const told = linesOf("sluggish", "a detector took too long");
  expect(told.map((line) => line.level)).toEqual(["warn"]);
  expect(told[0]!.fields).toEqual({ class: "sluggish", took_ms: expect.any(Number), not_told: 0 });
  const found = await detectionsOf(suite.database, telemetry.projectNo, "sluggish");
  expect(found.map((d) => d.event_id)).toEqual(ids);
});

test("a detector that is slow by far is named at once", async () => {
  const telemetry = await suite.newTelemetry();
  const detection = start({ budgetBaseMs: 0.1, budgetPerEventUs: 0 });
  await telemetry.store([slow("s1")]);
  await detection.drain();
  expect(linesOf("sluggish", "a detector took too long")).toHaveLength(1);
});

test("the budget grows with the events of the batch", async () => {
  const telemetry = await suite.newTelemetry();
  const detection = start({ budgetBaseMs: 0, budgetPerEventUs: 60_000_000 });
  await telemetry.store([slow("s1")]);
  await detection.drain();
  expect(detection.metrics().classes.sluggish).toMatchObject({ calls: 1, overBudget: 0 });
  expect(linesOf("sluggish", "a detector took too long")).toEqual([]);
});

test("a detector that throws three times on a batch is not asked again, and the others go on", async () => {
  const telemetry = await suite.newTelemetry();
  const detection = start();
  await telemetry.store([
    boom("a", "b1"),
    boom("b", "b2"),
    boom("c", "b3"),
    { execution: "d", id: "b4", type: "checkpoint" },
    fire("a", "e1"),
    fire("b", "e2"),
  ]);
  await detection.drain();
  const { counts, classes } = detection.metrics();
  expect(classes.thrower).toMatchObject({ errors: 3, calls: 4, detections: 1 });
  expect(counts).toMatchObject({ failedTransactions: 0, abandonedBatches: 0 });
  const thrown = await detectionsOf(suite.database, telemetry.projectNo, "thrower");
  expect(thrown.map((d) => d.event_id)).toEqual(["b4"]);
  const others = await detectionsOf(suite.database, telemetry.projectNo, "echo");
  expect(others.map((d) => d.event_id)).toEqual(["e1", "e2"]);
  expect(await suite.owedCount()).toBe(0);
});

test("that a detector threw is told once, with where, and without the message", async () => {
  const telemetry = await suite.newTelemetry();
  const detection = start();
  await telemetry.store([boom("a", "b1"), boom("b", "b2")]);
  await detection.drain();
  const told = linesOf("thrower", "a detector threw");
  expect(told).toHaveLength(1);
  expect(told[0]).toMatchObject({ level: "error", fields: { error: "TypeError", not_told: 0 } });
  expect(told[0]!.fields.at).toContain("test/detect/support/detectors.ts");
  expect(JSON.stringify(lines)).not.toContain("secret text");
});

test("a batch that cannot be stored is given up after three tries, and holds up no other", async () => {
  await suite.database.sql`alter table ats.detector_memory add constraint spoilt check (key <> 'spoilt')`;
  const telemetry = await suite.newTelemetry();
  await telemetry.store([fire("a", "e1"), { execution: "a", id: "v1", type: "validator_result" }]);
  const spoilt = await telemetry.store([
    fire("b", "e2"),
    { execution: "b", id: "v2", type: "validator_result", payload: { spoil: true } },
  ]);
  await telemetry.store([fire("c", "e3"), { execution: "c", id: "v3", type: "validator_result" }]);
  const detection = start();
  await detection.drain();
  expect(await suite.owedCount()).toBe(0);
  const { counts, classes } = detection.metrics();
  expect(counts).toMatchObject({ abandonedBatches: 1, batches: 2 });
  expect(counts.failedTransactions).toBeGreaterThanOrEqual(3);
  expect(classes).toMatchObject({ echo: { detections: 2 }, spoiler: { detections: 2, errors: 0 } });
  for (const [failureClass, ids] of [
    ["echo", ["e1", "e3"]],
    ["spoiler", ["v1", "v3"]],
  ] as const) {
    const found = await detectionsOf(suite.database, telemetry.projectNo, failureClass);
    expect(found.map((d) => d.event_id)).toEqual([...ids]);
  }
  const tries = lines.filter((line) => line.fields.batch_no === spoilt.batchNo);
  expect(tries.map((line) => [line.level, line.message, line.fields.times])).toEqual([
    ["warn", "a batch failed", 1],
    ["warn", "a batch failed", 2],
    ["error", "a batch was given up", 3],
  ]);
  expect(tries[2]!.fields.code).toBe("23514");
  await telemetry.store([{ execution: "b", id: "v4", type: "validator_result" }]);
  await detection.drain();
  expect(detection.metrics().counts).toMatchObject({ abandonedBatches: 1, batches: 3 });
  const later = await detectionsOf(suite.database, telemetry.projectNo, "spoiler");
  expect(later.map((d) => d.event_id)).toEqual(["v1", "v4", "v3"]);
});

test("a database that takes no writes is tried until it does, and told of once", async () => {
  const { sql, name } = suite.database;
  const telemetry = await suite.newTelemetry();
  const batch = await telemetry.store([fire("r", "e1")]);
  await sql.unsafe(`alter database ${name} set default_transaction_read_only = on`);
  try {
    const detection = start();
    await eventually("it was tried some times", () => detection.metrics().counts.failedTransactions >= 5);
    await suite.stop(detection);
  } finally {
    await sql.unsafe(`alter database ${name} reset default_transaction_read_only`);
  }
  const tries = lines.filter((line) => line.message === "a batch failed");
  expect(tries.map((line) => line.fields)).toEqual([
    expect.objectContaining({ batch_no: batch.batchNo, code: "25006", times: 1 }),
  ]);
  await start().drain();
  expect(await suite.owedCount()).toBe(0);
});
