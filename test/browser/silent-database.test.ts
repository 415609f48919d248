/**
 * Acts on a page while PostgreSQL takes everything and answers nothing: people see that it is waited for, and
 * what came of it.
 */
import { expect, test } from "bun:test";
import { fire } from "../dashboard/group-fixtures.ts";
import { eventually } from "../support/postgres-server.ts";
import { describeInBrowser } from "./support/chromium.ts";
import { dashboardSuite } from "./support/dashboard-suite.ts";
import { accessibilityProblems, openPage } from "./support/page-checks.ts";

describeInBrowser("with a database that hangs", () => {
  const suite = dashboardSuite({ hasLine: true });

  test("an act says that it is waited for, then that there was no answer, and can be tried again", async () => {
    const { projectId, projectNo } = suite.project;
    const id = await fire(suite.database.sql, projectNo, { signature: "one", atMs: Date.now() });
    const session = await suite.signedIn("member");
    const page = await session.newPage();
    await openPage(page, `${suite.service.url}/app/p/${projectId}/groups/${id}`);
    const resolve = page.getByRole("button", { name: "Resolve" });

    suite.line.hold();
    await resolve.click();
    await page.getByText("Still waiting").waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByText("No answer", { exact: true }).first().waitFor();
    await page
      .getByText(/whether this was done shows once it answers again/)
      .first()
      .waitFor();
    await eventually("the button can be used again", () => resolve.isEnabled());
    expect(await page.getByText("Still waiting").count()).toBe(0);

    suite.line.release();
    await page
      .getByText(/^Resolved .* If it fires again/)
      .or(resolve)
      .first()
      .waitFor();
    await eventually("it is resolved, by the first click or another", async () => {
      // The first click may show between the look and this one, and take the button away: then there is
      // nothing left to click.
      if (await resolve.isVisible()) await resolve.click({ timeout: 1_000 }).catch(() => undefined);
      return await page.getByText(/^Resolved .* If it fires again/).isVisible();
    });
    expect(session.watch.take().filter((wrong) => !/status of 503/.test(wrong))).toEqual([]);
    await page.close();
  });
});
