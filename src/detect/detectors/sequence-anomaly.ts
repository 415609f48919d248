import { EVENT_TYPES } from "../../ingest/wire/event-types.ts";
import { thresholdReader } from "../building-blocks/thresholds.ts";
import type { Detection, Detector, DetectorEvent } from "../detector.ts";

/**
 * Sequence numbers are missing for longer than late events take, or one number stands on several events. The
 * numbers seen are held as at most 64 runs; where there would be more, the smallest gap is given up. Nothing
 * is said of a client that does not count by one. Where the oldest events are not known, numbers up to those
 * of the first ones that are count as seen.
 */
export interface SequenceAnomalyState {
  /** Runs of numbers seen, ascending and apart: first, last, and when the gap before the run was noticed. */
  readonly runs: { first: number; last: number; noticedMs: number }[];
  /** Different numbers taken in, and runs that were made one though numbers are missing between them. */
  numbers: number;
  merged: number;
  reused: number;
  lastReused: { readonly sequence: number; readonly eventId: string } | null;
  events: number;
  firedGap: boolean;
  firedReuse: boolean;
  readonly isPastCut: boolean;
  /** Up to here every number counts as seen. */
  floor: number;
}

const RUNS_MAX = 64;
/** Events after a cut among which some may be missing that came before others of lower numbers. */
const RAGGED_EVENTS = 100;
const GAP_KEY = "gap";

const THRESHOLDS = {
  graceSeconds: { default: 30, min: 0, max: 120, description: "Seconds that a missing event has to arrive" },
  reusedMin: {
    default: 1,
    min: 1,
    max: 1000,
    integer: true,
    description: "Events that repeat another event's sequence",
  },
} as const;
const threshold = thresholdReader(THRESHOLDS);

export const sequenceAnomaly: Detector<SequenceAnomalyState> = {
  failureClass: "sequence_anomaly",
  version: 3,
  family: "reliability",
  summary: "Events are missing from an execution's sequence, or sequence numbers are used twice.",
  defaultSeverity: "low",
  signature: ["gap, gap-at-start or reused"],
  taxonomy: { owaspAgentic2026: ["ASI08"] },
  thresholds: THRESHOLDS,
  eventTypes: EVENT_TYPES,
  onStatus: false,
  onTick: true,
  startedRule: { since: "start", afterMs: () => 0, gapKey: GAP_KEY },
  nextTickMs({ state, settings }) {
    if (state.firedGap || !countsByOne(state)) return Number.POSITIVE_INFINITY;
    return earliestGapMs(state) + threshold(settings, "graceSeconds") * 1000;
  },
  createState: (isPastCut = false) => ({
    runs: [],
    numbers: 0,
    merged: 0,
    reused: 0,
    lastReused: null,
    events: 0,
    firedGap: false,
    firedReuse: false,
    isPastCut,
    floor: 0,
  }),
  detect({ events, state, settings, nowMs, cause }) {
    const detections: Detection[] = [];
    for (const event of events) {
      state.events++;
      // Between runs that were made one a number may well be new.
      if (!note(state, event) && state.merged === 0) {
        state.reused++;
        state.lastReused = { sequence: event.sequence, eventId: event.eventId };
      }
      const { lastReused } = state;
      if (lastReused === null || state.firedReuse) continue;
      if (state.reused < threshold(settings, "reusedMin") || !countsByOne(state)) continue;
      state.firedReuse = true;
      const { sequence, eventId } = lastReused;
      detections.push(detectionOf("reused", `sequence ${sequence} stands on more than one event`, eventId));
    }
    if (cause === "tick" && !state.firedGap && countsByOne(state)) {
      const gap = oldestGap(state, nowMs - threshold(settings, "graceSeconds") * 1000);
      if (gap !== null) {
        state.firedGap = true;
        const missing = gap.to === gap.from ? `${gap.from}` : `${gap.from} to ${gap.to}`;
        detections.push(
          detectionOf(gap.atStart ? "gap-at-start" : "gap", `missing sequence: ${missing}`, null),
        );
      }
    }
    return { state, detections };
  },
};

