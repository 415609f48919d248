/**
 * Accounts of the dashboard through its API: the first one, sessions, roles, invitations, and what is
 * refused.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { issuePasswordToken, issueSetupToken } from "../../src/store/accounts/accounts.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/postgres-server.ts";
import { mintProject } from "../support/projects.ts";
import { type Installation, openInstallation, PASSWORD, type Reply } from "./account-client.ts";

let database: TestDatabase;
let installation: Installation;

beforeAll(async () => {
  database = await cloneDatabase();
  installation = await openInstallation(database.url);
});

afterAll(async () => {
  await installation.end();
  await database.drop();
});

const tokenOf = (url: unknown) => new URL(String(url)).searchParams.get("token") ?? "";
const newcomer = (token: string | null, name: string) => ({
  token,
  name,
  email: `${name}@example.com`,
  password: PASSWORD,
});

/** A second installation, for what happens before there is an owner. */
async function withEmptyInstallation(run: (empty: Installation) => Promise<void>): Promise<void> {
  const fresh = await cloneDatabase();
  const empty = await openInstallation(fresh.url);
  try {
    await run(empty);
  } finally {
    await empty.end();
    await fresh.drop();
  }
}

describe("the first account", () => {
  test("is made by the link, owns the installation and is signed in", async () => {
    await withEmptyInstallation(async (empty) => {
      const browser = empty.browser();
      expect((await browser.get("/session")).json).toEqual({ member: null, setup_needed: true, oidc: null });
      const token = await issueSetupToken(empty.sql);
      expect(token).toMatch(/^[a-z2-7]{40}$/);
      const reply = await browser.post("/setup", { ...newcomer(token, "Ann"), email: " ANN@Example.com " });
      expect(reply.status).toBe(200);
      expect(reply.json.member).toMatchObject({ email: "ann@example.com", name: "Ann", role: "owner" });
      expect(await browser.role()).toBe("owner");
      expect((await empty.browser().get("/session")).json).toMatchObject({ setup_needed: false });
      expect(await issueSetupToken(empty.sql)).toBeNull();
      const again = await empty.browser().post("/setup", newcomer(token, "eve"));
      expect([again.status, again.json.code]).toEqual([403, "link_invalid"]);
      const [{ stored }] = await empty.sql<[{ stored: number }]>`
        select count(*)::int as stored from ats.account_link`;
      expect(stored).toBe(0);
    });
  });

  test("comes into being once, however many follow the link at once", async () => {
    await withEmptyInstallation(async (empty) => {
      const token = await issueSetupToken(empty.sql);
      const replies = await Promise.all(
        ["a", "b", "c", "d"].map((name) => empty.browser().post("/setup", newcomer(token, name))),
      );
      expect(replies.map((reply) => reply.status).sort()).toEqual([200, 403, 403, 403]);
      const [{ owners }] = await empty.sql<
        [{ owners: number }]
      >`select count(*)::int as owners from ats.member`;
      expect(owners).toBe(1);
    });
  });

  test("needs the newest link, stored as a hash alone, before it expires", async () => {
    await withEmptyInstallation(async (empty) => {
      const old = await issueSetupToken(empty.sql);
      const newest = await issueSetupToken(empty.sql);
      const replaced = await empty.browser().post("/setup", newcomer(old, "ann"));
      expect(replaced.json.code).toBe("link_invalid");
      const [row] = await empty.sql`select token_hash::text from ats.account_link`;
      expect(JSON.stringify(row)).not.toContain(newest ?? "");
      await empty.sql`update ats.account_link set expires_at = now() - interval '1 second'`;
      const late = await empty.browser().post("/setup", newcomer(newest, "ann"));
      expect(late.json.code).toBe("link_invalid");
    });
  });

  test("is refused with a short password, a bad address or a hostile name, and the link stays good", async () => {
    await withEmptyInstallation(async (empty) => {
      const token = await issueSetupToken(empty.sql);
      const browser = empty.browser();
      const typed = newcomer(token, "ann");
      expect((await browser.post("/setup", { ...typed, password: "elevenchars" })).status).toBe(422);
      expect((await browser.post("/setup", { ...typed, email: "not an address" })).status).toBe(400);
      expect((await browser.post("/setup", { ...typed, name: "a\u0000b" })).status).toBe(400);
      const refused = await browser.post("/setup", { ...typed, password: "secret-1" });
      expect(JSON.stringify(refused.json)).not.toContain("secret-1");
      expect((await browser.post("/setup", typed)).status).toBe(200);
    });
  });
});

