/**
 * The live tail in a real browser: it follows, stands still when it should, and comes back after the service
 * was away.
 */
import { beforeAll, beforeEach, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { describeInBrowser } from "./support/chromium.ts";
import { type BrowserSession, dashboardSuite } from "./support/dashboard-suite.ts";
import { accessibilityProblems, openPage, sidewaysScroll } from "./support/page-checks.ts";
import { eventOf, sendAll, startExecution } from "./support/seed.ts";

describeInBrowser("the live tail", () => {
  const suite = dashboardSuite();
  let session: BrowserSession;
  let page: Page;
  let names = 0;

  const address = (search = "") => `${suite.service.url}/app/p/${suite.project.projectId}/live${search}`;
  const rows = () => page.locator("[data-live-row]");
  const log = () => page.getByRole("log");
  const rowOf = (text: string): Locator => rows().filter({ hasText: text });

  async function newRun(): Promise<string> {
    const id = `live-${++names}`;
    await startExecution(suite.client, id);
    return id;
  }

  const checkpoints = (id: string, from: number, count: number) =>
    Array.from({ length: count }, (_unused, i) =>
      eventOf(id, from + i, "checkpoint", { name: `${id} step ${from + i}` }),
    );
  const send = (id: string, from: number, count: number) =>
    sendAll(suite.client, checkpoints(id, from, count));
  const step = (id: string, no: number) => `${id} step ${no} `.trimEnd();

  /** Rows are measured as they come, so the end may move for a moment. */
  const atEnd = () =>
    page.waitForFunction(() => {
      const log = document.querySelector("[role=log]");
      return log !== null && log.scrollHeight - log.scrollTop - log.clientHeight < 2;
    });

  /** Where the log stands once it has stood there for some frames: a wheel's way takes several. */
  const settledTop = () =>
    log().evaluate(
      (element) =>
        new Promise<number>((resolve) => {
          let [top, frames] = [element.scrollTop, 0];
          const look = () => {
            frames = element.scrollTop === top ? frames + 1 : 0;
            top = element.scrollTop;
            if (frames === 20) resolve(top);
            else requestAnimationFrame(look);
          };
          look();
        }),
    );

  /** Enough to scroll in, and the end is in sight. */
  async function filled(): Promise<string> {
    const id = await newRun();
    await openPage(page, address(`?execution=${id}`));
    await send(id, 1, 90);
    await rowOf(step(id, 90)).waitFor();
    return id;
  }

  beforeAll(async () => {
    session = await suite.signedIn("viewer");
  });
  beforeEach(async () => {
    await page?.close();
    page = await session.newPage();
  });

  test("shows what is stored, the newest last, and follows", async () => {
    const id = await filled();
    await send(id, 91, 1);
    await rowOf(step(id, 91)).waitFor();
    expect(await rows().last().textContent()).toContain(step(id, 91));
    await atEnd();
  });

  test("scrolled away it stands still and counts; back at the end it follows again", async () => {
    const id = await filled();
    await log().hover();
    await page.mouse.wheel(0, -600);
    await page.getByText("Held while you scroll").waitFor();
    const top = await settledTop();
    await send(id, 91, 7);
    await page.getByRole("button", { name: "7 new events" }).waitFor();
    expect(await settledTop()).toBe(top);
    expect(await rowOf(step(id, 97)).count()).toBe(0);
    await page.mouse.wheel(0, 5_000);
    await rowOf(step(id, 97)).waitFor();
    await page.getByText("Live", { exact: true }).waitFor();
    await atEnd();
  });

  test("the space bar pauses and resumes", async () => {
    const id = await filled();
    await page.locator("h1").click();
    await page.keyboard.press("Space");
    await page.getByText("Paused", { exact: true }).waitFor();
    await send(id, 91, 2);
    await page.getByRole("button", { name: "Resume (2)" }).waitFor();
    await page.keyboard.press("Space");
    await rowOf(step(id, 92)).waitFor();
  });

  test("a row unfolds to its payload and leads to its execution, by keyboard too", async () => {
    const id = await filled();
    await rowOf(step(id, 89)).focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByText(`"name": "${step(id, 90)}"`).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole("link", { name: "Open in its execution" }).click();
    await page.waitForURL(`**/executions/${id}*`);
    await page.goBack();
    await page.waitForURL(address(`?execution=${id}`));
  });

  test("filters stand in the address and hold after a reload", async () => {
    const id = await newRun();
    await openPage(page, address());
    await page.getByLabel("Find in payloads").fill("needle");
    await page.getByRole("button", { name: "All types" }).click();
    await page.getByRole("menuitemcheckbox", { name: "Exception" }).click();
    await page.keyboard.press("Escape");
    await page.waitForURL(/q=needle/);
    await page.waitForURL(/type=exception/);
    await page.reload();
    await sendAll(suite.client, [
      eventOf(id, 1, "checkpoint", { name: "needle of another type" }),
      eventOf(id, 2, "exception", { type: "Other", message: "hay" }),
      eventOf(id, 3, "exception", { type: "Found", message: "a Needle" }),
    ]);
    await rowOf("Found: a Needle").waitFor();
    expect(await rows().count()).toBe(1);
    expect(await page.getByLabel("Find in payloads").inputValue()).toBe("needle");
  });

  test("a lost connection is made again, and nothing is shown twice or left out", async () => {
    const id = await filled();
    await session.context.setOffline(true);
    // What is open stays open in the emulation: the service ends it, as a restart would.
    await page.evaluate(() => window.stop());
    await page.getByText(/Connection lost/).waitFor();
    await send(id, 91, 3);
    await session.context.setOffline(false);
    await rowOf(step(id, 93)).waitFor();
    const shown = await rows().allTextContents();
    for (const no of [91, 92, 93]) {
      expect(shown.filter((text) => text.endsWith(step(id, no)))).toHaveLength(1);
    }
    session.watch.take();
  });

  test("fits a phone", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    const id = await filled();
    expect(await sidewaysScroll(page)).toBe(0);
    await rowOf(step(id, 90)).click();
    await page.getByRole("button", { name: "Only this execution" }).waitFor();
    expect(await sidewaysScroll(page)).toBe(0);
  });
});
