import { plainPayload } from "../../src/detect/client-forms/plain-payload.ts";
import type { Detection, Detector, DetectorEvent, ExecutionView } from "../../src/detect/detector.ts";
import { viewAtStart } from "../../src/detect/engine/execution-view.ts";
import { DETECTORS } from "../../src/detect/registry.ts";
import { forgetTexts } from "../../src/detect/text/quiet-texts.ts";
import type { EventType } from "../../src/ingest/wire/event-types.ts";
import { RunMemory } from "./run-memory.ts";
import { UNSEEN_PARTS, type UnseenPart, unseenRows } from "./unseen-rows.ts";

/**
 * Cases of one or more whole executions by writers who had read the interface and nothing else (November
 * 2026): half show the failure of a class as a team would want to hear of it, half are busy, odd but healthy
 * runs that resemble it. `cases` were meant to be hard; `acceptance` is what somebody would send who tests
 * whether such a service does what it says, of all thirty classes.
 */
export const CASE_SETS = ["cases", "acceptance"] as const;
export type CaseSet = (typeof CASE_SETS)[number];

export interface UnseenCase {
  readonly id: string;
  readonly class: string;
  readonly label: 0 | 1;
  readonly note: string;
  /** Other classes that its writer would not call false here. */
  readonly also_ok?: readonly string[];
  readonly executions: readonly CaseExecution[];
}

interface CaseExecution {
  readonly execution: { readonly execution_id: string };
  readonly events: readonly CaseEvent[];
  readonly end: CaseEnd | null;
}

interface CaseEvent {
  readonly event_id: string;
  readonly event_type: EventType;
  readonly sequence: number;
  readonly timestamp: string;
  readonly payload: Record<string, unknown>;
}

interface CaseEnd {
  readonly status: "completed" | "crashed";
  readonly duration_ms?: number;
  readonly total_tokens_in?: number;
  readonly total_tokens_out?: number;
  readonly crash_signature?: string;
}

const ON_ITS_WAY_MS = 50;
const TICK_EVERY_MS = 10_000;
/**
 * A longer pause is played as one of this length: by then all has fired that silence fires, where the run
 * announced none.
 */
const PAUSE_MS_MAX = 75 * 60_000;
const TICKS_AFTER_MS = [6_000, 20_000, 60_000];
/** Of a run that never ends. */
const TICKS_IN_SILENCE_MS = [...TICKS_AFTER_MS, 21 * 60_000, 61 * 60_000, PAUSE_MS_MAX];

export const unseenCases = (part: UnseenPart, set: CaseSet): readonly UnseenCase[] => unseenRows(part, set);

/** Sent twice, an event is stored once. */
const stored = (events: readonly CaseEvent[]): readonly CaseEvent[] =>
  [...new Map(events.toReversed().map((one) => [one.event_id, one])).values()].toReversed();

function eventsOf({ events }: CaseExecution): DetectorEvent[] {
  let receivedMs = 0;
  return stored(events).map((one) => {
    const timestampMs = Date.parse(one.timestamp);
    receivedMs = Math.max(receivedMs, timestampMs + ON_ITS_WAY_MS);
    return {
      eventId: one.event_id,
      type: one.event_type,
      sequence: one.sequence,
      timestampMs,
      receivedMs,
      payload: plainPayload(one.event_type, one.payload),
    };
  });
}

function modeOf({ events }: CaseExecution): string | null {
  const declared = events.find((one) => one.event_type === "environment_declaration")?.payload.mode;
  return typeof declared === "string" ? declared : null;
}

const viewAtEnd = (running: ExecutionView, end: CaseEnd, finishedMs: number): ExecutionView => ({
  ...running,
  status: end.status,
  finishedMs,
  durationMs: end.duration_ms ?? null,
  totalTokensIn: end.total_tokens_in ?? null,
  totalTokensOut: end.total_tokens_out ?? null,
  crashSignature: end.crash_signature ?? null,
});

/**
 * What one detector finds in one execution, event by event as it would arrive live, with ticks between and
 * after.
 */
