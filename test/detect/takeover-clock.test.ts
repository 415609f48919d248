import { expect, test } from "bun:test";
import { detectionSuite } from "./support/detection-suite.ts";
import { detectionsOf, registryModule } from "./support/telemetry.ts";

/** A leader whose clock is behind that of the one before it. */

const suite = detectionSuite();
const DAY_S = 86_400;

for (const [name, aheadS, isFollowed] of [
  ["goes on from where the other was", 3_600, true],
  ["does not go on from a date that nobody's clock had", 2 * DAY_S, false],
] as const) {
  test(name, async () => {
    const telemetry = await suite.newTelemetry();
    const { sql } = suite.database;
    const store = async (id: string) => {
      const { batchNo } = await telemetry.store([{ execution: "open", id, type: "checkpoint" }]);
      const detection = suite.start();
      await detection.drain();
      await suite.stop(detection);
      return batchNo;
    };
    const isLater = async (a: number, b: number) => {
      const [row] = await sql<[{ later: boolean }]>`
        select max(detected_at) filter (where batch_no = ${a}) > max(detected_at) filter (where batch_no = ${b}) as later
        from ats.batch where project_no = ${telemetry.projectNo}`;
      return row.later;
    };
    const first = await store("1");
    await sql`
      update ats.batch set detected_at = detected_at + ${aheadS} * interval '1 second' where batch_no = ${first}`;
    const second = await store("2");
    expect(await isLater(second, first)).toBe(isFollowed);
  });
}

test("what waits for late events is judged by the leader's own clock", async () => {
  const telemetry = await suite.newTelemetry();
  const detectAll = async () => {
    const detection = suite.start({ detectorsModule: registryModule });
    await detection.drain();
    await suite.stop(detection);
  };
  await telemetry.store([{ execution: "first", id: "1", type: "checkpoint" }]);
  await detectAll();
  await suite.database.sql`
    update ats.batch set detected_at = now() + interval '1 hour' where project_no = ${telemetry.projectNo}`;
  const payload = { model: "m", finish_reason: "length" };
  await telemetry.store([{ execution: "cut", id: "1", type: "llm_call", sequence: 1, payload }]);
  // Not yet over by this machine's clock, however busy it is; over by that of the leader before.
  await telemetry.finish("cut", 5, { receivedMs: Date.now() + 30 * 60_000 });
  await detectAll();
  expect(await detectionsOf(suite.database, telemetry.projectNo, "premature_completion")).toEqual([]);
});
