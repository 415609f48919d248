import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { clusterProcesses, isAlive, waitForEnd } from "../../src/store/embedded/processes.ts";
import { eventually } from "../support/postgres-server.ts";
import { embeddedSuite, RUNNING } from "./embedded-suite.ts";
import type { ServiceProcess } from "./service-process.ts";

/**
 * The embedded PostgreSQL through every way a service and its server can end. Real processes, real signals.
 */

const testMsMax = 240_000;

const suite = embeddedSuite();

async function isHealthy(service: ServiceProcess): Promise<boolean> {
  const { port } = await service.listening();
  return (await fetch(`http://127.0.0.1:${port}/health`)).ok;
}

describe("start and stop", () => {
  test(
    "the first start prints one key that is stored as a hash; the second prints none; SIGTERM leaves nothing running",
    async () => {
      const first = suite.start();
      expect(await isHealthy(first)).toBe(true);
      // Its words for people come after it listens.
      await eventually("the link is printed", () => first.output().includes("create the first account"));
      const keys = first.output().match(/^ {4}service_sk_[a-z2-7]{32}$/gm);
      expect(keys).toHaveLength(1);
      expect(first.output()).toContain("curl -i http://localhost:");
      const key = keys?.[0]?.trim() ?? "";
      const stored = await suite.withDatabase(
        (sql) => sql`select encode(key_hash, 'hex') as hash, revoked_at from ats.api_key`,
      );
      expect(stored).toMatchObject([
        { hash: new Bun.CryptoHasher("sha256").update(key).digest("hex"), revoked_at: null },
      ]);
      expect(
        first
          .output()
          .split("\n")
          .filter((line) => line.startsWith("{"))
          .join(),
      ).not.toContain(key);

      first.signal("SIGTERM");
      expect(await first.ended()).toBe(0);
      expect(clusterProcesses(suite.cluster)).toEqual([]);

      const second = suite.start();
      expect(await isHealthy(second)).toBe(true);
      expect(await second.logged(RUNNING)).toMatchObject({ created: false, adopted: false });
      second.signal("SIGINT");
      expect(await second.ended()).toBe(0);
      expect(second.output()).not.toContain("service_sk_");
    },
    testMsMax,
  );

  test(
    "Ctrl-C, which reaches the whole process group and again through the parent, drains before PostgreSQL stops",
    async () => {
      const service = suite.start({ detached: true });
      await service.listening();
      const group = -(service.child.pid ?? 0);
      process.kill(group, "SIGINT");
      process.kill(group, "SIGINT");
      expect(await service.ended()).toBe(0);
      expect(service.output()).not.toContain("ended by itself");
      expect(clusterProcesses(suite.cluster)).toEqual([]);
    },
    testMsMax,
  );

  test(
    "a second service on the same DATA_DIR is refused and the first goes on",
    async () => {
      const first = suite.start();
      await first.listening();
      const second = suite.start();
      expect(await second.ended()).toBe(1);
      expect(second.output()).toContain(`Another service (process ${first.child.pid})`);
      expect(await isHealthy(first)).toBe(true);
      expect(await suite.withDatabase((sql) => sql`select 1 as one`)).toMatchObject([{ one: 1 }]);
    },
    testMsMax,
  );

  test(
    "a path too long for a socket",
    async () => {
      suite.dataDir = join(suite.directory, "d".repeat(120));
      const service = suite.start();
      expect(await isHealthy(service)).toBe(true);
      service.signal("SIGKILL");
      await service.ended();
      const next = suite.start();
      expect(await isHealthy(next)).toBe(true);
      expect(await next.logged(RUNNING)).toMatchObject({ adopted: true });
      next.signal("SIGTERM");
      expect(await next.ended()).toBe(0);
    },
    testMsMax,
  );
});

