/**
 * A receiver that now answers and now does not: the webhook's page says so, and does not change with each
 * attempt.
 */
import { expect, test } from "bun:test";
import { fire, newWebhook } from "../notify/fixtures.ts";
import { startReceiver, statuses } from "../notify/receiver.ts";
import { eventually } from "../support/postgres-server.ts";
import { describeInBrowser } from "./support/chromium.ts";
import { dashboardSuite } from "./support/dashboard-suite.ts";
import { accessibilityProblems, openPage } from "./support/page-checks.ts";

describeInBrowser("a receiver that flaps", () => {
  const suite = dashboardSuite();

  test("is called failing on its page after each attempt, in the same place", async () => {
    const { sql } = suite.database;
    const receiver = await startReceiver(statuses(500, 200, 500, 200));
    const webhook = await newWebhook(sql, receiver.url, suite.project);
    const session = await suite.signedIn("member");
    const page = await session.newPage();
    const address = `${suite.service.url}/app/p/${suite.project.projectId}/settings/webhooks/${webhook.webhookId}`;
    const seen = async () => {
      await openPage(page, address);
      await page.getByText("Some attempts fail, the latest").waitFor();
      const log = await page.getByRole("heading", { name: "Deliveries" }).boundingBox();
      return {
        failing: await page.getByText("Failing", { exact: true }).count(),
        active: await page.getByText("Active", { exact: true }).count(),
        logAt: log?.y,
      };
    };
    const states: unknown[] = [];
    for (let round = 0; round < 2; round += 1) {
      await fire(sql, suite.project);
      await eventually("it has failed", async () => {
        const [row] =
          await sql`select failing_since from ats.webhook where webhook_id = ${webhook.webhookId}`;
        return row?.failing_since !== null;
      });
      states.push(await seen());
      await sql`update ats.delivery set due_at = now() where finished_at is null`;
      await eventually("it has delivered", async () => {
        const [row] =
          await sql`select failing_since from ats.webhook where webhook_id = ${webhook.webhookId}`;
        return row?.failing_since === null;
      });
      states.push(await seen());
    }
    expect(states[0]).toMatchObject({ failing: 1, active: 0 });
    expect(states).toEqual(new Array(4).fill(states[0]));
    expect(await accessibilityProblems(page)).toEqual([]);

    await sql`update ats.webhook set held_until = now() + interval '50 s' where webhook_id = ${webhook.webhookId}`;
    await openPage(page, address);
    await page.getByText("Its receiver asked for a pause: until").waitFor();
    await sql`update ats.webhook set held_until = null where webhook_id = ${webhook.webhookId}`;

    // Deliveries that come and change leave the rows of the others where they are, and never empty the list.
    const row = await page.getByRole("row").filter({ hasText: "prompt_injection" }).first().elementHandle();
    await page.evaluate(() => {
      const watch = { emptied: 0 };
      Object.assign(globalThis, { watch });
      new MutationObserver(() => {
        if (document.querySelectorAll("tbody tr").length < 2) watch.emptied += 1;
      }).observe(document.body, { childList: true, subtree: true });
    });
    await fire(sql, suite.project);
    await page.getByText("3 deliveries").waitFor();
    expect(await row?.evaluate((element) => element.isConnected)).toBe(true);
    expect(await page.evaluate(() => (globalThis as unknown as { watch: unknown }).watch)).toEqual({
      emptied: 0,
    });
    await sql`update ats.webhook set last_failed_at = now() - interval '6 minutes' where webhook_id = ${webhook.webhookId}`;
    await openPage(page, address);
    await page.getByText("Active", { exact: true }).waitFor();
    expect(await page.getByText("Some attempts fail").count()).toBe(0);
    await page.close();
    await receiver.close();
  });

  test("that is disabled, and was never sent anything, is not said to wait for a failure", async () => {
    const { sql } = suite.database;
    const { webhookId } = await newWebhook(sql, "http://127.0.0.1:9/hook", suite.project);
    const session = await suite.signedIn("member");
    const page = await session.newPage();
    const address = `${suite.service.url}/app/p/${suite.project.projectId}/settings/webhooks/${webhookId}`;
    await openPage(page, address);
    await page.getByText("wait for the first failure class to fire").waitFor();
    await sql`update ats.webhook set disabled_at = now(), disabled_reason = 'moved' where webhook_id = ${webhookId}`;
    await openPage(page, address);
    await page.getByText("Nothing was sent yet").waitFor();
    expect(await page.getByText("wait for the first failure class to fire").count()).toBe(0);
    await page.getByText("Enable it, and the next failure class that fires is sent.").waitFor();
    await page.close();
  }, 60_000);
});
