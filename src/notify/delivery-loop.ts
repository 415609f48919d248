import { connect, type Sql } from "../store/database/connect.ts";
import { codeOf, loggableReason } from "../store/database/failure.ts";
import {
  type ClaimedDelivery,
  cancelClaim,
  claimDeliveries,
  recordFailure,
  recordSuccess,
  releaseClaims,
  renewLeases,
  TEST_EVENT,
} from "../store/webhooks/deliveries.ts";
import {
  type DeliveryBacklog,
  pruneDeliveries,
  readBacklog,
  recallFromAhead,
} from "../store/webhooks/delivery-upkeep.ts";
import type { NetworkList, Resolve } from "./address-guard.ts";
import { type SentAttempt, sendDelivery, verdictOf } from "./delivery-attempt.ts";
import { type DeliveryMetrics, emptyCounters, observe } from "./delivery-metrics.ts";
import { openWakeUp } from "./wake-up.ts";

/**
 * Claims what is due, sends it, records what came of it, until told to stop. Invariants: never more than
 * `attemptsMax` tries at once, never more than `perWebhookMax` of one webhook and `perProjectMax` of one project; a try is recorded or its lease runs
 * out, so nothing is lost with this process; while the database is away nothing is claimed, and what was sent but
 * could not be recorded is sent again later under the same id. Owned by worker.ts, one loop a process.
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
const DAY_MS = 86_400_000;
/** A result is worth some patience: what is not recorded is sent twice. */
const RECORD_TRIES_MAX = 5;

interface InFlight {
  claim: ClaimedDelivery;
  abort: AbortController;
  done: Promise<void>;
}

