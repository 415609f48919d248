/**
 * Typing into a search while answers are slow and timers late: the address follows, and no key, focus or
 * caret is lost on the way. What changes the search from outside, the back button or a link, is shown all the
 * same.
 */
import { beforeAll, beforeEach, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { fire } from "../dashboard/group-fixtures.ts";
import { eventually } from "../support/postgres-server.ts";
import { mintProject } from "../support/projects.ts";
import { describeInBrowser } from "./support/chromium.ts";
import { type BrowserSession, dashboardSuite } from "./support/dashboard-suite.ts";
import { openPage } from "./support/page-checks.ts";

/**
 * Longer than typing pauses before it searches, and than the router waits before it shows that a page is on
 * its way.
 */
const ANSWER_DELAY_MS = 800;
/** Between two keys: a quick hand's, and one so slow that each key is searched for. */
const KEY_PAUSES_MS = [90, 320] as const;
/** After which a search has begun. */
const SEARCHED_MS = 400;

describeInBrowser("a search while answers are slow", () => {
  const suite = dashboardSuite();
  let session: BrowserSession;
  let page: Page;
  let base: string;

  beforeAll(async () => {
    session = await suite.signedIn("member");
  });
  beforeEach(async () => {
    const { sql } = suite.database;
    const project = await mintProject(sql);
    for (const signature of ["first", "second"])
      await fire(sql, project.projectNo, {
        signature,
        excerpt: `the ${signature} excerpt`,
        executionId: `run-${signature}`,
        atMs: Date.now(),
      });
    base = `${suite.service.url}/app/p/${project.projectId}`;
    page = await session.newPage();
  });

  const search = () => page.locator("[data-page-search]");
  const searchedFor = (words: string | null) =>
    page.waitForURL((url) => url.searchParams.get("q") === words && url.pathname.endsWith("s"));
  const slowDown = () =>
    page.route(
      (url) => url.pathname.startsWith("/app/api/"),
      async (route) => {
        await Bun.sleep(ANSWER_DELAY_MS);
        await route.continue();
      },
    );
  /** The field as a person sees it: the words, where the caret stands, and whether keys go there. */
  const field = () =>
    search().evaluate((input) => {
      const { value, selectionStart } = input as HTMLInputElement;
      return { value, caret: selectionStart, focused: document.activeElement === input };
    });
  /** Types behind `before`, looking after each key. */
  async function typeOn(before: string, more: string, pauseMs: number): Promise<void> {
    for (let typed = 1; typed <= more.length; typed++) {
      await page.keyboard.type(more[typed - 1]!);
      const value = before + more.slice(0, typed);
      expect(await field()).toEqual({ value, caret: value.length, focused: true });
      await Bun.sleep(pauseMs);
    }
  }

  for (const list of ["groups", "executions"]) {
    for (const pauseMs of KEY_PAUSES_MS) {
      test(`${list}, ${pauseMs} ms a key: every key arrives, at the end and in the middle`, async () => {
        await openPage(page, `${base}/${list}`);
        await slowDown();
        await page.keyboard.press("/");
        await typeOn("", "run second one", pauseMs);
        await searchedFor("run second one");
        for (let step = 0; step < 4; step++) await page.keyboard.press("ArrowLeft");
        for (const key of "ary") {
          await page.keyboard.type(key);
          await Bun.sleep(pauseMs);
        }
        await searchedFor("run secondary one");
        expect(await field()).toEqual({ value: "run secondary one", caret: 13, focused: true });
        await page.close();
      });
    }

    test(`${list}: a pause after a space keeps the space`, async () => {
      await openPage(page, `${base}/${list}`);
      await page.keyboard.press("/");
      await typeOn("", "run ", 0);
      await searchedFor("run");
      await Bun.sleep(SEARCHED_MS);
      await typeOn("run ", "second", 0);
      await searchedFor("run second");
      await page.close();
    });

    test(`${list}: back, forward and clearing are shown, and what was typed before does not come back`, async () => {
      await openPage(page, `${base}/${list}?q=first`);
      await slowDown();
      const filter = list === "groups" ? /^Resolved/ : /^Crashed/;
      await page.getByRole(list === "groups" ? "link" : "button", { name: filter }).click();
      await page.waitForURL(/state=resolved|status=crashed/);
      await page.keyboard.press("/");
      await typeOn("", "second", 90);
      await searchedFor("second");
      await page.goBack();
      await eventually("back is shown", async () => (await field()).value === "first");
      await page.goForward();
      await eventually("forward is shown", async () => (await field()).value === "second");
      // Not searched for yet when the search is cleared.
      await page.keyboard.press("/");
      await page.keyboard.type("third");
      await page.keyboard.press("Escape");
      await searchedFor(null);
      await Bun.sleep(SEARCHED_MS);
      expect((await field()).value).toBe("");
      expect(new URL(page.url()).searchParams.get("q")).toBeNull();
      await page.close();
    });
  }

  test("a filter chosen a moment before stays", async () => {
    await openPage(page, `${base}/groups`);
    await slowDown();
    await page.getByRole("button", { name: "Class", exact: true }).click();
    await page.getByRole("button", { name: /^Tool loop/ }).click();
    await page.keyboard.press("Escape");
    await page.keyboard.press("/");
    await typeOn("", "second excerpt", 0);
    await searchedFor("second excerpt");
    expect(new URL(page.url()).searchParams.get("class")).toBe("tool_loop");
    await page.close();
  });

  for (const [layer, trigger] of [
    ["popover", "Class"],
    ["list of choices", "Sort by"],
  ] as const) {
    test(`a ${layer} that closes late does not take the focus back from it`, async () => {
      await page.clock.install();
      await openPage(page, `${base}/groups`);
      const opener = page
        .getByRole("button", { name: trigger, exact: true })
        .or(page.getByRole("combobox", { name: trigger }));
      await opener.click();
      await page.getByRole("dialog").or(page.getByRole("listbox")).waitFor();
      // As on a page that is busy: no timer runs any more.
      await page.clock.pauseAt(Date.now() + 60_000);
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").or(page.getByRole("listbox")).waitFor({ state: "detached" });
      await page.keyboard.press("/");
      await page.keyboard.type("sec");
      await page.clock.resume();
      await typeOn("sec", "ond", 90);
      await searchedFor("second");
      // Left in peace, it goes back to where it was.
      await opener.click();
      await page.keyboard.press("Escape");
      await eventually(
        "the focus is back",
        async () => await opener.evaluate((it) => it === document.activeElement),
      );
      await page.close();
    });
  }
});
