/**
 * Runs and faults for a while; then the faults end, what is under way is answered, what is owed is done; then
 * the checks.
 */
import { BenchDatabase } from "../ingest/database.ts";
import type { Progress } from "../ingest/progress.ts";
import { SeededRandom } from "../ingest/random.ts";
import { readMachine } from "../machine.ts";
import { checksOf, missingFirings } from "./checks.ts";
import { Fleet } from "./fleet.ts";
import type { FaultsOptions } from "./options.ts";
import type { FaultsResults } from "./results.ts";
import { callInDeliveries, isSettled, Site } from "./site.ts";
import { Storm } from "./storm.ts";

/** How long runs under way, and what is owed, may take once all is whole. */
const PATIENCE_MS = 180_000;
/**
 * A firing that waits for time, as for events that are late, comes within this much of the end of what is
 * owed.
 */
const LATE_FIRINGS_MS = 60_000;

export class FaultsRun {
  private site: Site | undefined;
  private stopping: Promise<void> | undefined;

  constructor(
    private readonly options: FaultsOptions,
    private readonly progress: Progress,
  ) {}

  async run(): Promise<FaultsResults> {
    const { options, progress } = this;
    progress.note(
      options.embedded ? "starting a service" : `starting PostgreSQL and ${options.services} service(s)`,
    );
    const site = await Site.open(options);
    this.site = site;
    const fleet = new Fleet(site, new SeededRandom(options.seed));
    const startedAt = performance.now();
    const seconds = () => (performance.now() - startedAt) / 1000;
    const storm = new Storm(site, options.faults, new SeededRandom(options.seed + 1), (fault) =>
      progress.note(`${seconds().toFixed(1)} s, ${fleet.runsUnderWay} runs under way: ${fault}`),
    );
    await this.meanwhile(fleet, storm);
    await storm.pass();
    const whole = seconds();
    await within(PATIENCE_MS, () => fleet.runsUnderWay === 0);
    fleet.giveUp();
    const answered = seconds();
    progress.note(`${answered.toFixed(1)} s: ${fleet.finished.length} of ${fleet.runsBegun} runs answered`);
    await within(PATIENCE_MS, () => isSettledSoon(site));
    const settled = seconds();
    await within(LATE_FIRINGS_MS, async () => (await missingFirings(site, fleet.finished)) === 0);
    await within(PATIENCE_MS, () => isSettledSoon(site));
    return await this.results(site, fleet, storm, [answered - whole, settled - whole]);
  }

  /** Runs begin evenly, faults at random moments. */
  private async meanwhile(fleet: Fleet, storm: Storm): Promise<void> {
    const { seconds, runsPerSecond, everyMs, seed } = this.options;
    const moments = new SeededRandom(seed + 2);
    const startMs = performance.now();
    let faultMs = everyMs;
    for (let nowMs = 0; nowMs < seconds * 1000; nowMs = performance.now() - startMs) {
      while (fleet.runsBegun < (nowMs / 1000) * runsPerSecond) fleet.begin();
      if (nowMs >= faultMs) {
        storm.strike();
        faultMs += moments.between(everyMs / 4, (everyMs * 7) / 4);
      }
      this.progress.update("runs begun", fleet.runsBegun, seconds * runsPerSecond, "runs");
      await Bun.sleep(10);
    }
  }

  private async results(
    site: Site,
    fleet: Fleet,
    storm: Storm,
    [answeredSeconds, settledSeconds]: [number, number],
  ): Promise<FaultsResults> {
    const detections = await site.sql<{ class: string; count: number }[]>`
      select class, count(*)::int as count from ats.detection where project_no = ${site.project.projectNo} group by 1`;
    const times = [...site.receiver.taken.values()];
    const database = new BenchDatabase(site.server.url);
    try {
      return {
        machine: await readMachine(database),
        options: this.options,
        runs: fleet.runsBegun,
        events: fleet.finished.reduce((sum, { batches }) => sum + batches.flat().length, 0),
        requests: fleet.counts,
        faults: Object.fromEntries(storm.happened),
        detections: Object.fromEntries(detections.map((row) => [row.class, row.count])),
        webhooks: { taken: times.length, again: times.filter((count) => count > 1).length },
        answeredSeconds,
        settledSeconds,
        checks: await checksOf(site, fleet, storm),
      };
    } finally {
      await database.end();
    }
  }

  /** Ends all that was started. Safe to call twice and at any time. */
  stop(): Promise<void> {
    this.stopping ??= this.site?.stop() ?? Promise.resolve();
    return this.stopping;
  }
}

async function isSettledSoon(site: Site): Promise<boolean> {
  await callInDeliveries(site);
  return await isSettled(site);
}

/** Until it is so, or the time is up. */
async function within(ms: number, condition: () => boolean | Promise<boolean>): Promise<void> {
  const endMs = performance.now() + ms;
  while (performance.now() < endMs && !(await condition())) await Bun.sleep(250);
}
