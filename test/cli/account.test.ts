import { afterAll, beforeAll, expect, test } from "bun:test";
import { deleteExpired } from "../../src/store/accounts/account-expiry.ts";
import { findMemberByEmail } from "../../src/store/accounts/accounts.ts";
import { type Installation, openInstallation, PASSWORD } from "../dashboard/account-client.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/postgres-server.ts";
import { type CliRun, runCli } from "./run-cli.ts";

/** `account …`: the ways in for an operator, on the database of an installation that people use. */

const BASE = "https://agents.example.com";
let database: TestDatabase;
let install: Installation;

const cli = (...args: string[]): Promise<CliRun> =>
  runCli(["account", ...args], { DATABASE_URL: database.url, APP_URL: BASE });
const tokenOf = (url: string) => new URL(url).searchParams.get("token");

beforeAll(async () => {
  database = await cloneDatabase();
  install = await openInstallation(database.url);
});
afterAll(async () => {
  await install.end();
  await database.drop();
});

test("list of a new installation is empty and says how to go on", async () => {
  const listed = await cli("list");
  expect([listed.code, listed.stdout]).toEqual([0, expect.stringContaining("account setup-link")]);
  expect((await cli("list", "--json")).json<unknown[]>()).toEqual([]);
});

test("setup-link makes the first owner, the newest link alone and once; then there is none", async () => {
  const first = await cli("setup-link");
  expect(first.stdout).toMatch(/^https:\/\/agents\.example\.com\/app\/setup\?token=[a-z2-7]+\n$/);
  const { url } = (await cli("setup-link", "--json")).json<{ url: string }>();
  const olga = { name: "Olga", email: "olga@example.com", password: PASSWORD };
  const follow = async (link: string) =>
    (await install.browser().post("/setup", { ...olga, token: tokenOf(link) })).status;
  expect(await follow(first.stdout.trim())).toBe(403);
  expect(await follow(url)).toBe(200);
  expect(await follow(url)).toBe(403);
  const late = await cli("setup-link");
  expect([late.code, late.stdout]).toEqual([1, ""]);
  expect(late.stderr).toContain("There is an owner already");
});

test("list shows accounts and roles, and no secret", async () => {
  const listed = await cli("list", "--json");
  expect(listed.json<unknown[]>()).toEqual([
    {
      id: expect.stringMatching(/^mem_[a-z2-7]{20}$/),
      email: "olga@example.com",
      name: "Olga",
      role: "owner",
      created_at: expect.stringMatching(/Z$/),
      last_seen_at: expect.stringMatching(/Z$/),
    },
  ]);
  expect((await cli("list")).stdout).toMatch(/E-MAIL +NAME +ROLE[\s\S]*olga@example\.com +Olga +owner/);
  // Times as in every other table: to the second.
  expect((await cli("list")).stdout).toMatch(/ owner +\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ /);
});

test("reset-password prints a link that sets a new one, ends the sessions, and works once", async () => {
  const browser = install.browser();
  const old = { email: "olga@example.com", password: PASSWORD };
  expect((await browser.post("/auth/sign-in/email", old)).status).toBe(200);
  const printed = await cli("reset-password", " Olga@Example.com ");
  expect(printed.stdout).toMatch(/^https:\/\/agents\.example\.com\/app\/password\?token=[a-z2-7]+\n$/);
  // Until it is used, nothing has changed.
  expect(await browser.role()).toBe("owner");
  const token = tokenOf(printed.stdout.trim());
  const password = "another correct horse";
  expect((await install.browser().post("/password", { token, password })).status).toBe(200);
  expect(await browser.role()).toBeNull();
  expect((await install.browser().post("/auth/sign-in/email", old)).status).toBe(401);
  expect((await install.browser().post("/auth/sign-in/email", { ...old, password })).status).toBe(200);
  expect((await install.browser().post("/password", { token, password })).status).toBe(403);
});

test("reset-password of nobody, and without an address, fails without a link", async () => {
  const unknown = await cli("reset-password", "nobody@example.com");
  expect([unknown.code, unknown.stdout]).toEqual([1, ""]);
  expect(unknown.stderr).toContain("no account with this address");
  const missing = await cli("reset-password");
  expect(missing.code).not.toBe(0);
  expect(missing.stdout).toBe("");
});