describe("a session", () => {
  test("begins with address and password, in a cookie that no script and no other site gets", async () => {
    await installation.owner();
    const browser = installation.browser();
    const wrong = await browser.post("/auth/sign-in/email", { email: "olga@example.com", password: "x" });
    expect([wrong.status, wrong.json.code]).toEqual([401, "wrong_credentials"]);
    const unknown = await browser.post("/auth/sign-in/email", {
      email: "nobody@example.com",
      password: PASSWORD,
    });
    expect(unknown.json).toEqual(wrong.json);
    const reply = await browser.post("/auth/sign-in/email", {
      email: "Olga@Example.com",
      password: PASSWORD,
    });
    expect(reply.status).toBe(200);
    const [cookie = ""] = reply.headers.getSetCookie();
    expect(cookie).toMatch(/^__Secure-ats\.session_token=.*; HttpOnly/);
    for (const attribute of ["Secure", "SameSite=Lax", "Path=/"]) expect(cookie).toContain(attribute);
    expect(JSON.stringify(reply.json)).not.toContain(
      browser.cookies.values().next().value?.slice(0, 20) ?? "",
    );
    expect(await browser.role()).toBe("owner");
  });

  test("is not made by a cookie that we did not sign, or that names no session", async () => {
    const owner = await installation.join("viewer", "signed@example.com");
    const [name = "", value = ""] = [...owner.cookies][0] ?? [];
    const [token = "", signature = ""] = decodeURIComponent(value).split(".");
    for (const forged of [
      token,
      `${token}.`,
      `${token}.AAAA`,
      `x${token}.${signature}`,
      "%",
      ".",
      `.${signature}`,
    ]) {
      const browser = installation.browser();
      browser.cookies.set(name, forged === "%" ? forged : encodeURIComponent(forged));
      expect([forged, (await browser.get("/members")).status]).toEqual([forged, 401]);
    }
  });

  test("ends on signing out here, or everywhere", async () => {
    const first = await installation.join("viewer", "ends@example.com");
    const second = installation.browser();
    await second.post("/auth/sign-in/email", { email: "ends@example.com", password: PASSWORD });
    const stolen = installation.browser();
    for (const [name, value] of first.cookies) stolen.cookies.set(name, value);
    await first.post("/auth/sign-out");
    expect([await first.role(), await stolen.role(), await second.role()]).toEqual([null, null, "viewer"]);
    await first.post("/auth/sign-in/email", { email: "ends@example.com", password: PASSWORD });
    await second.post("/account/sign-out-everywhere");
    expect([await first.role(), await second.role()]).toEqual([null, null]);
  });

  test("of others ends with a new password, which asks for the current one", async () => {
    const here = await installation.join("viewer", "change@example.com");
    const elsewhere = installation.browser();
    await elsewhere.post("/auth/sign-in/email", { email: "change@example.com", password: PASSWORD });
    const next = "another long password";
    const wrong = await here.post("/account/password", { current_password: "wrong", new_password: next });
    expect([wrong.status, wrong.json.code]).toEqual([403, "wrong_credentials"]);
    const reply = await here.post("/account/password", { current_password: PASSWORD, new_password: next });
    expect(reply.status).toBe(200);
    expect([await here.role(), await elsewhere.role()]).toEqual(["viewer", null]);
  });

  test("is gone with its time", async () => {
    const browser = await installation.join("viewer", "expired@example.com");
    await installation.sql`
      update ats.session set expires_at = now() - interval '1 second' where member_id = ${await browser.id()}`;
    expect(await browser.role()).toBeNull();
  });

  test("cannot be guessed at: an address gets ten attempts a minute", async () => {
    const browser = installation.browser();
    const attempt = () =>
      browser.post("/auth/sign-in/email", { email: "olga@example.com", password: "guess" });
    for (let tries = 0; tries < 10; tries++) expect((await attempt()).status).toBe(401);
    const limited = await attempt();
    expect([limited.status, limited.json.code]).toEqual([429, "too_many_attempts"]);
    expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await browser.post("/setup", newcomer("x", "eve"))).status).toBe(429);
  });

  test("is not to be had by signing up, nor with an API key", async () => {
    const browser = installation.browser();
    const eve = { name: "Eve", email: "eve@example.com", password: PASSWORD };
    expect((await browser.post("/auth/sign-up/email", eve)).status).toBe(404);
    const project = await mintProject(database.sql);
    const asked = await browser.ask("GET", "/members", undefined, { authorization: `Bearer ${project.key}` });
    expect(asked.status).toBe(401);
  });
});

