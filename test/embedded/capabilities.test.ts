/**
 * Root as containers have it: without the capability to look at another user's process (CAP_SYS_PTRACE), PostgreSQL running
 * as that other user. Only root can give a capability up, so this needs root.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
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
  const left = clusterProcesses(cluster());
  for (const pid of left) signal(pid, "SIGKILL");
  await waitForEnd(left, 10_000);
  directory.remove();
});

function start(): ServiceProcess {
  const service = startService({
    through: ["setpriv", "--bounding-set=-sys_ptrace", "--inh-caps=-sys_ptrace"],
    env: { DATA_DIR: join(directory.path, "data") },
  });
  services.push(service);
  return service;
}

test.if(canDrop)(
  "root without CAP_SYS_PTRACE starts its PostgreSQL, adopts one that outlived it, clears up after one that died, stops it",
  async () => {
    const first = start();
    const { pid = 0 } = await first.logged(running);
    await first.listening();
    first.signal("SIGKILL");
    await first.ended();

    const second = start();
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

    const third = start();
    expect(await third.logged(running)).toMatchObject({ adopted: false });
    await third.listening();
    expect(clusterProcesses(cluster())).not.toContain(child);
    third.signal("SIGTERM");
    expect(await third.ended()).toBe(0);
    expect(clusterProcesses(cluster())).toEqual([]);
  },
  120_000,
);
