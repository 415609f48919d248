/**
 * One bench run: starts what is to be measured, takes the phases in turn, reads CPU and memory around each,
 * and ends everything it started, on success, failure and Ctrl-C alike.
 *
 *     ceiling ▸ service ▸ ceiling ▸ service ▸ …  ▸ a tenth of the peak ▸ [preload ▸ ceiling ▸ service ▸ …]
 *
 * Bodies, rows and executions are made before a phase's clock starts; a CHECKPOINT stands before each phase.
 */
import { readMachine } from "../machine.ts";
import { BenchChild } from "./child.ts";
import { difference, GRACE_SECONDS, LoadedService, PREPARE_SECONDS_MAX, rest } from "./loaded-service.ts";
import type { IngestOptions } from "./options.ts";
import { machineBusySeconds } from "./process-stat.ts";
import type { Progress } from "./progress.ts";
import type { CeilingPhase, IngestResults, LoadPhase, Round } from "./results.ts";
import { checksOf, counterChecks, metricSamples, roundOf, summaryOf } from "./summary.ts";

const CEILING_CONNECTIONS = 2;
const METRIC_WORDS = ["event", "outcome", "request", "flush", "commit"];

export class IngestRun {
  private readonly subject: LoadedService;
  private ceiling: BenchChild | undefined;
  private ceilingDatabase: string | undefined;
  private stopping: Promise<void> | undefined;
  private readonly ceilingBatches: number;

  constructor(
    private readonly options: IngestOptions,
    private readonly progress: Progress,
  ) {
    this.subject = new LoadedService(options, progress);
    this.ceilingBatches = Math.min(options.batches, options.templatesMax);
  }

  async run(): Promise<IngestResults> {
    const { options, subject } = this;
    await subject.start();
    if (options.ceiling) await this.prepareCeiling(subject.projectId ?? "proj_bench");

    const rounds = await this.rounds("round");
    const summary = summaryOf(rounds);
    const tenth =
      options.tenthSeconds > 0
        ? await this.paced("a tenth of the peak", summary.eventsPerSecond / 10, options.tenthSeconds)
        : undefined;
    let preload: LoadPhase | undefined;
    let preloadedRounds: Round[] = [];
    if (options.preloadEvents > 0) {
      const batches = Math.ceil(options.preloadEvents / options.eventsPerBatch);
      preload = await subject.load("preload", { batches, eventsPerSecond: undefined, secondsMax: 7200 });
      preloadedRounds = await this.rounds("preloaded round");
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
    const page = await subject.service?.metrics();
    const metrics = page === undefined ? undefined : metricSamples(page, METRIC_WORDS);
    const refused = phases.some(({ load }) => load.eventsRefused > 0);
    return {
      machine: await readMachine(subject.database),
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
      serviceMemory: subject.memorySoFar(),
      metrics,
      serviceWarnings: subject.service?.warnings ?? [],
      checks: [
        ...checksOf(phases, { duplicates: options.duplicatesPercent > 0 }),
        // A batch refused whole counts as rejected there and as refused here.
        ...(metrics === undefined || refused ? [] : counterChecks(metrics, phases)),
      ],
    };
  }

  /**
   * Ends every process and removes every directory and database of the run. Safe to call twice and at any
   * time.
   */
  stop(): Promise<void> {
    this.stopping ??= this.stopAll();
    return this.stopping;
  }

  private async stopAll(): Promise<void> {
    const { subject, ceilingDatabase } = this;
    await Promise.allSettled([subject.stopLoading(), this.ceiling?.stop()]);
    if (ceilingDatabase !== undefined) await subject.database?.dropDatabase(ceilingDatabase).catch(() => {});
    await subject.stop();
  }

  private async prepareCeiling(projectId: string): Promise<void> {
    const { database, batch } = this.subject;
    if (database === undefined) throw new Error("the ceiling needs the service's database");
    const { name, url } = await database.createCeilingDatabase();
    this.ceilingDatabase = name;
    this.ceiling = new BenchChild("ceiling", "./ceiling-process.ts", this.progress);
    const setup = {
      databaseUrl: url,
      projectId,
      batch,
      batches: this.ceilingBatches,
      connections: CEILING_CONNECTIONS,
    };
    await this.ceiling.order({ kind: "ceiling_setup", setup }, "ready", PREPARE_SECONDS_MAX);
  }

  private async rounds(name: string): Promise<Round[]> {
    const { batches, rate, secondsMax } = this.options;
    const rounds: Round[] = [];
    for (let number = 1; number <= this.options.rounds; number++) {
      const ceiling = this.ceiling === undefined ? undefined : await this.copy(`${name} ${number}, ceiling`);
      const order = { batches, eventsPerSecond: rate, secondsMax };
      rounds.push(roundOf(ceiling, await this.subject.load(`${name} ${number}, service`, order)));
    }
    return rounds;
  }

  private async paced(name: string, rate: number, seconds: number): Promise<LoadPhase> {
    const batches = Math.max(1, Math.round((rate * seconds) / this.options.eventsPerBatch));
    return await this.subject.load(name, { batches, eventsPerSecond: rate, secondsMax: seconds * 4 });
  }

  private async copy(name: string): Promise<CeilingPhase> {
    const { ceiling, subject } = this;
    if (ceiling === undefined) throw new Error("no ceiling is prepared");
    await ceiling.order({ kind: "ceiling_prepare" }, "ready", PREPARE_SECONDS_MAX);
    await subject.settle();
    const busyBefore = machineBusySeconds();
    const postgresBefore = subject.postgresCpu();
    const { secondsMax } = this.options;
    const { outcome } = await ceiling.order({ kind: "go" }, "ceiling_done", secondsMax + GRACE_SECONDS);
    const postgres = difference(subject.postgresCpu(), postgresBefore);
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
}
