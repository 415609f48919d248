/** Signing in at an OIDC provider: real discovery, keys, tokens and codes, over a process of its own. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { OidcOptions } from "../../src/dashboard/auth/oidc.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/postgres-server.ts";
import { APP_URL, type Browser, type Installation, openInstallation, PASSWORD } from "./account-client.ts";
import {
  CLIENT_ID,
  CLIENT_SECRET,
  freePort,
  type Person,
  type Provider,
  startProvider,
} from "./oidc-provider.ts";

const START = { provider: "oidc", callbackURL: "/app/projects" };
let database: TestDatabase;
let provider: Provider;
let install: Installation;

const optionsOf = (issuer: string, more: Partial<OidcOptions> = {}): OidcOptions => ({
  issuer,
  clientId: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
  name: "Example",
  allowedDomain: "example.org",
  defaultRole: "member",
  ...more,
});

beforeAll(async () => {
  [database, provider] = await Promise.all([cloneDatabase(), startProvider()]);
  install = await openInstallation(database.url, optionsOf(provider.issuer));
  // Asked once more if it did not answer in time.
  const browser = install.browser();
  await eventually("it is offered", async () => (await browser.get("/session")).json.oidc !== null);
  await install.owner();
});
afterAll(async () => {
  await install.end();
  await provider.stop();
  await database.drop();
});

/** To the provider and back; where the browser ends up. */
async function signIn(
  person: Person,
  browser = install.browser(),
): Promise<{ browser: Browser; at: string }> {
  await provider.become(person);
  const started = await browser.post("/auth/sign-in/social", START);
  expect(started.status).toBe(200);
  const sentBack = await fetch(String(started.json.url), { redirect: "manual" });
  return { browser, at: await follow(browser, sentBack.headers.get("location") ?? "") };
}

async function follow(browser: Browser, address: string): Promise<string> {
  const { origin, pathname, search } = new URL(address);
  expect(origin).toBe(APP_URL);
  const answer = await browser.get(pathname.replace("/app/api", "") + search);
  expect(answer.status).toBe(302);
  const { pathname: at, search: query } = new URL(answer.headers.get("location") ?? "", APP_URL);
  return at + query;
}

let subjects = 0;
const person = (email: string, claims: object = {}): Person => {
  subjects += 1;
  return {
    claims: { sub: `subject-${subjects}`, email, email_verified: true, name: "Ola Nordmann", ...claims },
  };
};

const invite = async (email: string, role: string) =>
  await (await install.owner()).post("/invitations", { role, email });
const accountsOf = async (email: string) =>
  await install.sql`
    select a.provider, a.access_token, a.refresh_token, a.id_token, m.image from ats.account a join ats.member m using (member_id)
    where m.email = ${email} order by a.provider`;

test("the sign-in page is told of the provider", async () => {
  expect((await install.browser().get("/session")).json).toMatchObject({ oidc: { name: "Example" } });
});

describe("somebody with a verified address", () => {
  test("that was invited becomes a member with the invitation's role, and the invitation is used up", async () => {
    await invite("ann@partner.example", "owner");
    const ann = person("Ann@Partner.example", { picture: "https://cdn.example/ann.png" });
    const { browser, at } = await signIn(ann);
    expect([at, await browser.role()]).toEqual(["/app/projects", "owner"]);
    expect((await browser.get("/session")).json.member).toMatchObject({
      name: "Ola Nordmann",
      email: "ann@partner.example",
    });
    const { json } = await browser.get("/invitations");
    expect(JSON.stringify(json)).not.toContain("ann@partner.example");
    // What is of no use after the sign-in is not kept.
    expect([...(await accountsOf("ann@partner.example"))]).toEqual([
      { provider: "oidc", access_token: null, refresh_token: null, id_token: null, image: null },
    ]);
    expect((await signIn(ann)).at).toBe("/app/projects");
    expect(await accountsOf("ann@partner.example")).toHaveLength(1);
  });

  test("of the allowed domain becomes a member with the role by default; of one below it does not", async () => {
    const { browser, at } = await signIn(person("bo@example.org", { name: undefined }));
    expect([at, await browser.role()]).toEqual(["/app/projects", "member"]);
    expect((await browser.get("/session")).json.member).toMatchObject({ name: "bo" });
    for (const email of ["eve@sub.example.org", "eve@notexample.org", "eve@example.org.evil.example"])
      expect((await signIn(person(email))).at).toBe("/app/sign-in?error=not_invited");
  });

  test("that nobody invited is refused, and leaves nothing behind", async () => {
    const { browser, at } = await signIn(person("stranger@elsewhere.example"));
    expect([at, await browser.role()]).toEqual(["/app/sign-in?error=not_invited", null]);
    expect(await accountsOf("stranger@elsewhere.example")).toHaveLength(0);
  });

  test("is the member with a password that an owner invited by this address", async () => {
    const withPassword = await install.join("viewer", "cleo@partner.example");
    const { browser } = await signIn(person("cleo@partner.example"));
    expect(await browser.id()).toBe(await withPassword.id());
    expect(await accountsOf("cleo@partner.example")).toHaveLength(2);
  });

  test("is not the member who merely typed this address on an open invitation", async () => {
    const { json } = await (await install.owner()).post("/invitations", { role: "viewer" });
    const token = new URL(String(json.url)).searchParams.get("token");
    const typed = { token, name: "Not Dora", email: "dora@example.org", password: PASSWORD };
    expect((await install.browser().post("/invitations/accept", typed)).status).toBe(200);
    const { browser, at } = await signIn(person("dora@example.org"));
    expect([at, await browser.role()]).toEqual(["/app/sign-in?error=account_not_linked", null]);
  });

  test("is out with the next request once removed", async () => {
    await invite("finn@partner.example", "viewer");
    const finn = person("finn@partner.example");
    const { browser } = await signIn(finn);
    await (await install.owner()).delete(`/members/${await browser.id()}`);
    expect(await browser.role()).toBeNull();
    expect((await signIn(finn)).at).toBe("/app/sign-in?error=not_invited");
  });
});

