import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import type { DetectionOptions } from "../../src/detect/thread/detection-threads.ts";
import { eventually, eventuallyNone } from "../support/postgres-server.ts";
import { openWay } from "../support/way-to-postgres.ts";
import { detectionProcess, detectionSuite } from "./support/detection-suite.ts";
import {
  detectionsOf,
  producerOf,
  quietLog,
  registryModule,
  type Telemetry,
  type TestEvent,
} from "./support/telemetry.ts";

/** What becomes of owed batches when threads hang, processes die and rings overflow. */

const suite = detectionSuite();

async function tallied(projectNo: number): Promise<number> {
  const [row] = await suite.database.sql`
    select value::int as n from ats.detector_memory where project_no = ${projectNo} and class = 'tally'`;
  return row?.n ?? 0;
}

const startProcess = (options: Partial<DetectionOptions> = {}) => detectionProcess(suite.database, options);

test("processes killed in the middle, two at a time: every event is detected once", async () => {
  const telemetry = await suite.newTelemetry();
  const flushes = 60;
  const perFlush = 50;
  const processes = [startProcess(), startProcess()];
  try {
    for (let flush = 0; flush < flushes; flush++) {
      const events = Array.from(
        { length: perFlush },
        (_, n): TestEvent => ({ execution: `x${n % 7}`, id: `${flush}-${n}`, type: "eval_score" }),
      );
      await telemetry.store(events);
      if (flush % 12 === 11) {
        await eventually("some batch was detected", async () => (await suite.owedCount()) < flush);
        const victim = processes.shift()!;
        victim.kill("SIGKILL");
        await victim.exited;
        processes.push(startProcess());
      }
    }
    await eventuallyNone("what is owed", () => suite.owedCount());
  } finally {
    for (const each of processes) {
      each.kill("SIGTERM");
      await each.exited;
    }
  }
  expect(await tallied(telemetry.projectNo)).toBe(flushes * perFlush);
  expect(await detectionsOf(suite.database, telemetry.projectNo, "tally")).toHaveLength(flushes * perFlush);
  const [group] = await suite.database.sql`
    select firing_count::int as n from ats.failure_group where project_no = ${telemetry.projectNo}`;
  expect(group!.n).toBe(flushes * perFlush);
}, 180_000);

test("a detector that hangs is left out for that execution of that batch, after two tries", async () => {
  const telemetry = await suite.newTelemetry();
  const detection = suite.start({ hangMsMax: 3_000 });
  await telemetry.store([
    { execution: "bad", id: "h1", type: "exception", payload: { hang: true } },
    { execution: "good", id: "h2", type: "exception" },
    { execution: "bad", id: "e1", type: "llm_call", payload: { fire: true } },
  ]);
  await detection.drain();
  const hung = await detectionsOf(suite.database, telemetry.projectNo, "hanger");
  expect(hung.map((d) => d.event_id)).toEqual(["h2"]);
  expect(await detectionsOf(suite.database, telemetry.projectNo, "echo")).toHaveLength(1);
  expect(detection.metrics().threadRestarts).toBe(2);
  expect(detection.metrics().classes.hanger!.skippedCalls).toBe(1);
});

