/**
 * Two services in turn under the same load, one with every detector on:
 *
 *     off ▸ on ▸ until nothing is owed ▸ off ▸ on ▸ …
 *
 * Both run all the time, so that neither is colder than the other; the one that waits has nothing to do.
 */
import { TEMPLATES_MAX } from "../ingest/load-options.ts";
import { LoadedService } from "../ingest/loaded-service.ts";
import type { Progress } from "../ingest/progress.ts";
import type { LoadPhase } from "../ingest/results.ts";
import type { ServiceProcess } from "../ingest/service-process.ts";
import { checksOf, metricSamples } from "../ingest/summary.ts";
import { readMachine } from "../machine.ts";
import { LagWatch } from "./lag-watch.ts";
import type { DetectionOptions } from "./options.ts";
import { QuietWatch } from "./quiet-watch.ts";
import { type DetectionResults, type Lag, type Pair, summaryOfPairs } from "./results.ts";

const SECONDS_MAX = 600;
const PREFIX = "ats_detection_";

export class DetectionRun {
  private readonly off: LoadedService;
  private readonly on: LoadedService;
  private quietKey = "";
  private stopping: Promise<void> | undefined;

  constructor(
    private readonly options: DetectionOptions,
    private readonly progress: Progress,
  ) {
    const load = {
      ...options,
      duplicatesPercent: 0,
      badPercent: 0,
      lenient: false,
      gzip: false,
      url: undefined,
      key: undefined,
      databaseUrl: undefined,
      templatesMax: TEMPLATES_MAX,
    };
    this.off = new LoadedService({ ...load, detection: "off" }, progress);
    this.on = new LoadedService({ ...load, detection: "on" }, progress);
  }

  async run(): Promise<DetectionResults> {
    const { off, on, options } = this;
    await off.start();
    await on.start();
    this.quietKey = (await on.service?.createProject())?.key ?? "";
    const pairs: Pair[] = [];
    for (let round = 1; round <= options.rounds; round++) pairs.push(await this.pair(round));
    const phases = pairs.flatMap((pair) => [pair.off, pair.on]);
    return {
      machine: await readMachine(on.database),
      options,
      pairs,
      summary: summaryOfPairs(pairs),
      serviceWarnings: [...(off.service?.warnings ?? []), ...(on.service?.warnings ?? [])],
      checks: checksOf(phases, { duplicates: false }),
    };
  }

  private async pair(round: number): Promise<Pair> {
    const { batches, rate } = this.options;
    const order = { batches, eventsPerSecond: rate, secondsMax: SECONDS_MAX };
    const off = await this.off.load(`round ${round}, off`, order);
    const { phase: on, lag } = await this.loadWithDetection(`round ${round}, on`, order);
    const ratio = on.eventsPerSecond / off.eventsPerSecond;
    this.progress.note(
      `round ${round}: on ÷ off ${ratio.toFixed(2)}, lag at most ${lag.mostSeconds.toFixed(2)} s, of a quiet project beside it ${Math.max(...lag.quietSeconds).toFixed(2)} s, caught up ${lag.caughtUpSeconds.toFixed(1)} s later`,
    );
    return { off, on, lag, ratio };
  }

  private async loadWithDetection(
    name: string,
    order: Parameters<LoadedService["load"]>[1],
  ): Promise<{ phase: LoadPhase; lag: Lag }> {
    const { service } = this.on;
    if (service === undefined) throw new Error("the service is not started");
    await this.on.settle();
    const before = await countersOf(service);
    const databaseUrl = await service.databaseUrl();
    const watch = new LagWatch(databaseUrl);
    const quiet = new QuietWatch({ url: service.url, key: this.quietKey, databaseUrl });
    try {
      const phase = await this.on.load(name, order, () => {
        watch.loadEnded();
        quiet.loadEnded();
      });
      const times = await watch.caughtUp(SECONDS_MAX);
      const quietSeconds = await quiet.found();
      return { phase, lag: { ...times, quietSeconds, counted: grown(before, await countersOf(service)) } };
    } finally {
      await quiet.end();
      await watch.end();
    }
  }

  /** Ends both services and all that belongs to them. Safe to call twice and at any time. */
  stop(): Promise<void> {
    this.stopping ??= Promise.allSettled([this.off.stop(), this.on.stop()]).then(() => {});
    return this.stopping;
  }
}

async function countersOf(service: ServiceProcess): Promise<Record<string, number>> {
  const samples = metricSamples((await service.metrics()) ?? "", [PREFIX]);
  return Object.fromEntries(
    Object.entries(samples)
      .filter(([name]) => name.startsWith(PREFIX) && name.endsWith("_total"))
      .map(([name, value]) => [name.slice(PREFIX.length, -"_total".length), value]),
  );
}

function grown(before: Record<string, number>, after: Record<string, number>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)]),
  );
}