describe("after a kill", () => {
  test(
    "of the service: the next start adopts the server that outlived it, on the same port",
    async () => {
      const first = suite.start();
      const before = await first.logged(RUNNING);
      await first.listening();
      first.signal("SIGKILL");
      expect(await first.ended()).toBe("SIGKILL");
      expect(isAlive(before.pid ?? 0)).toBe(true);

      const second = suite.start();
      expect(await isHealthy(second)).toBe(true);
      expect(await second.logged(RUNNING)).toMatchObject({
        adopted: true,
        created: false,
        pid: before.pid ?? 0,
        port: before.port ?? 0,
      });
      second.signal("SIGTERM");
      expect(await second.ended()).toBe(0);
      expect(clusterProcesses(suite.cluster)).toEqual([]);
    },
    testMsMax,
  );

  test(
    "of the service and of the server in the middle of a statement: what was committed is there",
    async () => {
      const first = suite.start();
      const { pid = 0 } = await first.logged(RUNNING);
      await first.listening();
      await suite.withDatabase(async (sql) => {
        await sql`create table kept as select 42 as answer`;
        // A backend that is busy does not see that its server is gone, and holds on to the shared memory.
        const busy = sql`select count(*) from generate_series(1, 2000000000)`.catch(() => "gone");
        while (
          (await sql`select from pg_stat_activity where query like '%generate_series(1, 2%'`).count < 2
        ) {
          await Bun.sleep(10);
        }
        first.signal("SIGKILL");
        await first.ended();
        process.kill(pid, "SIGKILL");
        await waitForEnd([pid], 10_000);
        expect(clusterProcesses(suite.cluster).length).toBeGreaterThan(0);

        const second = suite.start();
        expect(await isHealthy(second)).toBe(true);
        expect(await second.logged(RUNNING)).toMatchObject({ adopted: false, created: false });
        expect(await busy).toBe("gone");
      });
      expect(await suite.withDatabase((sql) => sql`select answer from kept`)).toMatchObject([{ answer: 42 }]);
    },
    testMsMax,
  );

  test(
    "of the server under a running service: it is started again on the same port",
    async () => {
      const service = suite.start();
      const { pid = 0, port } = await service.logged(RUNNING);
      await service.listening();
      process.kill(pid, "SIGKILL");
      const again = await service.logged("embedded PostgreSQL is running again");
      expect(again.port).toBe(port);
      expect(await suite.withDatabase((sql) => sql`select 1 as one`)).toMatchObject([{ one: 1 }]);
      service.signal("SIGTERM");
      expect(await service.ended()).toBe(0);
      expect(clusterProcesses(suite.cluster)).toEqual([]);
    },
    testMsMax,
  );

  test(
    "of the server under a service that is still starting: the start goes on when it is back",
    async () => {
      const service = suite.start();
      const { pid = 0 } = await service.logged(RUNNING);
      process.kill(pid, "SIGKILL");
      expect(await isHealthy(service)).toBe(true);
      service.signal("SIGTERM");
      expect(await service.ended()).toBe(0);
    },
    testMsMax,
  );

  test(
    "of an initdb: its leftovers are removed and the cluster is made",
    async () => {
      mkdirSync(join(suite.dataDir, "init-abc123", "cluster", "base"), { recursive: true });
      mkdirSync(suite.cluster);
      const service = suite.start();
      expect(await isHealthy(service)).toBe(true);
      expect(await service.logged(RUNNING)).toMatchObject({ created: true });
      expect(existsSync(join(suite.dataDir, "init-abc123"))).toBe(false);
    },
    testMsMax,
  );

  test(
    "of everything, with the process id now someone else's: that process is left alone",
    async () => {
      const first = suite.start();
      await first.listening();
      first.signal("SIGTERM");
      expect(await first.ended()).toBe(0);
      const ours = `${process.pid}\n/proc/self/cwd\n1\n5432\n\nlocalhost\n  1 1\nready   \n`;
      writeFileSync(join(suite.cluster, "postmaster.pid"), ours);
      const second = suite.start();
      expect(await isHealthy(second)).toBe(true);
      expect(await second.logged(RUNNING)).toMatchObject({ adopted: false });
    },
    testMsMax,
  );
});

