import { type EndedExecution, listEnded } from "../../store/detection/detection-batches.ts";
import {
  cursorBehind,
  listProjectNos,
  type StartedCursor,
  scanStarted,
} from "../../store/detection/detection-executions.ts";
import {
  type DetectionSession,
  type DetectionSql,
  SessionLost,
} from "../../store/detection/detection-session.ts";
import type { ProjectShare } from "../../store/detection/project-share.ts";
import { itemOf, type RoundItem } from "../engine/engine.ts";
import type { ExecutionKey, Loader } from "../engine/loader.ts";
import type { HeldExecution, StateCache } from "../engine/state-cache.ts";
import { isTheDatasFault } from "./batch-tries.ts";
import { type DueExecutions, LOOKBACK_MS } from "./due-executions.ts";
import type { DetectionTransactions } from "./transaction.ts";

/**
 * Calls the detectors that fire by time. A tick asks every execution in memory that is still running or has
 * just finished. Executions not in memory are asked in steps between the ticks, a few at a time, so that no
 * event waits long:
 *
 *   first   those that are due: states that gave way say when they are (src/detect/engine/state-cache.ts), and of
 *           executions whose states nobody holds the store names those that may be (due-executions.ts)
 *   then    started ones in turn, by a bounded walk that goes on where it stopped, and after a start those that ended
 *           before it: only their rebuilt states can tell
 *
 * A firing that is stored already is not stored again, whoever ticks.
 */

const FINISHED_LINGER_MS = 5 * 60_000;
/** In one tick of the walk: rows looked at, executions taken. */
const SCANNED_MAX = 2_000;
const TAKEN_MAX = 200;
const PROJECTS_AT_ONCE_MAX = 128;
/**
 * Batches of ends looked at in one tick, and the number of their executions after which no further batch is
 * taken: each is rebuilt.
 */
const ENDS_MAX = 100;
const ENDED_TAKEN_MAX = 500;
/** Items in one round; between rounds the thread's other work gets its turn. */
const ROUND_ITEMS = 1_000;
/** Executions asked in one step: 50 to rebuild took 60 to 150 ms, for which events wait. */
const STEP_ITEMS = 50;
/**
 * With that many executions waiting for a step, of either kind, a tick adds none: the next one finds them
 * again. A look of due-executions.ts, taken only when no due one waits, adds all that it found.
 */
const WAITING_MAX = 2_000;

export class Ticker {
  readonly #cache: StateCache;
  readonly #loader: Loader;
  readonly #transactions: DetectionTransactions;
  readonly #dueExecutions: DueExecutions;
  readonly #share: ProjectShare;
  readonly #asOfMs: () => number;
  /**
   * The span, in microseconds since 1970, in which another thread detected ends that are still to be looked
   * up.
   */
  #ends: { readonly sinceUs: number; readonly beforeUs: number } | null = null;
  #cursor: StartedCursor | null = null;
  /** Waiting for a step, by execution_no. */
  readonly #due = new Map<number, ExecutionKey>();
  readonly #inTurn = new Map<number, ExecutionKey>();
  readonly #alone = new Map<number, ExecutionKey>();

  constructor(options: {
    cache: StateCache;
    loader: Loader;
    transactions: DetectionTransactions;
    dueExecutions: DueExecutions;
    share: ProjectShare;
    /** The moment up to which all that was stored is detected. */
    asOfMs: () => number;
  }) {
    this.#cache = options.cache;
    this.#loader = options.loader;
    this.#transactions = options.transactions;
    this.#dueExecutions = options.dueExecutions;
    this.#share = options.share;
    this.#asOfMs = options.asOfMs;
  }

