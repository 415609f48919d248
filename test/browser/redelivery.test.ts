/**
 * Very many deliveries that a webhook missed: queued in steps that each answer soon, and of which the page
 * tells.
 */
import { expect, test } from "bun:test";
import { newWebhook } from "../notify/fixtures.ts";
import { describeInBrowser } from "./support/chromium.ts";
import { dashboardSuite } from "./support/dashboard-suite.ts";
import { openPage } from "./support/page-checks.ts";

const MISSED = 45_000;
/** What one request queues at most. */
const REQUEST_MAX = 20_000;

describeInBrowser("a redelivery of very many", () => {
  const suite = dashboardSuite();

  test("says how far it is, and ends with all of them queued", async () => {
    const { sql } = suite.database;
    const { projectId, projectNo } = suite.project;
    const webhook = await newWebhook(sql, "http://127.0.0.1:9/hook", suite.project);
    await sql`
      insert into ats.delivery (project_no, delivery_id, webhook_id, event, body, status, due_at, created_at, finished_at)
      select ${projectNo}::int, 'dlv_' || n, ${webhook.webhookId}, 'failure_group.first_occurrence', '{}', 'failed',
        now(), now() - n * interval '1 second', now()
      from generate_series(1, ${MISSED}::int) n`;
    const session = await suite.signedIn("member");
    const page = await session.newPage();
    const answers: { queued: number }[] = [];
    page.on("response", async (response) => {
      if (/\/redeliver(\?|$)/.test(response.url())) answers.push(await response.json());
    });
    await openPage(page, `${suite.service.url}/app/p/${projectId}/settings/webhooks/${webhook.webhookId}`);
    await page.getByRole("button", { name: "More about this webhook" }).click();
    await page.getByRole("menuitem", { name: "Redeliver what was missed" }).click();
    await page.getByText(/Queuing what was missed: [1-9][\d,]* so far/).waitFor();
    expect(await page.getByText("Still waiting").count()).toBe(0);
    await page.getByText("45,000 queued").first().waitFor();
    expect(Math.max(...answers.map(({ queued }) => queued))).toBe(REQUEST_MAX);
    expect(answers.reduce((sum, { queued }) => sum + queued, 0)).toBe(MISSED);
    expect(await page.getByText("Queuing what was missed").count()).toBe(0);
    await page.close();
  }, 90_000);
});
