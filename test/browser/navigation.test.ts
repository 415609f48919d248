/**
 * Going about: the side bar, the back button, a filter that is part of the address, a link that leads to
 * nothing, the keyboard.
 */
import { beforeAll, beforeEach, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { describeInBrowser } from "./support/chromium.ts";
import { type BrowserSession, dashboardSuite } from "./support/dashboard-suite.ts";
import { openPage, pageIsReady, pageShows } from "./support/page-checks.ts";
import { type Seed, seedProject } from "./support/seed.ts";

describeInBrowser("going about", () => {
  const suite = dashboardSuite();
  let seed: Seed;
  let session: BrowserSession;
  let page: Page;
  let base: string;

  beforeAll(async () => {
    seed = await seedProject(suite);
    session = await suite.signedIn("owner");
    base = `${suite.service.url}/app/p/${suite.project.projectId}`;
  });

  beforeEach(async () => {
    page = await session.newPage();
  });

  const path = () => new URL(page.url()).pathname;
  /** The address changes before the page does: what stands there at the moment may still be the last one. */
  const headed = async (name: string) => {
    await page.locator("h1[data-page-heading]").filter({ hasText: name }).first().waitFor();
    await pageIsReady(page);
  };

  test("/app leads to the project", async () => {
    await page.goto(`${suite.service.url}/app`);
    await page.waitForURL(`${base}/overview`);
    await pageIsReady(page);
    session.watch.expectNothingWrong();
  });

  test("back and forward go through the pages as they were seen", async () => {
    await openPage(page, `${base}/overview`);
    await headed("Overview");
    const navigation = page.getByRole("navigation").first();
    for (const [name, ending] of [
      ["Failure groups", "/groups"],
      ["Executions", "/executions"],
    ] as const) {
      await navigation.getByRole("link", { name }).click();
      await page.waitForURL((url) => url.pathname.endsWith(ending));
      await headed(name);
    }
    await page.goBack();
    await headed("Failure groups");
    expect(path().endsWith("/groups")).toBe(true);
    await page.goBack();
    await headed("Overview");
    expect(path().endsWith("/overview")).toBe(true);
    await page.goForward();
    await page.goForward();
    await headed("Executions");
    expect(path().endsWith("/executions")).toBe(true);
    session.watch.expectNothingWrong();
  });

  test("from a list to an entry and back, the filter is still there", async () => {
    await openPage(page, `${base}/groups?class=prompt_injection`);
    const filtered = page.url();
    await page.locator(`a[href*="/groups/${seed.groupId}"]`).first().click();
    await page.waitForURL((url) => url.pathname.endsWith(seed.groupId));
    await pageIsReady(page);
    await page.goBack();
    await pageIsReady(page);
    expect(page.url()).toBe(filtered);
    await page.locator(`a[href*="/groups/${seed.groupId}"]`).first().waitFor();
    session.watch.expectNothingWrong();
  });

  test("an id that holds a slash and spaces is opened by its address, and again after a reload", async () => {
    const address = `${base}/executions/${encodeURIComponent(seed.executionId)}`;
    await openPage(page, address);
    await pageShows(page, seed.executionId);
    await page.reload();
    await pageIsReady(page);
    await pageShows(page, seed.executionId);
    await openPage(page, `${base}/executions?q=${encodeURIComponent("support-ticket")}`);
    session.watch.expectNothingWrong();
  });

  test("a link that leads to nothing says so, and the rest of the page goes on working", async () => {
    for (const address of [
      `${base}/groups/fg_none`,
      `${base}/executions/none`,
      "/app/p/proj_none/overview",
    ]) {
      await openPage(page, new URL(address, suite.service.url).href);
      await pageShows(page, /not found|does not exist|no such|there is no/i);
      expect(await page.getByRole("link").count()).toBeGreaterThan(0);
    }
    // The refused requests themselves are reported by the browser.
    expect(session.watch.take().filter((what) => !/status of 404|ApiError/.test(what))).toEqual([]);
  });

  test("a dashboard whose service does not answer says so in its frame, and goes on once it does", async () => {
    const cut = (url: URL) => url.pathname.startsWith("/app/api/");
    await page.route(cut, (route) => route.abort("connectionrefused"));
    await page.goto(`${base}/groups`);
    await page.getByRole("status").getByText("Waiting for the service").waitFor();
    await page.getByRole("alert").getByText("The service did not answer").waitFor();
    const frame = await page.getByRole("main").boundingBox();
    expect([frame?.x, frame?.y].every((edge) => edge !== undefined && edge > 100)).toBe(true);
    await page.unroute(cut);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("heading", { name: "Failure groups" }).waitFor();
    // The refused requests themselves are reported by the browser.
    expect(session.watch.take().filter((what) => !/CONNECTION_REFUSED/.test(what))).toEqual([]);
  });

  test("the shortcuts stand in the member's menu, and one of them goes to a page", async () => {
    await openPage(page, `${base}/overview`);
    await page.getByRole("button", { name: /The owner/ }).click();
    await page.getByRole("menuitem", { name: "Keyboard shortcuts" }).click();
    const list = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await list.getByText("Next and previous detection").waitFor();
    await page.keyboard.press("Escape");
    await list.waitFor({ state: "detached" });
    await page.keyboard.press("g");
    await page.keyboard.press("e");
    await page.waitForURL(/\/executions$/);
    session.watch.expectNothingWrong();
  });

  test("on a phone the project stands above the page, and is changed there", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await openPage(page, `${base}/groups`);
    await page.getByRole("banner").getByRole("button", { name: "Project: test. Change" }).click();
    await page.getByRole("option", { name: /^test/ }).click();
    await page.waitForURL(`${base}/overview`);
    session.watch.expectNothingWrong();
  });

  test("the keyboard reaches the content, and what has the focus shows it", async () => {
    await openPage(page, `${base}/groups`);
    await page.evaluate(() => {
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    });
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain("Skip to content");
    await page.keyboard.press("Enter");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("content");
    await page.keyboard.press("Tab");
    const outline = await page.evaluate(() => {
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(
        document.activeElement ?? document.body,
      );
      return (outlineStyle !== "none" && outlineWidth !== "0px") || boxShadow !== "none";
    });
    expect(outline).toBe(true);
    session.watch.expectNothingWrong();
  });
});