function detectionsOf(detector: Detector, one: CaseExecution, memory: RunMemory): Detection[] {
  const events = eventsOf(one);
  const startedMs = events[0]?.receivedMs ?? 0;
  const running = {
    ...viewAtStart({ executionId: one.execution.execution_id, startedMs }),
    environmentMode: modeOf(one),
  };
  const found: Detection[] = [];
  let state = detector.createState();
  const call = (
    execution: ExecutionView,
    batch: DetectorEvent[],
    cause: "events" | "status" | "tick",
    nowMs: number,
  ) => {
    const settings = { thresholds: {}, allow: [] };
    const output = detector.detect({ execution, events: batch, cause, nowMs, state, settings, memory });
    state = output.state;
    found.push(...output.detections);
  };
  let lastMs = startedMs;
  for (const event of events) {
    if (detector.onTick) {
      const untilMs = Math.min(event.receivedMs, lastMs + PAUSE_MS_MAX);
      for (let at = lastMs + TICK_EVERY_MS; at < untilMs; at += TICK_EVERY_MS) call(running, [], "tick", at);
    }
    lastMs = event.receivedMs;
    if (detector.eventTypes.includes(event.type)) call(running, [event], "events", event.receivedMs);
  }
  const ended = one.end === null ? running : viewAtEnd(running, one.end, lastMs + 2 * ON_ITS_WAY_MS);
  if (one.end !== null && detector.onStatus) call(ended, [], "status", lastMs + 2 * ON_ITS_WAY_MS);
  const ticks = one.end === null ? TICKS_IN_SILENCE_MS : TICKS_AFTER_MS;
  if (detector.onTick) for (const after of ticks) call(ended, [], "tick", lastMs + after);
  return found;
}

/** What fires in a case, by class. */
export function firingsOf({ executions }: UnseenCase): ReadonlyMap<string, readonly Detection[]> {
  forgetTexts();
  const fired = new Map<string, readonly Detection[]>();
  for (const detector of DETECTORS) {
    const memory = new RunMemory();
    const found = executions.flatMap((one) => detectionsOf(detector, one, memory));
    if (found.length > 0) fired.set(detector.failureClass, found);
  }
  return fired;
}

export interface UnseenCaseTotals {
  readonly part: UnseenPart;
  readonly set: CaseSet;
  readonly failureClass: string;
  readonly failures: number;
  readonly found: number;
  readonly healthy: number;
  /** Healthy cases in which the class that they resemble fired. */
  readonly healthyFired: number;
  /** Healthy cases in which any class fired. */
  readonly healthyFiredAny: number;
}

/** What fires in a healthy case, but for what its writer leaves open. */
export const falseIn = (one: UnseenCase, fired: ReadonlyMap<string, unknown>): readonly string[] =>
  [...fired.keys()].filter((failureClass) => !(one.also_ok ?? []).includes(failureClass));

function totalsOf(part: UnseenPart, set: CaseSet): UnseenCaseTotals[] {
  const cases = unseenCases(part, set);
  return [...Map.groupBy(cases, (one) => one.class)].sort().map(([failureClass, ofClass]) => {
    const totals = { failures: 0, found: 0, healthy: 0, healthyFired: 0, healthyFiredAny: 0 };
    for (const one of ofClass) {
      const fired = firingsOf(one);
      if (one.label === 1) {
        totals.failures++;
        totals.found += fired.has(failureClass) ? 1 : 0;
      } else {
        const wrong = falseIn(one, fired);
        totals.healthy++;
        totals.healthyFired += wrong.includes(failureClass) ? 1 : 0;
        totals.healthyFiredAny += wrong.length > 0 ? 1 : 0;
      }
    }
    return { part, set, failureClass, ...totals };
  });
}

export const evaluateUnseenCases = (): readonly UnseenCaseTotals[] =>
  CASE_SETS.flatMap((set) => UNSEEN_PARTS.flatMap((part) => totalsOf(part, set)));
