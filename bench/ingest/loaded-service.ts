/**
 * A service and the load generator that belongs to it: started together, loaded phase by phase, ended
 * together. Owns the service's process and PostgreSQL unless it was told of one that runs already; counts
 * what each phase must have stored, and reads CPU and memory around it. A CHECKPOINT stands before each
 * phase.
 */
import { blockBatches, runPart } from "./batch-plan.ts";
import { BenchChild } from "./child.ts";
import { BenchDatabase } from "./database.ts";
import type { LoadOrder } from "./messages.ts";
import type { IngestOptions } from "./options.ts";
import { machineBusySeconds, processCpuSeconds, readMemory, treeCpuSeconds } from "./process-stat.ts";
import type { Progress } from "./progress.ts";
import { SeededRandom } from "./random.ts";
import type { BatchOptions } from "./request-templates.ts";
import type { LoadPhase, MemorySamples } from "./results.ts";
import { ServiceProcess } from "./service-process.ts";
import { eventsAnswered } from "./summary.ts";

const MEMORY_INTERVAL_MS = 250;
export const PREPARE_SECONDS_MAX = 600;
export const GRACE_SECONDS = 30;
const MIB = 1024 * 1024;

/** What a service under load is made from: of `bench ingest`, all of its options. */
export type LoadOptions = Pick<
  IngestOptions,
  | "batches"
  | "eventsPerBatch"
  | "batchesPerExecution"
  | "concurrency"
  | "payloadBytes"
  | "ids"
  | "seed"
  | "duplicatesPercent"
  | "badPercent"
  | "lenient"
  | "gzip"
  | "detection"
  | "httpThreads"
  | "url"
  | "key"
  | "databaseUrl"
  | "templatesMax"
>;

export class LoadedService {
  readonly batch: BatchOptions;
  /** The service's process and its PostgreSQL; undefined when it was told of one that runs already. */
  service: ServiceProcess | undefined;
  database: BenchDatabase | undefined;
  projectId: string | undefined;
  private databasePid: number | undefined;
  private loader: BenchChild | undefined;
  private nextBatch = 0;
  private rowsExpected = 0;
  private readonly memory: number[] = [];

  constructor(
    private readonly options: LoadOptions,
    private readonly progress: Progress,
  ) {
    // The run's own part is the one thing that no seed decides: two runs may load the same service.
    const nonce = new SeededRandom(crypto.getRandomValues(new Uint32Array(1))[0] ?? Date.now());
    this.batch = {
      eventsPerBatch: options.eventsPerBatch,
      batchesPerExecution: options.batchesPerExecution,
      executionsActive: options.concurrency,
      seed: options.seed,
      ids: options.ids,
      run: runPart(options.ids, Date.now(), nonce),
      payloadBytes: options.payloadBytes,
      badPercent: options.badPercent,
    };
  }

  /** Resolves when the service listens and the load generator has its bodies. */
  async start(): Promise<void> {
    const { options, batch } = this;
    const target = await this.prepareTarget();
    this.loader = new BenchChild("load generator", "./load-process.ts", this.progress);
    const { lenient, gzip, duplicatesPercent, concurrency, templatesMax } = options;
    const templates = { batches: options.batches, templatesMax };
    const setup = { ...target, batch, templates, lenient, gzip, duplicatesPercent, concurrency };
    await this.loader.order({ kind: "load_setup", setup }, "ready", PREPARE_SECONDS_MAX);
  }

  private async prepareTarget(): Promise<{ url: string; key: string }> {
    const { options } = this;
    if (options.url !== undefined && options.key !== undefined) {
      return { url: options.url, key: options.key };
    }
    this.progress.note("starting the service on an empty database");
    const { databaseUrl, detection, httpThreads } = options;
    this.service = new ServiceProcess({ databaseUrl, detection, httpThreads });
    await this.service.start();
    this.database = new BenchDatabase(await this.service.databaseUrl());
    this.databasePid = await this.database.postmasterPid();
    const { projectId, key } = await this.service.createProject();
    this.projectId = projectId;
    return { url: this.service.url, key };
  }

  /** No phase pays for what an earlier one left to be detected or written. */
  async settle(): Promise<void> {
    await this.database?.settle({ detection: this.options.detection, secondsMax: PREPARE_SECONDS_MAX });
  }