test("sign-out ends the sessions of one account, and no other's", async () => {
  const owner = install.browser();
  const password = "another correct horse";
  expect((await owner.post("/auth/sign-in/email", { email: "olga@example.com", password })).status).toBe(200);
  const invited = await owner.post("/invitations", { email: "max@example.com", role: "viewer" });
  const { url } = invited.json as { url: string };
  const max = install.browser();
  const joined = await max.post("/invitations/accept", {
    token: tokenOf(url),
    name: "Max",
    email: "max@example.com",
    password,
  });
  expect([joined.status, await max.role()]).toEqual([200, "viewer"]);
  const out = await cli("sign-out", "Max@example.com", "--json");
  expect(out.json<unknown>()).toEqual({ id: expect.stringMatching(/^mem_/), signed_in: false });
  expect([await max.role(), await owner.role()]).toEqual([null, "owner"]);
  // When somebody was last there outlives the session.
  const listed = (await cli("list", "--json")).json<{ email: string; last_seen_at: string | null }[]>();
  expect(listed.find(({ email }) => email === "max@example.com")?.last_seen_at).toMatch(/Z$/);
});

test("a session that is renewed notes its member as seen", async () => {
  const { sql } = install;
  const owner = install.browser();
  await owner.post("/auth/sign-in/email", { email: "olga@example.com", password: "another correct horse" });
  await sql`update ats.member set last_seen_at = '2026-01-01T00:00:00Z'`;
  await sql`update ats.session set updated_at = updated_at - interval '1 day', expires_at = expires_at - interval '1 day'`;
  expect(await owner.role()).toBe("owner");
  const seen = async () =>
    (await sql`select last_seen_at from ats.member where email = 'olga@example.com'`)[0];
  await eventually("the renewal is noted", async () => (await seen())?.last_seen_at > new Date("2026-01-02"));
});

test("set-role holds from the next request on, and there is always an owner", async () => {
  const max = install.browser();
  await max.post("/auth/sign-in/email", { email: "max@example.com", password: "another correct horse" });
  const last = await cli("set-role", "olga@example.com", "--role", "viewer");
  expect([last.code, last.stdout]).toEqual([1, ""]);
  expect(last.stderr).toContain("The last owner stays");
  expect((await cli("remove", "olga@example.com")).stderr).toContain("The last owner stays");
  const set = await cli("set-role", "max@example.com", "--role", "owner", "--json");
  expect(set.json<unknown>()).toMatchObject({ email: "max@example.com", role: "owner" });
  expect(await max.role()).toBe("owner");
  expect((await cli("set-role", "olga@example.com", "--role", "member")).stdout).toMatch(/role +member/);
  const odd = await cli("set-role", "max@example.com", "--role", "admin");
  expect(odd.code).toBe(2);
  expect(odd.stderr).toStartWith('--role "admin": expected one of viewer, member, owner.\n');
  expect((await cli("set-role", "olga@example.com", "--role", "owner")).code).toBe(0);
});

test("remove ends the sessions with the account; nobody has no account", async () => {
  const max = install.browser();
  await max.post("/auth/sign-in/email", { email: "max@example.com", password: "another correct horse" });
  expect(await max.role()).toBe("owner");
  const removed = await cli("remove", "max@example.com", "--json");
  expect(removed.json<unknown>()).toMatchObject({ email: "max@example.com" });
  expect(await max.role()).toBeNull();
  for (const verb of [["remove"], ["sign-out"], ["set-role", "--role", "viewer"]]) {
    const run = await cli(...verb, "max@example.com");
    expect([run.code, run.stdout]).toEqual([1, ""]);
    expect(run.stderr).toContain("no account with this address");
  }
});

test("what has expired is deleted, what has not stays", async () => {
  const { sql } = install;
  const owner = (await findMemberByEmail(sql, "olga@example.com"))?.id ?? "";
  const rows = async () => {
    const [counts] = await sql`
      select (select count(*)::int from ats.session) as sessions, (select count(*)::int from ats.verification) as verifications,
        (select count(*)::int from ats.account_link) as links, (select count(*)::int from ats.invitation) as invitations`;
    return counts;
  };
  await sql`delete from ats.session`;
  for (const [id, after] of [
    ["past", "-1 second"],
    ["next", "1 hour"],
  ] as const) {
    await sql`
      insert into ats.session (session_id, token, member_id, expires_at) values (${id}, ${id}, ${owner}, now() + ${after}::interval)`;
    await sql`
      insert into ats.verification (verification_id, identifier, value, expires_at) values (${id}, ${id}, '', now() + ${after}::interval)`;
    for (const days of [0, 30])
      await sql`
        insert into ats.invitation (invitation_id, token_hash, role, expires_at)
        values (${id + days}, ${Buffer.from(id + days)}, 'viewer', now() + ${after}::interval - make_interval(days => ${days}))`;
  }
  await cli("reset-password", "olga@example.com");
  await sql`update ats.account_link set expires_at = now()`;
  expect(await deleteExpired(sql)).toBe(4);
  expect(await rows()).toEqual({ sessions: 1, verifications: 1, links: 0, invitations: 3 });
  expect(await deleteExpired(sql)).toBe(0);
});
