import { existsSync } from "node:fs";

/** The Chromium of tests and benches: that of CHROMIUM_PATH, else Debian's. */

const given = process.env.CHROMIUM_PATH ?? "";

/** Where it is looked for. */
export const CHROMIUM_PLACES = given === "" ? ["/usr/bin/chromium", "/usr/bin/chromium-browser"] : [given];

/** Undefined where there is none. */
export const chromiumPath = CHROMIUM_PLACES.find((place) => existsSync(place));

/**
 * Of the browser's own. The last three are pages behind its address bar, which each window of a browser
 * without a head loads too, and each address that is opened keeps at work: a third of the browser's CPU time.
 * Playwright's list of such is lost by ours, as the last one given counts.
 */
const FEATURES_OFF = [
  "Translate",
  "OptimizationHints",
  "MediaRouter",
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
  "WebUIOmniboxFullPopup",
];

/** Nothing that talks to anybody but the service under test, and what a container's root needs. */
export const CHROMIUM_FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  `--disable-features=${FEATURES_OFF.join(",")}`,
];
