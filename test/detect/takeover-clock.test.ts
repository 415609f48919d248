import { expect, test } from "bun:test";
import { detectionSuite } from "./support/detection-suite.ts";

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
