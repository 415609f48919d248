/** Upkeep whose connection nobody answers any more. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { connect } from "../../src/store/database/connect.ts";
import { closeSilentSockets } from "../../src/store/database/open-sockets.ts";
import { startUpkeep } from "../../src/store/upkeep/upkeep.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/postgres-server.ts";
import { openWay, type WayToPostgres } from "../support/way-to-postgres.ts";

let database: TestDatabase;
let way: WayToPostgres;
let url: string;

beforeAll(async () => {
  database = await cloneDatabase();
  const target = new URL(database.url);
  way = await openWay(Number(target.port));
  target.port = String(way.port);
  url = target.href;
});

afterAll(async () => {
  await way.close();
  await database.drop();
});

async function cutOff() {
  const sql = connect({ url, connectionsMax: 1, applicationName: "ats upkeep" });
  await sql`select 1`;
  way.cut();
  const failed: string[] = [];
  const upkeep = startUpkeep({ sql, daysAhead: 1, everyMs: 10, onFailure: (task) => failed.push(task) });
  // The first statement of a round is on its way.
  await Bun.sleep(200);
  return { sql, upkeep, failed };
}

test("a stop does not wait for the answer", async () => {
  const { sql, upkeep, failed } = await cutOff();
  await upkeep.stop();
  expect(failed).toEqual([]);
  await sql.end({ timeout: 0 });
});

test("a connection not heard since the silence began is closed, and the next round has another", async () => {
  const { sql, upkeep, failed } = await cutOff();
  expect(closeSilentSockets(60_000)).toBe(0);
  expect(closeSilentSockets(100)).toBe(1);
  await eventually("a round went wrong", () => failed.includes("roll-ups"));
  failed.length = 0;
  await Bun.sleep(200);
  expect(failed).toEqual([]);
  await upkeep.stop();
  await sql.end({ timeout: 1 });
});
