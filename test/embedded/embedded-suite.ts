import { afterEach, beforeEach } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { connect, type Sql } from "../../src/store/database/connect.ts";
import { locateEmbedded } from "../../src/store/embedded/locate.ts";
import { clusterProcesses, signal, waitForEnd } from "../../src/store/embedded/processes.ts";
import { type ServiceProcess, startService, temporaryDirectory } from "./service-process.ts";

/** What a service logs when its PostgreSQL is up. */
export const RUNNING = "embedded PostgreSQL is running";

export interface EmbeddedSuite {
  /** Of the test, removed after it. */
  readonly directory: string;
  /** In it; a test may take another name before its first start. */
  dataDir: string;
  readonly cluster: string;
  /** A service on `dataDir`, ended after the test if it is not by then. */
  start(options?: Parameters<typeof startService>[0]): ServiceProcess;
  withDatabase<T>(use: (sql: Sql) => Promise<T>): Promise<T>;
}

/**
 * For each test a data directory of its own; after it nothing of what was started on it is left, nor the
 * directory.
 */
export function embeddedSuite(): EmbeddedSuite {
  let directory: ReturnType<typeof temporaryDirectory>;
  const services: ServiceProcess[] = [];
  const suite: EmbeddedSuite = {
    get directory() {
      return directory.path;
    },
    dataDir: "",
    get cluster() {
      return join(suite.dataDir, "postgres");
    },
    start(options = {}) {
      const service = startService({ ...options, env: { DATA_DIR: suite.dataDir, ...options.env } });
      services.push(service);
      return service;
    },
    async withDatabase(use) {
      const { url } = locateEmbedded(suite.dataDir);
      const sql = connect({ url, connectionsMax: 2, applicationName: "test" });
      try {
        return await use(sql);
      } finally {
        await sql.end({ timeout: 1 });
      }
    },
  };

  beforeEach(() => {
    directory = temporaryDirectory();
    suite.dataDir = join(directory.path, "data");
  });

  afterEach(async () => {
    for (const service of services.splice(0)) {
      service.signal("SIGKILL");
      await service.ended();
    }
    const left = existsSync(suite.cluster) ? clusterProcesses(suite.cluster) : [];
    // The backends that served a killed service end by themselves, perhaps between the listing and the
    // signal.
    for (const pid of left) signal(pid, "SIGKILL");
    await waitForEnd(left, 10_000);
    directory.remove();
  });

  return suite;
}
