import { listProjectNos, scanStarted } from "../../store/detection/detection-executions.ts";
import type { DetectionSession } from "../../store/detection/detection-session.ts";
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
/** Items of one round: between rounds other work of the thread gets its turn. */
const ROUND_ITEMS = 1_000;

export class Ticker {
  readonly #cache: StateCache;
  readonly #loader: Loader;
  readonly #transactions: DetectionTransactions;
  readonly #nowMs: () => number;
  #cursor: { projectNo: number; sinceMs: number; afterExecutionNo: number } | null = null;

  constructor(options: {
    cache: StateCache;
    loader: Loader;
    transactions: DetectionTransactions;
    nowMs: () => number;
  }) {
    this.#cache = options.cache;
    this.#loader = options.loader;
    this.#transactions = options.transactions;
    this.#nowMs = options.nowMs;
  }

  async tick(session: DetectionSession): Promise<void> {
    await this.#takeForgotten(session);
    const nowMs = this.#nowMs();
    const due = Array.from(this.#cache.values()).filter((held) => isLive(held, nowMs));
    await this.#loader.loadProjects(
      session.sql,
      due.map((held) => held.projectNo),
    );
    for (let start = 0; start < due.length; start += ROUND_ITEMS) {
      const items: RoundItem[] = [];
      for (const held of due.slice(start, start + ROUND_ITEMS)) {
        const plan = this.#loader.plan(held.projectNo);
        if (plan?.hasTick) items.push(itemOf(held, plan, null));
      }
      if (items.length > 0) await this.#transactions.tick(session, items);
    }
  }

  /** Takes started executions that are not in memory into it. */
  async #takeForgotten(session: DetectionSession): Promise<void> {
    const { sql } = session;
    const projectNos = await listProjectNos(sql);
    await this.#loader.loadProjects(sql, projectNos);
    const ticking = projectNos.filter((projectNo) => this.#loader.plan(projectNo)?.hasTick);
    const forgotten: ExecutionKey[] = [];
    let budget = SCANNED_MAX;
    // One pass over the projects at most, starting with the one where the last tick stopped.
    const from = Math.max(
      0,
      ticking.findIndex((projectNo) => projectNo >= (this.#cursor?.projectNo ?? 0)),
    );
    for (let i = 0; i < ticking.length && budget > 0 && forgotten.length < TAKEN_MAX; i++) {
      const projectNo = ticking[(from + i) % ticking.length]!;
      const oldestMs = this.#nowMs() - LOOKBACK_MS;
      const at = this.#cursor?.projectNo === projectNo ? this.#cursor : null;
      const { started, next } = await scanStarted(sql, {
        projectNo,
        sinceMs: Math.max(oldestMs, at?.sinceMs ?? 0),
        afterExecutionNo: at?.afterExecutionNo ?? 0,
        scannedMax: Math.min(budget, TAKEN_MAX),
      });
      budget -= Math.max(1, started.length);
      forgotten.push(...started.filter((record) => !this.#cache.has(record.executionNo)));
      this.#cursor = next === null ? null : { projectNo, ...next };
      if (next !== null) break;
      const following = ticking[(from + i + 1) % ticking.length];
      if (following !== undefined) this.#cursor = { projectNo: following, sinceMs: 0, afterExecutionNo: 0 };
    }
    await this.#loader.loadExecutions(sql, { keys: forgotten, refresh: [], claimedBatchNos: [] });
  }
}

function isLive(held: HeldExecution, nowMs: number): boolean {
  const { status, finishedMs } = held.view;
  return status === "started" || (finishedMs !== null && nowMs - finishedMs < FINISHED_LINGER_MS);
}
