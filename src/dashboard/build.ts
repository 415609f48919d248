import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import tailwind from "bun-plugin-tailwind";
import { waitForLock } from "../store/embedded/file-lock.ts";
import {
  buildLockPath,
  builtDirectory,
  isCurrent,
  onlyIfStaleFlag,
  sourceFingerprint,
  stampName,
} from "./built.ts";

/**
 * `bun run build`: bundles web/ into dist/app. The bundle is made in a directory beside and moved into place
 * as a whole, so a server never sees half a build. A process of its own: the bundler's memory ends with it,
 * and so does its lock. The running service calls it with `--if-stale`: what another process has built
 * meanwhile is taken.
 */

const web = fileURLToPath(new URL("./web/", import.meta.url));
/** What the first page may load, compressed, before its own lazy part. */
const mainLimit = 250_000;

mkdirSync(dirname(builtDirectory), { recursive: true });
waitForLock(buildLockPath);
if (process.argv.includes(onlyIfStaleFlag) && isCurrent()) process.exit(0);

// What a build that was killed has left.
for (const name of readdirSync(dirname(builtDirectory))) {
  if (name.startsWith(`${basename(builtDirectory)}.`))
    rmSync(join(dirname(builtDirectory), name), { recursive: true });
}
const output = `${builtDirectory}.${process.pid}`;
const assets = join(output, "assets");
mkdirSync(assets, { recursive: true });

const fingerprint = sourceFingerprint();
const common = {
  outdir: assets,
  target: "browser",
  minify: true,
  naming: { entry: "[name]-[hash].[ext]", chunk: "[name]-[hash].[ext]", asset: "[name]-[hash].[ext]" },
  publicPath: "/app/assets/",
  define: { "process.env.NODE_ENV": '"production"' },
  throw: true,
} as const;

const app = await Bun.build({
  ...common,
  entrypoints: [join(web, "main.tsx"), join(web, "theme.css")],
  format: "esm",
  splitting: true,
  plugins: [tailwind],
});
// A classic script of its own: it runs before the first paint, and a module would wait for the document.
const theme = await Bun.build({ ...common, entrypoints: [join(web, "first-paint.ts")], format: "iife" });

const main = entry(app.outputs, ".js");
const style = entry(app.outputs, ".css");
const firstPaint = entry(theme.outputs, ".js");
const loadedFirst = withStaticImports(main);
keepBreakpointsApart(join(assets, style));

const page = readFileSync(join(web, "index.html"), "utf8")
  .replaceAll("__FIRST_PAINT__", firstPaint)
  .replaceAll("__STYLE__", style)
  .replaceAll("__MAIN__", main)
  .replaceAll(
    "__PRELOADS__",
    loadedFirst
      .slice(1)
      .map((name) => `<link rel="modulepreload" href="/app/assets/${name}" />`)
      .join("\n    "),
  );
writeFileSync(join(output, "index.html"), page);

for (const name of readdirSync(assets)) {
  if (!/\.(js|css|svg|json|txt)$/.test(name)) continue;
  const bytes = readFileSync(join(assets, name));
  writeFileSync(join(assets, `${name}.gz`), gzipSync(bytes, { level: 9 }));
  writeFileSync(
    join(assets, `${name}.br`),
    brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
  );
}

const compressed = (name: string): number => readFileSync(join(assets, `${name}.gz`)).length;
const mainSize = [...loadedFirst, firstPaint].reduce((sum, name) => sum + compressed(name), 0);
const lazy = readdirSync(assets).filter((name) => name.endsWith(".js")).length - loadedFirst.length - 1;
process.stdout.write(
  `Main bundle ${kilobytes(mainSize)} compressed (gzip), styles ${kilobytes(compressed(style))}, ${lazy} lazy parts\n`,
);
if (mainSize > mainLimit) {
  rmSync(output, { recursive: true, force: true });
  process.stderr.write(`The main bundle is above its limit of ${kilobytes(mainLimit)}.\n`);
  process.exit(1);
}

writeFileSync(join(output, stampName), fingerprint);
const previous = `${output}.previous`;
if (existsSync(builtDirectory)) renameSync(builtDirectory, previous);
renameSync(output, builtDirectory);
rmSync(previous, { recursive: true, force: true });

/**
 * The bundler writes `width < 64rem` as `max-width: calc(64rem - .001px)`. Chromium counts in 1/64 px, so
 * that at exactly 64rem this and `min-width: 64rem` both hold, and what one of them hides is nowhere to be
 * seen.
 */
function keepBreakpointsApart(path: string): void {
  writeFileSync(path, readFileSync(path, "utf8").replaceAll("rem - .001px)", "rem - .02px)"));
}

function entry(outputs: readonly Bun.BuildArtifact[], extension: string): string {
  const found = outputs.find(({ path, kind }) =>
    extension === ".css" ? path.endsWith(".css") : kind === "entry-point" && path.endsWith(extension),
  );
  if (found === undefined) throw new Error(`The bundler made no ${extension} file for the entry`);
  return basename(found.path);
}

/** The entry and all that it imports before it runs; a page's lazy part is an `import()` and not followed. */
function withStaticImports(name: string, seen: string[] = []): string[] {
  if (seen.includes(name)) return seen;
  seen.push(name);
  const scanned = new Bun.Transpiler({ loader: "js" }).scanImports(readFileSync(join(assets, name), "utf8"));
  for (const { kind, path } of scanned) {
    if (kind === "import-statement") withStaticImports(basename(path), seen);
  }
  return seen;
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}