export function startDeliveryLoop(options: DeliveryLoopOptions): DeliveryLoop {
  const settings = {
    ...DEFAULTS,
    clock: Date.now,
    random: Math.random,
    log: () => {},
    ...definedOnly(options),
  };
  const sql: Sql = connect({
    url: options.databaseUrl,
    connectionsMax: DATABASE_CONNECTIONS,
    applicationName: "ats notify",
    statementTimeoutMs: 10_000,
    connectTimeoutS: 5,
  });
  const counters = emptyCounters();
  const inFlight = new Set<InFlight>();
  let backlog: DeliveryBacklog = { owed: 0, due: 0, oldestDueMs: null };
  let state: "running" | "draining" | "stopped" = "running";
  let databaseAway = false;
  let claiming: Promise<void> = Promise.resolve();

  const wakeUp = openWakeUp({ databaseUrl: options.databaseUrl, pollMs: settings.pollMs });

  /** Runs a piece of upkeep; a database that is away is noted once and tried again by the next round. */
  async function attemptUpkeep(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      if (!databaseAway) return;
      databaseAway = false;
      settings.log("info", {}, "notify: the database answers again");
      wakeUp.relisten();
    } catch (error) {
      if (state === "stopped") return;
      counters.databaseErrors += 1;
      if (!databaseAway) settings.log("warn", told(error), "notify: the database does not answer");
      databaseAway = true;
    }
  }

  async function claimAndSend(): Promise<void> {
    const free = settings.attemptsMax - inFlight.size;
    if (free === 0) return;
    const claims = await claimDeliveries(sql, {
      nowMs: settings.clock(),
      leaseMs: settings.leaseMs,
      limit: free,
      perWebhookMax: settings.perWebhookMax,
      perProjectMax: settings.perProjectMax,
      oldestFirst: settings.random() >= 1 - OLDEST_FIRST_SHARE,
      running: [...inFlight].map(({ claim }) => claim),
    });
    for (const claim of claims) begin(claim);
  }

  function begin(claim: ClaimedDelivery): void {
    const abort = new AbortController();
    const entry: InFlight = { claim, abort, done: Promise.resolve() };
    inFlight.add(entry);
    entry.done = deliver(entry)
      .catch((error: unknown) => {
        // Not recorded: the lease runs out and the delivery comes again.
        counters.databaseErrors += 1;
        settings.log(
          "error",
          { delivery_id: claim.deliveryId, ...told(error) },
          "notify: a try could not be recorded",
        );
      })
      .finally(() => {
        inFlight.delete(entry);
        wakeUp.wake();
      });
  }

  async function deliver({ claim, abort }: InFlight): Promise<void> {
    if (claim.webhookDisabledAt !== null && claim.event !== TEST_EVENT) {
      await cancelClaim(sql, claim, settings.clock());
      counters.cancelled += 1;
      return;
    }
    const sent = await sendDelivery(claim, {
      allowedNetworks: settings.allowedNetworks,
      timeoutMs: settings.timeoutMs,
      resolve: options.resolve,
      ca: options.ca,
      signal: abort.signal,
      nowMs: settings.clock(),
    });
    // Broken off by stop(), which hands the claim back: what the receiver made of it is not known.
    if (abort.signal.aborted) return;
    await record(claim, sent);
  }

  async function record(claim: ClaimedDelivery, sent: SentAttempt): Promise<void> {
    const nowMs = settings.clock();
    const { errorClass } = sent.attempt;
    const isTest = claim.event === TEST_EVENT;
    const result = errorClass ?? "success";
    counters.attempts[result] = (counters.attempts[result] ?? 0) + 1;
    observe(counters.attemptSeconds, sent.attempt.durationMs);
    if (errorClass === null) {
      await insist(() => recordSuccess(sql, { claim, attempt: sent.attempt, nowMs }));
      if (isTest) counters.testDelivered += 1;
      else {
        counters.delivered += 1;
        observe(counters.deliverySeconds, Math.max(0, nowMs - claim.createdAt.getTime()));
      }
      return;
    }
    const verdict = verdictOf({ claim, sent, nowMs, random: settings.random() });
    await insist(() => recordFailure(sql, { claim, attempt: sent.attempt, nowMs, verdict }));
    if (verdict.kind !== "retry") counters[isTest ? "testFailed" : "failed"] += 1;
    if (verdict.kind === "disable") {
      counters.webhooksDisabled += 1;
      settings.log(
        "warn",
        { webhook_id: claim.webhookId, reason: verdict.reason },
        "notify: webhook disabled",
      );
    }
  }

  async function insist(work: () => Promise<void>): Promise<void> {
    for (let triesLeft = RECORD_TRIES_MAX - 1; ; triesLeft -= 1) {
      try {
        return await work();
      } catch (error) {
        if (triesLeft === 0 || state === "stopped") throw error;
        await Bun.sleep(500);
      }
    }
  }

  async function renew(): Promise<void> {
    const claims = [...inFlight].map((entry) => entry.claim);
    if (claims.length === 0) return;
    await renewLeases(sql, { claims, nowMs: settings.clock(), leaseMs: settings.leaseMs });
  }

  const pruning = {
    everyMs: settings.pruneEveryMs,
    nextMs: performance.now() + Math.min(PRUNE_FIRST_MS, settings.pruneEveryMs),
    run: async () => {
      const finishedBeforeMs = settings.clock() - settings.retentionDays * DAY_MS;
      const pruned = await pruneDeliveries(sql, { finishedBeforeMs, limit: PRUNE_DELIVERIES_MAX });
      if (pruned === PRUNE_DELIVERIES_MAX) pruning.nextMs = performance.now() + PRUNE_AGAIN_MS;
    },
  };

  /** Work that returns at intervals, done between claims; one at a time, so a slow database gets no queue from here. */
  const chores = [
    { everyMs: settings.leaseMs / 3, nextMs: 0, run: renew },
    {
      everyMs: BACKLOG_EVERY_MS,
      nextMs: 0,
      run: async () => {
        backlog = await readBacklog(sql, settings.clock());
      },
    },
    {
      everyMs: settings.recallEveryMs,
      nextMs: performance.now() + settings.recallEveryMs,
      run: async () => {
        if ((await recallFromAhead(sql, settings.clock())) > 0) wakeUp.wake();
      },
    },
    pruning,
  ];

  async function run(): Promise<void> {
    while (state !== "stopped") {
      const woken = wakeUp.next();
      if (state === "running") claiming = attemptUpkeep(claimAndSend);
      await claiming;
      for (const chore of chores) {
        if (databaseAway || performance.now() < chore.nextMs) continue;
        chore.nextMs = performance.now() + chore.everyMs;
        await attemptUpkeep(chore.run);
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
    while (inFlight.size > 0) await Promise.all([...inFlight].map((entry) => entry.done));
  }

  async function stop(): Promise<void> {
    state = "stopped";
    wakeUp.close();
    await running;
    const brokenOff = [...inFlight];
    for (const entry of brokenOff) entry.abort.abort();
    await Promise.all(brokenOff.map((entry) => entry.done));
    const claims = brokenOff.map((entry) => entry.claim);
    await releaseClaims(sql, { claims, nowMs: settings.clock() }).catch(() => {});
    await sql.end({ timeout: 2 });
  }

  const metrics = (): DeliveryMetrics => ({ ...structuredClone(counters), inFlight: inFlight.size, backlog });
  return { drain, stop, metrics };
}

/** Of an error, what the log says. */
function told(error: unknown) {
  return { code: codeOf(error), reason: loggableReason(error) };
}

/** An option given as undefined is an option not given. */
function definedOnly<T extends object>(options: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}
