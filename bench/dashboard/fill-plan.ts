/**
 * How many rows of what a filled database holds. Pure: the statements of fill.ts and the pages asked for go
 * by it.
 */

/** Executions side by side in time, whose events are stored in turn, as a service that runs stores them. */
export const BLOCK_EXECUTIONS = 40;
export const BIG_EXECUTION_EVENTS = 10_000;
export const DAYS = 7;
/** Parts of the mean number of events that the executions of four blocks in turn have. */
const LENGTHS = [0.4, 0.7, 1.1, 1.8] as const;

export interface FillPlan {
  readonly executions: number;
  readonly blocks: number;
  /** Events of each execution of blocks 0, 1, 2, 3, 4 = 0, … */
  readonly lengths: readonly number[];
  readonly detections: number;
  readonly deliveries: number;
  /** The number of the execution with `BIG_EXECUTION_EVENTS` events. */
  readonly bigExecutionNo: number;
  readonly fromMs: number;
  readonly toMs: number;
}

export function fillPlan(events: number, executions: number, nowMs: number): FillPlan {
  const blocks = Math.max(4, Math.round(executions / BLOCK_EXECUTIONS / 4) * 4);
  const count = blocks * BLOCK_EXECUTIONS;
  const mean = Math.max(3, (events - BIG_EXECUTION_EVENTS) / count);
  return {
    executions: count,
    blocks,
    lengths: LENGTHS.map((part) => Math.max(1, Math.round(mean * part))),
    detections: Math.floor(count / 5),
    deliveries: Math.max(200, Math.floor(count / 50)),
    bigExecutionNo: count + 1,
    fromMs: nowMs - DAYS * 86_400_000,
    toMs: nowMs - 60_000,
  };
}

export function plannedEvents(plan: FillPlan): number {
  const perFourBlocks = plan.lengths.reduce((sum, length) => sum + length, 0) * BLOCK_EXECUTIONS;
  return (plan.blocks / 4) * perFourBlocks + BIG_EXECUTION_EVENTS;
}
