import { Repeats } from "../metrics/repeats.ts";
import { connect, type Sql } from "../store/database/connect.ts";
import { codeOf, isWithoutSession, loggableReason } from "../store/database/failure.ts";
import { claimDeliveries, releaseClaims, renewLeases } from "../store/webhooks/deliveries.ts";
import {
  type DeliveryBacklog,
  pruneDeliveries,
  readBacklog,
  recallFromAhead,
} from "../store/webhooks/delivery-upkeep.ts";
import type { NetworkList, Resolve } from "./address-guard.ts";
import { AttemptsUnderWay } from "./attempts-under-way.ts";
import { type DeliveryMetrics, emptyCounters } from "./delivery-metrics.ts";
import { openWakeUp } from "./wake-up.ts";

/**
 * Claims what is due and begins its attempts (attempts-under-way.ts), and does the upkeep of deliveries in
 * between, until told to stop. Invariants: never more than `attemptsMax` attempts at once, never more than
 * `perWebhookMax` of one webhook and `perProjectMax` of one project; leases are renewed while their attempts
 * go on, whatever else waits for PostgreSQL. Owned by worker.ts, one loop a process.
 */

export interface DeliveryLoopOptions {
  databaseUrl: string;
  allowedNetworks: NetworkList;
  /**
   * Attempts under way at once. An attempt is a socket and a few KiB, so many slow receivers still leave
   * room.
   */
  attemptsMax?: number;
  perWebhookMax?: number;
  perProjectMax?: number;
  timeoutMs?: number;
  pollMs?: number;
  leaseMs?: number;
  /** How long finished deliveries and their log are kept. */
  retentionDays?: number;
  pruneEveryMs?: number;
  /** How often what a clock set back since has put off is looked for. */
  recallEveryMs?: number;
  clock?: () => number;
  random?: () => number;
  resolve?: Resolve;
  ca?: string;
  /** Never given a secret, a URL or a body. */
  log?: (level: "info" | "warn" | "error", fields: Record<string, unknown>, message: string) => void;
}

export interface DeliveryLoop {
  /** Claims nothing more and resolves when the attempts under way have ended. */
  drain(): Promise<void>;
  /** Breaks off what is under way, hands it back to the database, closes the connections. */
  stop(): Promise<void>;
  metrics(): DeliveryMetrics;
  /** Looks for what is due that have come to their end, whether or not the database was there. */
  rounds(): number;
}

const DEFAULTS = {
  attemptsMax: 256,
  perWebhookMax: 4,
  perProjectMax: 64,
  timeoutMs: 15_000,
  pollMs: 1_000,
  // So long does a delivery wait whose worker was killed.
  leaseMs: 9_000,
  retentionDays: 30,
  pruneEveryMs: 3_600_000,
  recallEveryMs: 60_000,
};

/** For all but the renewals of leases, which have one of their own. */
const DATABASE_CONNECTIONS = 3;
/**
 * Of a lease: how long a statement may take, and when leases are renewed. So a claim that takes as long as it
 * may is renewed in time, and where a renewal is broken off, the next is in time as well.
 */
const [STATEMENT_SHARE, RENEWAL_SHARE] = [1 / 3, 1 / 6];
/** By chance rather than by count, so that it meets every webhook, however their attempts take turns. */
const OLDEST_FIRST_SHARE = 0.25;
const BACKLOG_EVERY_MS = 5_000;
const PRUNE_FIRST_MS = 60_000;
/** Some 100 ms, for which claims wait. Where that is not all, the next round goes on. */
const PRUNE_DELIVERIES_MAX = 2_000;
const PRUNE_AGAIN_MS = 5_000;
const FAILURES_TOLD_EVERY_MS = 60_000;
const DAY_MS = 86_400_000;