  /** Call when nothing is in memory any more. */
  startAnew(): void {
    this.#dueExecutions.startAnew();
    // Whoever detected them had a clock of its own.
    const { latestUs } = this.#transactions;
    const sinceUs = Math.min(latestUs, this.#asOfMs() * 1000) - FINISHED_LINGER_MS * 1000;
    this.#ends = { sinceUs: Math.floor(sinceUs), beforeUs: latestUs + 1 };
  }

  async tick(session: DetectionSession): Promise<void> {
    const asOfMs = this.#asOfMs();
    await this.#gather(session.sql, asOfMs);
    const live = Array.from(this.#cache.values()).filter((held) => isLive(held, asOfMs));
    for (let start = 0; start < live.length; start += ROUND_ITEMS) {
      const part = live.slice(start, start + ROUND_ITEMS);
      // Before each round: projects loaded for an earlier one may have been dropped since.
      await this.#loader.loadProjects(
        session.sql,
        part.map((held) => held.projectNo),
      );
      await this.#ask(session, part, asOfMs);
    }
    this.#cache.trim();
  }

  /** Whether there is something to do before the next tick. */
  get hasSteps(): boolean {
    const waiting = this.#due.size + this.#inTurn.size + this.#alone.size;
    return waiting > 0 || this.#dueExecutions.isLooking;
  }

  /** Asks some of the executions that wait, or looks for more that are due. */
  async step(session: DetectionSession): Promise<void> {
    const asOfMs = this.#asOfMs();
    const [alone] = this.#alone.values();
    if (alone !== undefined) {
      this.#alone.delete(alone.executionNo);
      return await this.#wake(session, [alone], asOfMs);
    }
    if (this.#due.size === 0 && this.#dueExecutions.isLooking) {
      for (const key of await this.#dueExecutions.look(session.sql, asOfMs))
        if (!this.#cache.has(key.executionNo) && !this.#cache.isAsideUntilLater(key.executionNo, asOfMs))
          this.#noteDue(key);
      return;
    }
    const waiting = this.#due.size > 0 ? this.#due : this.#inTurn;
    const keys = [...waiting.values().take(STEP_ITEMS)];
    for (const { executionNo } of keys) waiting.delete(executionNo);
    try {
      await this.#wake(session, keys, asOfMs);
    } catch (error) {
      // One by one from now on: what one of them has stored may be unreadable, and no tick would find the
      // others again.
      for (const key of keys) this.#alone.set(key.executionNo, key);
      if (error instanceof SessionLost || !isTheDatasFault(error)) throw error;
      this.#transactions.forgetFailed();
    }
  }

  /** Holds executions and asks them. */
  async #wake(session: DetectionSession, keys: readonly ExecutionKey[], asOfMs: number): Promise<void> {
    const projectNos = keys.map(({ projectNo }) => projectNo);
    await this.#loader.loadProjects(session.sql, projectNos);
    await this.#loader.loadExecutions(session.sql, {
      keys: keys.filter(({ executionNo }) => !this.#cache.has(executionNo)),
      refresh: [],
      ending: new Set(),
      claimedBatchNos: [],
    });
    for (const { executionNo } of keys) if (!this.#cache.has(executionNo)) this.#cache.forget(executionNo);
    await this.#ask(
      session,
      keys.flatMap(({ executionNo }) => this.#cache.peek(executionNo) ?? []),
      asOfMs,
    );
    this.#cache.trim();
  }

  async #ask(session: DetectionSession, asked: readonly HeldExecution[], asOfMs: number): Promise<void> {
    const items: RoundItem[] = [];
    for (const held of asked) {
      const plan = this.#loader.plan(held.projectNo);
      if (plan?.hasTick) items.push(itemOf(held, plan, null));
    }
    if (items.length > 0) await this.#transactions.tick(session, items, asOfMs);
  }

  /** Notes who is to be asked before the next tick. */
  async #gather(sql: DetectionSql, asOfMs: number): Promise<void> {
    const projectNos = await listProjectNos(sql, this.#share);
    await this.#loader.loadPlans(sql, projectNos);
    const ticking = projectNos.filter((projectNo) => this.#loader.plan(projectNo)?.hasTick);
    for (const key of this.#cache.asideDue(asOfMs)) {
      if (this.#due.size >= WAITING_MAX) break;
      this.#noteDue(key);
    }
    this.#dueExecutions.startLooking(ticking);
    if (this.#inTurn.size + TAKEN_MAX + ENDED_TAKEN_MAX > WAITING_MAX) return;
    for (const key of [...(await this.#listStarted(sql, ticking)), ...(await this.#listEnded(sql))])
      if (
        this.#loader.plan(key.projectNo)?.hasTick &&
        !this.#isLater(key, asOfMs) &&
        !this.#due.has(key.executionNo)
      )
        this.#inTurn.set(key.executionNo, key);
  }

  /** A due execution is not asked in its turn as well. */
  #noteDue(key: ExecutionKey): void {
    this.#due.set(key.executionNo, key);
    this.#inTurn.delete(key.executionNo);
  }

  /** In memory, where every tick asks it, or put aside until its moment. */
  #isLater({ executionNo }: ExecutionKey, asOfMs: number): boolean {
    return this.#cache.has(executionNo) || this.#cache.isAsideUntilLater(executionNo, asOfMs);
  }

  /**
   * What waits for late events of a run that has ended must go on waiting after a restart. From the latest
   * end backwards.
   */
  async #listEnded(sql: DetectionSql): Promise<readonly EndedExecution[]> {
    if (this.#ends === null) return [];
    const finishedSinceMs = this.#asOfMs() - FINISHED_LINGER_MS;
    const { ended, detectedUs } = await listEnded(sql, {
      ...this.#ends,
      finishedSinceMs,
      share: this.#share,
      batchesMax: ENDS_MAX,
    });
    const last = ended[ENDED_TAKEN_MAX - 1]?.detectedUs ?? detectedUs;
    this.#ends = last === null ? null : { ...this.#ends, beforeUs: last };
    return last === null ? [] : ended.filter((one) => one.detectedUs >= last);
  }

  async #listStarted(sql: DetectionSql, ticking: readonly number[]): Promise<readonly ExecutionKey[]> {
    const asOfMs = this.#asOfMs();
    // One pass over the projects at most, starting with the one where the last tick stopped.
    const from = Math.max(
      0,
      ticking.findIndex((projectNo) => projectNo >= (this.#cursor?.projectNo ?? 0)),
    );
    const left = [...ticking.slice(from), ...ticking.slice(0, from)];
    const forgotten: ExecutionKey[] = [];
    let budget = SCANNED_MAX;
    // Thousands of projects need many in one statement; but if the first has more than is looked at, the
    // others are read in vain.
    for (let atOnce = 1; left.length > 0 && budget > 0; atOnce = Math.min(atOnce * 2, PROJECTS_AT_ONCE_MAX)) {
      const scanned = left.splice(0, Math.min(atOnce, budget));
      const { started, next } = await scanStarted(sql, {
        projectNos: scanned,
        after: this.#cursor?.projectNo === scanned[0] ? this.#cursor : null,
        oldestMs: asOfMs - LOOKBACK_MS,
        scannedMax: TAKEN_MAX,
        startedMax: budget,
      });
      budget -= Math.max(scanned.length, started.length);
      this.#cursor = next ?? atStart(left[0] ?? ticking[from]);
      for (const record of started) {
        if (this.#isLater(record, asOfMs)) continue;
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
