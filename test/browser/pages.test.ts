/**
 * Every page of the dashboard, opened by its address as from a bookmark: it is there, it answers with the
 * strict policy, writes no error, has no serious fault for axe in either theme, and does not scroll sideways
 * on a phone.
 */
import { beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { eventually } from "../support/postgres-server.ts";
import { describeInBrowser } from "./support/chromium.ts";
import { type BrowserSession, dashboardSuite } from "./support/dashboard-suite.ts";
import {
  accessibilityProblems,
  cutTexts,
  expectStrictPolicy,
  openPage,
  pageIsPainted,
  pageIsReady,
  sidewaysScroll,
} from "./support/page-checks.ts";
import { type Seed, seedProject } from "./support/seed.ts";

const PHONE = { width: 390, height: 844 };
const LAPTOP = { width: 1280, height: 900 };

interface Places extends Seed {
  readonly projectId: string;
}

function executionOf({ projectId, executionId }: Places): string {
  return `/app/p/${projectId}/executions/${encodeURIComponent(executionId)}`;
}

/** Name and address of every page of somebody who is signed in. */
const PAGES: readonly (readonly [string, (places: Places) => string])[] = [
  ["projects", () => "/app/projects"],
  ["overview", ({ projectId }) => `/app/p/${projectId}/overview`],
  ["groups", ({ projectId }) => `/app/p/${projectId}/groups`],
  ["a group", ({ projectId, groupId }) => `/app/p/${projectId}/groups/${groupId}`],
  ["executions", ({ projectId }) => `/app/p/${projectId}/executions`],
  ["an execution", (places) => executionOf(places)],
  ["an event's payload", (places) => `${executionOf(places)}?event=${encodeURIComponent(places.eventId)}`],
  ["a hand-over graph", (places) => `${executionOf(places)}?tab=graph`],
  ["what was detected in an execution", (places) => `${executionOf(places)}?tab=detections`],
  ["live tail", ({ projectId }) => `/app/p/${projectId}/live`],
  ["first run", ({ projectId }) => `/app/p/${projectId}/start`],
  ["project settings", ({ projectId }) => `/app/p/${projectId}/settings/project`],
  ["keys", ({ projectId }) => `/app/p/${projectId}/settings/keys`],
  ["webhooks", ({ projectId }) => `/app/p/${projectId}/settings/webhooks`],
  ["a webhook", ({ projectId, webhookId }) => `/app/p/${projectId}/settings/webhooks/${webhookId}`],
  ["detectors", ({ projectId }) => `/app/p/${projectId}/settings/detectors`],
  ["playbooks", () => "/app/playbooks"],
  ["a playbook", ({ projectId }) => `/app/playbooks/prompt_injection?project=${projectId}`],
  ["members", () => "/app/settings/members"],
  ["account", () => "/app/settings/account"],
  ["nothing", () => "/app/no-such-page"],
];

const SIGNED_OUT: readonly (readonly [string, string])[] = [
  ["sign-in", "/app/sign-in"],
  ["a setup link that is used up", "/app/setup?token=used-up"],
  ["an invitation that has expired", "/app/invite?token=expired"],
  ["a link for a new password", "/app/password?token=lost"],
];

describeInBrowser("pages of somebody who is signed in", () => {
  const suite = dashboardSuite();
  let places: Places;
  const address = (of: (places: Places) => string) => suite.service.url + of(places);

  beforeAll(async () => {
    places = { ...(await seedProject(suite)), projectId: suite.project.projectId };
  });

  describe("in the light theme, and in the dark one when the system changes", () => {
    let session: BrowserSession;
    let page: Page;

    beforeAll(async () => {
      session = await suite.signedIn("owner", { viewport: LAPTOP });
      page = await session.newPage();
    });

    test.each(PAGES)("%s", async (_, of) => {
      session.watch.take();
      await page.emulateMedia({ colorScheme: "light" });
      expectStrictPolicy(await openPage(page, address(of)));
      expect(await themeOf(page)).toBe("light");
      expect(await page.title()).toMatch(/\S · Agent Telemetry$/);
      expect(await cutTexts(page)).toEqual([]);
      expect(await accessibilityProblems(page)).toEqual([]);
      await page.emulateMedia({ colorScheme: "dark" });
      await page.waitForFunction(() => document.documentElement.dataset.theme === "dark");
      await pageIsReady(page);
      await pageIsPainted(page);
      expect(await accessibilityProblems(page)).toEqual([]);
      session.watch.expectNothingWrong();
    });
  });

  describe("on a phone, in the dark theme from the start", () => {
    let session: BrowserSession;
    let page: Page;

    beforeAll(async () => {
      session = await suite.signedIn("owner", { viewport: PHONE, colorScheme: "dark" });
      page = await session.newPage();
    });

    test.each(PAGES)("%s", async (_, of) => {
      session.watch.take();
      expectStrictPolicy(await openPage(page, address(of)));
      expect(await themeOf(page)).toBe("dark");
      expect(await page.title()).toMatch(/\S · Agent Telemetry$/);
      expect(await sidewaysScroll(page)).toBe(0);
      expect(await cutTexts(page)).toEqual([]);
      expect(await accessibilityProblems(page)).toEqual([]);
      session.watch.expectNothingWrong();
    });
  });
});

function themeOf(page: Page): Promise<string | undefined> {
  return page.evaluate(() => document.documentElement.dataset.theme);
}

describeInBrowser("pages of somebody who is not signed in", () => {
  const suite = dashboardSuite();
  let session: BrowserSession;
  let page: Page;

  beforeAll(async () => {
    session = await suite.signedOut();
    page = await session.newPage();
  });

  test.each(SIGNED_OUT)("%s", async (_, path) => {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expectStrictPolicy(await openPage(page, suite.service.url + path));
      expect(await accessibilityProblems(page)).toEqual([]);
    }
    await page.setViewportSize(PHONE);
    expect(await sidewaysScroll(page)).toBe(0);
    // A link that does not work is a refused request, which the browser reports by itself.
    expect(session.watch.take().filter((what) => !/status of 40[134]/.test(what))).toEqual([]);
  });

  test("these checks see what they look for", async () => {
    await openPage(page, `${suite.service.url}/app/sign-in`);
    await page.evaluate(() => {
      const wide = document.createElement("p");
      wide.textContent = "w".repeat(500);
      wide.style.setProperty("color", "#999");
      wide.style.setProperty("background", "#aaa");
      const unnamed = document.createElement("button");
      const script = document.createElement("script");
      script.textContent = "globalThis.ran = true";
      document.querySelector("main, body")?.append(wide, unnamed, script);
    });
    const problems = (await accessibilityProblems(page)).join();
    expect(problems).toContain("serious color-contrast");
    expect(problems).toContain("critical button-name");
    expect(await sidewaysScroll(page)).toBeGreaterThan(0);
    expect(await page.evaluate(() => Reflect.get(globalThis, "ran"))).toBeUndefined();
    await eventually("the policy's violation was noticed", () =>
      session.watch.seen().some((what) => what.includes("content security policy: script-src")),
    );
    session.watch.take();
  });

  test("a page that asks for an account leads to the sign-in, and back to where one wanted to go", async () => {
    const wanted = `/app/p/${suite.project.projectId}/groups?class=prompt_injection`;
    await page.goto(suite.service.url + wanted);
    await page.waitForURL(/\/app\/sign-in/);
    expect(new URL(page.url()).searchParams.get("next")).toBe(wanted);
    session.watch.take();
  });
});
