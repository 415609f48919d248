/**
 * Root as containers have it: without the capability to look at another user's process (CAP_SYS_PTRACE), PostgreSQL running
 * as that other user; or with none at all. Only root can give a capability up, so this needs root.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { clusterProcesses, signal, waitForEnd } from "../../src/store/embedded/processes.ts";
import { type ServiceProcess, startService, temporaryDirectory } from "./service-process.ts";

const canDrop = process.getuid?.() === 0 && Bun.which("setpriv") !== null;
const running = "embedded PostgreSQL is running";

let directory: { path: string; remove(): void };
const services: ServiceProcess[] = [];
const cluster = () => join(directory.path, "data", "postgres");

beforeEach(() => {
  directory = temporaryDirectory();
});

afterEach(async () => {
  for (const service of services.splice(0)) {
    service.signal("SIGKILL");
    await service.ended();
  }
  const left = existsSync(cluster()) ? clusterProcesses(cluster()) : [];
  for (const pid of left) signal(pid, "SIGKILL");
  await waitForEnd(left, 10_000);
  directory.remove();
});

function start(bounding: string): ServiceProcess {
  const service = startService({
    through: ["setpriv", "--no-new-privs", "--inh-caps=-all", `--bounding-set=${bounding}`],
    env: { DATA_DIR: join(directory.path, "data") },
  });
  services.push(service);
  return service;
}

test.if(canDrop)(
  "root without CAP_SYS_PTRACE starts its PostgreSQL, adopts one that outlived it, clears up after one that died, stops it",
  async () => {
    const first = start("-sys_ptrace");
    const { pid = 0 } = await first.logged(running);
    await first.listening();
    first.signal("SIGKILL");
    await first.ended();

    const second = start("-sys_ptrace");
    expect(await second.logged(running)).toMatchObject({ adopted: true, pid });
    await second.listening();
    // Stopped in its middle, a child cannot notice that its server is gone: the next start has to end it.
    const child = clusterProcesses(cluster()).find((other) => other !== pid) ?? 0;
    process.kill(child, "SIGSTOP");
    second.signal("SIGKILL");
    await second.ended();
    process.kill(pid, "SIGKILL");
    await waitForEnd([pid], 10_000);
    expect(clusterProcesses(cluster())).toContain(child);

    const third = start("-sys_ptrace");
    expect(await third.logged(running)).toMatchObject({ adopted: false });
    await third.listening();
    expect(clusterProcesses(cluster())).not.toContain(child);
    third.signal("SIGTERM");
    expect(await third.ended()).toBe(0);
    expect(clusterProcesses(cluster())).toEqual([]);
  },
  120_000,
);

test.if(canDrop)(
  "root with the capabilities that are documented starts its PostgreSQL and stops it",
  async () => {
    const service = start("-all,+chown,+dac_override,+kill,+setgid,+setuid");
    await service.listening();
    service.signal("SIGTERM");
    expect(await service.ended()).toBe(0);
    expect(clusterProcesses(cluster())).toEqual([]);
  },
);

test.if(canDrop)(
  "root without any, and without one, is told in one line which it lacks, and makes nothing",
  async () => {
    for (const [bounding, lacking] of [
      ["-all", "CHOWN, DAC_OVERRIDE, KILL, SETGID, SETUID"],
      ["-kill", "KILL"],
    ] as const) {
      const service = start(bounding);
      expect(await service.ended()).toBe(1);
      const lines = service.output().trim().split("\n");
      expect(lines).toHaveLength(1);
      expect(JSON.parse(lines[0] ?? "")).toMatchObject({
        level: 60,
        msg: `PostgreSQL refuses to run as root, and to run it as another user this root lacks capabilities (${lacking}): add them, start the service as an ordinary user, or set DATABASE_URL`,
      });
      expect(existsSync(join(directory.path, "data"))).toBe(false);
    }
  },
);
