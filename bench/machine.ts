/** What a bench ran on, as its report names it. */
import { cpus, release, totalmem } from "node:os";
import type { BenchDatabase } from "./ingest/database.ts";

export interface Machine {
  cpu: string;
  cores: number;
  memoryGib: number;
  kernel: string;
  bun: string;
  postgres: string | undefined;
  postgresSettings: Record<string, string> | undefined;
  date: string;
}

/** `database` is absent where a service elsewhere is loaded. */
export async function readMachine(database: BenchDatabase | undefined): Promise<Machine> {
  const processors = cpus();
  return {
    cpu: processors[0]?.model.trim() ?? "unknown",
    cores: processors.length,
    memoryGib: Math.round((totalmem() / 1024 ** 3) * 10) / 10,
    kernel: release(),
    bun: Bun.version,
    postgres: await database?.version(),
    postgresSettings: await database?.settings(),
    date: new Date().toISOString(),
  };
}

export function machineLine({ cpu, cores, memoryGib, kernel, bun, postgres, date }: Machine): string {
  const database = postgres === undefined ? "" : `, PostgreSQL ${postgres}`;
  return `${cpu}, ${cores} cores, ${memoryGib} GiB, Linux ${kernel}, Bun ${bun}${database}, ${date}`;
}
