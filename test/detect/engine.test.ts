import { beforeEach, expect, test } from "bun:test";
import type { Detection } from "../../src/detect/thread/detection-threads.ts";
import { detectionSuite } from "./support/detection-suite.ts";
import { detectionsOf, producerOf } from "./support/telemetry.ts";

/** What one detection thread makes of stored events, by hand-over and from the store. */

const suite = detectionSuite();
let detection: Detection;

beforeEach(() => {
  detection = suite.start();
});

const fire = (execution: string, id: string, payload: Record<string, unknown> = {}) =>
  ({ execution, id, type: "llm_call", payload: { fire: true, ...payload } }) as const;

test("an event handed over is detected once, though the store owes it, too", async () => {
  const telemetry = await suite.newTelemetry();
  const flush = await telemetry.store([fire("a", "e1"), fire("b", "e1"), fire("a", "e2")]);
  const producer = producerOf(detection);
  expect(producer.offer(flush.batchNo, flush.parts, flush.rows)).toBe(true);
  expect(producer.offer(flush.batchNo, flush.parts, flush.rows)).toBe(true);
  await detection.drain();
  const found = await detectionsOf(suite.database, telemetry.projectNo, "echo");
  expect(found.map((d) => `${d.execution_id} ${d.event_id}`)).toEqual(["a e1", "a e2", "b e1"]);
  expect(await suite.owedCount()).toBe(0);
});

test("a batch handed over twice is shown to the detectors once", async () => {
  const telemetry = await suite.newTelemetry();
  const producer = producerOf(detection);
  for (let n = 0; n < 5; n++) {
    const flush = await telemetry.store([
      { execution: "a", id: `${n}-1`, type: "eval_score" },
      { execution: "b", id: `${n}-2`, type: "eval_score" },
    ]);
    producer.offer(flush.batchNo, flush.parts, flush.rows);
    producer.offer(flush.batchNo, flush.parts, flush.rows);
    if (n % 2 === 0) {
      await detection.drain();
      producer.offer(flush.batchNo, flush.parts, flush.rows);
    }
  }
  await detection.drain();
  const [memory] = await suite.database.sql`
    select value::int as n from ats.detector_memory where project_no = ${telemetry.projectNo}`;
  expect(memory!.n).toBe(10);
});

test("an event that nobody handed over is read from the store", async () => {
  const telemetry = await suite.newTelemetry();
  await telemetry.store([fire("a", "e1", { part: "one" }), fire("a", "e2", { part: "two" })]);
  await detection.drain();
  const found = await detectionsOf(suite.database, telemetry.projectNo, "echo");
  expect(found.map((d) => d.event_id)).toEqual(["e1", "e2"]);
  const groups = await suite.database.sql`
    select class, firing_count::int, sample_execution_ids, state from ats.failure_group
    where project_no = ${telemetry.projectNo}`;
  expect(groups).toHaveLength(2);
  expect(groups[0]).toMatchObject({
    class: "echo",
    firing_count: 1,
    sample_execution_ids: ["a"],
    state: "open",
  });
});

test("firings of one group in one transaction count together, with the worst severity and the latest text", async () => {
  const telemetry = await suite.newTelemetry();
  await telemetry.store([
    fire("a", "e1", { part: "same", severity: "critical", text: "first" }),
    fire("b", "e2", { part: "same", text: "second" }),
    fire("b", "e3", { part: "same", text: "third" }),
  ]);
  await detection.drain();
  const groups = await suite.database.sql`
    select firing_count::int, severity, sample_execution_ids, last_excerpt from ats.failure_group
    where project_no = ${telemetry.projectNo}`;
  expect(groups.map((group) => ({ ...group }))).toEqual([
    { firing_count: 3, severity: "critical", sample_execution_ids: ["a", "b"], last_excerpt: "third" },
  ]);
});

test("megabytes of events are read from the store", async () => {
  const telemetry = await suite.newTelemetry();
  for (let flush = 0; flush < 6; flush++) {
    const events = Array.from({ length: 500 }, (_, n) => ({
      execution: `x${n % 20}`,
      id: `${flush}-${n}`,
      type: "eval_score" as const,
      payload: { text: "é".repeat(n) },
    }));
    await telemetry.store(events);
  }
  await detection.drain();
  const [memory] = await suite.database.sql`
    select value::int as n from ats.detector_memory where project_no = ${telemetry.projectNo}`;
  expect(memory!.n).toBe(3_000);
});

test("rows handed over that are not what is stored are not believed", async () => {
  const telemetry = await suite.newTelemetry();
  const flush = await telemetry.store([fire("a", "e1")]);
  const second = await telemetry.store([fire("a", "e2")]);
  const third = await telemetry.store([fire("a", "e3")]);
  const producer = producerOf(detection);
  producer.offer(flush.batchNo, flush.parts, flush.rows.subarray(0, 40));
  producer.offer(second.batchNo, second.parts, new Uint8Array(0));
  producer.offer(third.batchNo, third.parts, crypto.getRandomValues(new Uint8Array(500)));
  await detection.drain();
  const found = await detectionsOf(suite.database, telemetry.projectNo, "echo");
  expect(found.map((d) => d.event_id)).toEqual(["e1", "e2", "e3"]);
});