test("a thread that hangs takes with it neither what the ring dropped nor since when the service is up", async () => {
  const telemetry = await suite.newTelemetry();
  const { database } = suite;
  const refusals: unknown[] = [];
  const detection = suite.start({
    hangMsMax: 3_000,
    handoverBytes: 1 << 12,
    log: { ...quietLog, warn: ({ code }) => refusals.push(code) },
  });
  await detection.drain();
  const startedMs = detection.metrics().upSinceMs;
  // On the session that is open already: another would not be let in.
  const sql = await database.sql.reserve();
  await sql`update pg_database set datallowconn = false where datname = current_database()`;
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'ats-detection' and datname = current_database()`;
  await eventually("a new session is refused", async () => refusals.includes("55000"));
  await sql`update pg_database set datallowconn = true where datname = current_database()`;
  sql.release();
  await eventually("the outage counts", async () => detection.metrics().upSinceMs > startedMs);
  const { upSinceMs } = detection.metrics();
  const huge = new Uint8Array(1 << 13);
  producerOf(detection).offer(1, [{ projectNo: telemetry.projectNo, eventCount: 1 }], huge);
  await telemetry.store([{ execution: "bad", id: "h1", type: "exception", payload: { hang: true } }]);
  await eventually("the thread is ended", async () => detection.metrics().threadRestarts > 0);
  expect(detection.metrics()).toMatchObject({ handoverDrops: 1, upSinceMs });
  await detection.drain();
  expect(detection.metrics()).toMatchObject({ handoverDrops: 1, upSinceMs });
});

test("a thread that is long in starting, or whose process stands still, does not hang", async () => {
  const telemetry = await suite.newTelemetry();
  const directory = mkdtempSync(join(tmpdir(), "ats-test-slow-"));
  const slow = join(directory, "slow.ts");
  const detectors = new URL("./support/detectors.ts", import.meta.url).href;
  writeFileSync(slow, `await Bun.sleep(3_000); export { DETECTORS } from ${JSON.stringify(detectors)};`);
  const child = startProcess({ hangMsMax: 2_000, detectorsModule: slow });
  try {
    for (const id of ["before", "after"]) {
      await telemetry.store([{ execution: "a", id, type: "llm_call", payload: { fire: true } }]);
      await eventuallyNone("what is owed", () => suite.owedCount());
      if (id === "after") continue;
      child.kill("SIGSTOP");
      await Bun.sleep(3_000);
      child.kill("SIGCONT");
    }
    child.kill("SIGTERM");
    expect([await child.exited, await new Response(child.stdout).text()]).toEqual([0, ""]);
  } finally {
    child.kill("SIGKILL");
    await child.exited;
    rmSync(directory, { recursive: true });
  }
});

test("a thread that needs longer to start than it may is given more time, until it does", async () => {
  const telemetry = await suite.newTelemetry();
  const directory = mkdtempSync(join(tmpdir(), "ats-test-slow-"));
  const slow = join(directory, "slow.ts");
  const detectors = new URL("./support/detectors.ts", import.meta.url).href;
  writeFileSync(slow, `await Bun.sleep(3_000); export { DETECTORS } from ${JSON.stringify(detectors)};`);
  const detection = suite.start({ hangMsMax: 1_000, startMsMax: 1_000, detectorsModule: slow });
  try {
    await telemetry.store([{ execution: "a", id: "e1", type: "eval_score" }]);
    await detection.drain();
    expect(await tallied(telemetry.projectNo)).toBe(1);
    // After one second, and after two; on a slow machine after more.
    expect(detection.metrics().threadRestarts).toBeGreaterThanOrEqual(2);
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test("what does not fit into the ring is read from the store", async () => {
  const telemetry = await suite.newTelemetry();
  const detection = suite.start({ handoverBytes: 1 << 12 });
  const producer = producerOf(detection);
  const text = "x".repeat(1_500);
  let refused = 0;
  for (let n = 0; n < 20; n++) {
    const events = [{ execution: "a", id: `e${n}`, type: "eval_score", payload: { text } }] as const;
    const flush = await telemetry.store(events);
    if (!producer.offer(flush.batchNo, flush.parts, flush.rows)) refused++;
  }
  const huge = await telemetry.store([
    { execution: "a", id: "huge", type: "eval_score", payload: { text: text.repeat(10) } },
  ]);
  expect(producer.offer(huge.batchNo, huge.parts, huge.rows)).toBe(false);
  await detection.drain();
  expect(await tallied(telemetry.projectNo)).toBe(21);
  expect(detection.metrics().handoverDrops).toBe(refused + 1);
});

test("the connection is cut in the middle: detection goes on with a new one", async () => {
  const telemetry = await suite.newTelemetry();
  const detection = suite.start();
  for (let n = 0; n < 10; n++) {
    await telemetry.store([{ execution: "a", id: `e${n}`, type: "eval_score" }]);
    await suite.database.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'ats-detection' and datname = current_database()`;
  }
  await eventuallyNone("what is owed", () => suite.owedCount());
  await detection.drain();
  expect(await tallied(telemetry.projectNo)).toBe(10);
});

