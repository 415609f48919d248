/**
 * An address whose parts are no text, or hold what PostgreSQL cannot: nothing is there, whatever the route.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { dashboardRoutes } from "../../src/dashboard/api/routes.ts";
import type { Accounts } from "../../src/dashboard/auth/accounts.ts";
import { buildSite } from "../../src/dashboard/site.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { mintProject, type TestProject } from "../support/projects.ts";

const ORIGIN = "http://localhost:8080";
/** U+0000 alone and inside, half a pair of surrogates, a character that is cut off. */
const ODD = ["%00", "a%00b", "%ED%A0%80", "%E2%82"];

let database: TestDatabase;
let project: TestProject;

beforeAll(async () => {
  database = await cloneDatabase();
  project = await mintProject(database.sql);
});
afterAll(() => database.drop());

test("nothing is found there, nothing done, and nothing fails", async () => {
  const { sql } = database;
  await sql`insert into ats.webhook ${sql({
    project_no: project.projectNo,
    webhook_id: "wh_only",
    url: "https://example.org/",
    secret: "s",
  })}`;
  const warnings: string[] = [];
  const routes = dashboardRoutes({
    sql,
    memberOf: async () => ({ id: "mem_1", email: "owner@example.org", name: "Owner", role: "owner" }),
    appUrl: ORIGIN,
    accounts: { oidc: null } as Accounts,
  });
  const site = buildSite({
    api: (request) => routes.fetch(request),
    page: () => new Response("page"),
    warn: (message) => warnings.push(message),
  });
  const found: unknown[] = [];
  let asked = 0;
  for (const { method, path } of routes.routes) {
    for (const name of path.match(/:\w+/g) ?? []) {
      for (const odd of ODD) {
        const address = path
          .replace(name, odd)
          .replace(":project_id", project.projectId)
          .replaceAll(/:\w+/g, "wh_only");
        const response = await site(
          new Request(ORIGIN + address, {
            method,
            headers: { origin: ORIGIN, "sec-fetch-site": "same-origin" },
          }),
        );
        asked += 1;
        if (response.status !== 404) found.push([method, address, response.status]);
      }
    }
  }
  expect(asked).toBeGreaterThan(100);
  expect(found).toEqual([]);
  expect(warnings).toEqual([]);
});
