import type { Sql } from "../database/connect.ts";
import { ensurePartitions } from "./partitions.ts";
import { type Pruned, prune } from "./retention.ts";
import { deleteOldSlots, gatherExecutionTally } from "./rollups.ts";

/**
 * The work that keeps the store in shape, on a connection of its own: each minute the roll-ups, each hour the
 * day partitions and what is no longer kept. Invariant: nothing waits for it and nothing breaks without it; a
 * failure is told, and the next round does what was left. Several processes may do it at once: statements
 * that move rows take each row once.
 */

const ROLLUPS_EVERY_MS = 60_000;
const ROUNDS_AN_HOUR = 60;
const TALLY_ROWS_MAX = 20_000;
/** Slots let go in one statement. */
const SLOTS_MAX = 10_000;

/**
 * What a stop lets a statement under way take; one that PostgreSQL does not answer would hold it up for a
 * quarter of an hour.
 */
const STOP_MS_MAX = 5_000;

export interface Upkeep {
  /** Waits for a statement under way, but not for ever. */
  stop(): Promise<void>;
}

export type UpkeepTask = "partitions" | "roll-ups" | "retention";

export function startUpkeep(options: {
  readonly sql: Sql;
  readonly daysAhead: number;
  readonly everyMs?: number;
  readonly onPruned?: (pruned: Pruned) => void;
  readonly onFailure: (task: UpkeepTask, error: unknown) => void;
}): Upkeep {
  const { sql, daysAhead } = options;
  let isStopping = false;
  let rounds = 0;
  let round: Promise<void> | undefined;

  const attempt = async (task: UpkeepTask, work: () => Promise<void>) => {
    if (isStopping) return;
    try {
      await work();
    } catch (error) {
      options.onFailure(task, error);
    }
  };
  const hourly = async () => {
    await attempt("partitions", async () => void (await ensurePartitions({ sql, daysAhead })));
    await attempt("retention", async () => {
      const nowMs = await earlierClock(sql, Date.now());
      options.onPruned?.(await prune({ sql, nowMs, isStopping: () => isStopping }));
    });
  };
  const run = async () => {
    await attempt("roll-ups", async () =>
      keepRollups(sql, await earlierClock(sql, Date.now()), () => isStopping),
    );
    if (rounds % ROUNDS_AN_HOUR === 0) await hourly();
    rounds += 1;
  };
  const timer = setInterval(() => {
    round ??= run().finally(() => {
      round = undefined;
    });
  }, options.everyMs ?? ROLLUPS_EVERY_MS);
  timer.unref();
  return {
    async stop() {
      isStopping = true;
      clearInterval(timer);
      await Promise.race([round, Bun.sleep(STOP_MS_MAX)]);
    },
  };
}

/** One round: gathers what executions appended, and lets go of slots that are kept no longer. */
export async function keepRollups(
  sql: Sql,
  nowMs: number,
  isStopping: () => boolean = () => false,
): Promise<void> {
  while (!isStopping() && (await gatherExecutionTally(sql, TALLY_ROWS_MAX)) === TALLY_ROWS_MAX);
  while (!isStopping() && !(await deleteOldSlots(sql, nowMs, SLOTS_MAX)));
}

/**
 * A service or a database whose clock is ahead must not delete what is still to be kept: the other one's
 * holds then.
 */
export async function earlierClock(sql: Sql, serviceMs: number): Promise<number> {
  const [row] = await sql<
    [{ ms: number }]
  >`select extract(epoch from clock_timestamp())::float8 * 1000 as ms`;
  return Math.min(serviceMs, row.ms);
}
