import { afterEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EngineStats } from "../../src/detect/engine/stats.ts";
import type { Detection, DetectionOptions } from "../../src/detect/thread/detection-threads.ts";
import { failureOf } from "../../src/detect/thread/thread-failure.ts";
import { eventually, eventuallyNone } from "../support/postgres-server.ts";
import { detectionProcess, detectionSuite } from "./support/detection-suite.ts";
import { detectionsOf } from "./support/telemetry.ts";

/** A detector that breaks what the interface asks of it stops no other, and is counted. */

const suite = detectionSuite();
const detectorsModule = new URL("./support/odd-detectors.ts", import.meta.url).href;
let lines: { readonly message: string; readonly fields: Record<string, unknown> }[] = [];

afterEach(() => {
  lines = [];
});

function start(options: Partial<DetectionOptions> = {}): Detection {
  const note = (fields: Record<string, unknown>, message: string) => void lines.push({ message, fields });
  return suite.start({ detectorsModule, log: { info: note, warn: note, error: note }, ...options });
}

const told = (message: string) => lines.filter((line) => line.message === message);
const call = (id: string, odd?: string) =>
  ({ execution: "a", id, type: "tool_call", payload: { odd, tell: true } }) as const;

async function seenBy(detection: Detection, manner: string, times: number) {
  const telemetry = await suite.newTelemetry();
  for (let n = 0; n < times; n++) {
    await telemetry.store([call(`e${n}`, manner)]);
    await detection.drain();
  }
  return (await detectionsOf(suite.database, telemetry.projectNo, "witness")).length;
}

// In a process of its own: `bun test` ends a worker in which a rejection is handled by nobody, whoever
// listens there.
test.each(["rejects", "throws later"])("one that %s where nobody waits for it", async (manner) => {
  const telemetry = await suite.newTelemetry();
  const child = detectionProcess(suite.database, { detectorsModule });
  try {
    for (let n = 0; n < 5; n++) {
      await telemetry.store([call(`e${n}`, manner)]);
      await eventuallyNone("what is owed", () => suite.owedCount());
    }
    child.kill("SIGTERM");
    expect([await child.exited, await new Response(child.stdout).text()]).toEqual([
      0,
      "a detector left something running that failed\n",
    ]);
  } finally {
    child.kill("SIGKILL");
    await child.exited;
  }
  expect(await detectionsOf(suite.database, telemetry.projectNo, "witness")).toHaveLength(5);
});

test("the kind and place of what it left running are told, and each time counted", () => {
  const stats = new EngineStats([], (_level, message, fields) => void lines.push({ message, fields }));
  for (let n = 0; n < 3; n++) stats.noteStrayError(failureOf(new TypeError("secret text of a payload")));
  expect(stats.counts.strayErrors).toBe(3);
  expect(lines).toHaveLength(1);
  expect(lines[0]!.fields).toMatchObject({ error: "TypeError", not_told: 0 });
  expect(JSON.stringify(lines)).toContain("odd-detectors.test.ts");
  expect(JSON.stringify(lines)).not.toContain("secret");
});

test("one whose state has no end", async () => {
  const detection = start();
  expect(await seenBy(detection, "endless", 5)).toBe(5);
  expect(detection.metrics()).toMatchObject({ threadRestarts: 0, counts: { failedTransactions: 0 } });
});

test("one whose state is far too large is named", async () => {
  const detection = start();
  expect(await seenBy(detection, "large", 5)).toBe(5);
  expect(detection.metrics().classes.odd).toMatchObject({ largeStates: 1, errors: 0 });
  expect(told("a detector keeps a state that is far too large").map(({ fields }) => fields)).toEqual([
    { class: "odd", bytes: expect.any(Number), not_told: 0 },
  ]);
});

test("one whose state cannot be read is counted", async () => {
  const detection = start();
  expect(await seenBy(detection, "unreadable", 5)).toBe(5);
  expect(detection.metrics()).toMatchObject({
    counts: { failedTransactions: 0, abandonedBatches: 0 },
    classes: { odd: { errors: 1 } },
  });
});

test("one that cannot begin in the middle of an execution is counted", async () => {
  const telemetry = await suite.newTelemetry();
  const before = start();
  await telemetry.store(Array.from({ length: 6 }, (_, n) => call(`e${n}`)));
  await before.drain();
  await suite.stop(before);
  const after = start({ limits: { replayEventsMax: 2 } });
  await telemetry.store([call("late")]);
  await after.drain();
  const found = await detectionsOf(suite.database, telemetry.projectNo, "witness");
  expect(found.map(({ event_id }) => event_id).at(-1)).toBe("late");
  expect(after.metrics()).toMatchObject({
    counts: { failedTransactions: 0, abandonedBatches: 0 },
    classes: { odd: { errors: 1 } },
  });
});

test("a class that hung again and again rests, and the others go on", async () => {
  const telemetry = await suite.newTelemetry();
  const { sql } = suite.database;
  await sql`
    insert into ats.detection_hang (project_no, batch_no, execution_no, class, hang_count, last_hung_at)
    select ${telemetry.projectNo}, n, n, 'hanger', 1, now() from generate_series(1, 6) n`;
  const detection = start();
  await telemetry.store([
    { execution: "a", id: "h1", type: "exception", payload: { hang: true } },
    { execution: "b", id: "h2", type: "exception", payload: { hang: true } },
    { execution: "a", id: "f1", type: "llm_call", payload: { fire: true } },
  ]);
  await detection.drain();
  expect(await detectionsOf(suite.database, telemetry.projectNo, "echo")).toHaveLength(1);
  expect(detection.metrics()).toMatchObject({ threadRestarts: 0, classes: { hanger: { skippedCalls: 2 } } });
  expect(told("a detector hangs again and again and is left out").map(({ fields }) => fields)).toEqual([
    { class: "hanger", for_min: 60 },
  ]);
  await sql`delete from ats.detection_hang`;
});

test("what is owed grows older while no thread detects", async () => {
  const directory = mkdtempSync(join(tmpdir(), "ats-test-none-"));
  const broken = join(directory, "none.ts");
  writeFileSync(broken, "throw new Error();");
  const detection = start({ detectorsModule: broken, reportEveryMs: 20 });
  const lagMs = () => detection.metrics().lagMs;
  await eventually("threads have ended", () => detection.metrics().threadRestarts > 2);
  const before = lagMs();
  expect(before).toBeGreaterThan(0);
  await eventually("it has grown", () => lagMs() > before);
  rmSync(directory, { recursive: true });
});
