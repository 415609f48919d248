/**
 * Root as containers have it: without the capability to look at another user's process (CAP_SYS_PTRACE),
 * PostgreSQL running as that other user; or with none at all. Only root can give a capability up, so this
 * needs root.
 */
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { clusterProcesses, waitForEnd } from "../../src/store/embedded/processes.ts";
import { embeddedSuite, RUNNING } from "./embedded-suite.ts";

const canDrop = process.getuid?.() === 0 && Bun.which("setpriv") !== null;

const suite = embeddedSuite();

const start = (bounding: string) =>
  suite.start({ through: ["setpriv", "--no-new-privs", "--inh-caps=-all", `--bounding-set=${bounding}`] });

test.if(canDrop)(
  "root without CAP_SYS_PTRACE starts its PostgreSQL, adopts one that outlived it, clears up after one that died, stops it",
  async () => {
    const first = start("-sys_ptrace");
    const { pid = 0 } = await first.logged(RUNNING);
    await first.listening();
    first.signal("SIGKILL");
    await first.ended();

    const second = start("-sys_ptrace");
    expect(await second.logged(RUNNING)).toMatchObject({ adopted: true, pid });
    await second.listening();
    // Stopped in its middle, a child cannot notice that its server is gone: the next start has to end it.
    const child = clusterProcesses(suite.cluster).find((other) => other !== pid) ?? 0;
    process.kill(child, "SIGSTOP");
    second.signal("SIGKILL");
    await second.ended();
    process.kill(pid, "SIGKILL");
    await waitForEnd([pid], 10_000);
    expect(clusterProcesses(suite.cluster)).toContain(child);

    const third = start("-sys_ptrace");
    expect(await third.logged(RUNNING)).toMatchObject({ adopted: false });
    await third.listening();
    expect(clusterProcesses(suite.cluster)).not.toContain(child);
    third.signal("SIGTERM");
    expect(await third.ended()).toBe(0);
    expect(clusterProcesses(suite.cluster)).toEqual([]);
  },
  240_000,
);

test.if(canDrop)(
  "root with the capabilities that are documented starts its PostgreSQL and stops it",
  async () => {
    const service = start("-all,+chown,+dac_override,+kill,+setgid,+setuid");
    await service.listening();
    service.signal("SIGTERM");
    expect(await service.ended()).toBe(0);
    expect(clusterProcesses(suite.cluster)).toEqual([]);
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
      expect(existsSync(suite.dataDir)).toBe(false);
    }
  },
);