describe("a change from another page", () => {
  const attack = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };

  test("is refused, with the session's cookie and without", async () => {
    const owner = await installation.owner();
    for (const headers of [
      attack,
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: "https://telemetry.example.com.evil.example", "sec-fetch-site": "same-site" },
      {},
    ]) {
      for (const path of ["/invitations", "/auth/sign-in/email", "/auth/sign-out", "/setup"]) {
        const reply = await owner.post(path, { role: "owner" }, headers as Record<string, string>);
        expect([path, reply.status]).not.toEqual([path, 200]);
        if (path !== "/auth/sign-in/email" && path !== "/setup")
          expect(reply.json.code).toBe("foreign_origin");
      }
    }
    expect(await owner.role()).toBe("owner");
  });

  test("is taken when the origin is the host that was asked, as in a trial opened by its address", async () => {
    const owner = await installation.owner();
    const trial = {
      origin: "http://127.0.0.1:8080",
      host: "127.0.0.1:8080",
      "sec-fetch-site": "same-origin",
    };
    expect((await owner.ask("PATCH", "/account", { name: "Olga" }, trial)).status).toBe(200);
    const rebound = { ...trial, origin: "http://127.0.0.1:9090" };
    expect((await owner.ask("PATCH", "/account", { name: "Olga" }, rebound)).status).toBe(403);
  });
});

