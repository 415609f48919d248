/**
 * Ids are the client's own: whatever the interface takes as one opens in the dashboard, from a link, from its address and again after a
 * reload, and is shown as it is.
 */
import { beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { describeInBrowser } from "./support/chromium.ts";
import { type BrowserSession, dashboardSuite } from "./support/dashboard-suite.ts";
import { openPage, pageIsReady } from "./support/page-checks.ts";
import { sendAll, startExecution } from "./support/seed.ts";

/** What is special to addresses, routers, search params and pages. */
const IDS = [
  ".",
  "..",
  "...",
  "~.",
  "~..",
  "~~.",
  "~",
  "~home",
  "./x",
  "a/b",
  "/",
  "//",
  "a//b/",
  "../../../../health",
  "a/../b",
  "\\",
  "..\\..\\x",
  "%",
  "%2e",
  "%2E%2e",
  "%2F",
  "%252e",
  "100%",
  "%E0%A4%A",
  "a?b=c#d",
  "?",
  "#",
  "&=+;,:@$!*'()[]{}|^`\"",
  " ",
  " a  b ",
  "+",
  "-",
  "$executionId",
  "{-$x}",
  "*",
  "null",
  "true",
  "4711",
  "1e3",
  '{"a":[1]}',
  "<b>bold</b>",
  "__proto__",
  "constructor",
  "https://evil.example/",
  "//evil.example",
  "javascript:alert(1)",
  "Übergröße 日本語",
  "e\u0301 and é",
  "\u202Eright to left",
  "\u00A0\uFEFF",
  "x".repeat(128),
  "🤖".repeat(128),
] as const;

const ORDINARY = ["run-1", "support-ticket_4711.v2", "~home", "...", "0189c2f4-7b1e-7c3a-9d51-c0ffee000000"];

describeInBrowser("an execution and an event with the id", () => {
  const suite = dashboardSuite();
  let session: BrowserSession;
  let page: Page;
  let list: string;

  beforeAll(async () => {
    for (const id of new Set([...IDS, ...ORDINARY])) {
      await startExecution(suite.client, id);
      await sendAll(suite.client, [
        {
          event_id: id,
          execution_id: id,
          event_type: "tool_call",
          sequence: 1,
          timestamp: new Date().toISOString(),
          payload: { tool_name: "look_up", result: `found ${IDS.indexOf(id as (typeof IDS)[number])}` },
        },
      ]);
    }
    session = await suite.signedIn("owner");
    page = await session.newPage();
    list = `${suite.service.url}/app/p/${suite.project.projectId}/executions`;
  });

  const shownId = () => page.locator("h1[data-page-heading] .font-mono").first().textContent();
  const segment = () =>
    page
      .url()
      .slice(list.length + 1)
      .split("?")[0] ?? "";
  /** The row of the list, found by a search as a person would. */
  const openFromList = async (id: string) => {
    // A search leaves out the blanks around what is typed: there the whole list is gone through.
    const isSearched = id.trim() === id;
    await openPage(page, isSearched ? `${list}?q=${encodeURIComponent(JSON.stringify(id))}` : list);
    const rows = page.locator("a[data-row-link]");
    const more = page.getByRole("button", { name: "Load more" });
    if (!isSearched) {
      // Its end in sight, the list loads the rest by itself.
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      await more.waitFor({ state: "detached" });
    }
    const texts = await rows.allTextContents();
    const at = texts.indexOf(id);
    if (at === -1) throw new Error(`not in the list: ${JSON.stringify(texts)}`);
    await rows.nth(at).click();
    await page.waitForURL((url) => url.pathname.includes("/executions/"));
    await pageIsReady(page);
  };

  describe("from the list", () => {
    test.each(IDS.map((id): [string, string] => [JSON.stringify(id.slice(0, 40)), id]))(
      "%s",
      async (_, id) => {
        await openFromList(id);
        expect(await shownId()).toBe(id);
        const row = page.getByRole("button", { name: /look_up/ }).first();
        await row.click();
        await page
          .getByText(`found ${IDS.indexOf(id as (typeof IDS)[number])}`)
          .first()
          .waitFor();
        const address = page.url();
        await page.reload();
        await pageIsReady(page);
        expect(page.url()).toBe(address);
        expect(await shownId()).toBe(id);
        await page
          .getByText(`found ${IDS.indexOf(id as (typeof IDS)[number])}`)
          .first()
          .waitFor();
        session.watch.expectNothingWrong();
      },
    );
  });

  test.each(ORDINARY)("%s, which stays in the address as it is", async (id) => {
    await openPage(page, `${list}/${id}`);
    expect(await shownId()).toBe(id);
    expect(segment()).toBe(id);
  });
});
