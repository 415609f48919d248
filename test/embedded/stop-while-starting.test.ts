/**
 * A stop that is asked for while PostgreSQL itself starts. The start is a real crash recovery, frozen in its
 * middle: nothing but heeding the signal ends it.
 */
import { expect, test } from "bun:test";
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { clusterProcesses, findPostmaster, signal, waitForEnd } from "../../src/store/embedded/processes.ts";
import { embeddedSuite, RUNNING } from "./embedded-suite.ts";
import type { ServiceProcess } from "./service-process.ts";

const testMsMax = 240_000;
const ROWS = 1_000_000;
const AGAIN = "embedded PostgreSQL is running again";

const suite = embeddedSuite();

/** Its log of changes has some 150 MB that no checkpoint has seen, which is a second of recovery. */
async function fill(): Promise<void> {
  await suite.withDatabase((sql) =>
    sql.unsafe(`
      drop table if exists filled;
      create table filled as select i, repeat('x', 80) from generate_series(1, ${ROWS}) as i`),
  );
}

/** What the next start has to recover from: service and server killed together. */
async function fillAndCrash(service: ServiceProcess = suite.start()): Promise<void> {
  const { pid: server = 0 } = await service.logged(RUNNING);
  await service.listening();
  await fill();
  service.signal("SIGKILL");
  await service.ended();
  process.kill(server, "SIGKILL");
  await waitForEnd([server], 10_000);
}

/** What stands of a process in /proc under this name; nothing when it has ended. */
function procOf(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return "";
  }
}

/** False when it ended first. */
async function freeze(pid: number): Promise<boolean> {
  const state = () => /\) (\S)/.exec(procOf(pid, "stat"))?.[1] ?? "X";
  while (signal(pid, "SIGSTOP") && !/[TtZX]/.test(state())) await Bun.sleep(1);
  return /[Tt]/.test(state());
}

/**
 * The process of the cluster that does the recovery, stopped in it; undefined when the recovery was over
 * first.
 */
async function frozenRecovery(isOver: () => boolean): Promise<number | undefined> {
  while (!isOver()) {
    const pid = clusterProcesses(suite.cluster).find((each) => /: startup/.test(procOf(each, "cmdline")));
    if (pid !== undefined && (await freeze(pid))) {
      expect(findPostmaster(suite.cluster)).toMatchObject({ ready: false, stopping: false });
      return pid;
    }
    await Bun.sleep(1);
  }
  return undefined;
}

/**
 * A start on what crashed that stands still in its recovery. If the machine stalled and the recovery did not,
 * it crashes once more.
 */
async function startIntoRecovery(): Promise<{ service: ServiceProcess; recovery: number }> {
  for (;;) {
    const service = suite.start();
    const recovery = await frozenRecovery(() => service.output().includes(RUNNING));
    if (recovery !== undefined) return { service, recovery };
    await fillAndCrash(service);
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
      const { service, recovery } = await startIntoRecovery();
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

    const { service, recovery } = await startIntoRecovery();
    service.signal("SIGTERM");
    await service.logged("stop requested");
    while (findPostmaster(suite.cluster)?.stopping === false) await Bun.sleep(5);
    // A second signal within a second counts as the same one.
    await Bun.sleep(1100);
    service.signal("SIGTERM");
    expect(await service.ended()).toBe(1);
    expect(findPostmaster(suite.cluster)).toMatchObject({ ready: false, stopping: true });
    signal(recovery, "SIGCONT");
    expect(await waitForEnd(clusterProcesses(suite.cluster), 30_000)).toBe(true);
    await isWhole();
  },
  testMsMax,
);

test(
  "in the recovery of a server that died under a running service",
  async () => {
    const service = suite.start();
    await service.listening();
    const timesAgain = () => service.output().split(AGAIN).length - 1;
    let times = timesAgain();
    do {
      await fill();
      times = timesAgain();
      const server = findPostmaster(suite.cluster);
      if (server === null) throw new Error("the server is gone");
      process.kill(server.pid, "SIGKILL");
    } while ((await frozenRecovery(() => timesAgain() > times)) === undefined);
    service.signal("SIGTERM");
    expect(await service.ended()).toBe(0);
    expect(timesAgain()).toBe(times);
    expect(clusterProcesses(suite.cluster)).toEqual([]);
    await isWhole();
  },
  testMsMax,
);

test(
  "in the recovery of a server that outlived its service",
  async () => {
    await fillAndCrash();

    const { service: second } = await startIntoRecovery();
    second.signal("SIGKILL");
    await second.ended();
    const settings = join(suite.cluster, "ats.conf");
    const written = statSync(settings).mtimeMs;
    const third = suite.start();
    // It has nothing to log yet: but behind the writing of its settings it comes to waiting for the server
    // without a turn of its loop.
    while (statSync(settings).mtimeMs === written) await Bun.sleep(5);
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
    let service = suite.start();
    let initdb: number | undefined;
    while (initdb === undefined) {
      const ppid = service.child.pid;
      const pid = readdirSync("/proc")
        .filter((name) => /^\d+$/.test(name))
        .map(Number)
        .find((each) => new RegExp(`\\(initdb\\) \\S ${ppid} `).test(procOf(each, "stat")));
      if (pid !== undefined && (await freeze(pid))) initdb = pid;
      else if (service.output().includes(RUNNING)) {
        // It was made first: once more.
        service.signal("SIGTERM");
        await service.ended();
        rmSync(suite.dataDir, { recursive: true });
        service = suite.start();
      } else await Bun.sleep(1);
    }
    expect(readdirSync(suite.dataDir).filter((name) => /^init-/.test(name))).toHaveLength(1);
    service.signal("SIGTERM");
    await service.logged("stop requested");
    signal(initdb, "SIGCONT");
    expect(await service.ended()).toBe(0);
    expect(readdirSync(suite.dataDir).sort()).toEqual(["postgres.password", "service.lock"]);
    const next = suite.start();
    expect(await next.logged(RUNNING)).toMatchObject({ created: true });
    await next.listening();
  },
  testMsMax,
);
