/**
 * One bench run: starts what is to be measured, takes the phases in turn, reads CPU and memory around each, and ends
 * everything it started, on success, failure and Ctrl-C alike.
 *
 *     ceiling ▸ service ▸ ceiling ▸ service ▸ …  ▸ a tenth of the peak ▸ [preload ▸ ceiling ▸ service ▸ …]
 *
 * Bodies, rows and executions are made before a phase's clock starts; a CHECKPOINT stands before each phase.
 */
import { readMachine } from "../machine.ts";
import { blockBatches, runPart } from "./batch-plan.ts";
import { BenchChild } from "./child.ts";
import { BenchDatabase } from "./database.ts";
import type { LoadOrder } from "./messages.ts";
import type { IngestOptions } from "./options.ts";
import { machineBusySeconds, processCpuSeconds, readMemory, treeCpuSeconds } from "./process-stat.ts";
import type { Progress } from "./progress.ts";
import { SeededRandom } from "./random.ts";
import type { BatchOptions } from "./request-templates.ts";
import type { CeilingPhase, IngestResults, LoadPhase, MemorySamples, Round } from "./results.ts";
import { ServiceProcess } from "./service-process.ts";
import { checksOf, counterChecks, eventsAnswered, metricSamples, roundOf, summaryOf } from "./summary.ts";

const MEMORY_INTERVAL_MS = 250;
const PREPARE_SECONDS_MAX = 600;
const GRACE_SECONDS = 30;
const CEILING_CONNECTIONS = 2;
const METRIC_WORDS = ["event", "outcome", "request", "flush", "commit"];
const MIB = 1024 * 1024;

interface Target {
  url: string;
  key: string;
  projectId: string | undefined;
}

export class IngestRun {
  private service: ServiceProcess | undefined;
  private database: BenchDatabase | undefined;
  private databasePid: number | undefined;
  private loader: BenchChild | undefined;
  private ceiling: BenchChild | undefined;
  private ceilingDatabase: string | undefined;
  private nextBatch = 0;
  private rowsExpected = 0;
  private readonly memory: number[] = [];
  private stopping: Promise<void> | undefined;
  private readonly batch: BatchOptions;
  private readonly ceilingBatches: number;

  constructor(
    private readonly options: IngestOptions,
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
    this.ceilingBatches = Math.min(options.batches, options.templatesMax);
  }

  async run(): Promise<IngestResults> {
    const { options } = this;
    const target = await this.prepareTarget();
    this.loader = new BenchChild("load generator", "./load-process.ts", this.progress);
    const { batch } = this;
    const { lenient, gzip, duplicatesPercent, concurrency, templatesMax } = options;
    const templates = { batches: options.batches, templatesMax };
    const setup = { ...target, batch, templates, lenient, gzip, duplicatesPercent, concurrency };
    await this.loader.order({ kind: "load_setup", setup }, "ready", PREPARE_SECONDS_MAX);
    if (options.ceiling) await this.prepareCeiling(target.projectId ?? "proj_bench");

    const rounds = await this.rounds("round", target.projectId);
    const summary = summaryOf(rounds);
    const tenth =
      options.tenthSeconds > 0
        ? await this.paced(
            "a tenth of the peak",
            summary.eventsPerSecond / 10,
            options.tenthSeconds,
            target.projectId,
          )
        : undefined;
    let preload: LoadPhase | undefined;
    let preloadedRounds: Round[] = [];
    if (options.preloadEvents > 0) {
      const batches = Math.ceil(options.preloadEvents / options.eventsPerBatch);
      preload = await this.load(
        "preload",
        { batches, eventsPerSecond: undefined, secondsMax: 7200 },
        target.projectId,
      );
      preloadedRounds = await this.rounds("preloaded round", target.projectId);
    }
    const preloadedSummary = preloadedRounds.length > 0 ? summaryOf(preloadedRounds) : undefined;
    const phases = [
      rounds.map((round) => round.service),
      tenth,
      preload,
      preloadedRounds.map((round) => round.service),
    ]
      .flat()
      .filter((phase) => phase !== undefined);
    const page = await this.service?.metrics();
    const metrics = page === undefined ? undefined : metricSamples(page, METRIC_WORDS);
    const refused = phases.some(({ load }) => load.eventsRefused > 0);
    return {
      machine: await readMachine(this.database),
      options,
      rounds,
      summary,
      tenth,
      preload,
      preloadedRounds,
      preloadedSummary,
      preloadedRatio:
        preloadedSummary === undefined
          ? undefined
          : preloadedSummary.eventsPerSecond / summary.eventsPerSecond,
      serviceMemory: this.memorySamples(this.memory),
      metrics,
      serviceWarnings: this.service?.warnings ?? [],
      checks: [
        ...checksOf(phases, { duplicates: duplicatesPercent > 0 }),
        // A batch refused whole counts as rejected there and as refused here.
        ...(metrics === undefined || refused ? [] : counterChecks(metrics, phases)),
      ],
    };
  }

  /** Ends every process and removes every directory and database of the run. Safe to call twice and at any time. */
  stop(): Promise<void> {
    this.stopping ??= this.stopAll();
    return this.stopping;
  }

  private async stopAll(): Promise<void> {
    await Promise.allSettled([this.loader?.stop(), this.ceiling?.stop()]);
    const { database, ceilingDatabase } = this;
    if (database !== undefined) {
      if (ceilingDatabase !== undefined) await database.dropDatabase(ceilingDatabase).catch(() => {});
      await database.end().catch(() => {});
    }
    await this.service?.stop(this.databasePid);
  }