  /** `ended` is called as soon as the last answer is there, before anything is counted. */
  async load(
    name: string,
    wanted: Omit<LoadOrder, "fromBatch">,
    ended: () => void = () => {},
  ): Promise<LoadPhase> {
    const { loader, service, database, projectId } = this;
    if (loader === undefined) throw new Error("no load generator is prepared");
    const order = { ...wanted, fromBatch: this.nextBatch };
    const block = blockBatches(this.batch);
    this.nextBatch += Math.ceil(wanted.batches / block) * block;
    const prepared = await loader.order({ kind: "load_prepare", order }, "ready", PREPARE_SECONDS_MAX);
    await this.settle();

    const samples: number[] = [];
    const sample = () => {
      const now = service === undefined ? undefined : readMemory(service.pid);
      if (now !== undefined) samples.push(now.residentBytes);
    };
    sample();
    const ticker = setInterval(sample, MEMORY_INTERVAL_MS);
    const busyBefore = machineBusySeconds();
    const postgresBefore = this.postgresCpu();
    const serviceBefore = this.serviceCpu();
    const { outcome } = await loader
      .order({ kind: "go" }, "load_done", order.secondsMax + GRACE_SECONDS)
      .finally(() => clearInterval(ticker));
    ended();
    const serviceCpu = difference(this.serviceCpu(), serviceBefore);
    const postgresCpu = difference(this.postgresCpu(), postgresBefore);
    const busy = difference(machineBusySeconds(), busyBefore);
    const others = rest(busy, [outcome.cpuSeconds, serviceCpu, postgresCpu]);
    sample();
    this.memory.push(...samples);

    this.rowsExpected += outcome.eventsStored;
    const counted = database !== undefined && projectId !== undefined;
    const phase: LoadPhase = {
      name,
      executions: prepared.executions ?? 0,
      load: outcome,
      eventsPerSecond: 0,
      cpu: { sender: outcome.cpuSeconds, service: serviceCpu, postgres: postgresCpu, others },
      rows: counted ? await database.eventRows(projectId) : undefined,
      rowsExpected: this.rowsExpected,
      memory: this.memorySamples(samples),
    };
    phase.eventsPerSecond = eventsAnswered(phase) / outcome.seconds;
    const { p50Ms, p99Ms } = outcome.latency;
    this.progress.note(
      `${name}: ${Math.round(phase.eventsPerSecond).toLocaleString("en")} events/s, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`,
    );
    return phase;
  }

  /** CPU seconds of the service's PostgreSQL so far; undefined when it does not run on this machine. */
  postgresCpu(): number | undefined {
    return this.databasePid === undefined ? undefined : treeCpuSeconds(this.databasePid);
  }

  serviceCpu(): number | undefined {
    return this.service === undefined ? undefined : processCpuSeconds(this.service.pid);
  }

  /** Over all phases so far. */
  memorySoFar(): MemorySamples | undefined {
    return this.memorySamples(this.memory);
  }

  private memorySamples(samples: readonly number[]): MemorySamples | undefined {
    const [first] = samples;
    const last = samples.at(-1);
    if (this.service === undefined || first === undefined || last === undefined) return undefined;
    const max = samples.reduce((a, b) => Math.max(a, b), 0);
    const peak = readMemory(this.service.pid)?.residentPeakBytes ?? max;
    return { firstMib: first / MIB, lastMib: last / MIB, maxMib: max / MIB, peakMib: peak / MIB };
  }

  /** The load generator first: nothing may be sent to a service that ends. */
  async stopLoading(): Promise<void> {
    await this.loader?.stop();
  }

  /** Ends what `start` started, removes its directory. */
  async stop(): Promise<void> {
    await this.stopLoading();
    await this.database?.end().catch(() => {});
    await this.service?.stop(this.databasePid);
  }
}

export function difference(after: number | undefined, before: number | undefined): number | undefined {
  return after === undefined || before === undefined ? undefined : after - before;
}

/** What is left of the machine's busy time; unknown when a part of it is. */
export function rest(busy: number | undefined, parts: readonly (number | undefined)[]): number | undefined {
  const known = parts.filter((part) => part !== undefined);
  if (busy === undefined || known.length < parts.length) return undefined;
  return Math.max(0, busy - known.reduce((sum, part) => sum + part, 0));
}
