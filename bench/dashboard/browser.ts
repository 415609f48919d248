/** Pages in a real Chromium: when something is painted first, and when all of the page's data is there. */
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { CHROMIUM_FLAGS, chromiumPath } from "../../test/support/chromium.ts";
import { median } from "../ingest/latency.ts";
import type { Progress } from "../ingest/progress.ts";
import type { Signed } from "./people.ts";
import type { View } from "./views.ts";

const PAGE_TIMEOUT_MS = 20_000;

/** Milliseconds since the navigation began. */
interface Moments {
  readonly firstPaintMs: number;
  readonly dataMs: number;
}

/** Medians of a page. Cold: a browser that was never here. Warm: its next visit, with the assets cached. */
export interface PagePaint {
  readonly page: string;
  readonly cold: Moments;
  readonly warm: Moments;
}

/** Null where there is no Chromium. */
export async function launchChromium(): Promise<Browser | null> {
  if (chromiumPath === undefined) return null;
  return await chromium.launch({
    executablePath: chromiumPath,
    args: CHROMIUM_FLAGS,
    headless: true,
    timeout: 60_000,
  });
}

export async function paintPages(
  browser: Browser,
  signed: Signed,
  options: { readonly views: readonly View[]; readonly paints: number; readonly progress: Progress },
): Promise<PagePaint[]> {
  const paints: PagePaint[] = [];
  const shown = options.views.filter((view) => view.address !== undefined);
  for (const [place, view] of shown.entries()) {
    const cold: Moments[] = [];
    const warm: Moments[] = [];
    for (let time = 0; time < options.paints; time++) {
      const context = await signedContext(browser, signed);
      try {
        const page = await context.newPage();
        cold.push(await open(page, signed.url + view.address));
        await page.goto("about:blank");
        warm.push(await open(page, signed.url + view.address));
      } finally {
        await context.close();
      }
    }
    paints.push({ page: view.page, cold: medians(cold), warm: medians(warm) });
    options.progress.update("painting", place + 1, shown.length, "pages");
  }
  return paints;
}

async function signedContext(browser: Browser, { url, cookie }: Signed): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: "reduce",
  });
  context.setDefaultTimeout(PAGE_TIMEOUT_MS);
  await context.addCookies(
    cookie.split("; ").map((pair) => {
      const at = pair.indexOf("=");
      return { name: pair.slice(0, at), value: pair.slice(at + 1), url };
    }),
  );
  return context;
}

async function open(page: Page, address: string): Promise<Moments> {
  await page.goto(address, { waitUntil: "commit" });
  // The page has its heading, and no block of a skeleton is left.
  const data = await page.waitForFunction(() =>
    document.querySelector("h1[data-page-heading]") !== null &&
    document.querySelector("div.animate-pulse") === null
      ? performance.now()
      : null,
  );
  const paint = await page.waitForFunction(
    () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? null,
  );
  return { firstPaintMs: Number(await paint.jsonValue()), dataMs: Number(await data.jsonValue()) };
}

function medians(moments: readonly Moments[]): Moments {
  return {
    firstPaintMs: median(moments.map((each) => each.firstPaintMs)),
    dataMs: median(moments.map((each) => each.dataMs)),
  };
}
