/** What a browser is given before the pages are there, and after a build that failed. */
import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPages } from "../../src/dashboard/pages.ts";

const ask = (method = "GET") => new Request("http://localhost/app/projects", { method });

test("who comes during the build is told so by a page that asks again, then gets the page", async () => {
  const directory = mkdtempSync(join(tmpdir(), "ats-pages-"));
  mkdirSync(join(directory, "assets"));
  writeFileSync(join(directory, "index.html"), "word __CSP_NONCE__");
  const building = Promise.withResolvers<{ directory: string; built: boolean }>();
  const pages = openPages({ warn: () => {}, build: () => building.promise });
  const early = pages.serve(ask(), "/app/projects");
  expect([early.status, early.headers.get("retry-after")]).toEqual([503, "2"]);
  const nonce = /style-src 'nonce-([^']+)'/.exec(early.headers.get("content-security-policy") ?? "")?.[1];
  const html = await early.text();
  expect(html).toContain("is starting");
  expect(html).toContain('http-equiv="refresh"');
  expect(html).toContain(`<style nonce="${nonce}">`);
  expect(pages.serve(ask("POST"), "/app/projects").status).toBe(405);
  building.resolve({ directory, built: true });
  await Bun.sleep(0);
  const page = pages.serve(ask(), "/app/projects");
  expect([page.status, await page.text()]).toEqual([200, expect.stringMatching(/^word [\w+/]{22}==$/)]);
  rmSync(directory, { recursive: true });
});

test("a build that fails is told and logged, and tried again after half a minute", async () => {
  const warnings: string[] = [];
  let [builds, nowMs] = [0, 0];
  const pages = openPages({
    warn: (message) => warnings.push(message),
    build: async () => {
      builds += 1;
      throw new Error("the pages could not be built: syntax");
    },
    clock: () => nowMs,
  });
  await Bun.sleep(0);
  expect(await pages.serve(ask(), "/app").text()).toContain("could not be built");
  expect(warnings).toEqual(["the pages could not be built: syntax"]);
  nowMs = 29_999;
  pages.serve(ask(), "/app");
  expect(builds).toBe(1);
  nowMs = 30_000;
  expect(await pages.serve(ask(), "/app").text()).toContain("is starting");
  expect(builds).toBe(2);
});
