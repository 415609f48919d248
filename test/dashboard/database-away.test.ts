/** What the API says while PostgreSQL cannot be reached: that, and nothing about the person who asks. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { DatabaseLine } from "../support/database-line.ts";
import { eventually } from "../support/postgres-server.ts";
import { type Installation, openInstallation, PASSWORD } from "./account-client.ts";

let database: TestDatabase;
let line: DatabaseLine;
let installation: Installation;

beforeAll(async () => {
  database = await cloneDatabase();
  line = new DatabaseLine(database.url);
  await line.open();
  installation = await openInstallation(line.url);
});

afterAll(async () => {
  await installation.end();
  line.cut();
  await database.drop();
});

test("who signs in is told that the database is away, and is not told that the password is wrong", async () => {
  const owner = await installation.owner();
  const { json } = await owner.get("/session");
  const { email } = json.member as { email: string };
  line.cut();
  const session = await owner.get("/session");
  expect([session.status, session.json.code]).toEqual([503, "database_unavailable"]);
  expect(session.json.detail).toBe("The database does not answer at the moment");
  const signIn = () => installation.browser().post("/auth/sign-in/email", { email, password: PASSWORD });
  const refused = await signIn();
  expect([refused.status, refused.json.code]).toEqual([503, "database_unavailable"]);
  await line.open();
  await eventually("the same session goes on", async () => (await owner.get("/session")).status === 200);
  expect((await signIn()).status).toBe(200);
});
