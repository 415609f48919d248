/** Questions that are asked of any page: is it there, does it fit a phone, can everybody use it. */
import { expect } from "bun:test";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { AxeResults, RunOptions } from "axe-core";
import type { Page, Response } from "playwright-core";

const axeSource = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");
const RUN: RunOptions = {
  runOnly: { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] },
  resultTypes: ["violations"],
};

/** The page has its heading and nothing is loading any more: no skeleton is left. */
export async function pageIsReady(page: Page): Promise<void> {
  await page.locator("h1[data-page-heading]").first().waitFor();
  // The dot of a running execution pulses too; a skeleton is a block.
  await page.waitForFunction(() => document.querySelector("div.animate-pulse") === null);
}

/** What has just been changed is on the screen: the first callback comes before its frame is painted. */
export async function pageIsPainted(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))),
  );
}

/** Waits until the text is in sight somewhere: the first place in the document may be a hidden one. */
export async function pageShows(page: Page, text: string | RegExp): Promise<void> {
  await page.getByText(text).filter({ visible: true }).first().waitFor();
}

export async function openPage(page: Page, address: string): Promise<Response> {
  const response = await page.goto(address);
  if (response === null) throw new Error(`${address} was not loaded`);
  await pageIsReady(page);
  return response;
}

/**
 * Headings that are cut off, and ids of ours that break in the middle. Names that people gave may be long.
 */
export async function cutTexts(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const found: string[] = [];
    for (const heading of document.querySelectorAll("main h2, main h3")) {
      // One that is only read aloud has a pixel.
      if (heading.scrollWidth > heading.clientWidth && heading.clientWidth > 1)
        found.push(`cut off: ${heading.textContent}`);
    }
    for (const code of document.querySelectorAll("main code")) {
      const range = document.createRange();
      range.selectNodeContents(code);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
      const text = code.textContent ?? "";
      if (lines > 1 && /^(?:wh|fg|proj|dlv|key)_[0-9a-z]+$/.test(text)) found.push(`broken: ${text}`);
    }
    return found;
  });
}

/** Serious and critical violations, each with where it stands. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  try {
    // By the debugger: a script element would be against the policy of the page.
    await session.send("Runtime.evaluate", { expression: axeSource, returnByValue: false });
    const { result, exceptionDetails } = await session.send("Runtime.evaluate", {
      expression: `axe.run(document, ${JSON.stringify(RUN)}).then((results) => JSON.stringify(results.violations))`,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails !== undefined) throw new Error(`axe failed: ${exceptionDetails.text}`);
    const violations = JSON.parse(String(result.value)) as AxeResults["violations"];
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .flatMap(({ id, impact, nodes }) =>
        nodes.map(
          ({ target, failureSummary }) => `${impact} ${id} at ${target.join(" ")}: ${failureSummary}`,
        ),
      );
  } finally {
    await session.detach();
  }
}

/** How far the page itself can be scrolled sideways; a table that scrolls in its own box is fine. */
export async function sidewaysScroll(page: Page): Promise<number> {
  return await page.evaluate(() => {
    const root = document.scrollingElement ?? document.documentElement;
    return Math.max(root.scrollWidth, document.body.scrollWidth) - root.clientWidth;
  });
}

/** Only our own scripts, no inline one, no frame, nothing from elsewhere. */
export function expectStrictPolicy(response: Response): void {
  const policy = response.headers()["content-security-policy"] ?? "";
  const directives = new Map(
    policy.split(";").map((directive): [string, string] => {
      const [name = "", ...values] = directive.trim().split(/\s+/);
      return [name, values.join(" ")];
    }),
  );
  expect(directives.get("default-src")).toBe("'none'");
  expect(directives.get("script-src")).toBe("'self'");
  expect(directives.get("base-uri")).toBe("'none'");
  expect(directives.get("form-action")).toBe("'self'");
  expect(directives.get("frame-ancestors")).toBe("'none'");
  expect(policy).not.toMatch(/unsafe-|\*|https?:/);
  expect(response.headers()["x-content-type-options"]).toBe("nosniff");
}
