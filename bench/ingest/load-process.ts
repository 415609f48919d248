/**
 * The load generator's process: builds requests, creates the executions they name, waits for `go`, sends,
 * reports. It does nothing else, so that its CPU time is the price of sending alone. Ends when its parent
 * does.
 */
import { blockBatches, executionId, executionRange } from "./batch-plan.ts";
import type { HttpResponse } from "./http-response.ts";
import { LoadEngine, type RequestSource } from "./load-engine.ts";
import type { FromChild, LoadOrder, LoadOutcome, LoadSetup, ToChild } from "./messages.ts";
import { SeededRandom } from "./random.ts";
import { RequestTemplates, requestHead } from "./request-templates.ts";

/** How many batches back a resend goes: long answered in most cases, in flight in a few. */
const RESEND_DISTANCE = 200;
const BUILD_STEP = 256;
const PROGRESS_INTERVAL_MS = 500;

function tell(message: FromChild): void {
  process.send?.(message);
}

interface Target {
  hostname: string;
  port: number;
  tls: boolean;
  host: string;
  prefix: string;
}

function targetOf(url: string): Target {
  const parsed = new URL(url);
  const tls = parsed.protocol === "https:";
  return {
    hostname: parsed.hostname.replace(/^\[|\]$/g, ""),
    port: parsed.port === "" ? (tls ? 443 : 80) : Number(parsed.port),
    tls,
    host: parsed.host,
    prefix: parsed.pathname.replace(/\/$/, ""),
  };
}

/** A phase's requests: batches in order and, among them, some sent before. */
function schedule(setup: LoadSetup, order: LoadOrder): { batchNos: Float64Array; resends: Uint8Array } {
  const resendsPlanned = Math.round((order.batches * setup.duplicatesPercent) / 100);
  const total = order.batches + resendsPlanned;
  const batchNos = new Float64Array(total);
  const resends = new Uint8Array(total);
  const random = new SeededRandom(setup.batch.seed ^ order.fromBatch);
  let fresh = 0;
  for (let index = 0; index < total; index++) {
    const resendsLeft = resendsPlanned - (index - fresh);
    const resend = fresh > 0 && (fresh === order.batches || random.below(total - index) < resendsLeft);
    if (resend) {
      resends[index] = 1;
      batchNos[index] = order.fromBatch + Math.max(0, fresh - 1 - random.below(RESEND_DISTANCE));
    } else {
      batchNos[index] = order.fromBatch + fresh++;
    }
  }
  return { batchNos, resends };
}

class LoadProcess {
  private readonly target: Target;
  private readonly templates: RequestTemplates;

  constructor(private readonly setup: LoadSetup) {
    this.target = targetOf(setup.url);
    const path = `${this.target.prefix}/events`;
    const http = { path, host: this.target.host, key: setup.key, lenient: setup.lenient };
    this.templates = new RequestTemplates(setup.batch, http, setup.templates);
  }

  async build(): Promise<void> {
    for (let built = 0; built < this.templates.count; ) {
      built = this.templates.build(BUILD_STEP);
      tell({
        kind: "progress",
        what: "building bodies",
        done: built,
        of: this.templates.count,
        unit: "batches",
      });
      await Bun.sleep(0);
    }
  }

  /**
   * Creates the executions of the phase over the interface, and turns the templates into the phase's batches.
   */
  async prepare(order: LoadOrder): Promise<{ executions: number; executionSeconds: number }> {
    if (order.fromBatch % blockBatches(this.setup.batch) !== 0)
      throw new RangeError("a phase starts a block");
    const { first, count } = executionRange(
      this.setup.batch,
      order.fromBatch,
      order.fromBatch + order.batches,
    );
    const head = {
      path: `${this.target.prefix}/executions`,
      host: this.target.host,
      key: this.setup.key,
      lenient: false,
    };
    const { ids, run } = this.setup.batch;
    let refusal: string | undefined;
    const source: RequestSource = {
      count,
      windowMax: Number.POSITIVE_INFINITY,
      bytes: (index) => {
        const body = JSON.stringify({
          execution_id: executionId(ids, run, first + index),
          status: "started",
          sdk_language: "typescript",
          sdk_version: "1.0.0",
        });
        return Buffer.from(requestHead(head, body.length) + body);
      },
      answered: (_index, { status, body }) => {
        if (status !== 200 && status !== 201)
          refusal ??= `${status} ${Buffer.from(body).toString("utf8").slice(0, 300)}`;
      },
    };
    const engine = this.engine(source, undefined, 120);
    await engine.connect();
    const executionSeconds = await engine.run();
    if (refusal !== undefined) throw new Error(`POST /executions: ${refusal}`);
    if (engine.counts.abandoned + engine.counts.unanswered > 0)
      throw new Error("POST /executions went unanswered");
    const prepared = Math.min(order.batches, this.templates.count);
    for (let index = 0; index < prepared; index++) {
      this.templates.prepare(order.fromBatch + index, this.setup.gzip);
      if (index % BUILD_STEP !== 0) continue;
      tell({ kind: "progress", what: "preparing bodies", done: index, of: prepared, unit: "batches" });
      await Bun.sleep(0);
    }
    return { executions: count, executionSeconds };
  }

