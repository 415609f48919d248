/**
 * A writer's connection stays open however old it is: one that was ended for its age would take the flush
 * that waits for it along.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { EventWriter } from "../../src/store/telemetry/event-writer.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";

/** The least age at which the driver ends a connection by its own default. */
const AGE_MS = 30 * 60_000;
const FLUSHES = 400;

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database?.drop());

test("flush upon flush is answered past the age at which the driver ends connections", async () => {
  const realTimeout = globalThis.setTimeout;
  const scaled = (work: () => void, ms = 0) => realTimeout(work, ms >= AGE_MS ? 1 : ms);
  globalThis.setTimeout = Object.assign(scaled, realTimeout);
  const writer = new EventWriter(database.url, "test flush");
  try {
    for (let flush = 0; flush < FLUSHES; flush++) {
      const claimed = await writer.claimHomeDays([{ projectNo: 1, executionNo: 1, day: 20_000 }]);
      expect(claimed).toEqual([]);
    }
  } finally {
    globalThis.setTimeout = realTimeout;
    await writer.end();
  }
});
