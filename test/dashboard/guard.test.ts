/** Every route of the dashboard's API asks for a role; the few that do not are named here. */
import { expect, test } from "bun:test";
import { apiRoutes, dashboardRoutes } from "../../src/dashboard/api/routes.ts";
import type { Accounts } from "../../src/dashboard/auth/accounts.ts";
import type { Sql } from "../../src/store/database/connect.ts";

const SIGNED_OUT = [
  "GET /app/api/session",
  "POST /app/api/auth/sign-in/email",
  "POST /app/api/auth/sign-out",
  "POST /app/api/auth/sign-in/social",
  "GET /app/api/auth/callback/:provider",
  "POST /app/api/setup",
  "GET /app/api/invitations/lookup",
  "POST /app/api/invitations/accept",
  "POST /app/api/password",
];

/** Nothing is asked of them: the routes are only looked at. */
const nothing = (() => {
  throw new Error("not to be called");
}) as unknown;
const services = {
  sql: nothing as Sql,
  memberOf: async () => null,
  appUrl: "http://localhost:8080",
  accounts: { oidc: null } as Accounts,
};

interface Route {
  readonly method: string;
  readonly path: string;
  readonly hooks: { readonly detail?: { readonly tags?: readonly string[] } };
}

/** What guards a route, and the least role. */
const guardOf = ({ hooks }: Route) => hooks.detail?.tags ?? [];

const named = (routes: readonly { method: string; path: string }[]) =>
  routes.map(({ method, path }) => `${method} ${path}`);

test("every route has a role, or is one of those for somebody without a session", () => {
  const unguarded = dashboardRoutes(services).routes.filter(
    (route) => !["role", "projectRole"].includes(guardOf(route)[0] ?? ""),
  );
  expect(named(unguarded).sort()).toEqual(SIGNED_OUT.toSorted());
  expect(unguarded.every((route) => guardOf(route)[0] === "signedOut")).toBe(true);
});

test("a route of a project asks for a role in it, and finds the project", () => {
  const { routes } = apiRoutes(services);
  const wrong = routes.filter(
    (route) => route.path.includes(":project_id") !== (guardOf(route)[0] === "projectRole"),
  );
  expect(named(wrong)).toEqual([]);
});

test("a change asks for more than looking does", () => {
  // What a viewer may change is their own account.
  const changes = dashboardRoutes(services).routes.filter(
    ({ method }) => method !== "GET" && method !== "HEAD",
  );
  const byViewers = changes.filter((route) => guardOf(route)[1] === "viewer");
  expect(named(byViewers).filter((route) => !/^\w+ \/app\/api\/account(\/|$)/.test(route))).toEqual([]);
});

test("no route answers without a session what only a session may see", async () => {
  const app = dashboardRoutes(services);
  for (const { method, path } of app.routes) {
    if (SIGNED_OUT.includes(`${method} ${path}`)) continue;
    const address = path.replaceAll(/:\w+/g, "x").replaceAll("*", "x");
    const response = await app.handle(
      new Request(`http://localhost:8080${address}`, {
        method,
        headers: { origin: "http://localhost:8080", "sec-fetch-site": "same-origin" },
      }),
    );
    // 422: what was sent is looked at before who sent it, and says nothing about what is stored.
    expect([method, path, [401, 422].includes(response.status)]).toEqual([method, path, true]);
  }
});