test.each(["leads", "stands by"])(
  "what is owed grows older when a thread that %s reaches no database any more",
  async (place) => {
    const url = new URL(suite.database.url);
    const way = await openWay(Number(url.port));
    url.port = String(way.port);
    if (place === "stands by") {
      const leader = suite.start();
      await eventually("the other leads", () => leader.metrics().isLeader);
    }
    const detection = suite.start({ databaseUrl: url.href });
    await detection.drain();
    await eventually("it has its place", () => detection.metrics().isLeader === (place === "leads"));
    await way.close();
    const { lagMs } = detection.metrics();
    await eventually("it has grown", () => detection.metrics().lagMs > lagMs);
  },
);

test("what is owed grows older when PostgreSQL lets the thread wait, before it gives up", async () => {
  const warnings: string[] = [];
  const warn = (_fields: object, message: string) => void warnings.push(message);
  const detection = suite.start({ log: { ...quietLog, warn } });
  await detection.drain();
  await eventually("it leads", () => detection.metrics().isLeader);
  const locked = await suite.database.sql.reserve();
  await locked.unsafe("begin; lock table ats.batch");
  try {
    const { lagMs } = detection.metrics();
    await eventually("it has grown", () => detection.metrics().lagMs > lagMs);
    expect(warnings).not.toContain("detection waits for the database");
  } finally {
    await locked.unsafe("rollback");
    locked.release();
  }
  await eventually("it is none again", () => detection.metrics().lagMs === 0);
});

test("time fires, also for an execution that only the store knows, and once", async () => {
  const telemetry = await suite.newTelemetry();
  const longAgo = Date.now() - 3_600_000;
  const silent = { id: "m1", type: "memory_operation", timestampMs: longAgo } as const;
  await telemetry.store([{ ...silent, execution: "before" }]);
  const first = suite.start();
  await first.drain();
  await suite.stop(first);
  const second = suite.start({ limits: { tickEveryMs: 100 } });
  await eventually("ticks are timed", async () => second.metrics().counts.tickMs > 0);
  // Of no event: a service that mostly waits would else tell of milliseconds an event.
  expect(second.metrics().counts.busyMs).toBe(0);
  await telemetry.store([{ ...silent, execution: "after" }]);
  await eventually(
    "both have fired",
    async () => (await detectionsOf(suite.database, telemetry.projectNo, "clock")).length === 2,
  );
  await suite.stop(second);
  const [group] = await suite.database.sql`
    select firing_count::int as n from ats.failure_group
    where project_no = ${telemetry.projectNo} and class = 'clock'`;
  expect(group!.n).toBe(2);
});

test("states rebuilt after a restart are what they would have been without one", async () => {
  const flushes = fc.array(
    fc.array(
      fc.record({
        execution: fc.constantFrom("a", "b", "c"),
        sequence: fc.integer({ min: 1, max: 20 }),
        ageMs: fc.integer({ min: 0, max: 5_000 }),
        tell: fc.boolean(),
      }),
      { minLength: 1, maxLength: 6 },
    ),
    { minLength: 2, maxLength: 6 },
  );
  await fc.assert(
    fc.asyncProperty(flushes, fc.integer({ min: 0, max: 5 }), async (given, restartAfter) => {
      const told: string[][] = [];
      for (const restarts of [false, true]) {
        const telemetry = await suite.newTelemetry();
        let detection = suite.start(restarts ? { limits: { executionsMax: 1 } } : {});
        for (const [index, flush] of given.entries()) {
          const stored = await telemetry.store(
            flush.map((event, n) => ({
              execution: event.execution,
              id: `${index}-${n}`,
              type: "tool_call",
              sequence: event.sequence,
              timestampMs: Date.now() - event.ageMs,
              payload: { tell: event.tell },
            })),
          );
          // One run by hand-over, the other by the store.
          if (!restarts) producerOf(detection).offer(stored.batchNo, stored.parts, stored.rows);
          await detection.drain();
          if (restarts && index === restartAfter) {
            await suite.stop(detection);
            detection = suite.start({ limits: { executionsMax: 1 } });
          }
        }
        await suite.stop(detection);
        const found = await detectionsOf(suite.database, telemetry.projectNo, "witness");
        told.push(found.map((d) => `${d.execution_id} ${d.event_id} ${d.excerpt}`));
      }
      expect(told[1]).toEqual(told[0]!);
    }),
    { numRuns: 8 },
  );
}, 360_000);