function detectionOf(
  rule: "gap" | "gap-at-start" | "reused",
  excerpt: string,
  eventId: string | null,
): Detection {
  return {
    signatureParts: [rule],
    severity: "low",
    ruleIds: [`sequence_anomaly/${rule}`],
    score: 0.8,
    excerpt,
    eventId,
    evidenceEventIds: [],
    dedupKey: rule === "reused" ? "reused" : GAP_KEY,
  };
}

/**
 * Takes a number in; false if it was there. The common case, the next number of the last run, costs nothing.
 */
function note(state: SequenceAnomalyState, event: DetectorEvent): boolean {
  const { runs } = state;
  const seq = event.sequence;
  if (state.isPastCut) {
    if (state.events <= RAGGED_EVENTS) state.floor = Math.max(state.floor, seq);
    if (seq <= state.floor) return true;
  }
  let at = runs.length - 1;
  while (at >= 0 && runs[at]!.first > seq) at--;
  const before = at >= 0 ? runs[at]! : null;
  if (before !== null && seq <= before.last) return false;
  const after = runs[at + 1];
  state.numbers++;
  const joinsBefore = before !== null && seq === before.last + 1;
  const joinsAfter = after !== undefined && seq === after.first - 1;
  if (joinsBefore && joinsAfter) {
    before.last = after.last;
    runs.splice(at + 1, 1);
  } else if (joinsBefore) {
    before.last = seq;
  } else if (joinsAfter) {
    after.first = seq;
  } else {
    runs.splice(at + 1, 0, { first: seq, last: seq, noticedMs: event.receivedMs });
    if (runs.length > RUNS_MAX) {
      joinClosest(runs);
      state.merged++;
    }
  }
  return true;
}

function joinClosest(runs: SequenceAnomalyState["runs"]): void {
  let closest = 1;
  for (let i = 2; i < runs.length; i++) {
    if (runs[i]!.first - runs[i - 1]!.last < runs[closest]!.first - runs[closest - 1]!.last) closest = i;
  }
  runs[closest - 1]!.last = runs[closest]!.last;
  runs.splice(closest, 1);
}

/** Up to so many pieces one pair of neighbours will do: short runs that lost a batch. */
const PIECES_FEW = 4;
/**
 * Of two runs that count together a piece has two numbers in the mean, one pair of neighbours: it takes more
 * than that.
 */
const NEIGHBOURS_A_PIECE = 1.2;

/**
 * Most numbers have a neighbour: else they are a clock, a count by tens or one that runs share, or a
 * constant, and gaps mean nothing.
 */
function countsByOne({ runs, merged, numbers }: SequenceAnomalyState): boolean {
  const pieces = runs.length + merged;
  const neighbours = numbers - pieces;
  return neighbours > 0 && (pieces <= PIECES_FEW || neighbours >= pieces * NEIGHBOURS_A_PIECE);
}

/** When the first of the gaps there are was noticed. */
function earliestGapMs(state: SequenceAnomalyState): number {
  let earliestMs = Number.POSITIVE_INFINITY;
  for (const [index, run] of state.runs.entries())
    if (index > 0 || run.first > state.floor + 1) earliestMs = Math.min(earliestMs, run.noticedMs);
  return earliestMs;
}

function oldestGap(
  state: SequenceAnomalyState,
  noticedBeforeMs: number,
): { from: number; to: number; atStart: boolean } | null {
  for (let i = 0; i < state.runs.length; i++) {
    const run = state.runs[i]!;
    if (run.noticedMs > noticedBeforeMs) continue;
    if (i > 0) return { from: state.runs[i - 1]!.last + 1, to: run.first - 1, atStart: false };
    const from = state.floor + 1;
    if (run.first > from) return { from, to: run.first - 1, atStart: !state.isPastCut };
  }
  return null;
}
