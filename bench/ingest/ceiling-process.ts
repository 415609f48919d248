/**
 * The ceiling's sender: the same rows as text for COPY, encoded before the clock starts, sent by a few
 * connections at once into a plain table, one COPY each. What PostgreSQL itself can load on this machine,
 * with nothing in between.
 *
 * The driver's `finish` is not trusted (a refused COPY may fire it late or never): the rows are counted
 * afterwards by the parent, and a COPY that does not end ends with the parent's time limit.
 */
import { connect, type Sql } from "../../src/store/database/connect.ts";
import { blockBatches } from "./batch-plan.ts";
import type { CeilingOutcome, CeilingSetup, FromChild, ToChild } from "./messages.ts";
import { makeBatch } from "./request-templates.ts";

/** Big enough that a chunk's own cost vanishes. */
const CHUNK_BYTES = 1024 * 1024;

function tell(message: FromChild): void {
  process.send?.(message);
}

/** A value of COPY's text format. */
function copyText(value: string): string {
  return /[\\\t\n\r]/.test(value)
    ? value.replaceAll("\\", "\\\\").replaceAll("\t", "\\t").replaceAll("\n", "\\n").replaceAll("\r", "\\r")
    : value;
}

/** The chunks that each connection sends. Batches alternate, so that both sort about as the load arrives. */
async function encodeRows(setup: CeilingSetup): Promise<Buffer[][]> {
  const chunks: Buffer[][] = Array.from({ length: setup.connections }, () => []);
  const open: string[] = chunks.map(() => "");
  const timeMs = Date.now();
  const block = blockBatches(setup.batch);
  for (let batchNo = 0; batchNo < setup.batches; batchNo++) {
    const lane = Math.floor((batchNo * setup.connections) / Math.max(setup.batches, 1));
    let text = open[lane]!;
    for (const event of makeBatch(setup.batch, batchNo, timeMs)) {
      text += `${setup.projectId}\t${event.executionId}\t${event.eventId}\t${event.eventType}\t${event.sequence}\t${event.timestamp}\t${copyText(event.payload)}\n`;
    }
    if (text.length >= CHUNK_BYTES) {
      chunks[lane]!.push(Buffer.from(text));
      text = "";
    }
    open[lane] = text;
    if (batchNo % Math.min(block, 256) !== 0) continue;
    tell({
      kind: "progress",
      what: "encoding the ceiling's rows",
      done: batchNo,
      of: setup.batches,
      unit: "batches",
    });
    await Bun.sleep(0);
  }
  open.forEach((text, lane) => {
    if (text.length > 0) chunks[lane]!.push(Buffer.from(text));
  });
  return chunks;
}

class CeilingProcess {
  private readonly clients: Sql[];

  constructor(
    readonly setup: CeilingSetup,
    private readonly chunks: Buffer[][],
  ) {
    this.clients = chunks.map(() =>
      connect({ url: setup.databaseUrl, connectionsMax: 1, applicationName: "bench ceiling" }),
    );
  }

  async prepare(): Promise<void> {
    const [first] = this.clients;
    if (first === undefined) throw new Error("the ceiling has no connection");
    await first`drop table if exists plain`;
    await first`
      create table plain (
        project_id text not null,
        execution_id text not null,
        event_id text not null,
        event_type text not null,
        sequence int not null,
        "timestamp" timestamptz not null,
        payload jsonb not null,
        received_at timestamptz not null default now(),
        primary key (project_id, execution_id, event_id)
      )`;
    await Promise.all(this.clients.map((client) => client`select 1`));
  }

  private async copy(client: Sql, chunks: readonly Buffer[]): Promise<void> {
    const writable =
      await client`copy plain (project_id, execution_id, event_id, event_type, sequence, "timestamp", payload) from stdin`.writable();
    const ended = new Promise<void>((resolve, reject) => {
      writable.once("finish", resolve);
      writable.once("error", reject);
    });
    for (const chunk of chunks) {
      if (writable.write(chunk)) continue;
      await Promise.race([ended, new Promise<void>((resolve) => writable.once("drain", () => resolve()))]);
    }
    writable.end();
    await ended;
  }

  async run(): Promise<CeilingOutcome> {
    const cpu = process.cpuUsage();
    const startMs = performance.now();
    await Promise.all(this.clients.map((client, lane) => this.copy(client, this.chunks[lane] ?? [])));
    const seconds = (performance.now() - startMs) / 1000;
    const used = process.cpuUsage(cpu);
    const [counted] = await this.clients[0]!<{ rows: string }[]>`select count(*) as rows from plain`;
    return {
      seconds,
      cpuSeconds: (used.user + used.system) / 1e6,
      rows: Number(counted?.rows),
      bytes: this.chunks.flat().reduce((sum, chunk) => sum + chunk.length, 0),
    };
  }
}

let ceiling: CeilingProcess | undefined;

async function obey(message: ToChild): Promise<void> {
  if (message.kind === "ceiling_setup") {
    ceiling = new CeilingProcess(message.setup, await encodeRows(message.setup));
    tell({ kind: "ready" });
  } else if (message.kind === "ceiling_prepare" && ceiling !== undefined) {
    await ceiling.prepare();
    Bun.gc(true);
    tell({ kind: "ready" });
  } else if (message.kind === "go" && ceiling !== undefined) {
    tell({ kind: "ceiling_done", outcome: await ceiling.run() });
  } else {
    throw new Error(`cannot ${message.kind} now`);
  }
}

process.on("message", (message: ToChild) => {
  obey(message).catch((error: unknown) => {
    process.stderr.write(`ceiling: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  });
});
process.on("disconnect", () => process.exit(0));
process.on("SIGINT", () => {});
