import { expect, test } from "bun:test";
import { listEnded, listOwedBatches } from "../../src/store/detection/detection-batches.ts";
import { listProjectNos } from "../../src/store/detection/detection-executions.ts";
import { DetectionSession, isDetectionLed } from "../../src/store/detection/detection-session.ts";
import { ALL_PROJECTS, isInShare, shareOf } from "../../src/store/detection/project-share.ts";
import { eventually } from "../support/postgres-server.ts";
import { detectionSuite } from "./support/detection-suite.ts";
import { detectionsOf, producerOf, registryModule, type Telemetry } from "./support/telemetry.ts";

/**
 * Several detection threads share the projects: each batch, tick and end is one thread's, whoever else runs.
 */

const suite = detectionSuite();

const newTelemetries = async (count: number) => {
  const telemetries: Telemetry[] = [];
  for (let n = 0; n < count; n++) telemetries.push(await suite.newTelemetry());
  return telemetries;
};
const fire = (id: string) => ({ execution: "a", id, type: "llm_call", payload: { fire: true } }) as const;
const echoes = async (telemetry: Telemetry) =>
  (await detectionsOf(suite.database, telemetry.projectNo, "echo")).map((each) => each.event_id);

test("each share is told of its own projects, batches and ends only", async () => {
  const telemetries = await newTelemetries(5);
  for (const telemetry of telemetries) {
    await telemetry.store([fire("e1")]);
    await telemetry.finish("a", 5);
  }
  const projectNos = telemetries.map(({ projectNo }) => projectNo);
  const { sql } = suite.database;
  const isOurs = (projectNo: number) => projectNos.includes(projectNo);
  for (const share of [0, 1, 2].map((index) => ({ index, of: 3 }))) {
    const own = projectNos.filter((projectNo) => isInShare(share, projectNo));
    const session = await DetectionSession.open(suite.database.url, share);
    const { batches } = await listOwedBatches(session.sql, { sinceMs: 0, share, limit: 100 });
    expect(batches.map(({ projectNo }) => projectNo)).toEqual(
      own.flatMap((projectNo) => [projectNo, projectNo]),
    );
    expect((await listProjectNos(session.sql, share)).filter(isOurs)).toEqual(own);
    expect((await listProjectNos(session.sql, ALL_PROJECTS)).filter(isOurs)).toEqual(projectNos);
    await session.close();
  }
  await sql`update ats.batch set detected_at = now() where project_no in ${sql(projectNos)}`;
  for (const share of [0, 1, 2].map((index) => ({ index, of: 3 }))) {
    const session = await DetectionSession.open(suite.database.url, share);
    const span = { sinceUs: 0, beforeUs: (Date.now() + 60_000) * 1000, finishedSinceMs: 0, batchesMax: 100 };
    const { ended } = await listEnded(session.sql, { ...span, share });
    expect(ended.map(({ projectNo }) => projectNo).toSorted((a, b) => a - b)).toEqual(
      projectNos.filter((projectNo) => isInShare(share, projectNo)),
    );
    await session.close();
  }
});

test("whoever cannot lead its whole share holds no part of it", async () => {
  const open = (share = ALL_PROJECTS) => DetectionSession.open(suite.database.url, share);
  const second = await open({ index: 1, of: 2 });
  expect(await second.tryLead()).toBe(true);
  const alone = await open();
  expect(await alone.tryLead()).toBe(false);
  expect(await isDetectionLed(suite.database.sql)).toBe(false);
  const first = await open({ index: 0, of: 2 });
  expect(await first.tryLead()).toBe(true);
  expect(await isDetectionLed(suite.database.sql)).toBe(true);
  const fourth = await open({ index: 3, of: 4 });
  expect(await fourth.tryLead()).toBe(false);
  await Promise.all([first.close(), second.close()]);
  await eventually("their sessions have ended", () => alone.tryLead());
  await Promise.all([alone.close(), fourth.close()]);
});

test("what is handed over is detected by the thread that looks after its project, nothing is read back", async () => {
  const telemetries = await newTelemetries(6);
  const detection = suite.start({ threads: 3 });
  await detection.drain();
  expect(detection.metrics()).toMatchObject({ isLeader: true, counts: { events: 0 } });
  const { sql } = suite.database;
  // By the rings alone: a sweep finds none old enough, unless this takes long.
  await sql.unsafe(
    "alter table ats.batch alter stored_at set default clock_timestamp() + interval '50 seconds'",
  );
  try {
    const router = producerOf(detection);
    for (const id of ["e1", "e2"])
      for (const telemetry of telemetries) {
        const { batchNo, parts, rows } = await telemetry.store([fire(id)]);
        expect(router.offer(batchNo, parts, rows)).toBe(true);
      }
    await eventually("all are detected", async () => (await suite.owedCount()) === 0);
  } finally {
    await sql.unsafe("alter table ats.batch alter stored_at set default clock_timestamp()");
  }
  for (const telemetry of telemetries) expect(await echoes(telemetry)).toEqual(["e1", "e2"]);
  await eventually("the threads have reported", () => detection.metrics().counts.events === 12);
  expect(detection.metrics().counts).toMatchObject({
    batches: 12,
    batchesFromStore: 0,
    failedTransactions: 0,
  });
  expect(detection.metrics().classes.echo).toMatchObject({ detections: 12, events: 12 });
});

