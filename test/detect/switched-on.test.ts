import { expect, test } from "bun:test";
import { detectionSuite } from "./support/detection-suite.ts";
import { detectionsOf, type Telemetry, type TestEvent } from "./support/telemetry.ts";

/** A class that is switched off and on again, or on for the first time, while executions are under way. */

const suite = detectionSuite();

const call = (id: string, tell = false): TestEvent => ({
  execution: "open",
  id,
  type: "tool_call",
  payload: { tell },
});

async function setWitness(telemetry: Telemetry, enabled: boolean): Promise<void> {
  const { sql } = suite.database;
  await sql`
    update ats.project set detector_settings = ${sql.json({ witness: { enabled } })}
    where project_no = ${telemetry.projectNo}`;
}

for (const [name, limits, isKnown] of [
  ["in memory", {}, true],
  ["packed", { executionsMax: 0 }, true],
  ["in memory, and not known from before", {}, false],
] as const) {
  test(`its states know of the events in between: ${name}`, async () => {
    const telemetry = await suite.newTelemetry();
    const detection = suite.start({ limits });
    await detection.drain();
    if (!isKnown) await setWitness(telemetry, false);
    await telemetry.store([call("1")]);
    await detection.drain();
    await setWitness(telemetry, false);
    await telemetry.store([call("2")]);
    await detection.drain();
    await setWitness(telemetry, true);
    await telemetry.store([call("3", true)]);
    await detection.drain();
    const found = await detectionsOf(suite.database, telemetry.projectNo, "witness");
    expect(found.map(({ excerpt }) => excerpt)).toEqual(["1,2,3"]);
    await suite.stop(detection);
  });
}

test("of a long execution, states that know that they have not seen all of it", async () => {
  const telemetry = await suite.newTelemetry();
  const detection = suite.start({ limits: { replayEventsMax: 3 } });
  await telemetry.store(Array.from({ length: 5 }, (_, n) => call(`${n}`)));
  await detection.drain();
  await setWitness(telemetry, false);
  await telemetry.store([call("5"), call("6")]);
  await detection.drain();
  await setWitness(telemetry, true);
  await telemetry.store([call("7", true)]);
  await detection.drain();
  const found = await detectionsOf(suite.database, telemetry.projectNo, "witness");
  expect(found.map(({ excerpt }) => excerpt)).toEqual(["4,5,6,7"]);
});
