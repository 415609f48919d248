/**
 * The embedded PostgreSQL ended by somebody else than its service: it is back, and the log tells what is
 * known of the cause, and no more.
 */
import { expect, test } from "bun:test";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { isShuttingDown } from "../../src/store/embedded/processes.ts";
import { runCli } from "../cli/run-cli.ts";
import { eventually } from "../support/postgres-server.ts";
import { embeddedSuite, RUNNING } from "./embedded-suite.ts";
import type { ServiceProcess } from "./service-process.ts";

const testMsMax = 240_000;
const ENDED = "embedded PostgreSQL ended by itself, starting it again";
const SHUTTING_DOWN =
  "embedded PostgreSQL was told to shut down by another than the service, starting it again";
const AGAIN = "embedded PostgreSQL is running again";

const suite = embeddedSuite();

/** A line of every day, of a client that went away. */
function logOfAClient(pid: number): void {
  appendFileSync(
    join(suite.dataDir, "postgres.log"),
    `2026-11-21 16:20:06.840 UTC [${pid + 1}] LOG:  could not receive data from client: Connection reset by peer\n` +
      `2026-11-21 16:20:06.841 UTC [${pid + 1}] FATAL:  database "nowhere" does not exist\n`,
  );
}

async function isReady(service: ServiceProcess): Promise<boolean> {
  const { port } = await service.listening();
  return (await fetch(`http://127.0.0.1:${port}/ready`)).ok;
}

for (const [how, name] of [
  ["a smart shutdown, which waits for the service's own connections", "SIGTERM"],
  ["a fast shutdown", "SIGINT"],
] as const) {
  test(
    how,
    async () => {
      const service = suite.start();
      const { pid = 0, port } = await service.logged(RUNNING);
      await service.listening();
      logOfAClient(pid);
      if (name === "SIGTERM") {
        service.signal("SIGSTOP");
        process.kill(pid, name);
        await eventually("it shuts down", () => isShuttingDown(suite.cluster, pid));
        const early = await runCli(["project", "list"], { DATA_DIR: suite.dataDir });
        expect(early).toMatchObject({ code: 1, stdout: "" });
        expect(early.stderr).toContain("takes no connections now (the database system is shutting down)");
        service.signal("SIGCONT");
      } else process.kill(pid, name);
      expect((await service.logged(AGAIN)).port).toBe(port);
      expect(service.output()).toMatch(
        /"reason":"received (?:smart|fast) shutdown request","msg":"embedded PostgreSQL (?:ended|was told)/,
      );
      if (name === "SIGTERM") expect(service.output()).toContain(SHUTTING_DOWN);
      expect(await isReady(service)).toBe(true);
      const asked = await runCli(["project", "list"], { DATA_DIR: suite.dataDir });
      expect(asked).toMatchObject({ code: 0, stderr: "" });
      service.signal("SIGTERM");
      expect(await service.ended()).toBe(0);
    },
    testMsMax,
  );
}

test(
  "a kill: its signal where the service started it, and no cause at all where it was adopted",
  async () => {
    const first = suite.start();
    const { pid = 0 } = await first.logged(RUNNING);
    await first.listening();
    logOfAClient(pid);
    process.kill(pid, "SIGKILL");
    expect(await first.logged(ENDED)).toMatchObject({ pid, reason: "killed by SIGKILL" });
    const { pid: second = 0 } = await first.logged(AGAIN);
    first.signal("SIGKILL");
    await first.ended();

    const adopting = suite.start();
    expect(await adopting.logged(RUNNING)).toMatchObject({ pid: second, adopted: true });
    await adopting.listening();
    logOfAClient(second);
    process.kill(second, "SIGKILL");
    expect(await adopting.logged(ENDED)).not.toHaveProperty("reason");
    await adopting.logged(AGAIN);
    adopting.signal("SIGTERM");
    expect(await adopting.ended()).toBe(0);
  },
  testMsMax,
);
