/** When the pages are built, in a copy of the tree with a bundler that only says that it ran. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { bundleSources } from "../../src/dashboard/built.ts";

const repository = join(import.meta.dir, "../..");
const builds = `
import { mkdirSync, writeFileSync } from "node:fs";
import { builtDirectory, sourceFingerprint, stampName } from "./built.ts";
mkdirSync(builtDirectory, { recursive: true });
writeFileSync(builtDirectory + "/" + stampName, sourceFingerprint());
`;
const fails = 'process.stderr.write("theme.css:3: a brace is missing\\n"); process.exit(1);';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "ats-built-"));
});
afterEach(() => rmSync(root, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** A tree of its own: built.ts finds everything from where it stands. */
async function tree(build: string): Promise<typeof import("../../src/dashboard/built.ts")> {
  write("src/dashboard/web/main.tsx", "1");
  write("src/dashboard/build.ts", build);
  write("package.json", "{}");
  copyFileSync(join(repository, "src/dashboard/built.ts"), join(root, "src/dashboard/built.ts"));
  return await import(join(root, "src/dashboard/built.ts"));
}

test("pages are built once, and anew after any change of what they are made of", async () => {
  const { ensureBuilt } = await tree(builds);
  expect(await ensureBuilt()).toEqual({ directory: join(root, "dist/app"), built: true });
  expect((await ensureBuilt()).built).toBe(false);
  write("src/dashboard/web/pages/new-page.tsx", "2");
  expect((await ensureBuilt()).built).toBe(true);
  write("src/dashboard/web/main.tsx", "3");
  expect((await ensureBuilt()).built).toBe(true);
  write("src/dashboard/auth/password-length.ts", "export const PASSWORD_CHARACTERS_MIN = 14;");
  expect((await ensureBuilt()).built).toBe(true);
  write("src/dashboard/forward.ts", "no page knows it");
  expect((await ensureBuilt()).built).toBe(false);
});

test("a build that fails says why, and the next start tries again", async () => {
  const { ensureBuilt } = await tree(fails);
  const words = "the pages could not be built: theme.css:3: a brace is missing";
  await expect(ensureBuilt()).rejects.toThrow(words);
  await expect(ensureBuilt()).rejects.toThrow(words);
  write("src/dashboard/build.ts", builds);
  expect((await ensureBuilt()).built).toBe(true);
});

test("what was built is taken as it is where the sources are not", async () => {
  const { ensureBuilt } = await tree(builds);
  await ensureBuilt();
  rmSync(join(root, "src/dashboard/web"), { recursive: true });
  expect((await ensureBuilt()).built).toBe(false);
});

test("whatever the pages import stands among what they are made of", () => {
  const web = "src/dashboard/web";
  const wrong = [...new Bun.Glob("**/*.{ts,tsx}").scanSync(join(repository, web))]
    .filter((name) => !name.includes(".test."))
    .flatMap((name) => {
      const scanner = new Bun.Transpiler({ loader: name.endsWith("x") ? "tsx" : "ts" });
      return scanner
        .scanImports(readFileSync(join(repository, web, name), "utf8"))
        .filter(({ path }) => path.startsWith("."))
        .map(({ path }) => relative(repository, join(repository, web, dirname(name), path)));
    })
    .filter((file) => !bundleSources.some((source) => file === source || file.startsWith(`${source}/`)));
  expect(wrong).toEqual([]);
});
