import { type AppAssets, loadAssets } from "./assets.ts";
import { type BuildResult, ensureBuilt } from "./built.ts";
import { waitingPage } from "./waiting-page.ts";

/**
 * The pages of a running dashboard. Invariant: nobody waits for a build; who comes while it runs, or after it
 * failed, is given a page that says so and asks again, and a failed build is tried again by the next request
 * after a pause. The API does not need the pages.
 */

const RETRY_AFTER_MS = 30_000;

export interface PagesOptions {
  readonly warn: (message: string) => void;
  readonly build?: () => Promise<BuildResult>;
  readonly clock?: () => number;
}

export interface Pages {
  readonly serve: (request: Request, path: string) => Response;
}

export function openPages(options: PagesOptions): Pages {
  const { warn, build = ensureBuilt, clock = () => performance.now() } = options;
  let assets: AppAssets | null = null;
  let isBuilding = false;
  let failedAtMs = 0;

  async function start(): Promise<void> {
    isBuilding = true;
    try {
      assets = loadAssets((await build()).directory);
    } catch (error) {
      failedAtMs = clock();
      warn(error instanceof Error ? error.message : "the pages could not be built");
    }
    isBuilding = false;
  }
  void start();

  return {
    serve(request, path) {
      if (request.method !== "GET" && request.method !== "HEAD")
        return new Response("Pages are only read\n", { status: 405, headers: { allow: "GET, HEAD" } });
      if (assets !== null)
        return path.startsWith("/app/assets/") ? assets.asset(request, path) : assets.page();
      if (!isBuilding && clock() - failedAtMs >= RETRY_AFTER_MS) void start();
      return isBuilding
        ? waitingPage(
            "The dashboard is starting",
            "Its pages are being built, once after each update. This page goes on by itself.",
          )
        : waitingPage(
            "The dashboard's pages could not be built",
            "The service's log says why. Telemetry is taken as usual. This page tries again by itself.",
          );
    },
  };
}
