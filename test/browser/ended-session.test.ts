/**
 * A session that ends elsewhere while something is typed: it is kept through the sign-in, for the one who
 * typed it alone.
 */
import { beforeEach, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { eventually } from "../support/postgres-server.ts";
import { describeInBrowser } from "./support/chromium.ts";
import { type BrowserSession, dashboardSuite, personOf } from "./support/dashboard-suite.ts";
import { accessibilityProblems, openPage, pageIsReady } from "./support/page-checks.ts";

describeInBrowser("a session that ends while a threshold is typed", () => {
  const suite = dashboardSuite();
  let session: BrowserSession;
  let page: Page;

  const repeats = () => page.getByRole("textbox", { name: "repeats", exact: true });
  const save = () => page.locator("form").getByRole("button", { name: "Save" });
  const address = (rest: string) => `${suite.service.url}/app/p/${suite.project.projectId}/settings/${rest}`;
  const stored = async () => {
    const [row] = await suite.database.sql<[{ settings: unknown }]>`
      select detector_settings as settings from ats.project where project_id = ${suite.project.projectId}`;
    return row.settings;
  };
  async function fillSignIn(role: string): Promise<void> {
    const { email, password } = personOf(role);
    await page.getByRole("textbox", { name: "E-mail address" }).fill(email);
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
  }
  async function signInAtThreshold(): Promise<void> {
    await fillSignIn("member");
    await page.waitForURL(/\/app\/p\//);
    await openPage(page, address("detectors?class=tool_loop"));
    await repeats().waitFor();
  }
  async function signInAs(role: string): Promise<void> {
    await page.waitForURL(/\/app\/sign-in/);
    await page.getByText("Your session has ended").waitFor();
    await fillSignIn(role);
    await page.waitForURL(/\/settings\//);
    await pageIsReady(page);
  }
  /** As from another tab: the cookie is gone, the session too. */
  const signOutElsewhere = () => suite.database.sql`delete from ats.session`;

  beforeEach(async () => {
    session = await suite.signedOut();
    page = await session.newPage();
    await suite.signedIn("member");
    await suite.signedIn("owner");
    await page.goto(`${suite.service.url}/app/sign-in`);
    await signInAtThreshold();
  });

  test("what was typed is there after the sign-in, says so, and can be saved", async () => {
    await repeats().fill("7");
    await signOutElsewhere();
    await save().click();
    await page.waitForURL(/\/app\/sign-in/);
    await page.getByText("What you typed and did not save is kept").waitFor();
    await signInAs("member");
    const notice = page.getByText("What you had typed is here again");
    await notice.waitFor();
    await eventually("it is in sight", async () => ((await notice.boundingBox())?.y ?? 9_999) < 900);
    expect(await repeats().inputValue()).toBe("7");
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await stored()).toEqual({});
    await save().click();
    await page.getByText("tool_loop saved").first().waitFor();
    expect(await stored()).toEqual({ tool_loop: { thresholds: { repeats: 7 } } });
    await page.getByText("What you had typed is here again").waitFor({ state: "detached" });
    await page.reload();
    await pageIsReady(page);
    expect(await page.getByText("What you had typed").count()).toBe(0);
    session.watch.take();
    await session.context.close();
  });

  test("a form that asks before it is left does not ask then, and nobody else sees what was typed", async () => {
    await openPage(page, address("project"));
    const name = page.getByRole("textbox", { name: "Name", exact: true });
    await name.fill("Renamed");
    await signOutElsewhere();
    await page.getByRole("button", { name: /^Save/ }).click();
    await signInAs("owner");
    expect(await name.inputValue()).not.toBe("Renamed");
    expect(await page.getByText("What you had typed").count()).toBe(0);
    expect(session.watch.take().filter((wrong) => !/status of 401/.test(wrong))).toEqual([]);
    await session.context.close();
  });

  test("signing out from the menu asks before it drops what was typed, and does not where nothing was", async () => {
    const signOut = async () => {
      await page.getByRole("button", { name: personOf("member").name }).click();
      await page.getByRole("menuitem", { name: "Sign out" }).click();
    };
    await repeats().fill("9");
    await signOut();
    const question = page.getByRole("alertdialog", { name: "Sign out without saving?" });
    await question.waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await question.getByRole("button", { name: "Cancel" }).click();
    await question.waitFor({ state: "detached" });
    expect(await repeats().inputValue()).toBe("9");
    await signOut();
    await question.getByRole("button", { name: "Sign out" }).click();
    await page.waitForURL(/\/app\/sign-in$/);
    expect(await page.getByText("What you typed").count()).toBe(0);
    expect(await page.evaluate(() => sessionStorage.getItem("ats-kept-drafts"))).toBeNull();

    await signInAtThreshold();
    await signOut();
    await page.waitForURL(/\/app\/sign-in$/);
    session.watch.take();
    await session.context.close();
  });
});