test("what nobody handed over is found in the store, for every project once", async () => {
  const telemetries = await newTelemetries(6);
  for (const telemetry of telemetries) await telemetry.store([fire("s1")]);
  const detection = suite.start({ threads: 4 });
  await detection.drain();
  for (const telemetry of telemetries) expect(await echoes(telemetry)).toEqual(["s1"]);
  expect(detection.metrics().counts).toMatchObject({
    batches: 6,
    batchesFromStore: 6,
    failedTransactions: 0,
  });
});

test("time fires once in every project, and for runs that ended before a restart", async () => {
  const telemetries = await newTelemetries(5);
  const longAgo = Date.now() - 3_600_000;
  const cutOff = { model: "m", finish_reason: "length" };
  for (const telemetry of telemetries) {
    await telemetry.store([{ execution: "silent", id: "m1", type: "agent_handoff", timestampMs: longAgo }]);
    await telemetry.store([{ execution: "cut", id: "c1", type: "llm_call", payload: cutOff }]);
    // Too late for the first threads, however busy the machine is.
    await telemetry.finish("cut", 5, { receivedMs: Date.now() + 3_600_000 });
  }
  const before = suite.start({ threads: 2, detectorsModule: registryModule });
  await before.drain();
  await suite.stop(before);
  const found = async (failureClass: string) => {
    const counts: number[] = [];
    for (const { projectNo } of telemetries)
      counts.push((await detectionsOf(suite.database, projectNo, failureClass)).length);
    return counts;
  };
  expect(await found("premature_completion")).toEqual([0, 0, 0, 0, 0]);
  const { sql } = suite.database;
  await sql`
    update ats.execution set finished_at = now() - interval '1 minute' where execution_id = 'cut'`;
  await sql`
    update ats.execution set started_at = now() - interval '3 hours' where execution_id = 'silent'`;
  const after = suite.start({ threads: 3, detectorsModule: registryModule, limits: { tickEveryMs: 50 } });
  for (const failureClass of ["premature_completion", "execution_timeout"])
    await eventually(`${failureClass} in every project`, async () =>
      (await found(failureClass)).every((count) => count === 1),
    );
  const { ticks } = after.metrics().counts;
  await eventually("more ticks", () => after.metrics().counts.ticks > ticks + 6);
  expect(await found("premature_completion")).toEqual([1, 1, 1, 1, 1]);
  expect(await found("execution_timeout")).toEqual([1, 1, 1, 1, 1]);
});

test("a process with another number of threads stands by, and takes over in whole", async () => {
  const telemetries = await newTelemetries(4);
  const first = suite.start({ threads: 2 });
  await first.drain();
  const second = suite.start({ threads: 3 });
  await second.drain();
  for (const telemetry of telemetries) await telemetry.store([fire("t1")]);
  await first.drain();
  expect(first.metrics()).toMatchObject({ isLeader: true, counts: { batches: 4 } });
  expect(second.metrics()).toMatchObject({ isLeader: false, counts: { batches: 0 } });
  await suite.stop(first);
  for (const telemetry of telemetries) await telemetry.store([fire("t2")]);
  await eventually("the second has taken over", async () => (await suite.owedCount()) === 0);
  for (const telemetry of telemetries) expect(await echoes(telemetry)).toEqual(["t1", "t2"]);
  await eventually("it has reported", () => second.metrics().counts.batches === 4);
});

test("a thread that hangs holds up its own projects only, and the log says which it was", async () => {
  const telemetries = await newTelemetries(2);
  const [hung, other] = telemetries as [Telemetry, Telemetry];
  const lines: Record<string, unknown>[] = [];
  const note = (fields: Record<string, unknown>, message: string) => void lines.push({ ...fields, message });
  const log = { info: note, warn: note, error: note };
  const detection = suite.start({ threads: 2, hangMsMax: 3_000, log });
  await detection.drain();
  await hung.store([{ execution: "a", id: "h1", type: "exception", payload: { hang: true } }]);
  await eventually("it is at work", async () => (await suite.owedCount()) === 1);
  await other.store([fire("o1")]);
  await eventually("the call is left out after two hangs", async () => (await suite.owedCount()) === 0);
  await eventually("it has reported", () => detection.metrics().classes.hanger?.skippedCalls === 1);
  expect(detection.metrics().threadRestarts).toBe(2);
  const { sql } = suite.database;
  const inOrder = await sql`
    select project_no from ats.batch where project_no in ${sql([hung.projectNo, other.projectNo])} order by detected_at`;
  expect(inOrder.map((row) => row.project_no)).toEqual([other.projectNo, hung.projectNo]);
  const hangs = lines.filter(({ message }) => message === "the detection thread hangs");
  expect(hangs.map((line) => line.detection_thread)).toEqual([0, 0].fill(shareOf(hung.projectNo, 2)));
});
