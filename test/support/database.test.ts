import { expect, test } from "bun:test";
import postgres from "postgres";
import { cloneDatabase, emptyDatabase } from "./database.ts";

test("a clone holds the migrated relations and nothing of its neighbour", async () => {
  const [one, two] = [await cloneDatabase(), await cloneDatabase()];
  await one.sql`insert into ats.project (project_id, name) values ('proj_one', 'one')`;
  expect((await one.sql`select * from events`).length).toBe(0);
  expect((await two.sql`select * from ats.project`).length).toBe(0);
  await Promise.all([one.drop(), two.drop()]);
});

test("an empty database holds no schema", async () => {
  const database = await emptyDatabase();
  const rows = await database.sql`select to_regnamespace('ats') as found`;
  expect(rows[0]?.found).toBeNull();
  await database.drop();
});

test("a connection left open fails the drop", async () => {
  const database = await cloneDatabase();
  const leaked = postgres(database.url, { max: 1 });
  await leaked`select 1`;
  await expect(database.drop(200)).rejects.toThrow("no connection is left");
  await leaked.end();
});
