/**
 * A real Chromium for the tests of the dashboard.
 *
 * Invariant: where there is none the tests say so and are left out, unless CI is set: there they fail. A
 * browser ends with the test file that started it; should that be killed, the pipe between them breaks, and
 * the browser leaves by itself.
 */
import { describe, test } from "bun:test";
import { type Browser, chromium } from "playwright-core";
import { CHROMIUM_FLAGS, CHROMIUM_PLACES, chromiumPath } from "../../support/chromium.ts";

const absence = `no Chromium at ${CHROMIUM_PLACES.join(" or ")}`;
const isRequired = ![undefined, "", "0", "false"].includes(process.env.CI);

/**
 * `describe` for what needs a browser. `body` is not called where there is none, so none of its hooks run.
 */
export function describeInBrowser(name: string, body: () => void): void {
  describe(name, () => {
    if (chromiumPath !== undefined) body();
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
  if (chromiumPath === undefined) throw new Error(absence);
  return await chromium.launch({
    executablePath: chromiumPath,
    args: CHROMIUM_FLAGS,
    headless: true,
    timeout: 60_000,
  });
}
