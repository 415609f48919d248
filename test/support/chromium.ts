import { existsSync } from "node:fs";

/** The Chromium of tests and benches: that of CHROMIUM_PATH, else Debian's. */

const given = process.env.CHROMIUM_PATH ?? "";

/** Where it is looked for. */
export const CHROMIUM_PLACES = given === "" ? ["/usr/bin/chromium", "/usr/bin/chromium-browser"] : [given];

/** Undefined where there is none. */
export const chromiumPath = CHROMIUM_PLACES.find((place) => existsSync(place));

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
  "--disable-features=Translate,OptimizationHints,MediaRouter",
];
