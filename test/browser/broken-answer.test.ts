/** An answer that breaks off in the middle is a failure, whatever its status: the page says what failed. */
import { expect, test } from "bun:test";
import { fire, newWebhook } from "../notify/fixtures.ts";
import { startReceiver } from "../notify/receiver.ts";
import { eventually } from "../support/postgres-server.ts";
import { describeInBrowser } from "./support/chromium.ts";
import { dashboardSuite } from "./support/dashboard-suite.ts";
import { accessibilityProblems, openPage } from "./support/page-checks.ts";

describeInBrowser("an answer of 200 that breaks off", () => {
  const suite = dashboardSuite();

  test("is shown as a lost connection, in the log and in the attempt itself", async () => {
    const { sql } = suite.database;
    const receiver = await startReceiver((response) => {
      response.writeHead(200, { "Content-Length": "50" });
      response.write("half", () => response.destroy());
    });
    const webhook = await newWebhook(sql, receiver.url, suite.project);
    await fire(sql, suite.project);
    let delivery = "";
    await eventually("its first attempt has failed", async () => {
      const [row] = await sql<{ id: string }[]>`
        select delivery_id as id from ats.delivery where webhook_id = ${webhook.webhookId} and last_outcome is not null`;
      delivery = row?.id ?? "";
      return delivery !== "";
    });
    const page = await (await suite.signedIn("viewer")).newPage();
    await openPage(
      page,
      `${suite.service.url}/app/p/${suite.project.projectId}/settings/webhooks/${webhook.webhookId}?delivery=${delivery}`,
    );
    const attempts = page.getByRole("region", { name: "Attempts" });
    const attempt = attempts.getByRole("listitem").filter({ hasText: "Attempt 1" });
    await attempt.getByText("connection lost", { exact: true }).waitFor();
    expect(await attempt.getByText("HTTP 200").count()).toBe(0);
    expect(await page.getByText(/\b(?:try|tries)\b/i).allInnerTexts()).toEqual([]);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.close();
    await receiver.close();
  });
});
