/** The dashboard of the real process: at /app of the same port, apart from ingest, and gone with it. */
import { beforeAll, describe, expect, test } from "bun:test";
import { ensureBuilt } from "../../src/dashboard/built.ts";
import { eventBatch, newExecution } from "../support/fixtures.ts";
import { scrape, total } from "../support/metrics.ts";
import { eventually } from "../support/postgres-server.ts";
import { startService } from "../support/service.ts";
import { testSuite } from "../support/suite.ts";

const suite = testSuite();
const PASSWORD = "correct horse battery";

const setupToken = (output: string) => /\/app\/setup\?token=([a-z2-7]+) to create/.exec(output)?.[1];

beforeAll(async () => {
  await ensureBuilt();
});

/** The document's answer, once the pages are read in. */
async function document(): Promise<Response> {
  let page = await fetch(`${suite.service.url}/app/projects`);
  await eventually("the pages are there", async () => {
    if (page.status === 503) page = await fetch(`${suite.service.url}/app/projects`);
    return page.status === 200;
  });
  return page;
}

test("a page is served with the headers that keep a payload from running", async () => {
  const page = await document();
  const html = await page.text();
  const nonce = /name="csp-nonce" content="([^"]+)"/.exec(html)?.[1] ?? "";
  expect(nonce.length).toBeGreaterThan(20);
  expect(html).not.toMatch(/__[A-Z_]+__|<script(?![^>]* src="\/app\/assets\/)|<style|style=/);
  expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(page.headers.get("content-security-policy")?.split("; ")).toEqual([
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ]);
  expect(Object.fromEntries(page.headers)).toMatchObject({
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
  });
  expect(await (await document()).text()).not.toContain(nonce);
});

test("its files are kept for ever, sent compressed as asked for, and 404 when they are not there", async () => {
  const { url } = suite.service;
  const html = await (await document()).text();
  const files = [...html.matchAll(/(?:src|href)="(\/app\/assets\/[^"]+)"/g)].map((match) => match[1] ?? "");
  expect(files.filter((file) => file.endsWith(".css"))).toHaveLength(1);
  expect(files.filter((file) => file.endsWith(".js")).length).toBeGreaterThan(1);
  for (const file of files) {
    const contents = new Set<string>();
    for (const [accepted, encoding] of [
      ["gzip, deflate, br", "br"],
      ["gzip, br;q=0", "gzip"],
      ["identity", null],
    ] as const) {
      const answer = await fetch(url + file, { headers: { "accept-encoding": accepted } });
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-encoding")).toBe(encoding);
      expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      expect(answer.headers.get("vary")).toBe("accept-encoding");
      expect(answer.headers.get("content-type")).toMatch(/^text\/(javascript|css); charset=utf-8$/);
      contents.add(Bun.hash(await answer.bytes()).toString());
    }
    expect(contents.size).toBe(1);
  }
  for (const missing of ["none.js", "..%2f..%2fpackage.json", "main.js.gz", ""])
    expect((await fetch(`${url}/app/assets/${missing}`)).status).toBe(404);
  expect((await fetch(`${url}/application`)).status).toBe(404);
  expect((await fetch(`${url}/app/projects`, { method: "POST" })).status).toBe(405);
});

test("the printed link makes the first account, whose cookie opens the dashboard and nothing else", async () => {
  const { service } = suite;
  await eventually("the link is printed", () => setupToken(service.output()) !== undefined);
  const token = setupToken(service.output());
  const made = await fetch(`${service.url}/app/api/setup`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: service.url },
    body: JSON.stringify({ token, name: "Ann", email: "ann@example.com", password: PASSWORD }),
  });
  expect(made.status).toBe(200);
  const cookie = made.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  const members = await fetch(`${service.url}/app/api/members`, { headers: { cookie } });
  expect(members.status).toBe(200);
  expect(members.headers.get("cache-control")).toBe("no-store");
  expect(members.headers.get("x-ratelimit-limit")).toBeNull();

  const withKey = { authorization: `Bearer ${suite.project.key}` };
  expect((await fetch(`${service.url}/app/api/members`, { headers: withKey })).status).toBe(401);
  const run = await newExecution(suite.client);
  const events = { method: "POST", body: JSON.stringify(eventBatch(run, 1)) };
  const withCookie = { cookie, "content-type": "application/json", "x-service-schema-version": "1" };
  expect((await fetch(`${service.url}/events`, { ...events, headers: withCookie })).status).toBe(401);

  const counted = await scrape(suite.anonymous);
  expect(total(counted, "ats_dashboard_requests_total", { outcome: "forwarded" })).toBeGreaterThan(2);
});

describe("started anew", () => {
  test("it offers no link when there is an owner, and none at all with DASHBOARD=off", async () => {
    const again = await startService({ databaseUrl: suite.database.url });
    expect((await fetch(`${again.url}/app/api/session`)).status).toBe(200);
    await again.stop();
    expect(setupToken(again.output())).toBeUndefined();

    const off = await startService({ databaseUrl: suite.database.url, env: { DASHBOARD: "off" } });
    const reply = await fetch(`${off.url}/app/api/session`);
    expect([reply.status, await reply.json()]).toMatchObject([404, { code: "route_not_found" }]);
    await off.stop();
  });

  test("several HTTP threads forward to one dashboard", async () => {
    const threads = await startService({ databaseUrl: suite.database.url, env: { HTTP_THREADS: "3" } });
    const replies = await Promise.all(
      Array.from({ length: 24 }, () =>
        fetch(`${threads.url}/app/api/session`, { headers: { connection: "close" } }),
      ),
    );
    expect(replies.map((reply) => reply.status)).toEqual(new Array(24).fill(200));
    await threads.stop();
    expect(threads.logs().filter((line) => line.msg === "dashboard: listening")).toHaveLength(1);
  });
});
