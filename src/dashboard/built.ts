import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { setPriority, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * The built pages in dist/app, made when they are missing or older than their sources. Invariant: neither
 * this file nor what it imports pulls the pages' packages or the bundler into the process; a build is a child
 * process.
 */

const root = fileURLToPath(new URL("../..", import.meta.url));
export const builtDirectory = join(root, "dist", "app");
/** In dist/app: what it was built from. */
export const stampName = ".built-from";

/** Where the pages' code and all that decides about the bundle stands. */
const sources = ["src/dashboard/web", "src/dashboard/build.ts", "bun.lock", "package.json"];

export interface BuildResult {
  /** Absolute path of dist/app, holding index.html and assets/. */
  readonly directory: string;
  readonly built: boolean;
}

/** Held by who builds: one build at a time in a directory, also of several processes. */
export const buildLockPath = join(tmpdir(), `ats-build-${Bun.hash(root).toString(36)}.lock`);
export const onlyIfStaleFlag = "--if-stale";
const buildNice = 10;
/** Not of types alone: those are erased. */
const importedFile = /^(?:import|export)\s(?!type\s)[^;"]*?from "(\.{1,2}\/[^"]+)"/gm;

/**
 * Resolves when dist/app is there and current, building it if need be (seconds); rejects with the bundler's
 * words if that fails. Any number of processes may call it at once: one builds, the others wait for it.
 * Without sources (an image that ships only dist) what is there is current.
 */
export async function ensureBuilt(): Promise<BuildResult> {
  if (isCurrent()) return { directory: builtDirectory, built: false };
  await build();
  return { directory: builtDirectory, built: true };
}

export function isCurrent(): boolean {
  const stamp = join(builtDirectory, stampName);
  if (!existsSync(stamp)) return false;
  return !existsSync(join(root, "src/dashboard/web")) || readFileSync(stamp, "utf8") === sourceFingerprint();
}

export function sourceFingerprint(): string {
  const files = sources
    .map((source) => join(root, source))
    .filter((path) => existsSync(path))
    .flatMap(filesBelow);
  // What pages share with the server stands outside of web/, and imports nothing further.
  const shared = new Set<string>();
  const hasher = new Bun.CryptoHasher("sha256");
  const add = (file: string): string => {
    const text = readFileSync(file, "utf8");
    hasher.update(`${file.slice(root.length)}\0${text}\0`);
    return text;
  };
  for (const file of files) {
    const text = add(file);
    if (!/\.tsx?$/.test(file)) continue;
    for (const [, path = ""] of text.matchAll(importedFile)) {
      const target = join(dirname(file), path);
      if (!files.includes(target)) shared.add(target);
    }
  }
  for (const file of [...shared].sort()) if (existsSync(file)) add(file);
  return hasher.digest("hex");
}

function filesBelow(path: string): string[] {
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function build(): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(root, "src/dashboard/build.ts"), onlyIfStaleFlag], {
      cwd: root,
      stdio: ["ignore", "ignore", "pipe"],
    });
    giveWay(child.pid);
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(-4000);
    });
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`the pages could not be built: ${said.trim()}`));
    });
  });
}

/** Ingest goes before a build. Threads inherit the value, and the bundler's are not there yet. */
function giveWay(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, buildNice);
  } catch {
    // Gone already, or not allowed: it then competes as an equal.
  }
}
