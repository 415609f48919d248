/** The dashboard of the real process: at /app of the same port, apart from ingest, and gone with it. */
import { describe, expect, test } from "bun:test";
import { eventBatch, newExecution } from "../support/fixtures.ts";
import { scrape, total } from "../support/metrics.ts";
import { startService } from "../support/service.ts";
import { testSuite } from "../support/suite.ts";

const suite = testSuite();
const PASSWORD = "correct horse battery";

const setupToken = (output: string) => /\/app\/setup\?token=([a-z2-7]+) to create/.exec(output)?.[1];

test("a page is served with the headers that keep a payload from running", async () => {
  const page = await fetch(`${suite.service.url}/app/projects`);
  // 503 where the pages are not built: it says how.
  expect([200, 503]).toContain(page.status);
  if (page.status === 503) expect(await page.text()).toContain("bun run build");
  expect(page.headers.get("content-type")).toStartWith("text/html");
  const policy = page.headers.get("content-security-policy") ?? "";
  for (const rule of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"])
    expect(policy).toContain(rule);
  expect(policy).not.toContain("unsafe");
  expect(page.headers.get("x-content-type-options")).toBe("nosniff");
  expect(page.headers.get("referrer-policy")).toBe("no-referrer");
  expect(page.headers.get("cross-origin-opener-policy")).toBe("same-origin");
  expect(page.headers.get("cache-control")).toBe("no-store");
  expect((await fetch(`${suite.service.url}/app/assets/none.js`)).status).toBe(404);
  expect((await fetch(`${suite.service.url}/app/assets/..%2f..%2fpackage.json`)).status).toBe(404);
  expect((await fetch(`${suite.service.url}/application`)).status).toBe(404);
});

test("the printed link makes the first account, whose cookie opens the dashboard and nothing else", async () => {
  const { service } = suite;
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
