/**
 * The order of checks on a protected endpoint: every request here is wrong in two ways, and the earlier check
 * answers.
 */
import { describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { type Client, clientOf, type Reply, type RequestOptions, refusal } from "../support/client.ts";
import { eventBody, executionBody, newExecution } from "../support/fixtures.ts";
import { freshKey } from "../support/projects.ts";
import { rateHeadersOf } from "../support/rate-headers.ts";
import { testSuite } from "../support/suite.ts";

const suite = testSuite({
  limited: {
    narrow: { rateBurst: 2, ratePerSecond: 1 },
    counted: { rateBurst: 1_000, ratePerSecond: 1 },
    uncounted: { rateBurst: 1_000, ratePerSecond: 1 },
  },
});

const badVersion = { "x-service-schema-version": "7" };
const badMedia = { "content-type": "text/plain" };
const badEncoding = { "content-encoding": "lzma" };
const calls = [
  ["POST", "/executions"],
  ["PATCH", "/executions/some-run"],
  ["POST", "/events"],
] as const;

function tooLarge(): string {
  return `[${" ".repeat(6 * 1024 * 1024)}]`;
}

for (const [method, path] of calls) {
  describe(`${method} ${path}`, () => {
    const send = (options: RequestOptions, client: Client = suite.client): Promise<Reply> =>
      client.request(method, path, options);
    const foreign = (): unknown =>
      path === "/events"
        ? [{ project_id: suite.stranger.projectId, event_id: 5 }]
        : { project_id: suite.stranger.projectId, status: 5 };

    test("no bearer and everything else wrong: 401", async () => {
      const options = { body: "{", headers: { ...badVersion, ...badMedia, ...badEncoding } };
      expect(refusal(await send(options, suite.anonymous))).toBe("401 missing_bearer");
    });

    test("unknown key and everything else wrong: 401", async () => {
      const stranger = clientOf(suite.service.url, freshKey());
      const options = { body: "{", headers: { ...badVersion, ...badMedia, ...badEncoding } };
      expect(refusal(await send(options, stranger))).toBe("401 unknown_key");
    });

    test("empty bucket and everything else wrong: 429", async () => {
      const { client } = suite.limited("narrow");
      const options = { body: "{", headers: { ...badVersion, ...badMedia } };
      const answers = await Promise.all(Array.from({ length: 40 }, () => send(options, client)));
      const codes = answers.map(refusal);
      expect(codes).toContain("429 rate_limited");
      expect(
        codes.filter((code) => code !== "429 rate_limited" && !code.startsWith("400 unsupported")),
      ).toEqual([]);
    });

    test("bad version, bad media type and bad JSON: 400 unsupported_schema_version", async () => {
      const reply = await send({ body: "{", headers: { ...badVersion, ...badMedia } });
      expect(refusal(reply)).toBe("400 unsupported_schema_version");
    });

    test("bad version and a body too large: 400 unsupported_schema_version", async () => {
      const reply = await send({ body: tooLarge(), headers: badVersion });
      expect(refusal(reply)).toBe("400 unsupported_schema_version");
    });

    test("bad media type and bad JSON: 415", async () => {
      expect(refusal(await send({ body: "{", headers: badMedia }))).toBe("415 unsupported_media_type");
    });

    test("unknown encoding and bad JSON: 415", async () => {
      expect(refusal(await send({ body: "{", headers: badEncoding }))).toBe("415 unsupported_encoding");
    });

    test("too large and bad JSON: 413", async () => {
      expect(refusal(await send({ body: `{${tooLarge()}` }))).toBe("413 body_too_large");
    });

    test("too large once unpacked and bad JSON: 413", async () => {
      const reply = await send({
        body: gzipSync(Buffer.alloc(6 * 1024 * 1024, "{")),
        headers: { "content-encoding": "gzip" },
      });
      expect(refusal(reply)).toBe("413 body_too_large");
    });

    test("bad JSON that names a foreign project: 400 invalid_json", async () => {
      const body = JSON.stringify(foreign()).slice(0, -1);
      expect(refusal(await send({ body }))).toBe("400 invalid_json");
    });

    test("a foreign project and a bad shape: 403", async () => {
      expect(refusal(await send({ body: foreign() }))).toBe("403 project_mismatch");
    });

    test("a bad shape on an unknown execution: 400 invalid_request", async () => {
      const body =
        path === "/events"
          ? [{ ...eventBody("never-created"), sequence: -1 }]
          : { execution_id: "never-created", status: "no-such-status" };
      expect(refusal(await send({ body }))).toBe("400 invalid_request");
    });

    test("a request past the key costs its token whatever follows", async () => {
      const { client } = suite.limited("counted");
      const before = rateHeadersOf(await send({ body: "{" }, client));
      const started = performance.now();
      const wrong: RequestOptions[] = [
        { body: "{" },
        { body: "{}", headers: badVersion },
        { body: "{}", headers: badMedia },
        { body: foreign() },
        { body: path === "/events" ? [{}] : {} },
      ];
      for (let round = 0; round < 10; round += 1) {
        for (const options of wrong) expect((await send(options, client)).status).toBeOneOf([400, 403, 415]);
      }
      const after = rateHeadersOf(await send({ body: "{" }, client));
      const refilled = Math.ceil((performance.now() - started) / 1000);
      expect(before.remaining - after.remaining).toBeWithin(51 - refilled, 52);
    });
  });
}

test("a foreign project wins over an unknown execution, in the middle of a batch", async () => {
  const run = await newExecution(suite.client);
  const body = [
    eventBody(run),
    { ...eventBody("never-created"), project_id: suite.stranger.projectId },
    eventBody(run),
  ];
  const reply = await suite.client.sendEvents(body);
  expect(refusal(reply)).toBe("403 project_mismatch");
  const rows = await suite.database.sql`select 1 from events where execution_id = ${run}`;
  expect(rows.length).toBe(0);
});

test("the key's own project_id in the body is no mismatch", async () => {
  const project_id = suite.project.projectId;
  const body = executionBody({ project_id });
  expect((await suite.client.createExecution(body)).status).toBe(201);
  const sent = await suite.client.sendEvents([eventBody(body.execution_id, { project_id })]);
  expect(sent.json).toEqual({ accepted: 1, duplicates: 0 });
  const patched = await suite.client.patchExecution(body.execution_id, { status: "completed", project_id });
  expect(patched.status).toBe(200);
});

test("a 401 costs no token", async () => {
  const { client } = suite.limited("uncounted");
  const before = rateHeadersOf(await client.sendEvents("{"));
  for (let round = 0; round < 50; round += 1) {
    const stranger = clientOf(suite.service.url, round % 2 === 0 ? freshKey() : undefined);
    expect((await stranger.sendEvents([])).status).toBe(401);
  }
  const after = rateHeadersOf(await client.sendEvents("{"));
  expect(before.remaining - after.remaining).toBeLessThanOrEqual(1);
});