  private engine(
    source: RequestSource,
    requestsPerSecond: number | undefined,
    secondsMax: number,
  ): LoadEngine {
    const { hostname, port, tls } = this.target;
    const { concurrency } = this.setup;
    return new LoadEngine(source, { hostname, port, tls, concurrency, requestsPerSecond, secondsMax });
  }

  /** One timed phase, in two steps: everything up to the first byte, then the sending itself. */
  async arm(order: LoadOrder): Promise<() => Promise<LoadOutcome>> {
    const { eventsPerBatch } = this.setup.batch;
    const { batchNos, resends } = schedule(this.setup, order);
    const sums = { accepted: 0, duplicate: 0, rejected: 0, refused: 0, stored: 0, bytes: 0 };
    let firstRefusal: string | undefined;
    const take = (index: number, { status, body }: HttpResponse) => {
      if (status !== 200 && status !== 207) {
        sums.refused += eventsPerBatch;
        firstRefusal ??= `${status} ${Buffer.from(body).toString("utf8").slice(0, 300)}`;
        return;
      }
      const answer: { accepted?: unknown; duplicates?: unknown } = JSON.parse(
        Buffer.from(body).toString("latin1"),
      );
      const accepted = Number(answer.accepted);
      const duplicates = Number(answer.duplicates);
      if (!(accepted >= 0 && duplicates >= 0)) throw new Error("an answer without accepted and duplicates");
      sums.accepted += accepted;
      sums.duplicate += duplicates;
      sums.rejected += eventsPerBatch - accepted - duplicates;
      if (resends[index] === 0) sums.stored += accepted + duplicates;
    };
    const engine = this.engine(
      {
        count: batchNos.length,
        windowMax: this.templates.count - RESEND_DISTANCE,
        bytes: (index) => {
          const bytes = this.templates.request(batchNos[index]!);
          sums.bytes += bytes.length;
          return bytes;
        },
        answered: take,
      },
      order.eventsPerSecond === undefined ? undefined : order.eventsPerSecond / eventsPerBatch,
      order.secondsMax,
    );
    await engine.connect();
    return async () => {
      const ticker = setInterval(() => {
        const done = engine.ended * eventsPerBatch;
        tell({
          kind: "progress",
          what: "sending",
          done,
          of: batchNos.length * eventsPerBatch,
          unit: "events",
        });
      }, PROGRESS_INTERVAL_MS);
      const cpu = process.cpuUsage();
      const seconds = await engine.run();
      const used = process.cpuUsage(cpu);
      clearInterval(ticker);
      const { counts } = engine;
      return {
        seconds,
        cpuSeconds: (used.user + used.system) / 1e6,
        eventsSent: counts.requests * eventsPerBatch,
        eventsAccepted: sums.accepted,
        eventsDuplicate: sums.duplicate,
        eventsRejected: sums.rejected,
        eventsRefused: sums.refused,
        eventsUnanswered: (counts.abandoned + counts.unanswered) * eventsPerBatch,
        eventsStored: sums.stored,
        bytesSent: sums.bytes,
        latency: engine.latencies.figures(),
        counts,
        firstRefusal,
        residentBytes: process.memoryUsage.rss(),
      };
    };
  }
}

let load: LoadProcess | undefined;
let armed: (() => Promise<LoadOutcome>) | undefined;

async function obey(message: ToChild): Promise<void> {
  if (message.kind === "load_setup") {
    load = new LoadProcess(message.setup);
    await load.build();
    tell({ kind: "ready" });
  } else if (message.kind === "load_prepare" && load !== undefined) {
    const prepared = await load.prepare(message.order);
    armed = await load.arm(message.order);
    Bun.gc(true);
    tell({ kind: "ready", ...prepared });
  } else if (message.kind === "go" && armed !== undefined) {
    const run = armed;
    armed = undefined;
    tell({ kind: "load_done", outcome: await run() });
  } else {
    throw new Error(`cannot ${message.kind} now`);
  }
}

process.on("message", (message: ToChild) => {
  obey(message).catch((error: unknown) => {
    process.stderr.write(`load generator: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  });
});
process.on("disconnect", () => process.exit(0));
// Ctrl-C reaches the whole process group: the parent decides when this process ends.
process.on("SIGINT", () => {});
