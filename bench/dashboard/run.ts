/**
 * One run: fills a database or takes a kept one, starts the service on it, and measures in turn. Ends
 * everything that it started, on success, failure and Ctrl-C alike.
 *
 *     fill ▸ peak ▸ pages at half the peak ▸ painting at half the peak ▸ (ingest alone ▸ ingest with people) …
 */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Browser } from "playwright-core";
import { ensureBuilt } from "../../src/dashboard/built.ts";
import { connect, type Sql } from "../../src/store/database/connect.ts";
import { BenchDatabase } from "../ingest/database.ts";
import { median } from "../ingest/latency.ts";
import type { Progress } from "../ingest/progress.ts";
import { ServiceProcess } from "../ingest/service-process.ts";
import { readMachine } from "../machine.ts";
import { enter } from "./account.ts";
import { launchChromium, type PagePaint, paintPages } from "./browser.ts";
import { fillDatabase } from "./fill.ts";
import { fillPlan } from "./fill-plan.ts";
import { IngestLoad } from "./ingest-load.ts";
import type { DashboardOptions } from "./options.ts";
import { ask, type Clicks, People, type Signed } from "./people.ts";
import { deepPlaces } from "./places.ts";
import { type ClickRound, checksOf, type DashboardResults, figuresOf, type IngestPhase } from "./results.ts";
import { findSubjects } from "./subjects.ts";
import { type View, viewsOf } from "./views.ts";

/** In a kept directory: what was filled into it. */
const NOTE = "filled.json";
const PEAK_SECONDS = 15;
const PAINT_LOAD_SECONDS = 20;
const DRAIN_SECONDS_MAX = 120;

interface Filled {
  readonly projectId: string;
  readonly bigExecutionNo: number;
}

interface Target extends Signed {
  readonly filled: Filled;
  readonly key: string;
  readonly fillSeconds: number | undefined;
}

export class DashboardRun {
  private service: ServiceProcess | undefined;
  private database: BenchDatabase | undefined;
  private sql: Sql | undefined;
  private databasePid: number | undefined;
  private load: IngestLoad | undefined;
  private browser: Browser | undefined;
  private ownDirectory: string | undefined;
  private stopping: Promise<void> | undefined;

  constructor(
    private readonly options: DashboardOptions,
    private readonly progress: Progress,
  ) {}

  async run(): Promise<DashboardResults> {
    const { options, progress } = this;
    await ensureBuilt();
    const target = await this.prepare();
    const { sql, database, service } = this;
    if (sql === undefined || database === undefined || service === undefined) throw new Error("not prepared");
    const url = await service.databaseUrl();
    const subjects = await findSubjects(url, target.filled.projectId, target.filled.bigExecutionNo);
    const views = viewsOf(subjects, await deepPlaces(target, subjects));
    const stored = await this.countStored(sql, target.filled.projectId);
    await this.lookOnce(target, views);

    this.load = new IngestLoad(progress);
    await this.load.setUp(target.url, target.key);
    const peak =
      options.rate === undefined ? await this.measured("peak", undefined, PEAK_SECONDS) : undefined;
    const rate = options.rate ?? (peak?.eventsPerSecond ?? 0) / 2;
    const pageSeconds = Math.ceil(
      (options.samples * views.length * (options.thinkMs + 100)) / 1000 / options.people,
    );
    const [paced, clicks] = await this.clicked(target, views, {
      name: "pages at half the peak",
      rate,
      seconds: pageSeconds,
      pauseMs: options.thinkMs,
    });
    const paints = await this.painted(target, views, rate);
    const rounds: ClickRound[] = [];
    for (let round = 1; round <= options.rounds; round++) {
      const alone = await this.measured(`round ${round}, ingest alone`, undefined, options.seconds);
      const [clicked, opened] = await this.clicked(target, views, {
        name: `round ${round}, with people`,
        seconds: options.seconds,
        pauseMs: options.clickMs,
      });
      const pages = [...opened.pages.values()].reduce((sum, times) => sum + times.length, 0);
      rounds.push({ alone, clicked, pages, ratio: clicked.eventsPerSecond / alone.eventsPerSecond });
    }
    const results = {
      machine: await readMachine(database),
      options,
      stored,
      fillSeconds: target.fillSeconds,
      peak,
      paced,
      routes: figuresOf(clicks.routes),
      pages: figuresOf(clicks.pages),
      failures: clicks.failures,
      paints,
      rounds,
      ratio: rounds.length === 0 ? undefined : median(rounds.map(({ ratio }) => ratio)),
      serviceWarnings: service.warnings,
    };
    return { ...results, checks: checksOf(results, rate) };
  }

  /** Safe to call twice and at any time. */
  stop(): Promise<void> {
    this.stopping ??= this.stopAll();
    return this.stopping;
  }

  private async stopAll(): Promise<void> {
    await Promise.allSettled([this.load?.stop(), this.browser?.close()]);
    await this.stopService();
    if (this.ownDirectory !== undefined) rmSync(this.ownDirectory, { recursive: true, force: true });
  }

