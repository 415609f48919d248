/**
 * A page that stays open while the service does not answer: what it shows stays, with a word that it may be
 * out of date.
 */
import { expect, test } from "bun:test";
import { fire } from "../dashboard/group-fixtures.ts";
import { describeInBrowser } from "./support/chromium.ts";
import { dashboardSuite } from "./support/dashboard-suite.ts";
import { accessibilityProblems, openPage } from "./support/page-checks.ts";

describeInBrowser("a list that was loaded before the service fell silent", () => {
  const suite = dashboardSuite();

  test("says as of when it is, and no longer once it was loaded anew", async () => {
    const { projectId, projectNo } = suite.project;
    await fire(suite.database.sql, projectNo, { signature: "one", atMs: Date.now() });
    const session = await suite.signedIn("viewer");
    const page = await session.newPage();
    await openPage(page, `${suite.service.url}/app/p/${projectId}/groups`);
    const groups = page.getByRole("table", { name: "Failure groups" });
    await groups.waitFor();
    const notice = page.getByText(/^This page is as of \d\d:\d\d:\d\d, and may be out of date\./);
    expect(await notice.count()).toBe(0);

    await session.context.route("**/app/api/**", (route) => route.fulfill({ status: 503 }));
    await notice.waitFor();
    expect(await groups.isVisible()).toBe(true);
    expect(await accessibilityProblems(page)).toEqual([]);

    await session.context.unroute("**/app/api/**");
    await page.getByRole("button", { name: "Try again" }).click();
    await notice.waitFor({ state: "detached" });
    expect(session.watch.take().filter((wrong) => !/status of 503/.test(wrong))).toEqual([]);
  });
});
