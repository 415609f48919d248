/**
 * What a role may not do it is not offered, and it is refused when it asks all the same. Each page is read
 * first as an owner, who must see the acts, so that an act under another name cannot pass for one that is
 * hidden.
 */
import { beforeAll, describe, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { describeInBrowser } from "./support/chromium.ts";
import { type BrowserSession, dashboardSuite, type Role } from "./support/dashboard-suite.ts";
import { openPage } from "./support/page-checks.ts";
import { type Seed, seedProject } from "./support/seed.ts";

interface Places extends Seed {
  readonly projectId: string;
}

/** A page, what on it changes something, and the least role that is offered it. */
const ACTS: readonly (readonly [string, (places: Places) => string, (main: Locator) => Locator, Role])[] = [
  [
    "groups",
    ({ projectId }) => `/app/p/${projectId}/groups`,
    (main) => main.getByRole("checkbox", { name: /^choose/i, disabled: false }),
    "member",
  ],
  [
    "a group",
    ({ projectId, groupId }) => `/app/p/${projectId}/groups/${groupId}`,
    buttons(/^(?:resolve|ignore|merge)\b/i),
    "member",
  ],
  [
    "keys",
    ({ projectId }) => `/app/p/${projectId}/settings/keys`,
    buttons(/^(?:create|revoke)\b/i),
    "member",
  ],
  [
    "webhooks",
    ({ projectId }) => `/app/p/${projectId}/settings/webhooks`,
    buttons(/^(?:add|create)\b/i),
    "member",
  ],
  [
    "a webhook",
    ({ projectId, webhookId }) => `/app/p/${projectId}/settings/webhooks/${webhookId}`,
    buttons(/\b(?:test|rotate|disable|delete|redeliver|again|more)\b/i),
    "member",
  ],
  [
    "project settings",
    ({ projectId }) => `/app/p/${projectId}/settings/project`,
    (main) => main.getByRole("textbox", { name: "Name", disabled: false }),
    "member",
  ],
  [
    "detectors",
    ({ projectId }) => `/app/p/${projectId}/settings/detectors`,
    (main) => main.getByRole("switch", { disabled: false }),
    "member",
  ],
  ["first run", ({ projectId }) => `/app/p/${projectId}/start`, buttons(/^make a key/i), "member"],
  ["projects", () => "/app/projects", buttons(/\b(?:create|new)\b.*project/i), "owner"],
  ["members", () => "/app/settings/members", buttons(/\binvite\b/i), "owner"],
];

function buttons(name: RegExp): (main: Locator) => Locator {
  return (main) => main.getByRole("button", { name, disabled: false });
}

const RANKS: readonly Role[] = ["viewer", "member", "owner"];

describeInBrowser("roles", () => {
  const suite = dashboardSuite();
  let places: Places;

  beforeAll(async () => {
    places = { ...(await seedProject(suite)), projectId: suite.project.projectId };
  });

  for (const role of RANKS) {
    describe(`somebody with the role ${role}`, () => {
      let session: BrowserSession;
      let page: Page;

      beforeAll(async () => {
        session = await suite.signedIn(role);
        page = await session.newPage();
      });

      test.each(ACTS)("on %s", async (_, address, acts, least) => {
        await openPage(page, suite.service.url + address(places));
        const offered = acts(page.getByRole("main"));
        if (RANKS.indexOf(role) >= RANKS.indexOf(least)) await offered.first().waitFor();
        else expect(await offered.count()).toBe(0);
      });
    });
  }

  test("a viewer who asks all the same is refused, and so is a page of another site", async () => {
    const viewer = await suite.signedIn("viewer");
    const member = await suite.signedIn("member");
    const { url } = suite.service;
    const project = `/app/api/projects/${places.projectId}`;
    const ask = async ({ context }: BrowserSession, path: string, data: object, origin = url) => {
      const response = await context.request.post(url + path, { data, headers: { origin } });
      const body = (await response.json()) as { code?: string };
      return `${response.status()} ${body.code}`;
    };
    expect(await ask(viewer, `${project}/keys`, { name: "mine" })).toBe("403 role_too_low");
    expect(await ask(viewer, `${project}/webhooks`, { url: "https://example.org/hook" })).toBe(
      "403 role_too_low",
    );
    expect(await ask(member, "/app/api/projects", { name: "mine" })).toBe("403 role_too_low");
    expect(await ask(member, "/app/api/invitations", { role: "owner" })).toBe("403 role_too_low");
    expect(await ask(member, `${project}/keys`, { name: "theirs" }, "https://evil.example")).toBe(
      "403 foreign_origin",
    );
    const [row] = await suite.database.sql<[{ keys: number }]>`
      select count(*)::int as keys from ats.api_key where project_no = ${suite.project.projectNo}`;
    expect(row.keys).toBe(1);
  });

  test("somebody without an account is shown nothing, and a project's key opens nothing", async () => {
    const stranger = await suite.signedOut();
    const asked: Record<string, string>[] = [{}, { authorization: `Bearer ${suite.project.key}` }];
    for (const headers of asked) {
      const response = await stranger.context.request.get(
        `${suite.service.url}/app/api/projects/${places.projectId}/groups`,
        { headers },
      );
      expect(response.status()).toBe(401);
    }
  });
});
