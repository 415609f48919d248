import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { waitForLock } from "./store/embedded/file-lock.ts";

/**
 * Makes `bun start` and `bun run test` work in a fresh clone: installs the locked dependencies when they are
 * missing or older than bun.lock. Invariant: this file imports nothing from node_modules. Since Bun has
 * already looked at a node_modules that was not there, the process replaces itself after an install: same
 * process id, so signals sent to it keep their address.
 */

const root = fileURLToPath(new URL("..", import.meta.url));
const modules = `${root}node_modules`;
/** What the last install was made from; in node_modules, so that it goes when they go. */
const stamp = `${modules}/.installed-from`;
const replacedMark = "ATS_INSTALLED";

export function ensureInstalled(options: { readonly development: boolean }): void {
  const wanted = fingerprint();
  if (isCurrent(wanted, options)) {
    // Not for the children: one of them may be a service in another clone.
    delete process.env[replacedMark];
    return;
  }
  if (process.env[replacedMark] !== undefined) fail("the installed dependencies do not fit package.json");
  // One at a time in a directory: a second start waits here and then finds nothing left to do.
  const lock = waitForLock(`${tmpdir()}/ats-install-${Bun.hash(root).toString(36)}.lock`);
  if (!isCurrent(wanted, options)) {
    process.stderr.write("Installing dependencies (bun install --frozen-lockfile)\n");
    const ran = spawnSync(process.execPath, ["install", "--frozen-lockfile"], {
      cwd: root,
      stdio: ["ignore", 2, 2],
    });
    if (ran.status !== 0) fail("the dependencies could not be installed (see above)");
    writeFileSync(stamp, wanted);
  }
  lock.release();
  replaceProcess();
}

function replaceProcess(): never {
  const args = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  if (process.execve === undefined)
    throw new Error("This Bun cannot replace a process: run the command again");
  return process.execve(process.execPath, args, { ...process.env, [replacedMark]: "1" });
}

function fail(reason: string): never {
  process.stderr.write(`Cannot start: ${reason}.\n`);
  process.exit(1);
}

function isCurrent(wanted: string, options: { readonly development: boolean }): boolean {
  if (!existsSync(modules)) return false;
  if (existsSync(stamp)) return readFileSync(stamp, "utf8") === wanted;
  // Installed by hand, or by the image's build without the development packages.
  const manifest: Record<
    "dependencies" | "devDependencies" | "patchedDependencies",
    Record<string, string>
  > = JSON.parse(readFileSync(`${root}package.json`, "utf8"));
  const patched = Object.entries(manifest.patchedDependencies);
  if (!patched.every(([name, patch]) => isPatched(name.slice(0, name.lastIndexOf("@")), patch))) return false;
  const needed = { ...manifest.dependencies, ...(options.development ? manifest.devDependencies : {}) };
  return Object.entries(needed).every(([name, version]) => versionOf(name) === version);
}

function versionOf(name: string): string | null {
  try {
    const manifest: { version: string } = JSON.parse(readFileSync(`${modules}/${name}/package.json`, "utf8"));
    return manifest.version;
  } catch {
    return null;
  }
}

/**
 * Every line that the patch adds is there. The mark that Bun leaves does not say which edition of a patch it
 * applied.
 */
function isPatched(name: string, patch: string): boolean {
  const files = readFileSync(`${root}${patch}`, "utf8")
    .split(/^diff --git a\/\S+ b\//m)
    .slice(1);
  return files.every((text) => {
    const [path, ...lines] = text.split("\n");
    const file = `${modules}/${name}/${path}`;
    if (!existsSync(file)) return false;
    const there = new Set(readFileSync(file, "utf8").split("\n"));
    return lines.every((line) => !/^\+(?!\+\+ )/.test(line) || there.has(line.slice(1)));
  });
}

function fingerprint(): string {
  const hasher = new Bun.CryptoHasher("sha256");
  const patches = readdirSync(`${root}patches`).sort();
  for (const name of ["bun.lock", "package.json", ...patches.map((patch) => `patches/${patch}`)])
    hasher.update(readFileSync(`${root}${name}`));
  return hasher.digest("hex");
}