  private async prepareTarget(): Promise<Target> {
    const { options } = this;
    if (options.url !== undefined && options.key !== undefined) {
      return { url: options.url, key: options.key, projectId: undefined };
    }
    this.progress.note("starting the service on an empty database");
    const { databaseUrl, detection, httpThreads } = options;
    this.service = new ServiceProcess({ databaseUrl, detection, httpThreads });
    await this.service.start();
    this.database = new BenchDatabase(await this.service.databaseUrl());
    this.databasePid = await this.database.postmasterPid();
    const { projectId, key } = await this.service.createProject();
    return { url: this.service.url, key, projectId };
  }

  private async prepareCeiling(projectId: string): Promise<void> {
    if (this.database === undefined) throw new Error("the ceiling needs the service's database");
    const { name, url } = await this.database.createCeilingDatabase();
    this.ceilingDatabase = name;
    this.ceiling = new BenchChild("ceiling", "./ceiling-process.ts", this.progress);
    const setup = {
      databaseUrl: url,
      projectId,
      batch: this.batch,
      batches: this.ceilingBatches,
      connections: CEILING_CONNECTIONS,
    };
    await this.ceiling.order({ kind: "ceiling_setup", setup }, "ready", PREPARE_SECONDS_MAX);
  }

  private async rounds(name: string, projectId: string | undefined): Promise<Round[]> {
    const { batches, rate, secondsMax } = this.options;
    const rounds: Round[] = [];
    for (let number = 1; number <= this.options.rounds; number++) {
      const ceiling = this.ceiling === undefined ? undefined : await this.copy(`${name} ${number}, ceiling`);
      const order = { batches, eventsPerSecond: rate, secondsMax };
      rounds.push(roundOf(ceiling, await this.load(`${name} ${number}, service`, order, projectId)));
    }
    return rounds;
  }

  private async paced(
    name: string,
    rate: number,
    seconds: number,
    projectId: string | undefined,
  ): Promise<LoadPhase> {
    const batches = Math.max(1, Math.round((rate * seconds) / this.options.eventsPerBatch));
    return await this.load(name, { batches, eventsPerSecond: rate, secondsMax: seconds * 4 }, projectId);
  }

  private async settle(): Promise<void> {
    await this.database?.settle({ detection: this.options.detection, secondsMax: PREPARE_SECONDS_MAX });
  }

  private async copy(name: string): Promise<CeilingPhase> {
    const { ceiling, database } = this;
    if (ceiling === undefined || database === undefined) throw new Error("no ceiling is prepared");
    await ceiling.order({ kind: "ceiling_prepare" }, "ready", PREPARE_SECONDS_MAX);
    await this.settle();
    const busyBefore = machineBusySeconds();
    const postgresBefore = this.postgresCpu();
    const { secondsMax } = this.options;
    const { outcome } = await ceiling.order({ kind: "go" }, "ceiling_done", secondsMax + GRACE_SECONDS);
    const postgres = difference(this.postgresCpu(), postgresBefore);
    const busy = difference(machineBusySeconds(), busyBefore);
    const expected = this.ceilingBatches * this.options.eventsPerBatch;
    if (outcome.rows !== expected) throw new Error(`the ceiling stored ${outcome.rows} rows of ${expected}`);
    const eventsPerSecond = outcome.rows / outcome.seconds;
    this.progress.note(`${name}: ${Math.round(eventsPerSecond).toLocaleString("en")} events/s`);
    return {
      name,
      rows: outcome.rows,
      seconds: outcome.seconds,
      eventsPerSecond,
      cpu: {
        sender: outcome.cpuSeconds,
        service: undefined,
        postgres,
        others: rest(busy, [outcome.cpuSeconds, postgres]),
      },
    };
  }

  private async load(
    name: string,
    wanted: Omit<LoadOrder, "fromBatch">,
    projectId: string | undefined,
  ): Promise<LoadPhase> {
    const { loader, service, database } = this;
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

  private postgresCpu(): number | undefined {
    return this.databasePid === undefined ? undefined : treeCpuSeconds(this.databasePid);
  }

  private serviceCpu(): number | undefined {
    return this.service === undefined ? undefined : processCpuSeconds(this.service.pid);
  }

  private memorySamples(samples: readonly number[]): MemorySamples | undefined {
    const [first] = samples;
    const last = samples.at(-1);
    if (this.service === undefined || first === undefined || last === undefined) return undefined;
    const max = samples.reduce((a, b) => Math.max(a, b), 0);
    const peak = readMemory(this.service.pid)?.residentPeakBytes ?? max;
    return { firstMib: first / MIB, lastMib: last / MIB, maxMib: max / MIB, peakMib: peak / MIB };
  }
}

function difference(after: number | undefined, before: number | undefined): number | undefined {
  return after === undefined || before === undefined ? undefined : after - before;
}

/** What is left of the machine's busy time; unknown when a part of it is. */
function rest(busy: number | undefined, parts: readonly (number | undefined)[]): number | undefined {
  const known = parts.filter((part) => part !== undefined);
  if (busy === undefined || known.length < parts.length) return undefined;
  return Math.max(0, busy - known.reduce((sum, part) => sum + part, 0));
}
