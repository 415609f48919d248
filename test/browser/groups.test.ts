/**
 * Failure groups as people work with them: by keyboard, in bulk, through filters that the address holds, and
 * on one group's page.
 */
import { beforeAll, beforeEach, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { callerOf, fire } from "../dashboard/group-fixtures.ts";
import { eventually } from "../support/postgres-server.ts";
import { mintProject } from "../support/projects.ts";
import { describeInBrowser } from "./support/chromium.ts";
import { type BrowserSession, dashboardSuite } from "./support/dashboard-suite.ts";
import { accessibilityProblems, openPage, sidewaysScroll } from "./support/page-checks.ts";

const MINUTE_MS = 60_000;

describeInBrowser("failure groups", () => {
  const suite = dashboardSuite();
  let session: BrowserSession;
  let page: Page;
  let project: { projectId: string; projectNo: number };
  /** Groups of the class tool_loop, the latest seen first, then one of no_progress. */
  let ids: string[];

  const at = (rest = "") => `${suite.service.url}/app/p/${project.projectId}/groups${rest}`;
  const rows = () => page.getByRole("table", { name: "Failure groups" }).locator("tbody tr");
  const fireAgain = (signature: string) =>
    fire(suite.database.sql, project.projectNo, { signature, atMs: Date.now() });

  beforeAll(async () => {
    session = await suite.signedIn("member");
  });
  beforeEach(async () => {
    const { sql } = suite.database;
    project = await mintProject(sql);
    const nowMs = Date.now();
    ids = [];
    for (const [place, signature] of ["first", "second", "third"].entries()) {
      ids.push(
        await fire(sql, project.projectNo, {
          signature,
          excerpt: `the ${signature} excerpt`,
          count: place + 1,
          executionId: `run-${signature}`,
          atMs: nowMs - (place + 1) * MINUTE_MS,
        }),
      );
    }
    ids.push(
      await fire(sql, project.projectNo, {
        class: "no_progress",
        signature: "other",
        excerpt: "another class",
        severity: "low",
        atMs: nowMs - 10 * MINUTE_MS,
      }),
    );
    page = await session.newPage();
    await openPage(page, at());
    await rows().nth(3).waitFor();
  });

  test("are chosen by keyboard and resolved together", async () => {
    for (const key of ["j", "x", "j", "x"]) await page.keyboard.press(key);
    const bar = page.getByRole("region", { name: "Actions on the chosen groups" });
    await bar.getByText("2 chosen").waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await bar.getByRole("button", { name: "Resolve" }).click();
    await page.getByText("2 groups resolved").first().waitFor();
    await eventually("two rows are left", async () => (await rows().count()) === 2);
    await page.getByRole("link", { name: /^Resolved/ }).click();
    await page.waitForURL(/state=resolved/);
    await rows().getByText("the first excerpt").waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/groups/${ids[0]}`);
    await page.close();
  });

  test("of a long list keep their actions in sight", async () => {
    await page.setViewportSize({ width: 390, height: 480 });
    await page
      .getByRole("checkbox", { name: /^Choose Tool loop/ })
      .first()
      .click();
    const bar = page.getByRole("region", { name: "Actions on the chosen groups" });
    await rows().last().scrollIntoViewIfNeeded();
    const [edge, header] = await Promise.all([bar.boundingBox(), page.getByRole("banner").boundingBox()]);
    expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(0);
    expect(edge?.y).toBe(header?.height);
    await page.close();
  });

  test("are found by words and class, the address holds it, and back undoes it", async () => {
    await page.getByRole("button", { name: "Class", exact: true }).click();
    await page.getByRole("button", { name: /^Tool loop/ }).click();
    await page.waitForURL(/class=tool_loop/);
    await eventually("only tool loops", async () => (await rows().count()) === 3);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.keyboard.press("/");
    await page.keyboard.type("second excerpt");
    await page.waitForURL(/q=second/);
    await eventually("only one", async () => (await rows().count()) === 1);
    await page.reload();
    await rows().getByText("the second excerpt").waitFor();
    expect(await rows().count()).toBe(1);
    await page.goBack();
    await eventually("all again", async () => (await rows().count()) === 4);
    await page.close();
  });

  test("are merged into one of them and taken apart again", async () => {
    for (const key of ["j", "x", "j", "x"]) await page.keyboard.press(key);
    await page.getByRole("button", { name: "Merge" }).click();
    const dialog = page.getByRole("dialog");
    // Proposed is the one with the most firings.
    await dialog.getByRole("radio", { checked: true }).waitFor();
    expect(await dialog.getByRole("radio", { checked: true }).count()).toBe(1);
    expect(await dialog.getByRole("radio").nth(1).isChecked()).toBe(true);
    expect(await accessibilityProblems(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Merge" }).click();
    await eventually("one less", async () => (await rows().count()) === 3);
    await openPage(page, at(`/${ids[1]}`));
    await page.getByRole("region", { name: "Merged into it" }).getByText("the first excerpt").waitFor();
    await page.getByRole("button", { name: "Take apart" }).click();
    await page.getByRole("region", { name: "Merged into it" }).waitFor({ state: "detached" });
    await page.close();
  });

  test("resolved ones that fire again say that they have regressed, and lead to what fired", async () => {
    await openPage(page, at(`/${ids[0]}`));
    await page.getByRole("button", { name: "Resolve" }).click();
    await page.getByText(/^Resolved .* If it fires again/).waitFor();
    await fireAgain("first");
    await openPage(page, at("?state=regressed"));
    await rows().getByText("Regressed").waitFor();
    await openPage(page, at(`/${ids[0]}`));
    await page.getByText(/^It fired again/).waitFor();
    await page
      .getByRole("region", { name: "What to do" })
      .getByRole("link", { name: "Whole playbook" })
      .click();
    await page.waitForURL(`**/app/playbooks/tool_loop?project=${project.projectId}`);
    await page.getByRole("region", { name: "In test" }).getByRole("link").nth(1).waitFor();
    await page.goBack();
    await page.getByRole("tab", { name: "Executions" }).click();
    await page.getByRole("link", { name: "run-first" }).last().click();
    await page.waitForURL(/\/executions\/run-first\?.*event=/);
    await page.close();
  });

  test("that a colleague has changed meanwhile are left as they are, and whoever acts is told and decides", async () => {
    const colleague = callerOf(suite.database.sql, "member", undefined, "bob@example.org");
    const bulk = (body: object) => colleague("POST", `/projects/${project.projectId}/groups/bulk`, body);
    const stateOf = async (id: string | undefined) => {
      const [group] = await suite.database.sql<[{ state: string; by: string }]>`
        select state, acted_by as by from ats.failure_group where group_id = ${id!}`;
      return [group.state, group.by];
    };
    const dialog = page.getByRole("dialog");
    await openPage(page, at(`/${ids[0]}`));
    await bulk({ ids: [ids[0]], action: "ignore" });
    await page.getByRole("button", { name: "Resolve" }).click();
    await dialog.getByText("is ignored now").waitFor();
    await dialog.getByText(/Changed by bob@example\.org/).waitFor();
    expect(await stateOf(ids[0])).toEqual(["ignored", "bob@example.org"]);
    expect(await accessibilityProblems(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Resolve all the same" }).click();
    await page.getByText(/^Resolved .* If it fires again/).waitFor();
    expect(await stateOf(ids[0])).toEqual(["resolved", "member@example.org"]);

    await openPage(page, at());
    await rows().nth(2).waitFor();
    for (const key of ["j", "x", "j", "x", "j", "x"]) await page.keyboard.press(key);
    await bulk({ ids: [ids[1]], action: "resolve" });
    await bulk({ ids: [ids[2]], action: "merge", into: ids[0] });
    await page.getByRole("button", { name: "Ignore" }).click();
    await page.getByRole("menuitem", { name: "For a day" }).click();
    await dialog.getByText("2 groups changed meanwhile").waitFor();
    await dialog.getByText(`counts into ${ids[0]} now`).waitFor();
    await page.getByText("Group ignored").first().waitFor();
    await dialog.getByRole("button", { name: "Leave as it is" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await stateOf(ids[1])).toEqual(["resolved", "bob@example.org"]);
    expect(await stateOf(ids[3])).toEqual(["ignored", "member@example.org"]);
    await page.close();
  });

  test("are not taken apart from, nor merged into, what a colleague has made another of meanwhile", async () => {
    const colleague = callerOf(suite.database.sql, "member", undefined, "bob@example.org");
    const bulk = (body: object) => colleague("POST", `/projects/${project.projectId}/groups/bulk`, body);
    const dialog = page.getByRole("dialog");
    for (const key of ["j", "x", "j", "x", "j", "x"]) await page.keyboard.press(key);
    await page.getByRole("button", { name: "Merge" }).click();
    await bulk({ ids: [ids[2]], action: "resolve" });
    await dialog.getByRole("button", { name: "Merge" }).click();
    await dialog.getByText("Changed since this page was loaded").waitFor();
    expect(await dialog.getByText(`${ids[2]} is resolved now`).count()).toBe(1);
    await dialog.getByRole("button", { name: "Merge all the same" }).click();
    await page.getByText("2 groups merged").first().waitFor();

    await openPage(page, at(`/${ids[2]}`));
    const apart = page
      .getByRole("listitem")
      .filter({ hasText: "the first excerpt" })
      .getByRole("button", { name: "Take apart" });
    await apart.waitFor();
    await bulk({ ids: [ids[0]], action: "unmerge" });
    await apart.click();
    await dialog.getByText("is open now").waitFor();
    expect(await dialog.getByRole("button", { name: /all the same/ }).count()).toBe(0);
    await dialog.getByRole("button", { name: "Leave as it is" }).click();
    await apart.waitFor({ state: "detached" });

    await openPage(page, at(`/${ids[1]}`));
    await page.getByRole("button", { name: "Take apart" }).waitFor();
    await bulk({ ids: [ids[1]], action: "unmerge" });
    await bulk({ ids: [ids[1]], action: "merge", into: ids[0] });
    await page.getByRole("button", { name: "Take apart" }).click();
    await dialog.getByText(`counts into ${ids[0]} now`).waitFor();
    await dialog.getByRole("button", { name: "Take apart all the same" }).click();
    await page.getByRole("button", { name: "Resolve" }).waitFor();
    await bulk({ ids: [ids[1]], action: "resolve" });
    await page.getByRole("button", { name: "Resolve" }).click();
    await dialog.getByText(/^Tool loop .* is resolved now/).waitFor();
    expect(await dialog.getByRole("button", { name: /all the same/ }).count()).toBe(0);
    await page.close();
  });

  test("can be acted on again while what is shown is still read anew", async () => {
    await openPage(page, at(`/${ids[0]}`));
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    const resolve = page.getByRole("button", { name: "Resolve" });
    await resolve.waitFor();
    await page.route(
      (url) => url.pathname.endsWith(`/groups/${ids[0]}`),
      async (route) => {
        await held;
        await route.continue();
      },
    );
    await resolve.click();
    await page.getByText("Group resolved").first().waitFor();
    await eventually("the button does not wait", () => resolve.isEnabled());
    letGo();
    await page.getByText(/^Resolved .* If it fires again/).waitFor();
    await page.close();
  });

  test("are found from a notification's link, whichever project was looked at last, and lead to their thresholds", async () => {
    const other = await mintProject(suite.database.sql);
    await fireAgain("first");
    await openPage(page, `${suite.service.url}/app/p/${other.projectId}/groups`);
    await openPage(page, `${suite.service.url}/app/playbooks/tool_loop`);
    await page.getByText("It has not fired here.").waitFor();
    const elsewhere = page.getByRole("region", { name: "In other projects" });
    await elsewhere.getByRole("link").first().waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await elsewhere.getByRole("link").first().click();
    await page.waitForURL(`**/app/p/${project.projectId}/groups/${ids[0]}`);
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Thresholds and allow-list…" }).click();
    await page.getByRole("textbox", { name: "repeats" }).waitFor();
    await page.close();
  });

  test("ignored ones say until when, on a phone too", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await openPage(page, at(`/${ids[2]}`));
    await page.getByRole("button", { name: "Ignore" }).click();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole("menuitem", { name: "100 more times" }).click();
    await page.getByText("Ignored for 100 more firings").waitFor();
    await page.getByRole("button", { name: "Reopen" }).click();
    await page.getByText("Ignored for 100 more firings").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Ignore" }).click();
    await page.getByRole("menuitem", { name: "For a day" }).click();
    await page.getByText(/Ignored until \d+ \w+, \d\d:\d\d \(in 24 h\)/).waitFor();
    await page.getByRole("button", { name: "Reopen" }).click();
    expect(await sidewaysScroll(page)).toBe(0);
    await openPage(page, at());
    expect(await sidewaysScroll(page)).toBe(0);
    await page.close();
  });
});