describe("an invitation", () => {
  test("makes one member with its role, for the address it names", async () => {
    const owner = await installation.owner();
    const invited = await owner.post("/invitations", { role: "member", email: "Mia@Example.com" });
    expect(invited.json.url).toMatch(/^https:\/\/telemetry\.example\.com\/app\/invite\?token=[a-z2-7]{40}$/);
    const token = tokenOf(invited.json.url);
    const browser = installation.browser();
    const found = await browser.get(`/invitations/lookup?token=${token}`);
    expect(found.json).toMatchObject({ email: "mia@example.com", role: "member" });
    const other = await browser.post("/invitations/accept", newcomer(token, "other"));
    expect([other.status, other.json.code]).toEqual([403, "email_not_invited"]);
    const replies = await Promise.all([
      browser.post("/invitations/accept", newcomer(token, "mia")),
      installation.browser().post("/invitations/accept", newcomer(token, "mia")),
    ]);
    expect(replies.map((reply) => reply.status).filter((status) => status === 200)).toHaveLength(1);
    expect((await browser.get(`/invitations/lookup?token=${token}`)).status).toBe(404);
    const { items } = (await owner.get("/members")).json as { items: { email: string; role: string }[] };
    expect(items.filter((member) => member.email === "mia@example.com")).toMatchObject([{ role: "member" }]);
  });

  test("is void when it has expired or was deleted, and is listed without its link", async () => {
    const owner = await installation.owner();
    const expired = await owner.post("/invitations", { role: "viewer" });
    await installation.sql`
      update ats.invitation set expires_at = now() - interval '1 second' where invitation_id = ${String(expired.json.id)}`;
    const deleted = await owner.post("/invitations", { role: "viewer" });
    const listed = await owner.get("/invitations");
    expect(JSON.stringify(listed.json)).not.toContain(tokenOf(deleted.json.url));
    expect((await owner.delete(`/invitations/${deleted.json.id}`)).status).toBe(200);
    expect((await owner.delete(`/invitations/${deleted.json.id}`)).status).toBe(404);
    for (const { json } of [expired, deleted]) {
      const reply = await installation
        .browser()
        .post("/invitations/accept", newcomer(tokenOf(json.url), "late"));
      expect(reply.json.code).toBe("link_invalid");
    }
  });

  test("is not made for a member, for ever, or for no address", async () => {
    const owner = await installation.owner();
    const make = async (body: unknown) => (await owner.post("/invitations", body)).status;
    expect(await make({ role: "viewer", email: "olga@example.com" })).toBe(409);
    expect(await make({ role: "viewer", expires_at: "2999-01-01T00:00:00Z" })).toBe(400);
    expect(await make({ role: "viewer", expires_at: "2001-01-01T00:00:00Z" })).toBe(400);
    const soon = new Date(Date.now() + 86_400_000).toISOString();
    expect(await make({ role: "viewer", expires_at: soon.replace(/T.*/, "T24:00:00Z") })).toBe(400);
    expect(await make({ role: "viewer", expires_at: "soon" })).toBe(400);
    expect(await make({ role: "viewer", email: "nobody" })).toBe(400);
    expect(await make({ role: "admin" })).toBe(422);
  });

  test("does not take over the account of who has the address already", async () => {
    const owner = await installation.owner();
    const invited = await owner.post("/invitations", { role: "owner" });
    const token = tokenOf(invited.json.url);
    const reply = await installation
      .browser()
      .post("/invitations/accept", { ...newcomer(token, "olga"), password: "a password of mine" });
    expect([reply.status, reply.json.code]).toEqual([409, "email_taken"]);
  });
});

