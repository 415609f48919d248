import type { SlotRange } from "../../store/dashboard/overview.ts";
import { timeOf } from "../../store/given-time.ts";
import { SLOT_STEPS, type SlotStep } from "../../store/upkeep/rollups.ts";

/**
 * A range of time as the roll-ups can answer it: whole steps, so few that a chart can draw them. Pure.
 * Invariant: a step is a multiple of the length of slots that are kept since before the range, so no slot is
 * cut in two and none is missing.
 */

const POINTS_MAX = 240;
const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;
const RANGE_DEFAULT_MS = DAY_MS;
/**
 * A range is read a moment after it was chosen, and its first step begins before it: by half an hour at most,
 * where slots go.
 */
const SLOT_MARGIN_MS = 3_600_000;
/** The longest retention that a project can have. */
const RANGE_MAX_MS = 3_660 * DAY_MS;

const STEPS_S = [
  60, 120, 300, 600, 1_200, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800, 1_209_600,
];
const LAST_STEP_S = 2_592_000;

export type SlotRangeResult =
  | { readonly ok: true; readonly range: SlotRange }
  | { readonly ok: false; readonly detail: string };

/**
 * `from` and `to` as given, each in RFC 3339 or absent: the last day. The range answered covers what was
 * asked, in whole steps.
 */
export function slotRangeOf(
  asked: { readonly from?: string | undefined; readonly to?: string | undefined },
  nowMs: number,
): SlotRangeResult {
  const toMs = asked.to === undefined ? nowMs : momentOf(asked.to);
  if (toMs === null) return refused("to is no time in RFC 3339");
  const fromMs = asked.from === undefined ? toMs - RANGE_DEFAULT_MS : momentOf(asked.from);
  if (fromMs === null) return refused("from is no time in RFC 3339");
  const endMs = Math.min(toMs, nowMs);
  if (fromMs >= endMs) return refused("from is a moment before to and before now");
  if (endMs - fromMs > RANGE_MAX_MS) return refused("the range is longer than ten years");
  const shortest = SLOT_STEPS.find(({ keptMs }) => fromMs >= nowMs - keptMs + SLOT_MARGIN_MS)!.step;
  const stepSeconds =
    STEPS_S.find((step) => step >= shortest && pointsOf(fromMs, endMs, step) <= POINTS_MAX) ?? LAST_STEP_S;
  const stepMs = stepSeconds * SECOND_MS;
  const startMs = Math.floor(fromMs / stepMs) * stepMs;
  const stopMs = Math.ceil(endMs / stepMs) * stepMs;
  const range = {
    from: new Date(startMs),
    to: new Date(stopMs),
    stepSeconds,
    slotStep: slotStepOf(stepSeconds),
  };
  return { ok: true, range };
}

function slotStepOf(stepSeconds: number): SlotStep {
  return SLOT_STEPS.findLast(({ step }) => stepSeconds % step === 0)!.step;
}

export function pointsIn(range: SlotRange): number {
  return pointsOf(range.from.getTime(), range.to.getTime(), range.stepSeconds);
}

function pointsOf(fromMs: number, toMs: number, stepSeconds: number): number {
  const stepMs = stepSeconds * SECOND_MS;
  return Math.ceil(toMs / stepMs) - Math.floor(fromMs / stepMs);
}

/** No slot is older than 1970. */
function momentOf(text: string): number | null {
  const ms = timeOf(text);
  return ms !== null && ms >= 0 ? ms : null;
}

function refused(detail: string): SlotRangeResult {
  return { ok: false, detail };
}
