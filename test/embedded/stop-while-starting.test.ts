/**
 * A stop that is asked for while PostgreSQL itself starts. The start is a real crash recovery, frozen in its middle: nothing but
 * heeding the signal ends it.
 */
import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { clusterProcesses, findPostmaster, signal, waitForEnd } from "../../src/store/embedded/processes.ts";
import { embeddedSuite, RUNNING } from "./embedded-suite.ts";
import type { ServiceProcess } from "./service-process.ts";

const testMsMax = 120_000;
const ROWS = 1_000_000;

const suite = embeddedSuite();

/** Its log of changes has some 150 MB that no checkpoint has seen, which is a second of recovery. */
async function startAndFill(): Promise<{ service: ServiceProcess; server: number }> {
  const service = suite.start();
  const { pid: server = 0 } = await service.logged(RUNNING);
  await service.listening();
  await suite.withDatabase((sql) =>
    sql.unsafe(`create table filled as select i, repeat('x', 80) from generate_series(1, ${ROWS}) as i`),
  );
  return { service, server };
}

/** What the next start has to recover from: service and server killed together. */
async function fillAndCrash(): Promise<void> {
  const { service, server } = await startAndFill();
  service.signal("SIGKILL");
  await service.ended();
  process.kill(server, "SIGKILL");
  await waitForEnd([server], 10_000);
}

/** The process of the cluster that does the recovery, stopped in it. */
async function frozenRecovery(): Promise<number> {
  const title = (pid: number) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8");
    } catch {
      return "";
    }
  };
  for (;;) {
    const pid = clusterProcesses(suite.cluster).find((each) => /: startup/.test(title(each)));
    if (pid !== undefined && signal(pid, "SIGSTOP")) {
      await Bun.sleep(50);
      expect(findPostmaster(suite.cluster)).toMatchObject({ ready: false, stopping: false });
      return pid;
    }
    await Bun.sleep(1);
  }
}

async function isWhole(): Promise<void> {
  const service = suite.start();
  expect(await service.logged(RUNNING)).toMatchObject({ adopted: false, created: false });
  await service.listening();
  expect(
    await suite.withDatabase((sql) =>
      sql.unsafe("select count(*)::int as rows, sum(i)::bigint as sum from filled"),
    ),
  ).toMatchObject([{ rows: ROWS, sum: String((ROWS * (ROWS + 1)) / 2) }]);
  service.signal("SIGTERM");
  expect(await service.ended()).toBe(0);
}

test(
  "in a recovery: the service and its PostgreSQL end, and the next start recovers",
  async () => {
    await fillAndCrash();

    for (const name of ["SIGTERM", "SIGINT"] as const) {
      const service = suite.start();
      const recovery = await frozenRecovery();
      service.signal(name);
      // Once it is let go on and heeds the signal by itself, once the harder way has to be taken.
      if (name === "SIGINT") {
        while (findPostmaster(suite.cluster)?.stopping === false) await Bun.sleep(5);
        signal(recovery, "SIGCONT");
      }
      expect(await service.ended()).toBe(0);
      expect(service.output()).not.toContain(RUNNING);
      expect(service.output()).not.toContain('"level":60');
      expect(clusterProcesses(suite.cluster)).toEqual([]);
    }
    await isWhole();
  },
  testMsMax,
);

test(
  "twice: the service ends at once, PostgreSQL by itself, and the next start recovers",
  async () => {
    await fillAndCrash();

    const service = suite.start();
    const recovery = await frozenRecovery();
    service.signal("SIGTERM");
    await service.logged("stop requested");
    // A second signal within a second counts as the same one.
    await Bun.sleep(1100);
    service.signal("SIGTERM");
    expect(await service.ended()).toBe(1);
    expect(findPostmaster(suite.cluster)).toMatchObject({ ready: false, stopping: true });
    process.kill(recovery, "SIGCONT");
    expect(await waitForEnd(clusterProcesses(suite.cluster), 30_000)).toBe(true);
    await isWhole();
  },
  testMsMax,
);

test(
  "in the recovery of a server that died under a running service",
  async () => {
    const { service, server } = await startAndFill();
    process.kill(server, "SIGKILL");
    await service.logged("embedded PostgreSQL ended by itself, starting it again");
    await frozenRecovery();
    service.signal("SIGTERM");
    expect(await service.ended()).toBe(0);
    expect(service.output()).not.toContain("running again");
    expect(clusterProcesses(suite.cluster)).toEqual([]);
    await isWhole();
  },
  testMsMax,
);

test(
  "in the recovery of a server that outlived its service",
  async () => {
    await fillAndCrash();

    const second = suite.start();
    await frozenRecovery();
    second.signal("SIGKILL");
    await second.ended();
    const third = suite.start();
    // It has nothing to log yet: the lock tells that it has come to waiting for the server.
    while (Number(readFileSync(join(suite.dataDir, "service.lock"), "utf8")) !== third.child.pid)
      await Bun.sleep(10);
    await Bun.sleep(500);
    third.signal("SIGTERM");
    expect(await third.ended()).toBe(0);
    expect(clusterProcesses(suite.cluster)).toEqual([]);
    await isWhole();
  },
  testMsMax,
);

test(
  "while the cluster is made: nothing is left of it, and the next start makes it",
  async () => {
    const service = suite.start();
    const made = () =>
      existsSync(suite.dataDir) ? readdirSync(suite.dataDir).filter((name) => /^init-/.test(name)) : [];
    // Beside the password file, so not the directory that only tries whether one can be made.
    while (!existsSync(join(suite.dataDir, "postgres.password")) || made().length === 0) await Bun.sleep(1);
    service.signal("SIGTERM");
    expect(await service.ended()).toBe(0);
    expect(readdirSync(suite.dataDir).sort()).toEqual(["postgres.password", "service.lock"]);
    const next = suite.start();
    expect(await next.logged(RUNNING)).toMatchObject({ created: true });
    await next.listening();
  },
  testMsMax,
);