describe("members", () => {
  test("see each other; only owners invite, promote and remove", async () => {
    const owner = await installation.owner();
    for (const role of ["viewer", "member"]) {
      const browser = await installation.join(role, `${role}-role@example.com`);
      expect((await browser.get("/members")).status).toBe(200);
      const refused = [
        await browser.get("/invitations"),
        await browser.post("/invitations", { role: "owner" }),
        await browser.delete("/invitations/inv_x"),
        await browser.patch(`/members/${await browser.id()}`, { role: "owner" }),
        await browser.delete(`/members/${await owner.id()}`),
      ];
      expect(refused.map((reply) => reply.json.code)).toEqual(new Array(5).fill("role_too_low"));
    }
  });

  test("who are demoted or removed are so on their next request", async () => {
    const owner = await installation.owner();
    const browser = await installation.join("owner", "demoted@example.com");
    const id = await browser.id();
    expect((await browser.get("/invitations")).status).toBe(200);
    expect((await owner.patch(`/members/${id}`, { role: "viewer" })).json.role).toBe("viewer");
    expect((await browser.get("/invitations")).status).toBe(403);
    expect((await owner.delete(`/members/${id}`)).status).toBe(200);
    expect((await browser.get("/members")).status).toBe(401);
    const back = await browser.post("/auth/sign-in/email", {
      email: "demoted@example.com",
      password: PASSWORD,
    });
    expect(back.status).toBe(401);
    expect((await owner.delete(`/members/${id}`)).status).toBe(404);
  });

  test("who are owner no more have no invitation left to come back by", async () => {
    const owner = await installation.owner();
    const kept = await owner.post("/invitations", { role: "viewer" });
    for (const change of ["demoted", "removed"] as const) {
      const browser = await installation.join("owner", `inviting-${change}@example.com`);
      const id = await browser.id();
      const invited = await browser.post("/invitations", { role: "owner" });
      const ended =
        change === "removed"
          ? await owner.delete(`/members/${id}`)
          : await owner.patch(`/members/${id}`, { role: "member" });
      expect(ended.status).toBe(200);
      const back = await installation
        .browser()
        .post("/invitations/accept", newcomer(tokenOf(invited.json.url), `back-${change}`));
      expect([change, back.status, back.json.code]).toEqual([change, 403, "link_invalid"]);
    }
    const { items } = (await owner.get("/invitations")).json as { items: { id: string }[] };
    expect(items.map(({ id }) => id)).toContain(String(kept.json.id));
  });

  test("who stop being owner while they invite have invited nobody", async () => {
    await installation.owner();
    const browser = await installation.join("owner", "in-between@example.com");
    const id = await browser.id();
    const made = Promise.withResolvers<Promise<Reply>>();
    await installation.sql.begin(async (tx) => {
      await tx`update ats.member set role = 'viewer' where member_id = ${id}`;
      const asked = browser.post("/invitations", { role: "owner" });
      made.resolve(asked);
      await eventually("the invitation waits for the change of role", async () => {
        // Not in the transaction, which would see what was there at its first look.
        const [row] = await installation.sql<[{ waiting: boolean }]>`
          select exists (select from pg_stat_activity where datname = current_database()
            and wait_event_type = 'Lock' and query like '%insert into ats.invitation%') as waiting`;
        return row.waiting;
      });
    });
    const reply = await made.promise;
    expect([reply.status, reply.json.code]).toEqual([403, "role_too_low"]);
    expect(await installation.sql`select from ats.invitation where invited_by = ${id}`).toHaveLength(0);
  });

  test("never lose their last owner, not by two who remove each other either", async () => {
    await withEmptyInstallation(async (pair) => {
      const first = await pair.owner();
      expect((await first.patch(`/members/${await first.id()}`, { role: "member" })).json.code).toBe(
        "last_owner",
      );
      expect((await first.delete(`/members/${await first.id()}`)).json.code).toBe("last_owner");
      const second = await pair.join("owner", "second@example.com");
      const [a, b] = [await first.id(), await second.id()];
      await Promise.all([first.delete(`/members/${b}`), second.delete(`/members/${a}`)]);
      const [{ owners }] = await pair.sql<[{ owners: number }]>`
        select count(*)::int as owners from ats.member where role = 'owner'`;
      expect(owners).toBe(1);
    });
  });

  test("get a new password by a link, once, and lose their sessions by it", async () => {
    const browser = await installation.join("member", "forgot@example.com");
    expect(await issuePasswordToken(installation.sql, "nobody@example.com")).toBeNull();
    const old = await issuePasswordToken(installation.sql, "forgot@example.com");
    const token = await issuePasswordToken(installation.sql, "Forgot@example.com");
    const password = "a brand new password";
    const elsewhere = installation.browser();
    expect((await elsewhere.post("/password", { token: old, password })).status).toBe(403);
    expect((await elsewhere.post("/password", { token, password })).status).toBe(200);
    expect([await browser.role(), await elsewhere.role()]).toEqual([null, "member"]);
    expect((await elsewhere.post("/password", { token, password })).status).toBe(403);
  });

  test("name themselves", async () => {
    const browser = await installation.join("viewer", "named@example.com");
    expect((await browser.patch("/account", { name: " <b>Bo</b> " })).json).toMatchObject({
      member: { name: "<b>Bo</b>", role: "viewer" },
    });
    expect((await browser.patch("/account", { name: "a\nb" })).status).toBe(400);
    expect((await browser.patch("/account", { name: "Bo", role: "owner" })).status).toBe(200);
    expect(await browser.role()).toBe("viewer");
  });
});

test("sessions outlive a restart: the secret of the cookies is in the database", async () => {
  const browser = await installation.join("viewer", "restart@example.com");
  const again = await openInstallation(database.url);
  try {
    const other = again.browser();
    for (const [name, value] of browser.cookies) other.cookies.set(name, value);
    expect(await other.role()).toBe("viewer");
  } finally {
    await again.end();
  }
});
