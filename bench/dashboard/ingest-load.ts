/**
 * The load of `bench ingest`, phase by phase: as fast as it goes, or by a schedule, for a number of seconds.
 */
import { blockBatches, runPart } from "../ingest/batch-plan.ts";
import { BenchChild } from "../ingest/child.ts";
import type { Progress } from "../ingest/progress.ts";
import { SeededRandom } from "../ingest/random.ts";
import type { BatchOptions } from "../ingest/request-templates.ts";
import type { IngestPhase } from "./results.ts";

const EVENTS_A_BATCH = 100;
const CONNECTIONS = 64;
const TEMPLATES = 4_096;
const PREPARE_SECONDS_MAX = 600;
const GRACE_SECONDS = 60;
/** More than this the service takes on no machine so small that one load generator stands for all clients. */
const RATE_MAX = 200_000;

export class IngestLoad {
  private readonly child: BenchChild;
  private readonly batch: BatchOptions;
  private nextBatch = 0;

  constructor(private readonly progress: Progress) {
    this.child = new BenchChild("load generator", "./load-process.ts", progress);
    // No seed decides it: a kept database has the events of the runs before.
    const nonce = new SeededRandom(crypto.getRandomValues(new Uint32Array(1))[0] ?? Date.now());
    this.batch = {
      eventsPerBatch: EVENTS_A_BATCH,
      batchesPerExecution: 10,
      executionsActive: CONNECTIONS,
      seed: 1,
      ids: "ulid",
      run: runPart("ulid", Date.now(), nonce),
      payloadBytes: 200,
      badPercent: 0,
    };
  }

  async setUp(url: string, key: string): Promise<void> {
    const setup = {
      url,
      key,
      batch: this.batch,
      templates: { batches: TEMPLATES, templatesMax: TEMPLATES },
      lenient: false,
      gzip: false,
      duplicatesPercent: 0,
      concurrency: CONNECTIONS,
    };
    await this.child.order({ kind: "load_setup", setup }, "ready", PREPARE_SECONDS_MAX);
  }

  /**
   * `meanwhile` begins with the sending and not with its preparation. Without a rate: as fast as answers
   * come.
   */
  async run(
    name: string,
    rate: number | undefined,
    seconds: number,
    meanwhile: () => void = () => {},
  ): Promise<IngestPhase> {
    const batches = Math.max(1, Math.ceil(((rate ?? RATE_MAX) * seconds) / EVENTS_A_BATCH));
    const order = {
      batches,
      eventsPerSecond: rate,
      // By a schedule all is sent; a service that cannot keep the pace is given up after half as long again.
      secondsMax: rate === undefined ? seconds : Math.ceil(seconds * 1.5),
      fromBatch: this.nextBatch,
    };
    const block = blockBatches(this.batch);
    this.nextBatch += Math.ceil(batches / block) * block;
    await this.child.order({ kind: "load_prepare", order }, "ready", PREPARE_SECONDS_MAX);
    meanwhile();
    const { outcome } = await this.child.order({ kind: "go" }, "load_done", order.secondsMax + GRACE_SECONDS);
    const answered = outcome.eventsAccepted + outcome.eventsDuplicate + outcome.eventsRejected;
    const phase = { name, eventsPerSecond: answered / outcome.seconds, load: outcome };
    this.progress.note(
      `${name}: ${Math.round(phase.eventsPerSecond).toLocaleString("en")} events/s, p99 ${outcome.latency.p99Ms.toFixed(1)} ms`,
    );
    return phase;
  }

  stop(): Promise<void> {
    return this.child.stop();
  }
}
