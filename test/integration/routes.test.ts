/** Routes, methods, versions and the form of every refusal. */
import { describe, expect, test } from "bun:test";
import { problemOf, type Reply, refusal } from "../support/client.ts";
import { eventBody, executionBody, newExecution } from "../support/fixtures.ts";
import { openRaw } from "../support/raw-http.ts";
import { testSuite } from "../support/suite.ts";

const suite = testSuite();

describe("unknown routes", () => {
  const calls: [string, string][] = [
    ["GET", "/"],
    ["GET", "/nowhere"],
    ["POST", "/event"],
    ["POST", "/events/1"],
    ["POST", "/executions/a/b"],
    ["GET", "/../etc/passwd"],
    ["GET", "/%2e%2e/secret"],
    ["GET", `/${"x".repeat(4_000)}`],
  ];
  for (const [method, path] of calls) {
    test(`${method} ${path.slice(0, 40)}: 404 route_not_found`, async () => {
      expect(refusal(await suite.client.request(method, path))).toBe("404 route_not_found");
    });
  }
});

describe("the Host header", () => {
  for (const host of ["x", "api", "ats", "ats:80", "a.b"]) {
    test(`${host}: the routes are found`, async () => {
      const connection = await openRaw(suite.service.port);
      await connection.write(`GET /health HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      expect(await connection.status()).toBe(200);
      connection.destroy();
    });
  }
});

describe("wrong methods", () => {
  const routes: [string, string][] = [
    ["/executions", "POST"],
    ["/executions/some-run", "PATCH"],
    ["/events", "POST"],
    ["/health", "GET"],
    ["/ready", "GET"],
  ];
  for (const [path, right] of routes) {
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"].filter((each) => each !== right)) {
      test(`${method} ${path}: 405 with Allow: ${right}`, async () => {
        const reply = await suite.client.request(method, path);
        expect(refusal(reply)).toBe("405 method_not_allowed");
        const allowed = (reply.headers.get("allow") ?? "").split(",").map((each) => each.trim());
        expect(allowed).toContain(right);
        expect(allowed).not.toContain(method);
      });
    }
  }
});

describe("schema version", () => {
  const calls: [string, (headers: Record<string, string | null>) => Promise<Reply>][] = [
    ["POST /executions", (headers) => suite.client.createExecution(executionBody(), headers)],
    [
      "PATCH /executions/{id}",
      async (headers) =>
        suite.client.patchExecution(await newExecution(suite.client), { status: "completed" }, headers),
    ],
    [
      "POST /events",
      async (headers) => suite.client.sendEvents([eventBody(await newExecution(suite.client))], headers),
    ],
  ];
  for (const [name, call] of calls) {
    test(`${name}: missing is accepted`, async () => {
      expect((await call({ "x-service-schema-version": null })).status).toBeOneOf([200, 201]);
    });
    test(`${name}: 1 is accepted`, async () => {
      expect((await call({ "x-service-schema-version": "1" })).status).toBeOneOf([200, 201]);
    });
    for (const version of ["2", "0", "-1", "1.0", "01", "v1", "1,1", "latest", "1 2", ""]) {
      test(`${name}: ${JSON.stringify(version)} is refused, and the message names the supported version`, async () => {
        const reply = await call({ "x-service-schema-version": version });
        expect(refusal(reply)).toBe("400 unsupported_schema_version");
        expect(problemOf(reply).detail).toMatch(/\b1\b/);
      });
    }
  }
  test("the probes do not look at it", async () => {
    for (const path of ["/health", "/ready"]) {
      const reply = await suite.anonymous.request("GET", path, {
        headers: { "x-service-schema-version": "9" },
      });
      expect(reply.status).toBe(200);
    }
  });
});

describe("problem documents", () => {
  test("every kind of refusal is one, with a title of its status and a type of its code", async () => {
    const run = await newExecution(suite.client);
    await suite.client.patchExecution(run, { status: "completed" });
    const replies = await Promise.all([
      suite.client.sendEvents("{"),
      suite.client.sendEvents({}),
      suite.client.sendEvents([], { "x-service-schema-version": "3" }),
      suite.anonymous.sendEvents([]),
      suite.client.sendEvents([], { authorization: "Bearer service_sk_wrong" }),
      suite.client.sendEvents([{ project_id: "proj_other" }]),
      suite.client.sendEvents([eventBody("never-created")]),
      suite.client.request("GET", "/nowhere"),
      suite.client.request("GET", "/events"),
      suite.client.patchExecution(run, { status: "crashed" }),
      suite.client.sendEvents(" ".repeat(6_000_000)),
      suite.client.sendEvents(JSON.stringify(Array.from({ length: 1_001 }, () => eventBody(run)))),
      suite.client.sendEvents([], { "content-type": "text/plain" }),
      suite.client.sendEvents([], { "content-encoding": "rot13" }),
    ]);
    expect(replies.map(refusal)).toEqual([
      "400 invalid_json",
      "400 invalid_request",
      "400 unsupported_schema_version",
      "401 missing_bearer",
      "401 unknown_key",
      "403 project_mismatch",
      "404 execution_not_found",
      "404 route_not_found",
      "405 method_not_allowed",
      "409 execution_final",
      "413 body_too_large",
      "413 batch_too_large",
      "415 unsupported_media_type",
      "415 unsupported_encoding",
    ]);
    const members = ["type", "title", "status", "detail", "code", "errors"];
    for (const reply of replies) {
      expect(Object.keys(reply.json ?? {}).filter((member) => !members.includes(member))).toEqual([]);
      expect(problemOf(reply).title.length).toBeGreaterThan(0);
      expect(reply.text).not.toMatch(/postgres|drizzle|elysia|at .*\.ts:\d+/i);
    }
    const types = replies.map((reply) => problemOf(reply).type);
    expect(types.includes("about:blank") || new Set(types).size === types.length).toBe(true);
  });
});