test("rows handed over that are fewer than are stored are not believed, though they can be read", async () => {
  const telemetry = await suite.newTelemetry();
  const one = await telemetry.store([fire("a", "e1")]);
  const two = await telemetry.store([fire("a", "e2"), fire("a", "e3")]);
  producerOf(detection).offer(two.batchNo, two.parts, one.rows);
  await detection.drain();
  const found = await detectionsOf(suite.database, telemetry.projectNo, "echo");
  expect(found.map((d) => d.event_id)).toEqual(["e1", "e2", "e3"]);
});

test("a detector that throws loses its own answer only", async () => {
  const telemetry = await suite.newTelemetry();
  await telemetry.store([
    { execution: "a", id: "c1", type: "checkpoint", payload: { boom: true } },
    { execution: "b", id: "c2", type: "checkpoint" },
    fire("a", "e1"),
  ]);
  await detection.drain();
  expect(await detectionsOf(suite.database, telemetry.projectNo, "echo")).toHaveLength(1);
  const thrown = await detectionsOf(suite.database, telemetry.projectNo, "thrower");
  expect(thrown.map((d) => d.execution_id)).toEqual(["b"]);
  expect(detection.metrics().classes.thrower!.errors).toBe(1);
});

test("an answer that no database takes is cut to what it takes", async () => {
  const telemetry = await suite.newTelemetry();
  await telemetry.store([{ execution: "a", id: "d1", type: "drift_signal" }]);
  await detection.drain();
  const [found] = await detectionsOf(suite.database, telemetry.projectNo, "hostile");
  expect(found!.excerpt).toHaveLength(240);
  expect(found!.excerpt.startsWith("\ufffd\ufffdx")).toBe(true);
  expect(found!.dedup_key).toMatch(/^sha256:[0-9a-f]{64}$/);
});

test("a payload that is no JSON holds up nothing", async () => {
  const telemetry = await suite.newTelemetry();
  await telemetry.store([fire("a", "e1")], { payloadText: "not json" });
  await telemetry.store([fire("a", "e2")], { payloadText: "[1]" });
  await telemetry.store([fire("a", "e3")]);
  await detection.drain();
  const found = await detectionsOf(suite.database, telemetry.projectNo, "echo");
  expect(found.map((d) => d.event_id)).toEqual(["e3"]);
  expect(detection.metrics().counts.unreadablePayloads).toBeGreaterThanOrEqual(2);
});

test("the end of an execution is told to those that want it, with the record as it is", async () => {
  const telemetry = await suite.newTelemetry();
  await telemetry.store([{ execution: "a", id: "h1", type: "agent_handoff" }]);
  await telemetry.finish("a", 1234);
  await detection.drain();
  await telemetry.store([{ execution: "a", id: "h2", type: "agent_handoff" }]);
  await detection.drain();
  const found = await detectionsOf(suite.database, telemetry.projectNo, "finisher");
  expect(found.map((d) => d.excerpt)).toEqual(["completed 1234 after 1"]);
});

test("what a project is remembered by outlives the thread", async () => {
  const telemetry = await suite.newTelemetry();
  const egress = (id: string, destination: string) =>
    ({ execution: "a", id, type: "egress", payload: { destination } }) as const;
  await telemetry.store([egress("g1", "one.example"), egress("g2", "one.example")]);
  await detection.drain();
  await suite.stop(detection);
  detection = suite.start();
  await telemetry.store([egress("g3", "one.example"), egress("g4", "two.example")]);
  await detection.drain();
  const found = await detectionsOf(suite.database, telemetry.projectNo, "rememberer");
  expect(found.map((d) => d.event_id)).toEqual(["g1", "g4"]);
});

test("a change of settings holds from the next sweep on", async () => {
  const telemetry = await suite.newTelemetry();
  await telemetry.store([fire("a", "e1")]);
  await detection.drain();
  await suite.database.sql`
    update ats.project set detector_settings = ${suite.database.sql.json({ echo: { enabled: false } })}
    where project_no = ${telemetry.projectNo}`;
  await telemetry.store([fire("a", "e2")]);
  await detection.drain();
  await suite.database.sql`
    update ats.project set detector_settings = ${suite.database.sql.json({ echo: { thresholds: { skip: 1 } } })}
    where project_no = ${telemetry.projectNo}`;
  await telemetry.store([fire("a", "e3"), fire("a", "e4")]);
  await detection.drain();
  const found = await detectionsOf(suite.database, telemetry.projectNo, "echo");
  expect(found.map((d) => d.event_id)).toEqual(["e1", "e4"]);
});
