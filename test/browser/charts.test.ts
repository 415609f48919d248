/**
 * A range of time is picked out of a chart: with the mouse, with a finger on a phone, whose page still
 * scrolls, and with the keyboard.
 */
import { beforeAll, expect, test } from "bun:test";
import type { CDPSession, Locator, Page } from "playwright-core";
import { describeInBrowser } from "./support/chromium.ts";
import { type BrowserSession, type ContextOptions, dashboardSuite } from "./support/dashboard-suite.ts";
import { accessibilityProblems, openPage, pageIsReady } from "./support/page-checks.ts";
import { seedProject } from "./support/seed.ts";

interface Point {
  readonly x: number;
  readonly y: number;
}

const STEPS = 12;
const HOUR_MS = 3_600_000;

describeInBrowser("a range of a chart", () => {
  const suite = dashboardSuite();
  let address: string;
  let session: BrowserSession;

  beforeAll(async () => {
    await seedProject(suite);
    address = `${suite.service.url}/app/p/${suite.project.projectId}/overview?range=24h`;
  });

  async function open(options: ContextOptions = {}): Promise<Page> {
    session = await suite.signedIn("owner", options);
    const page = await session.newPage();
    await openPage(page, address);
    return page;
  }

  /** The second chart: there is something above it and below it to scroll to. */
  const chartOf = (page: Page) => page.getByRole("slider", { name: "Events, point in time" });

  /** Points across what is drawn, beside the axis, as shares of its width, at the same height. */
  async function pointsOn(chart: Locator, ...shares: readonly number[]): Promise<Point[]> {
    await chart.scrollIntoViewIfNeeded();
    const box = await chart.locator(".u-over").boundingBox();
    if (box === null) throw new Error("the chart is not drawn");
    return shares.map((share) => ({ x: box.x + box.width * share, y: box.y + box.height / 2 }));
  }

  const ends = (page: Page) => {
    const search = new URL(page.url()).searchParams;
    return [search.get("from"), search.get("to")].map((end) => (end === null ? null : Date.parse(end)));
  };
  const lengthHours = (page: Page) => {
    const [from, to] = ends(page);
    return from == null || to == null ? null : (to - from) / HOUR_MS;
  };
  const brushed = (page: Page) => page.waitForURL((url) => url.searchParams.has("from"));

  /**
   * Once what is selected in the chart is so many pixels wide, but for rounding: time passes, and what is
   * drawn anew lies elsewhere.
   */
  const untilWide = (page: Page, width: number) =>
    page.waitForFunction((wanted) => {
      const chart = document.querySelector('[role=slider][aria-label^="Events, point"]');
      const width = chart?.querySelector(".u-select")?.getBoundingClientRect().width;
      return width !== undefined && Math.abs(width - wanted) <= 1;
    }, width);

  const touch = (cdp: CDPSession, type: "touchStart" | "touchMove" | "touchEnd", points: readonly Point[]) =>
    cdp.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(({ x, y }) => ({ x, y })) });

  async function drawFinger(page: Page, from: Point, to: Point): Promise<void> {
    const cdp = await page.context().newCDPSession(page);
    await touch(cdp, "touchStart", [from]);
    for (let step = 1; step <= STEPS; step++) {
      const way = step / STEPS;
      await touch(cdp, "touchMove", [
        { x: from.x + (to.x - from.x) * way, y: from.y + (to.y - from.y) * way },
      ]);
    }
    await touch(cdp, "touchEnd", []);
    await cdp.detach();
  }

  const PHONE: ContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true };

  test("is drawn by the mouse", async () => {
    const page = await open();
    const [from, to] = await pointsOn(chartOf(page), 0.25, 0.75);
    await page.mouse.move(from!.x, from!.y);
    await page.mouse.down();
    await page.mouse.move(to!.x, to!.y, { steps: STEPS });
    await page.mouse.up();
    await brushed(page);
    expect(lengthHours(page)).toBeWithin(11.5, 12.5);
    session.watch.expectNothingWrong();
  });

  test.each([
    ["to the right", 0.25, 0.75],
    ["to the left", 0.75, 0.25],
  ])("is drawn by a finger %s", async (_, start, end) => {
    const page = await open(PHONE);
    const [from, to] = await pointsOn(chartOf(page), start, end);
    await drawFinger(page, from!, to!);
    await brushed(page);
    expect(lengthHours(page)).toBeWithin(11, 13);
    await pageIsReady(page);
    await page.goBack();
    await page.waitForURL((url) => url.searchParams.get("range") === "24h");
    session.watch.expectNothingWrong();
  });

  test("is not drawn by a finger that scrolls the page, nor by a tap, which shows the values there", async () => {
    const page = await open(PHONE);
    const chart = chartOf(page);
    const [at] = await pointsOn(chart, 0.5);
    const scrolled = () => page.evaluate(() => document.scrollingElement?.scrollTop ?? 0);
    const before = await scrolled();
    await drawFinger(page, at!, { x: at!.x + 4, y: at!.y - 250 });
    await page.waitForFunction((top) => (document.scrollingElement?.scrollTop ?? 0) > top + 100, before);
    expect(ends(page)).toEqual([null, null]);
    const [tapped] = await pointsOn(chart, 0.5);
    await page.touchscreen.tap(tapped!.x, tapped!.y);
    await page.waitForFunction(() => {
      const slider = document.querySelector('[role=slider][aria-label^="Events"]');
      return Number(slider?.getAttribute("aria-valuenow")) < Number(slider?.getAttribute("aria-valuemax"));
    });
    expect(ends(page)).toEqual([null, null]);
    session.watch.expectNothingWrong();
  });

  test("is selected with the keyboard", async () => {
    const page = await open();
    const chart = chartOf(page);
    await chart.focus();
    await page.keyboard.press("ArrowRight");
    expect(await chart.getAttribute("aria-valuenow")).toBe("0");
    expect(await chart.getAttribute("aria-valuetext")).toMatch(/^\d\d \w+ \d{4}, [\d:]+ \S+: \S/);
    for (let count = 0; count < 5; count++) await page.keyboard.press("Shift+PageDown");
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await brushed(page);
    expect(lengthHours(page)).toBeWithin(11, 13);
    session.watch.expectNothingWrong();
  });

  test("stays when the chart is drawn anew, and is let go with Escape", async () => {
    const page = await open();
    await chartOf(page).focus();
    await page.keyboard.press("End");
    await page.keyboard.press("Shift+PageUp");
    // The chart may be drawn anew at any moment, and is there some time before what is selected in it.
    const selected = await page.waitForFunction(() => {
      const chart = document.querySelector('[role=slider][aria-label^="Events, point"]');
      const width = chart?.querySelector(".u-select")?.getBoundingClientRect().width ?? 0;
      return width > 2 && width;
    });
    const width = Number(await selected.jsonValue());
    const before = await chartOf(page).locator(".uplot").elementHandle();
    await page.emulateMedia({ colorScheme: "dark" });
    await page.waitForFunction((element) => element?.isConnected === false, before);
    await untilWide(page, width);
    await page.keyboard.press("Escape");
    await untilWide(page, 0);
    await page.keyboard.press("Enter");
    expect(ends(page)).toEqual([null, null]);
    session.watch.expectNothingWrong();
  });
});
