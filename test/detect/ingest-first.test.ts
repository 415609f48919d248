/** Detection lets a rush of ingest go first, and owes it nothing afterwards. */
import { afterEach, expect, test } from "bun:test";
import type { Detection } from "../../src/detect/thread/detection-threads.ts";
import { eventually } from "../support/postgres-server.ts";
import { detectionSuite } from "./support/detection-suite.ts";
import { detectionsOf, producerOf, type StoredFlush } from "./support/telemetry.ts";

const suite = detectionSuite();
const EVENTS = 400;

let rush: ReturnType<typeof setInterval> | undefined;
afterEach(() => clearInterval(rush));

/** A busy thread, and a ring that holds more than detection has taken. */
function startRush(detection: Detection, flush: StoredFlush): void {
  const producer = producerOf(detection);
  rush = setInterval(() => {
    producer.noteLoad(0.9);
    producer.offer(flush.batchNo, flush.parts, flush.rows);
  }, 10);
}

async function storeMany() {
  const telemetry = await suite.newTelemetry();
  const flush = await telemetry.store(
    Array.from({ length: EVENTS }, (_, n) => ({
      execution: "x",
      id: `e${n}`,
      type: "llm_call" as const,
      sequence: n,
      payload: { fire: n % 10 === 0, part: `${n}`, text: "x".repeat(1_000) },
    })),
  );
  expect(flush.rows.length).toBeGreaterThan(256 << 10);
  return { telemetry, flush };
}

test("detection waits while a rush lasts, and then detects all of it once", async () => {
  const { telemetry, flush } = await storeMany();
  const detection = suite.start({ limits: { cores: 2 } });
  await eventually("it leads", () => detection.metrics().isLeader);
  startRush(detection, flush);
  await eventually("it waits", () => detection.metrics().counts.waitedMs > 0);
  clearInterval(rush);
  await eventually("all is detected", async () => (await suite.owedCount()) === 0);
  const fired = await detectionsOf(suite.database, telemetry.projectNo, "echo");
  expect(fired.map(({ event_id }) => event_id).toSorted()).toEqual(
    Array.from({ length: EVENTS / 10 }, (_, n) => `e${n * 10}`).toSorted(),
  );
});

test("who waits for all to be detected does not wait for a rush", async () => {
  const { flush } = await storeMany();
  const detection = suite.start({ limits: { cores: 2 } });
  await eventually("it leads", () => detection.metrics().isLeader);
  startRush(detection, flush);
  await eventually("it waits", () => detection.metrics().counts.waitedMs > 0);
  await detection.drain();
  expect(await suite.owedCount()).toBe(0);
});

test("where cores are left it waits for nobody", async () => {
  const { flush } = await storeMany();
  const detection = suite.start({ limits: { cores: 8 } });
  await eventually("it leads", () => detection.metrics().isLeader);
  startRush(detection, flush);
  await eventually("all is detected", async () => (await suite.owedCount()) === 0);
  expect(detection.metrics().counts.waitedMs).toBe(0);
});