describe("what cannot start says so in one line, without a stack", () => {
  const fatal = (service: ServiceProcess) =>
    service
      .output()
      .split("\n")
      .filter((line) => line.includes('"level":60'));

  test("mistakes in the configuration", async () => {
    const service = suite.start({ env: { PORT: "eighty", HTTP_THREADS: "0" } });
    expect(await service.ended()).toBe(2);
    expect(service.output()).toStartWith("2 mistakes in the configuration:\n  PORT=");
    expect(existsSync(suite.dataDir)).toBe(false);
  });

  test(
    "a database that cannot be reached within the time: its address, not its password",
    async () => {
      const url = "postgres://someone:hunter2@127.0.0.1:1/nowhere";
      const service = suite.start({ env: { DATABASE_URL: url, STARTUP_TIMEOUT_S: "1" } });
      expect(await service.ended()).toBe(1);
      expect(fatal(service)).toHaveLength(1);
      expect(fatal(service)[0]).toContain("127.0.0.1:1/nowhere could not be reached within 1 s");
      expect(service.output()).not.toContain("hunter2");
      expect(existsSync(suite.dataDir)).toBe(false);
    },
    testMsMax,
  );

  test(
    "a stop while the database is awaited ends the wait",
    async () => {
      const service = suite.start({ env: { DATABASE_URL: "postgres://u@127.0.0.1:1/nowhere" } });
      await service.logged("database cannot be reached, trying again");
      service.signal("SIGTERM");
      expect(await service.ended()).toBe(0);
    },
    testMsMax,
  );

  test(
    "a port that is taken: the server that was started is stopped again, and the first key waits for a start that succeeds",
    async () => {
      const holder = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
      const service = suite.start({ env: { PORT: String(holder.port) } });
      expect(await service.ended()).toBe(1);
      expect(fatal(service)[0]).toContain(`Port ${holder.port} on 127.0.0.1 is taken`);
      expect(clusterProcesses(suite.cluster)).toEqual([]);
      await holder.stop(true);
      const second = suite.start();
      await second.listening();
      await eventually("a key is printed", () => /^ {4}service_sk_[a-z2-7]{32}$/m.test(second.output()));
    },
    testMsMax,
  );

  test(
    "an address that is not this machine's, with any free port: the first key waits for a start that succeeds",
    async () => {
      const service = suite.start({ env: { HOST: "192.0.2.1", PORT: "0" } });
      expect(await service.ended()).toBe(1);
      expect(fatal(service)[0]).toContain("A port on 192.0.2.1 cannot be listened on (EADDRNOTAVAIL)");
      expect(service.output()).not.toContain("service_sk_");
    },
    testMsMax,
  );

  test("a temporary directory that is not there, as in a container with a read-only root", async () => {
    const service = suite.start({ env: { TMPDIR: join(suite.directory, "none") } });
    expect(await service.ended()).toBe(1);
    expect(fatal(service)).toHaveLength(1);
    expect(fatal(service)[0]).toContain("cannot be written (ENOENT), and the dashboard needs it");
    expect(existsSync(suite.dataDir)).toBe(false);
  });

  test.skipIf(process.getuid?.() !== 0)(
    "a copy of the data directory that did not keep owners and modes: what is wrong, and what mends it",
    async () => {
      const service = suite.start();
      await service.listening();
      service.signal("SIGTERM");
      expect(await service.ended()).toBe(0);
      const { uid } = statSync(suite.cluster);
      const copy = join(suite.directory, "copy");
      cpSync(suite.dataDir, copy, { recursive: true });
      chownSync(join(copy, "postgres"), 0, 0);
      chmodSync(join(copy, "postgres"), 0o755);
      suite.dataDir = copy;
      const refused = suite.start();
      expect(await refused.ended()).toBe(1);
      const mend = `chown -R ${uid} ${suite.cluster} && chmod 700 ${suite.cluster}`;
      expect(fatal(refused)).toHaveLength(1);
      expect(fatal(refused)[0]).toContain(
        `${suite.cluster} belongs to user 0, and PostgreSQL runs as user ${uid}; it is open to others (mode 755), as in a copy that did not keep owners and modes (cp -a does): ${mend}`,
      );
      expect(Bun.spawnSync(["sh", "-c", mend]).exitCode).toBe(0);
      await suite.start().listening();
    },
    testMsMax,
  );

  test("a cluster of another PostgreSQL", async () => {
    mkdirSync(suite.cluster, { recursive: true });
    writeFileSync(join(suite.cluster, "PG_VERSION"), "16\n");
    const service = suite.start();
    expect(await service.ended()).toBe(1);
    expect(fatal(service)[0]).toContain("was made by PostgreSQL 16");
    expect(readFileSync(join(suite.cluster, "PG_VERSION"), "utf8")).toBe("16\n");
  });
});
