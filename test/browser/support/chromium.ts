/**
 * A real Chromium for the tests of the dashboard: the one of CHROMIUM_PATH, else Debian's.
 *
 * Invariant: where there is none the tests say so and are left out, unless CI is set: there they fail. A browser ends with
 * the test file that started it; should that be killed, the pipe between them breaks, and the browser leaves by itself.
 */
import { describe, test } from "bun:test";
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const given = process.env.CHROMIUM_PATH ?? "";
const places = given === "" ? ["/usr/bin/chromium", "/usr/bin/chromium-browser"] : [given];
const executablePath = places.find((place) => existsSync(place));
const absence = `no Chromium at ${places.join(" or ")}`;
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
        throw new Error(`${absence}, and CI is set`);
      });
    } else {
      test.skipIf(true)(`left out: ${absence}; CHROMIUM_PATH names another`, () => {});
    }
  });
}

export async function launchBrowser(): Promise<Browser> {
  if (executablePath === undefined) throw new Error(absence);
  return await chromium.launch({ executablePath, args: FLAGS, headless: true, timeout: 30_000 });
}
