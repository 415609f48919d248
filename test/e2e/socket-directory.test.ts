/**
 * What killed services leave in the temporary folder goes at the next start, and nothing that is anybody's
 * else.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { type Service, startService } from "../support/service.ts";

let database: TestDatabase;
let temporary: string;
const left = () => readdirSync(temporary).filter((name) => name.startsWith("ats-dashboard-"));
const starting = (): Promise<Service> =>
  startService({ databaseUrl: database.url, env: { TMPDIR: temporary } });

beforeAll(async () => {
  database = await cloneDatabase();
  temporary = mkdtempSync(join(tmpdir(), "ats-test-temporary-"));
});
afterAll(async () => {
  rmSync(temporary, { recursive: true, force: true });
  await database.drop();
});

test("one of a killed service goes, one in use and one without a lock stay", async () => {
  const killed = await starting();
  const [ofKilled] = left();
  await killed.sigkill();
  expect(left()).toEqual([ofKilled!]);
  // Of an earlier build: nothing tells whether it is in use.
  mkdirSync(join(temporary, "ats-dashboard-early1"));
  writeFileSync(join(temporary, "ats-dashboard-a-file"), "");

  const first = await starting();
  const second = await starting();
  expect(left()).not.toContain(ofKilled!);
  expect(left()).toHaveLength(4);
  for (const service of [first, second])
    expect((await fetch(`${service.url}/app/api/session`)).status).toBe(200);
  await first.stop();
  await second.stop();
  expect(left().sort()).toEqual(["ats-dashboard-a-file", "ats-dashboard-early1"]);
  expect(readdirSync(temporary).filter((name) => name.startsWith("ats-new"))).toEqual([]);
});

test.skipIf(process.geteuid?.() !== 0)("one of another user's live service stays", async () => {
  const other = join(temporary, "ats-dashboard-other1");
  mkdirSync(other);
  writeFileSync(join(other, "lock"), "");
  Bun.spawnSync(["chown", "-R", "65534", other]);
  const service = await starting();
  expect(left()).toContain("ats-dashboard-other1");
  await service.stop();
  expect(left()).toContain("ats-dashboard-other1");
});
