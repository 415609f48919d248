/** A whole process that is stopped, as with its container, and goes on. */
import { expect, test } from "bun:test";
import { cloneDatabase } from "../support/database.ts";
import { eventually } from "../support/postgres-server.ts";
import { startService } from "../support/service.ts";

test("one line of the log tells of it, and none of a process that runs", async () => {
  const database = await cloneDatabase();
  const service = await startService({ databaseUrl: database.url, env: { DASHBOARD: "off" } });
  const told = () => service.logs().filter(({ msg }) => /stood still/.test(String(msg)));
  expect(told()).toEqual([]);
  service.signal("SIGSTOP");
  await Bun.sleep(11_000);
  service.signal("SIGCONT");
  await eventually("it is told", () => told().length > 0);
  // More than its next look.
  await Bun.sleep(1_500);
  expect(told()).toMatchObject([{ level: 40, stood_ms: expect.any(Number) }]);
  expect(Number(told()[0]?.stood_ms)).toBeGreaterThanOrEqual(10_000);
  await service.stop();
  await database.drop();
});