/** Events that are detected, then news of their execution that is not, then a thread that knows neither. */
async function foundAfterRestart(
  failureClass: string,
  events: readonly TestEvent[],
  news: (telemetry: Telemetry, receivedMs: number) => Promise<unknown>,
): Promise<number> {
  const telemetry = await suite.newTelemetry();
  const arrivedMs = Date.now();
  await telemetry.store(events);
  const before = suite.start({ detectorsModule: registryModule });
  await before.drain();
  await suite.stop(before);
  await news(telemetry, arrivedMs);
  const after = suite.start({ detectorsModule: registryModule });
  await after.drain();
  await suite.stop(after);
  return (await detectionsOf(suite.database, telemetry.projectNo, failureClass)).length;
}

test("a crash that arrived while earlier events were detected is reported after a restart", async () => {
  const error = { type: "Error", message: "no", handled: true };
  const found = await foundAfterRestart(
    "execution_crash",
    [{ execution: "a", id: "x1", type: "exception", payload: error }],
    (telemetry, receivedMs) => telemetry.finish("a", 5, { status: "crashed", receivedMs }),
  );
  expect(found).toBe(1);
});

test("an egress detected before its run was declared a simulation is reported after a restart", async () => {
  const found = await foundAfterRestart(
    "sandbox_escape",
    [{ execution: "a", id: "x1", type: "egress", payload: { destination: "https://real.example/pay" } }],
    (telemetry) =>
      telemetry.store([
        { execution: "a", id: "x2", type: "environment_declaration", payload: { mode: "simulation" } },
      ]),
  );
  expect(found).toBe(1);
});

test("a thread that fails says what and where, and quotes nothing but the system's and the database's own words", async () => {
  const directory = mkdtempSync(join(tmpdir(), "ats-test-fails-"));
  const told: Record<string, unknown>[] = [];
  const log = { info() {}, warn() {}, error: (fields: Record<string, unknown>) => void told.push(fields) };
  try {
    const failures = {
      full: 'Object.assign(new Error("write ENOSPC"), { code: "ENOSPC" })',
      quoting: 'new TypeError("qxpayload")',
    };
    for (const [name, failure] of Object.entries(failures)) {
      const detectorsModule = join(directory, `${name}.ts`);
      writeFileSync(detectorsModule, `throw ${failure};`);
      const detection = suite.start({ detectorsModule, log });
      await eventually("the failure is told", async () =>
        told.some(({ at }) => String(at).includes(`${name}.ts`)),
      );
      await suite.stop(detection);
    }
  } finally {
    rmSync(directory, { recursive: true });
  }
  expect(told).toContainEqual(
    expect.objectContaining({ error: "Error", code: "ENOSPC", reason: "write ENOSPC" }),
  );
  expect(told).toContainEqual(expect.objectContaining({ error: "TypeError", reason: undefined }));
  expect(JSON.stringify(told)).not.toContain("qxpayload");
});

test("a stop between the end of a thread and the start of the next waits for neither", async () => {
  const directory = mkdtempSync(join(tmpdir(), "ats-test-fails-"));
  const detectorsModule = join(directory, "fails.ts");
  writeFileSync(detectorsModule, "throw new Error();");
  let isStopped = false;
  const error = (_fields: object, message: string) => {
    if (message.startsWith("the detection thread ended"))
      void detection.stop().then(() => {
        isStopped = true;
      });
  };
  // A thread that does not answer is given longer than anybody waits here.
  const stopMsMax = 3_600_000;
  const detection = suite.start({ detectorsModule, stopMsMax, log: { info() {}, warn() {}, error } });
  try {
    await eventually("it is stopped", () => isStopped);
  } finally {
    rmSync(directory, { recursive: true });
  }
});
