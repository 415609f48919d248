import { Repeats } from "../metrics/repeats.ts";
import { connect, type Sql } from "../store/database/connect.ts";
import { codeOf, isConnectionLoss, loggableReason } from "../store/database/failure.ts";
import { claimDeliveries, releaseClaims, renewLeases } from "../store/webhooks/deliveries.ts";
import {
  type DeliveryBacklog,
  pruneDeliveries,
  readBacklog,
  recallFromAhead,
} from "../store/webhooks/delivery-upkeep.ts";
import type { NetworkList, Resolve } from "./address-guard.ts";
import { type DeliveryMetrics, emptyCounters } from "./delivery-metrics.ts";
import { DeliveryTries } from "./delivery-tries.ts";
import { openWakeUp } from "./wake-up.ts";

/**
 * Claims what is due and begins its tries (delivery-tries.ts), and does the upkeep of deliveries in between, until told to stop. Invariants:
 * never more than `attemptsMax` tries at once, never more than `perWebhookMax` of one webhook and `perProjectMax` of one project; leases are
 * renewed while their tries go on; while the database is away nothing is claimed. Owned by worker.ts, one loop a process.
 */

export interface DeliveryLoopOptions {
  databaseUrl: string;
  allowedNetworks: NetworkList;
  /** Tries under way at once. A try is a socket and a few KiB, so many slow receivers still leave room. */
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
  /** Claims nothing more and resolves when the tries under way have ended. */
  drain(): Promise<void>;
  /** Breaks off what is under way, hands it back to the database, closes the connections. */
  stop(): Promise<void>;
  metrics(): DeliveryMetrics;
}

const DEFAULTS = {
  attemptsMax: 256,
  perWebhookMax: 4,
  perProjectMax: 64,
  timeoutMs: 15_000,
  pollMs: 1_000,
  // Renewed at a third of it while a try goes on; so long does a delivery wait whose worker was killed.
  leaseMs: 9_000,
  retentionDays: 30,
  pruneEveryMs: 3_600_000,
  recallEveryMs: 60_000,
};

const DATABASE_CONNECTIONS = 4;
/** By chance rather than by count, so that it meets every webhook, however their tries take turns. */
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
  const sql: Sql = connect({
    url: options.databaseUrl,
    connectionsMax: DATABASE_CONNECTIONS,
    applicationName: "ats notify",
    statementTimeoutMs: 10_000,
    connectTimeoutS: 5,
  });
  const counters = emptyCounters();
  const wakeUp = openWakeUp({ databaseUrl: options.databaseUrl, pollMs: settings.pollMs });
  const tries = new DeliveryTries({
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

  /** Claims tell whether the database is there: its loss and its return are noted once, and the next round tries again. */
  async function attemptClaims(): Promise<void> {
    try {
      await claimAndSend();
      if (!databaseAway) return;
      databaseAway = false;
      settings.log("info", {}, "notify: the database answers again");
      wakeUp.relisten();
    } catch (error) {
      noteAway(error);
    }
  }

  /** One that PostgreSQL refuses, or has no time for, says nothing of claims, which go on. */
  async function attemptChore(chore: Chore): Promise<void> {
    try {
      await chore.run();
    } catch (error) {
      if (isConnectionLoss(error)) return noteAway(error);
      counters.databaseErrors += 1;
      const code = codeOf(error);
      const notTold = failures.admit(`${chore.name} ${code}`);
      if (notTold === undefined) return;
      const fields = { task: chore.name, code, reason: loggableReason(error), not_told: notTold };
      settings.log("warn", fields, "notify: a task of the upkeep failed");
    }
  }

  function noteAway(error: unknown): void {
    if (state === "stopped") return;
    counters.databaseErrors += 1;
    if (!databaseAway) {
      const fields = { code: codeOf(error), reason: loggableReason(error) };
      settings.log("warn", fields, "notify: the database does not answer");
    }
    databaseAway = true;
  }

  async function claimAndSend(): Promise<void> {
    const free = settings.attemptsMax - tries.size;
    if (free === 0) return;
    const claims = await claimDeliveries(sql, {
      nowMs: settings.clock(),
      leaseMs: settings.leaseMs,
      limit: free,
      perWebhookMax: settings.perWebhookMax,
      perProjectMax: settings.perProjectMax,
      oldestFirst: settings.random() >= 1 - OLDEST_FIRST_SHARE,
      running: tries.claims,
    });
    for (const claim of claims) tries.begin(claim);
  }

  const chores = choresOf({
    sql,
    settings,
    tries,
    onBacklog: (read) => {
      backlog = read;
    },
    onRecalled: () => wakeUp.wake(),
  });

  async function run(): Promise<void> {
    while (state !== "stopped") {
      const woken = wakeUp.next();
      if (state === "running") claiming = attemptClaims();
      await claiming;
      for (const chore of chores) {
        if (databaseAway || performance.now() < chore.nextMs) continue;
        chore.nextMs = performance.now() + chore.everyMs;
        await attemptChore(chore);
      }
      if (databaseAway) await Bun.sleep(settings.pollMs);
      await woken;
    }
  }
  const running = run();

  async function drain(): Promise<void> {
    if (state === "running") state = "draining";
    // A claim under way may still bring entries.
    await claiming;
    await tries.ended();
  }

  async function stop(): Promise<void> {
    state = "stopped";
    tries.hurry();
    wakeUp.close();
    await running;
    const claims = await tries.breakOff();
    await releaseClaims(sql, { claims, nowMs: settings.clock() }).catch(() => {});
    await sql.end({ timeout: 2 });
  }

  const metrics = (): DeliveryMetrics => ({ ...structuredClone(counters), inFlight: tries.size, backlog });
  return { drain, stop, metrics };
}

/** Work that returns at intervals, done between claims; one at a time, so a slow database gets no queue from here. */
interface Chore {
  readonly name: string;
  readonly everyMs: number;
  nextMs: number;
  run(): Promise<void>;
}

function choresOf({
  sql,
  settings,
  tries,
  ...tell
}: {
  readonly sql: Sql;
  readonly settings: Settings;
  readonly tries: DeliveryTries;
  readonly onBacklog: (backlog: DeliveryBacklog) => void;
  readonly onRecalled: () => void;
}): Chore[] {
  const startedMs = performance.now();
  const renewing: Chore = {
    name: "renew leases",
    everyMs: settings.leaseMs / 3,
    nextMs: 0,
    async run() {
      const { claims } = tries;
      if (claims.length === 0) return;
      await renewLeases(sql, { claims, nowMs: settings.clock(), leaseMs: settings.leaseMs });
    },
  };
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
  return [renewing, counting, recalling, pruning];
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
