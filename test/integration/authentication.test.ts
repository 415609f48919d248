/** Bearer keys: who is let in, who is not, and what a refusal says. */
import { describe, expect, test } from "bun:test";
import { clientOf, refusal } from "../support/client.ts";
import { eventBody, executionBody, newExecution } from "../support/fixtures.ts";
import { eventually } from "../support/postgres-server.ts";
import { freshKey, mintKey, mintProject } from "../support/projects.ts";
import { testSuite } from "../support/suite.ts";

const suite = testSuite();

describe("without a bearer key", () => {
  const headers: [string, string | null][] = [
    ["no header", null],
    ["basic credentials", "Basic dXNlcjpwYXNz"],
    ["a bare key without a scheme", "service_sk_abcdefghijklmnop"],
    ["an empty header", ""],
  ];
  for (const [name, authorization] of headers) {
    test(`${name}: 401 missing_bearer, WWW-Authenticate: Bearer`, async () => {
      const reply = await suite.anonymous.createExecution(executionBody(), { authorization });
      expect(refusal(reply)).toBe("401 missing_bearer");
      expect(reply.headers.get("www-authenticate")).toMatch(/^Bearer\b/);
    });
  }
});

describe("an unrecognized key", () => {
  const wrong: [string, (key: string) => string][] = [
    ["never minted", freshKey],
    ["a real key with a character more", (key) => `${key}a`],
    ["a real key with a character less", (key) => key.slice(0, -1)],
    ["a real key in capitals", (key) => key.toUpperCase()],
    ["not of our prefix", () => "sk_live_whatever"],
    ["very long", () => `service_sk_${"a".repeat(4_000)}`],
  ];
  for (const [name, make] of wrong) {
    test(`${name}: 401 unknown_key without an echo`, async () => {
      const key = make(suite.project.key);
      const reply = await clientOf(suite.service.url, key).createExecution(executionBody());
      expect(refusal(reply)).toBe("401 unknown_key");
      expect(reply.headers.get("www-authenticate")).toMatch(/^Bearer\b/);
      expect(reply.text).not.toContain(key.slice(-12));
    });
  }

  test("a thousand of them do not reach the database", async () => {
    const commits = async () => {
      await Bun.sleep(1_500);
      const rows = await suite.database.sql<{ commits: number }[]>`
        select (xact_commit + xact_rollback)::int as commits from pg_stat_database where datname = current_database()`;
      return rows[0]!.commits;
    };
    const before = await commits();
    const began = performance.now();
    for (let round = 0; round < 20; round += 1) {
      await Promise.all(
        Array.from({ length: 50 }, () => clientOf(suite.service.url, freshKey()).sendEvents([])),
      );
    }
    const made = (await commits()) - before;
    // What the service asks by itself goes on meanwhile, some ten times a second.
    expect(made).toBeLessThan(100 + (25 * (performance.now() - began)) / 1000);
  });
});

test("the scheme's name is case-insensitive", async () => {
  const reply = await suite.anonymous.createExecution(executionBody(), {
    authorization: `bearer ${suite.project.key}`,
  });
  expect(reply.status).toBe(201);
});

test("only a hash of a key is stored", async () => {
  const rows = await suite.database.sql`select k::text as row from ats.api_key k`;
  const secret = suite.project.key.slice("service_sk_".length);
  expect(rows.length).toBeGreaterThan(0);
  for (const { row } of rows) {
    expect(row).not.toContain(secret);
    expect(row).not.toContain(Buffer.from(secret).toString("hex"));
  }
});

test("a key minted while the service runs is let in, and a revoked one is refused while its sister works", async () => {
  const minted = await mintProject(suite.database.sql);
  const sister = await mintKey(suite.database.sql, minted.projectNo);
  const client = clientOf(suite.service.url, minted.key);
  const sisterClient = clientOf(suite.service.url, sister.key);
  const status = async () => (await client.createExecution(executionBody())).status;
  expect(await status()).toBe(201);
  await suite.database.sql`update ats.api_key set revoked_at = now() where key_id = ${minted.keyId}`;
  await eventually("the revoked key is refused", async () => (await status()) === 401);
  expect(refusal(await client.sendEvents([]))).toBe("401 unknown_key");
  expect((await sisterClient.createExecution(executionBody())).status).toBe(201);
});

test("a key is good for the very first request after it was minted, however many are minted at once", async () => {
  const statuses = await Promise.all(
    Array.from({ length: 40 }, async () => {
      const minted = await mintProject(suite.database.sql);
      return (await clientOf(suite.service.url, minted.key).createExecution(executionBody())).status;
    }),
  );
  expect(new Set(statuses)).toEqual(new Set([201]));
});

describe("projects are apart", () => {
  test("the same execution id is another execution in another project", async () => {
    const stranger = clientOf(suite.service.url, suite.stranger.key);
    const run = await newExecution(suite.client, { sdk_language: "python" });
    const other = await stranger.createExecution(executionBody({ execution_id: run, sdk_language: "go" }));
    expect(other.status).toBe(201);
    expect((await stranger.patchExecution(run, { status: "crashed" })).json?.status).toBe("crashed");
    const rows = await suite.database.sql`
      select project_id, status, sdk_language from executions where execution_id = ${run} order by sdk_language`;
    expect([...rows]).toEqual([
      { project_id: suite.stranger.projectId, status: "crashed", sdk_language: "go" },
      { project_id: suite.project.projectId, status: "started", sdk_language: "python" },
    ]);
  });

  test("another project's execution does not exist for a key", async () => {
    const stranger = clientOf(suite.service.url, suite.stranger.key);
    const run = await newExecution(suite.client);
    expect(refusal(await stranger.patchExecution(run, { status: "completed" }))).toBe(
      "404 execution_not_found",
    );
    expect(refusal(await stranger.sendEvents([eventBody(run)]))).toBe("404 execution_not_found");
  });

  test("the same event id on the same execution id is stored once in each", async () => {
    const stranger = clientOf(suite.service.url, suite.stranger.key);
    const run = await newExecution(suite.client);
    await newExecution(stranger, { execution_id: run });
    const event = eventBody(run);
    expect((await suite.client.sendEvents([event])).json).toEqual({ accepted: 1, duplicates: 0 });
    expect((await stranger.sendEvents([event])).json).toEqual({ accepted: 1, duplicates: 0 });
  });
});