  private async prepare(): Promise<Target> {
    const { options, progress } = this;
    const directory = this.directory();
    const note = join(directory, NOTE);
    let filled: Filled;
    let fillSeconds: number | undefined;
    if (existsSync(note)) {
      filled = JSON.parse(readFileSync(note, "utf8")) as Filled;
    } else {
      // Nobody looks for failures in what is half filled in.
      await this.start("off", directory);
      const start = performance.now();
      filled = await this.fill();
      fillSeconds = (performance.now() - start) / 1000;
      progress.note(`filled in ${fillSeconds.toFixed(0)} s`);
      writeFileSync(note, `${JSON.stringify(filled)}\n`);
      await this.stopService();
    }
    progress.note("starting the service");
    const service = await this.start(options.detection, directory);
    const created = await service.command(["key", "create", "--project", filled.projectId]);
    return { url: service.url, cookie: await enter(service), filled, key: String(created.key), fillSeconds };
  }

  /** The one given, which stays, or one that goes with the run. */
  private directory(): string {
    const { dataDir } = this.options;
    const directory =
      dataDir === undefined ? mkdtempSync(join(tmpdir(), "telemetry-bench-")) : resolve(dataDir);
    if (dataDir === undefined) this.ownDirectory = directory;
    else mkdirSync(directory, { recursive: true });
    // PostgreSQL runs as a user of its own when the service runs as root: it must get through.
    chmodSync(directory, 0o755);
    return directory;
  }

  private async start(detection: "on" | "off", keepIn: string): Promise<ServiceProcess> {
    const { httpThreads } = this.options;
    const service = new ServiceProcess({ databaseUrl: undefined, detection, httpThreads, keepIn });
    this.service = service;
    await service.start();
    const url = await service.databaseUrl();
    this.database = new BenchDatabase(url);
    this.sql = connect({ url, connectionsMax: 1, applicationName: "bench" });
    this.databasePid = await this.database.postmasterPid();
    return service;
  }

  private async fill(): Promise<Filled> {
    const { options, progress, service } = this;
    if (service === undefined) throw new Error("the service is not started");
    const { projectId } = await service.createProject();
    const plan = fillPlan(options.events, options.executions, Date.now());
    await fillDatabase(await service.databaseUrl(), projectId, plan, progress);
    return { projectId, bigExecutionNo: plan.bigExecutionNo };
  }

  private async stopService(): Promise<void> {
    await Promise.allSettled([this.database?.end(), this.sql?.end({ timeout: 5 })]);
    await this.service?.stop(this.databasePid);
  }

  private async countStored(sql: Sql, projectId: string): Promise<DashboardResults["stored"]> {
    const [row] = await sql<{ events: number; executions: number; detections: number }[]>`
      select (select sum(event_count)::float8 from ats.event_rollup where project_no = p.project_no and step = 3600) as events,
        (select count(*)::float8 from ats.execution where project_no = p.project_no) as executions,
        (select count(*)::float8 from ats.detection where project_no = p.project_no) as detections
      from ats.project p where project_id = ${projectId}`;
    return row ?? { events: 0, executions: 0, detections: 0 };
  }

  /** A page that fails is told before the long phases, and not after them. */
  private async lookOnce(signed: Signed, views: readonly View[]): Promise<void> {
    for (const view of views) {
      for (const step of view.steps((items) => items[0]!)) {
        for (const one of step) {
          const start = performance.now();
          await ask(signed, one).catch((error: unknown) => {
            throw new Error(`${one.route}: ${error instanceof Error ? error.message : String(error)}`);
          });
          const tookMs = performance.now() - start;
          if (tookMs > this.options.limitMs)
            this.progress.note(`${one.route}: ${tookMs.toFixed(0)} ms, asked alone`);
        }
      }
    }
  }

  /** A phase of ingest that begins when nothing of an earlier one is left to be done. */
  private async measured(
    name: string,
    rate: number | undefined,
    seconds: number,
    meanwhile?: () => void,
  ): Promise<IngestPhase> {
    const { load, sql, database } = this;
    if (load === undefined || sql === undefined || database === undefined)
      throw new Error("no load is prepared");
    for (let waited = 0; this.options.detection === "on" && waited < DRAIN_SECONDS_MAX; waited++) {
      const owed = await sql`select from ats.batch where detected_at is null limit 1`;
      if (owed.length === 0) break;
      if (waited === 0) this.progress.note("waiting for detection");
      await Bun.sleep(1_000);
    }
    await database.checkpoint();
    return await load.run(name, rate, seconds, meanwhile);
  }

  private async clicked(
    signed: Signed,
    views: readonly View[],
    order: {
      readonly name: string;
      readonly rate?: number;
      readonly seconds: number;
      readonly pauseMs: number;
    },
  ): Promise<[IngestPhase, Clicks]> {
    const { people } = this.options;
    const clicking = new People({ ...signed, people, thinkMs: order.pauseMs }, views);
    try {
      const phase = await this.measured(order.name, order.rate, order.seconds, () => clicking.start());
      return [phase, await clicking.stop()];
    } finally {
      await clicking.stop();
    }
  }

  private async painted(
    signed: Signed,
    views: readonly View[],
    rate: number,
  ): Promise<PagePaint[] | undefined> {
    const { options, progress } = this;
    const browser = options.browser ? await launchChromium() : null;
    if (browser === null) {
      progress.note("no Chromium: no page is painted");
      return undefined;
    }
    this.browser = browser;
    let isOver = false;
    const painting = paintPages(browser, signed, { views, paints: options.paints, progress }).finally(() => {
      isOver = true;
    });
    // The load comes in pieces, because nobody knows how long the painting takes.
    const loading = (async () => {
      while (!isOver) await this.load?.run("painting at half the peak", rate, PAINT_LOAD_SECONDS);
    })();
    const [paints] = await Promise.all([painting, loading]);
    await browser.close();
    return paints;
  }
}