describe("refused is", () => {
  test("an address that the provider did not verify, of the domain, invited or known", async () => {
    await invite("gus@partner.example", "viewer");
    for (const email of ["gus@partner.example", "hal@example.org", "olga@example.com"]) {
      for (const claims of [
        { email_verified: false },
        { email_verified: undefined },
        { email_verified: "true" },
        { email_verified: false, emailVerified: true },
      ]) {
        const { browser, at } = await signIn(person(email, claims));
        expect([at, await browser.role()]).toEqual([
          expect.stringMatching(/^\/app\/sign-in\?error=(email_not_verified|account_not_linked)$/),
          null,
        ]);
      }
    }
  });

  test("a token that the provider did not make for us and for now", async () => {
    for (const fault of ["foreign_key", "audience", "issuer", "nonce", "expired", "unsigned"] as const) {
      const { browser, at } = await signIn({ ...person("ida@example.org"), fault });
      expect([fault, at, await browser.role()]).toEqual([
        fault,
        "/app/sign-in?error=unable_to_get_user_info",
        null,
      ]);
    }
    expect(await accountsOf("ida@example.org")).toHaveLength(0);
  });

  test("who says no at the provider, whose words do not reach our page", async () => {
    const { at } = await signIn({ ...person("jo@example.org"), denied: "Call +1 555 0100" });
    expect(at).toBe("/app/sign-in?error=access_denied");
  });

  test("an answer to another browser's sign-in, one given twice, and one without a question", async () => {
    await provider.become(person("kim@example.org"));
    const browser = install.browser();
    const started = await browser.post("/auth/sign-in/social", START);
    const sentBack = await fetch(String(started.json.url), { redirect: "manual" });
    const address = sentBack.headers.get("location") ?? "";
    expect(await follow(browser, address)).toBe("/app/projects");
    expect(await follow(browser, address)).toStartWith("/app/sign-in?error=");
    const victim = install.browser();
    expect(await follow(victim, address)).toStartWith("/app/sign-in?error=");
    expect(await victim.role()).toBeNull();
    expect(await follow(victim, `${APP_URL}/app/api/auth/callback/oidc?code=x&state=y`)).toStartWith(
      "/app/sign-in?error=",
    );
  });

  test("a sign-in that would lead to another site, or from another site", async () => {
    const browser = install.browser();
    const elsewhere = [
      "https://evil.example/app",
      "//evil.example/app",
      "/\\evil.example/app",
      "javascript:alert(1)//telemetry.example.com/app",
      "/app/../events",
      "/app/api/members",
      `${APP_URL}.evil.example/app`,
    ];
    for (const address of elsewhere) {
      for (const name of ["callbackURL", "errorCallbackURL"])
        expect(
          (await install.browser().post("/auth/sign-in/social", { ...START, [name]: address })).status,
        ).toBe(400);
    }
    const foreign = { origin: "https://evil.example" };
    expect((await browser.post("/auth/sign-in/social", START, foreign)).status).toBe(403);
    const absolute = {
      ...START,
      callbackURL: `${APP_URL}/app?x=1`,
      errorCallbackURL: `${APP_URL}/app/sign-in`,
    };
    expect((await browser.post("/auth/sign-in/social", absolute)).status).toBe(200);
    // Straight with a token: not one of our ways.
    const direct = { ...START, idToken: { token: "a.b.c" } };
    expect((await browser.post("/auth/sign-in/social", direct)).json).toHaveProperty("url");
  });
});

describe("a provider that is away", () => {
  let late: Provider | undefined;
  let other: Installation | undefined;
  afterEach(async () => {
    await other?.end();
    await late?.stop();
  });

  test("at the start leaves passwords to sign in with, and is offered once it is there", async () => {
    const port = freePort();
    other = await openInstallation(database.url, optionsOf(`http://127.0.0.1:${port}`));
    const browser = other.browser();
    expect((await browser.get("/session")).json.oidc).toBeNull();
    expect((await browser.post("/auth/sign-in/social", START)).status).toBe(503);
    const password = { email: "olga@example.com", password: PASSWORD };
    expect((await browser.post("/auth/sign-in/email", password)).status).toBe(200);
    late = await startProvider(port);
    await eventually("it is offered", async () => (await browser.get("/session")).json.oidc !== null);
    expect((await other.browser().post("/auth/sign-in/social", START)).status).toBe(200);
    // The session from before goes on.
    expect(await browser.role()).toBe("owner");
  });

  test("or is not who the setting says, is not offered", async () => {
    other = await openInstallation(
      database.url,
      optionsOf(provider.issuer.replace("127.0.0.1", "localhost")),
    );
    expect((await other.browser().get("/session")).json.oidc).toBeNull();
  });
});
