/**
 * What a page must never do, whatever it shows: write an error to the console, break its content security
 * policy, open a dialog, fail in a script, or ask another origin for anything. Watches every page of a
 * context from its making on.
 */
import { expect } from "bun:test";
import type { BrowserContext, Page } from "playwright-core";

export interface PageWatch {
  /** Fails with everything that went wrong since the last call. */
  expectNothingWrong(): void;
  /** What went wrong since then. */
  seen(): readonly string[];
  /** Forgets what is expected to have gone wrong, and returns it. */
  take(): string[];
}

declare global {
  /** Bound by `watchPages`. */
  var reportViolation: (what: string) => void;
}

/** An aborted request is how a page is left; a stream that ends with the service is no fault either. */
const HARMLESS = /net::ERR_ABORTED/;

export async function watchPages(context: BrowserContext, origin: string): Promise<PageWatch> {
  let wrong: string[] = [];
  const note = (page: Page, what: string) => {
    wrong.push(`${new URL(page.url(), origin).pathname}: ${what}`);
  };
  await context.exposeBinding("reportViolation", ({ page }, what: unknown) => {
    note(page, `content security policy: ${String(what)}`);
  });
  await context.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => {
      globalThis.reportViolation(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
    });
  });
  context.on("page", (page) => {
    page.on("console", (message) => {
      if (message.type() === "error") note(page, `console: ${message.text()} (${message.location().url})`);
    });
    page.on("pageerror", (error) => note(page, `script: ${error.message}`));
    page.on("dialog", (dialog) => {
      note(page, `dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on("request", (request) => {
      const { protocol, origin: asked } = new URL(request.url());
      if (protocol !== "data:" && protocol !== "blob:" && asked !== origin)
        note(page, `asks ${request.url()}`);
    });
    page.on("requestfailed", (request) => {
      const reason = request.failure()?.errorText ?? "";
      if (!HARMLESS.test(reason)) note(page, `request: ${request.url()} ${reason}`);
    });
  });
  return {
    expectNothingWrong() {
      const found = wrong;
      wrong = [];
      expect(found).toEqual([]);
    },
    seen: () => wrong,
    take() {
      const found = wrong;
      wrong = [];
      return found;
    },
  };
}