export function startDeliveryLoop(options: DeliveryLoopOptions): DeliveryLoop {
  const settings = settingsOf(options);
  const pool = (connectionsMax: number): Sql =>
    connect({
      url: options.databaseUrl,
      connectionsMax,
      applicationName: "ats notify",
      statementTimeoutMs: Math.floor(settings.leaseMs * STATEMENT_SHARE),
      connectTimeoutS: 5,
    });
  const sql = pool(DATABASE_CONNECTIONS);
  const renewalSql = pool(1);
  const counters = emptyCounters();
  const wakeUp = openWakeUp({ databaseUrl: options.databaseUrl, pollMs: settings.pollMs });
  const attempts = new AttemptsUnderWay({
    sql,
    counters,
    allowedNetworks: settings.allowedNetworks,
    timeoutMs: settings.timeoutMs,
    resolve: options.resolve,
    ca: options.ca,
    clock: settings.clock,
    random: settings.random,
    log: settings.log,
    onEnd: () => wakeUp.wake(),
  });
  let backlog: DeliveryBacklog = { owed: 0, due: 0, oldestDueMs: null };
  let state: "running" | "draining" | "stopped" = "running";
  let databaseAway = false;
  const failures = new Repeats(FAILURES_TOLD_EVERY_MS);
  let claiming: Promise<void> = Promise.resolve();
  let rounds = 0;

  /** Claims tell that the database has returned: noted once, as its loss is. */
  async function claimWhatIsDue(): Promise<void> {
    if (attempts.size === settings.attemptsMax) return;
    const isThere = await perform("claim", claimAndSend);
    if (!isThere || !databaseAway) return;
    databaseAway = false;
    settings.log("info", {}, "notify: the database answers again");
    wakeUp.relisten();
  }

  /**
   * Answers whether the database is there. What it refuses, or has no time for, says nothing of other tasks,
   * which go on.
   */
  async function perform(task: string, work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      counters.databaseErrors += 1;
      const fields = { code: codeOf(error), reason: loggableReason(error) };
      if (isWithoutSession(error)) {
        noteAway(fields);
        return false;
      }
      const notTold = failures.admit(`${task} ${fields.code}`);
      if (notTold !== undefined) {
        settings.log("warn", { task, ...fields, not_told: notTold }, "notify: a task failed");
      }
      return true;
    }
  }

  function noteAway(fields: Record<string, unknown>): void {
    if (state === "stopped") return;
    if (!databaseAway) settings.log("warn", fields, "notify: the database does not answer");
    databaseAway = true;
  }

  async function claimAndSend(): Promise<void> {
    const claims = await claimDeliveries(sql, {
      nowMs: settings.clock(),
      leaseMs: settings.leaseMs,
      attemptsMax: settings.attemptsMax,
      perWebhookMax: settings.perWebhookMax,
      perProjectMax: settings.perProjectMax,
      oldestFirst: settings.random() >= 1 - OLDEST_FIRST_SHARE,
      running: attempts.claims,
    });
    for (const claim of claims) attempts.begin(claim);
  }

  /**
   * By a timer: behind a claim or a task of the upkeep that takes its time, leases would end, and other
   * replicas send what is under way.
   */
  let renewing: Promise<unknown> | null = null;
  const renewals = setInterval(() => {
    const { claims } = attempts;
    if (renewing !== null || claims.length === 0) return;
    const { clock, leaseMs } = settings;
    const work = () => renewLeases(renewalSql, { claims, nowMs: clock(), leaseMs });
    renewing = perform("renew leases", work).finally(() => {
      renewing = null;
    });
  }, settings.leaseMs * RENEWAL_SHARE);

  const chores = choresOf({
    sql,
    settings,
    onBacklog: (read) => {
      backlog = read;
    },
    onRecalled: () => wakeUp.wake(),
  });

  async function run(): Promise<void> {
    while (state !== "stopped") {
      const woken = wakeUp.next();
      if (state === "running") claiming = claimWhatIsDue();
      await claiming;
      for (const chore of chores) {
        if (databaseAway || performance.now() < chore.nextMs) continue;
        chore.nextMs = performance.now() + chore.everyMs;
        await perform(chore.name, chore.run);
      }
      rounds += 1;
      if (databaseAway) await Bun.sleep(settings.pollMs);
      await woken;
    }
  }
  const running = run();

  async function drain(): Promise<void> {
    if (state === "running") state = "draining";
    // A claim under way may still bring entries.
    await claiming;
    await attempts.ended();
  }

  async function stop(): Promise<void> {
    state = "stopped";
    attempts.hurry();
    wakeUp.close();
    await running;
    const claims = await attempts.breakOff();
    clearInterval(renewals);
    // One under way has the rows locked that are handed back.
    await renewing;
    await releaseClaims(sql, { claims, nowMs: settings.clock() }).catch(() => {});
    await Promise.all([sql, renewalSql].map((each) => each.end({ timeout: 2 })));
  }

  const metrics = (): DeliveryMetrics => ({ ...structuredClone(counters), inFlight: attempts.size, backlog });
  return { drain, stop, metrics, rounds: () => rounds };
}

/**
 * Work that returns at intervals, done between claims; one at a time, so a slow database gets no queue from
 * here.
 */
interface Chore {
  readonly name: string;
  readonly everyMs: number;
  nextMs: number;
  readonly run: () => Promise<void>;
}

function choresOf({
  sql,
  settings,
  ...tell
}: {
  readonly sql: Sql;
  readonly settings: Settings;
  readonly onBacklog: (backlog: DeliveryBacklog) => void;
  readonly onRecalled: () => void;
}): Chore[] {
  const startedMs = performance.now();
  const counting: Chore = {
    name: "count what is owed",
    everyMs: BACKLOG_EVERY_MS,
    nextMs: 0,
    async run() {
      tell.onBacklog(await readBacklog(sql, settings.clock()));
    },
  };
  const recalling: Chore = {
    name: "recall what was put off",
    everyMs: settings.recallEveryMs,
    nextMs: startedMs + settings.recallEveryMs,
    async run() {
      if ((await recallFromAhead(sql, settings.clock())) > 0) tell.onRecalled();
    },
  };
  const pruning: Chore = {
    name: "prune",
    everyMs: settings.pruneEveryMs,
    nextMs: startedMs + Math.min(PRUNE_FIRST_MS, settings.pruneEveryMs),
    async run() {
      const finishedBeforeMs = settings.clock() - settings.retentionDays * DAY_MS;
      const pruned = await pruneDeliveries(sql, { finishedBeforeMs, limit: PRUNE_DELIVERIES_MAX });
      if (pruned === PRUNE_DELIVERIES_MAX) pruning.nextMs = performance.now() + PRUNE_AGAIN_MS;
    },
  };
  return [counting, recalling, pruning];
}

type Settings = ReturnType<typeof settingsOf>;

function settingsOf(options: DeliveryLoopOptions) {
  return {
    ...DEFAULTS,
    clock: Date.now,
    random: Math.random,
    log: () => {},
    ...definedOnly(options),
  };
}

/** An option given as undefined is an option not given. */
function definedOnly<T extends object>(options: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}
