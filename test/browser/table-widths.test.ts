/**
 * Tables whose last columns must be in sight though what clients and people name things is long: none is
 * pushed out of the table's box, and a key's name is there whole.
 */
import { beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { describeInBrowser } from "./support/chromium.ts";
import { type BrowserSession, dashboardSuite } from "./support/dashboard-suite.ts";
import { openPage } from "./support/page-checks.ts";
import { eventOf, sendAll, startExecution } from "./support/seed.ts";

const WIDTHS = [1024, 1280, 1440];
const KEY_NAME = "ingest of the staging cluster in the second region (team payments)";

describeInBrowser("a table of long names", () => {
  const suite = dashboardSuite();
  let session: BrowserSession;
  let page: Page;

  beforeAll(async () => {
    const { client, database, project } = suite;
    await database.sql`update ats.api_key set name = ${KEY_NAME} where key_id = ${project.keyId}`;
    const executionId = `nightly-${"reconciliation-".repeat(7)}1`;
    const sdk = { sdk_language: "typescript-on-the-edge", sdk_version: "12.10.0-beta.20261125" };
    await startExecution(client, executionId, sdk);
    await sendAll(client, [
      eventOf(executionId, 1, "environment_declaration", { mode: "simulation" }),
      eventOf(executionId, 2, "llm_call", { model: "m-1", tokens_in: 123_456, tokens_out: 98_765 }),
    ]);
    await client.patchExecution(executionId, {
      status: "crashed",
      duration_ms: 5_400_000,
      crash_signature: "sha256:0badc0de",
    });
    session = await suite.signedIn("owner");
    page = await session.newPage();
  });

  /** How far what is in the table stands out of its box. */
  const outOfSight = (label: string) =>
    page.getByRole("table", { name: label }).evaluate((table) => {
      const box = table.parentElement!;
      return box.scrollWidth - box.clientWidth;
    });

  test.each(WIDTHS)("executions at %d pixels", async (width) => {
    await page.setViewportSize({ width, height: 900 });
    await openPage(page, `${suite.service.url}/app/p/${suite.project.projectId}/executions`);
    await page.getByRole("table", { name: "Executions" }).getByText("Crashed").waitFor();
    expect(await outOfSight("Executions")).toBe(0);
    expect(await page.getByText("0badc0de").isVisible()).toBe(width >= 1280);
    session.watch.expectNothingWrong();
  });

  test.each([...WIDTHS, 390])("events by key at %d pixels", async (width) => {
    await page.setViewportSize({ width, height: 900 });
    await openPage(page, `${suite.service.url}/app/p/${suite.project.projectId}/overview`);
    const name = page.getByText(KEY_NAME);
    await name.waitFor();
    expect(await name.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(
      0,
    );
    expect(await outOfSight("Events by key")).toBe(0);
    session.watch.expectNothingWrong();
  });
});
