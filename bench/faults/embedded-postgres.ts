/**
 * The PostgreSQL that a service runs itself, as faults see it from outside. Who starts it again is the
 * service; `stop()` leaves no process of it and no file.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "../../src/store/database/connect.ts";
import { locateEmbedded } from "../../src/store/embedded/locate.ts";
import { clusterProcesses, findPostmaster, signal, waitForEnd } from "../../src/store/embedded/processes.ts";
import type { PostgresServer } from "../../test/support/postgres-server.ts";

/** What of a server's life a fault can take a part in. */
export type FaultyServer = Pick<PostgresServer, "url" | "kill" | "freeze" | "thaw" | "start" | "stop">;

const RESTART_MS_MAX = 60_000;

export interface EmbeddedPostgres extends FaultyServer {
  readonly dataDir: string;
}

export function embeddedPostgres(): EmbeddedPostgres {
  const directory = mkdtempSync(join(tmpdir(), "telemetry-faults-"));
  const dataDir = join(directory, "data");
  const cluster = join(dataDir, "postgres");
  const all = (name: NodeJS.Signals) => {
    for (const pid of clusterProcesses(cluster)) signal(pid, name);
  };
  return {
    dataDir,
    get url() {
      return locateEmbedded(dataDir).url;
    },
    async kill() {
      const postmaster = findPostmaster(cluster);
      if (postmaster !== null) signal(postmaster.pid, "SIGKILL");
    },
    /** The service's work; this waits for it. */
    async start() {
      const endMs = performance.now() + RESTART_MS_MAX;
      while (!(await answers(locateEmbedded(dataDir).url))) {
        if (performance.now() > endMs) throw new Error("the service has not started its PostgreSQL again");
        await Bun.sleep(200);
      }
    },
    freeze: () => all("SIGSTOP"),
    thaw: () => all("SIGCONT"),
    async stop() {
      const left = clusterProcesses(cluster);
      for (const pid of left) signal(pid, "SIGKILL");
      await waitForEnd(left, 10_000);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function answers(url: string): Promise<boolean> {
  const sql = connect({ url, connectionsMax: 1, applicationName: "bench", connectTimeoutS: 2 });
  try {
    await sql`select 1`;
    return true;
  } catch {
    return false;
  } finally {
    await sql.end({ timeout: 1 });
  }
}
