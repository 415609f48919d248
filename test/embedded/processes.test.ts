/**
 * A service without a free file descriptor cannot look at /proc, and must not believe its PostgreSQL dead for
 * that.
 */
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const processes = join(import.meta.dir, "../../src/store/embedded/processes.ts");

test("without a free file descriptor a living process is alive, and a cluster's server is not called gone", async () => {
  const directory = mkdtempSync(join(tmpdir(), "ats-test-fds-"));
  try {
    writeFileSync(join(directory, "postmaster.pid"), `${process.pid}\n`);
    const script = `
      import { openSync } from "node:fs";
      import { findPostmaster, isAlive } from ${JSON.stringify(processes)};
      let refused = "";
      while (refused === "") try { openSync("/dev/null", "r"); } catch (error) { refused = error.code; }
      let found;
      try { found = findPostmaster(${JSON.stringify(directory)}); } catch (error) { found = error.code; }
      console.log(JSON.stringify({ refused, self: isAlive(process.pid), none: isAlive(4194303), found }));`;
    const child = Bun.spawn(["sh", "-c", 'ulimit -n 128; exec "$0" -e "$1"', process.execPath, script]);
    const told: unknown = JSON.parse(await new Response(child.stdout).text());
    expect(told).toEqual({ refused: "EMFILE", self: true, none: false, found: "EMFILE" });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
