/**
 * A real Chromium for the tests of the dashboard: the one of CHROMIUM_PATH, else Debian's.
 *
 * Invariant: where there is none the tests say so and are left out, unless CI is set: there they fail. A browser dies with
 * the test file that started it, and at the latest with the run's process group (test/run.ts).
 */
import { describe, test } from "bun:test";
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const PLACES = [process.env.CHROMIUM_PATH, "/usr/bin/chromium", "/usr/bin/chromium-browser"];
const executablePath = PLACES.find((place) => place !== undefined && place !== "" && existsSync(place));
const isRequired = ![undefined, "", "0", "false"].includes(process.env.CI);

/** Nothing that talks to anybody but the service under test, and what a container's root needs. */
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-features=Translate,OptimizationHints,MediaRouter",
];

/** `describe` for what needs a browser. `body` is not called where there is none, so none of its hooks run. */
export function describeInBrowser(name: string, body: () => void): void {
  describe(name, () => {
    if (executablePath !== undefined) body();
    else if (isRequired) {
      test("needs Chromium", () => {
        throw new Error("no Chromium at CHROMIUM_PATH or /usr/bin/chromium, and CI is set");
      });
    } else {
      test.skipIf(true)("left out: no Chromium at CHROMIUM_PATH or /usr/bin/chromium", () => {});
    }
  });
}

export async function launchBrowser(): Promise<Browser> {
  if (executablePath === undefined) throw new Error("there is no Chromium");
  return await chromium.launch({ executablePath, args: FLAGS, headless: true, timeout: 30_000 });
}
