import { type EndedExecution, listEnded } from "../../store/detection/detection-batches.ts";
import {
  cursorBehind,
  listProjectNos,
  type StartedCursor,
  scanStarted,
} from "../../store/detection/detection-executions.ts";
import type { DetectionSession, DetectionSql } from "../../store/detection/detection-session.ts";
import { itemOf, type RoundItem } from "../engine/engine.ts";
import type { ExecutionKey, Loader } from "../engine/loader.ts";
import type { HeldExecution, StateCache } from "../engine/state-cache.ts";
import type { DetectionTransactions } from "./transaction.ts";

/**
 * Calls the detectors that fire by time: for every execution in memory that is still started or finished a moment
 * ago, and, so that none is forgotten, for started executions that are packed or that only the store knows — a bounded
 * walk that goes on where it stopped. A firing that is stored already is not stored again, whoever ticks.
 */

const FINISHED_LINGER_MS = 5 * 60_000;
const LOOKBACK_MS = 24 * 3_600_000;
/** Rows looked at and executions taken into memory in one tick. */
const SCANNED_MAX = 2_000;
const TAKEN_MAX = 200;
const PROJECTS_AT_ONCE_MAX = 128;
/** Batches of ends looked at in one tick, and executions of theirs from which on no further batch is taken in: each is rebuilt. */
const ENDS_MAX = 100;
const ENDED_TAKEN_MAX = 500;
/** Items of one round: between rounds other work of the thread gets its turn. */
const ROUND_ITEMS = 1_000;

export class Ticker {
  readonly #cache: StateCache;
  readonly #loader: Loader;
  readonly #transactions: DetectionTransactions;
  readonly #asOfMs: () => number;
  /** Ends detected in that span, in microseconds since 1970, were seen by another thread, and are still to be looked for. */
  #ends: { readonly sinceUs: number; readonly beforeUs: number } | null = null;
  #cursor: StartedCursor | null = null;

  constructor(options: {
    cache: StateCache;
    loader: Loader;
    transactions: DetectionTransactions;
    /** The moment up to which all that was stored is detected. */
    asOfMs: () => number;
  }) {
    this.#cache = options.cache;
    this.#loader = options.loader;
    this.#transactions = options.transactions;
    this.#asOfMs = options.asOfMs;
  }

  /** Call when nothing is in memory any more. */
  startAnew(): void {
    // Whoever detected them had a clock of its own.
    const { latestUs } = this.#transactions;
    const sinceUs = Math.min(latestUs, this.#asOfMs() * 1000) - FINISHED_LINGER_MS * 1000;
    this.#ends = { sinceUs: Math.floor(sinceUs), beforeUs: latestUs + 1 };
  }

  async tick(session: DetectionSession): Promise<void> {
    await this.#takeForgotten(session.sql);
    const asOfMs = this.#asOfMs();
    const due = Array.from(this.#cache.values()).filter((held) => isLive(held, asOfMs));
    for (let start = 0; start < due.length; start += ROUND_ITEMS) {
      const items: RoundItem[] = [];
      const part = due.slice(start, start + ROUND_ITEMS);
      // For each round anew: those of the first may have given way by then.
      await this.#loader.loadProjects(
        session.sql,
        part.map((held) => held.projectNo),
      );
      for (const held of part) {
        const plan = this.#loader.plan(held.projectNo);
        if (plan?.hasTick) items.push(itemOf(held, plan, null));
      }
      if (items.length > 0) await this.#transactions.tick(session, items, asOfMs);
    }
    this.#cache.trim();
  }

  /** Takes executions into memory that are not there and fire by time. */
  async #takeForgotten(sql: DetectionSql): Promise<void> {
    const forgotten = [...(await this.#listStarted(sql)), ...(await this.#listEnded(sql))].filter(
      ({ projectNo, executionNo }) =>
        this.#loader.plan(projectNo)?.hasTick === true && !this.#cache.has(executionNo),
    );
    await this.#loader.loadProjects(
      sql,
      forgotten.map(({ projectNo }) => projectNo),
    );
    const ending = new Set<number>();
    await this.#loader.loadExecutions(sql, { keys: forgotten, refresh: [], ending, claimedBatchNos: [] });
  }

  /** What waits for the late events of a run that has ended waits on after a restart: from the latest end backwards. */
  async #listEnded(sql: DetectionSql): Promise<readonly EndedExecution[]> {
    if (this.#ends === null) return [];
    const finishedSinceMs = this.#asOfMs() - FINISHED_LINGER_MS;
    const { ended, detectedUs } = await listEnded(sql, {
      ...this.#ends,
      finishedSinceMs,
      batchesMax: ENDS_MAX,
    });
    const last = ended[ENDED_TAKEN_MAX - 1]?.detectedUs ?? detectedUs;
    this.#ends = last === null ? null : { ...this.#ends, beforeUs: last };
    return last === null ? [] : ended.filter((one) => one.detectedUs >= last);
  }

  async #listStarted(sql: DetectionSql): Promise<readonly ExecutionKey[]> {
    const projectNos = await listProjectNos(sql);
    await this.#loader.loadPlans(sql, projectNos);
    const ticking = projectNos.filter((projectNo) => this.#loader.plan(projectNo)?.hasTick);
    // One pass over the projects at most, starting with the one where the last tick stopped.
    const from = Math.max(
      0,
      ticking.findIndex((projectNo) => projectNo >= (this.#cursor?.projectNo ?? 0)),
    );
    const left = [...ticking.slice(from), ...ticking.slice(0, from)];
    const forgotten: ExecutionKey[] = [];
    let budget = SCANNED_MAX;
    // Thousands of projects take a statement for many of them; where the first has more than is looked at, the others are read in vain.
    for (let atOnce = 1; left.length > 0 && budget > 0; atOnce = Math.min(atOnce * 2, PROJECTS_AT_ONCE_MAX)) {
      const scanned = left.splice(0, Math.min(atOnce, budget));
      const { started, next } = await scanStarted(sql, {
        projectNos: scanned,
        after: this.#cursor?.projectNo === scanned[0] ? this.#cursor : null,
        oldestMs: this.#asOfMs() - LOOKBACK_MS,
        scannedMax: TAKEN_MAX,
        startedMax: budget,
      });
      budget -= Math.max(scanned.length, started.length);
      this.#cursor = next ?? atStart(left[0] ?? ticking[from]);
      for (const record of started) {
        if (this.#cache.has(record.executionNo)) continue;
        forgotten.push(record);
        if (forgotten.length < TAKEN_MAX) continue;
        this.#cursor = cursorBehind(record);
        return forgotten;
      }
      if (next !== null) break;
    }
    return forgotten;
  }
}

function atStart(projectNo: number | undefined): StartedCursor | null {
  return projectNo === undefined ? null : { projectNo, sinceMs: 0, afterExecutionNo: 0 };
}

function isLive(held: HeldExecution, nowMs: number): boolean {
  const { status, finishedMs } = held.view;
  return status === "started" || (finishedMs !== null && nowMs - finishedMs < FINISHED_LINGER_MS);
}
