import { expect, test } from "bun:test";
import type {
  Detection,
  Detector,
  DetectorEvent,
  DetectorSettings,
  ExecutionView,
  ProjectMemory,
} from "../../src/detect/detector.ts";
import { viewAtStart } from "../../src/detect/engine/execution-view.ts";
import { encodedMemory, MEMORY_KEYS_MAX } from "../../src/detect/engine/project-memories.ts";
import { signatureOf } from "../../src/detect/engine/signature.ts";
import type { EventType } from "../../src/ingest/wire/event-types.ts";
import { eventsOfHostileTexts, eventsOfOddShapes } from "./detector-hostile-events.ts";

/** Plays events to one detector the way the engine does, and states what must hold of every detector. */

export const START_MS = Date.UTC(2026, 0, 5, 12, 0, 0);

export function event(
  type: EventType,
  sequence: number,
  payload: Record<string, unknown>,
  overrides: Partial<DetectorEvent> = {},
): DetectorEvent {
  const timestampMs = START_MS + sequence * 1000;
  return {
    eventId: `event-${sequence}`,
    type,
    sequence,
    timestampMs,
    receivedMs: timestampMs + 50,
    payload,
    ...overrides,
  };
}

/** The same in short, for tests of texts: `e1` is the event with the sequence 1. */
export function eventAt(
  sequence: number,
  type: EventType,
  payload: Record<string, unknown>,
  eventId = `e${sequence}`,
): DetectorEvent {
  return event(type, sequence, payload, { eventId });
}

export function execution(overrides: Partial<ExecutionView> = {}): ExecutionView {
  return { ...viewAtStart({ executionId: "execution-1", startedMs: START_MS }), ...overrides };
}

/**
 * What a detector is given is shared with all others. Only the event itself may be added to, by what reads it
 * once for all.
 */
function frozen<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) frozen(part);
  return value;
}

function shared(events: readonly DetectorEvent[]): readonly DetectorEvent[] {
  for (const { payload } of events) frozen(payload);
  return Object.freeze([...events]);
}

/**
 * A project's memory that refuses what the real one refuses, more keys than it holds, and changes to what it
 * gave away.
 */
export class TestMemory implements ProjectMemory {
  readonly values = new Map<string, string>();
  get(key: string): unknown {
    const value = this.values.get(key);
    return value === undefined ? undefined : frozen(JSON.parse(value));
  }
  set(key: string, value: unknown): void {
    const text = encodedMemory(key, value);
    if (this.values.size >= MEMORY_KEYS_MAX && !this.values.has(key))
      throw new RangeError("too many memory keys");
    this.values.set(key, text);
  }
  get size(): number {
    return this.values.size;
  }
  keys(): Iterable<string> {
    return this.values.keys();
  }
  clone(): TestMemory {
    const copy = new TestMemory();
    for (const [key, value] of this.values) copy.values.set(key, value);
    return copy;
  }
}

export interface Scenario {
  readonly events: readonly DetectorEvent[];
  /** The execution while it runs. */
  readonly running?: Partial<ExecutionView>;
  /** What the execution becomes after the events; absent: it stays started. */
  readonly finished?: Partial<ExecutionView>;
  /** Milliseconds after the last event at which a tick comes. */
  readonly tickAfterMs?: number;
  readonly thresholds?: Record<string, number>;
  readonly allow?: readonly string[];
  readonly memory?: TestMemory;
}

export type Arrival = "together" | "singly" | "reversed" | "after-finish";

/** All detections of a scenario, each checked against what the interface promises. */
export function play<State>(
  detector: Detector<State>,
  scenario: Scenario,
  arrival: Arrival = "together",
): Detection[] {
  return playFully(detector, scenario, arrival).detections;
}

export function playFully<State>(
  detector: Detector<State>,
  scenario: Scenario,
  arrival: Arrival = "together",
) {
  const settings: DetectorSettings = { thresholds: scenario.thresholds ?? {}, allow: scenario.allow ?? [] };
  const memory = scenario.memory ?? new TestMemory();
  const running = execution(scenario.running);
  const lastMs = Math.max(START_MS, ...scenario.events.map((one) => one.receivedMs));
  const finished =
    scenario.finished === undefined
      ? running
      : execution({ ...scenario.running, finishedMs: lastMs, ...scenario.finished });
  const detections: Detection[] = [];
  let state = detector.createState();
  const call = (
    view: ExecutionView,
    events: readonly DetectorEvent[],
    cause: "events" | "status" | "tick",
  ) => {
    const nowMs = cause === "tick" ? lastMs + (scenario.tickAfterMs ?? 0) : lastMs;
    const output = detector.detect({
      execution: frozen(view),
      events: shared(events),
      cause,
      nowMs,
      state,
      settings: frozen(settings),
      memory,
    });
    for (const detection of output.detections) expectSound(detector, detection);
    state = output.state;
    detections.push(...output.detections);
  };
  const finish = () => {
    if (scenario.finished !== undefined && detector.onStatus) call(finished, [], "status");
  };
  const mine = scenario.events.filter((one) => detector.eventTypes.includes(one.type));
  if (arrival === "after-finish") finish();
  const view = arrival === "after-finish" ? finished : running;
  if (arrival === "together" || arrival === "after-finish") {
    if (mine.length > 0) call(view, mine, "events");
  } else {
    for (const one of arrival === "reversed" ? mine.toReversed() : mine) call(view, [one], "events");
  }
  if (arrival !== "after-finish") finish();
  if (scenario.tickAfterMs !== undefined && detector.onTick) call(finished, [], "tick");
  return { detections, state, memory };
}

/** All detections of one run that goes on; each inner list arrives as one batch. */
export function probe<State>(
  detector: Detector<State>,
  batches: readonly (readonly DetectorEvent[])[],
  thresholds: Record<string, number> = {},
): { detections: readonly Detection[]; state: State; memory: TestMemory } {
  const memory = new TestMemory();
  const settings: DetectorSettings = { thresholds, allow: [] };
  const detections: Detection[] = [];
  let state = detector.createState();
  for (const batch of batches) {
    const events = batch.filter(({ type }) => detector.eventTypes.includes(type));
    const nowMs = Math.max(START_MS, ...events.map(({ receivedMs }) => receivedMs));
    const output = detector.detect({
      execution: frozen(execution()),
      events: shared(events),
      cause: "events",
      nowMs,
      state,
      settings: frozen(settings),
      memory,
    });
    for (const detection of output.detections) expectSound(detector, detection);
    state = output.state;
    detections.push(...output.detections);
  }
  return { detections, state, memory };
}

export function fires<State>(detector: Detector<State>, events: readonly DetectorEvent[]): boolean {
  return probe(detector, [events]).detections.length > 0;
}

/** Whose rules a class names beside its own: the one that flagged the passage which was followed. */
const NAMES_RULES_OF: Readonly<Record<string, string>> = { injection_followed: "prompt_injection" };

function expectSound<State>(detector: Detector<State>, detection: Detection): void {
  expect(["low", "medium", "high", "critical"]).toContain(detection.severity);
  expect(detection.score).toBeGreaterThanOrEqual(0);
  expect(detection.score).toBeLessThanOrEqual(1);
  expect(detection.excerpt.length).toBeLessThanOrEqual(240);
  expect(detection.excerpt.isWellFormed()).toBe(true);
  expect(detection.ruleIds.length).toBeGreaterThan(0);
  const { failureClass } = detector;
  const classes = [failureClass, NAMES_RULES_OF[failureClass] ?? failureClass];
  expect(detection.ruleIds[0]?.startsWith(`${failureClass}/`)).toBe(true);
  for (const rule of detection.ruleIds) expect(classes.some((one) => rule.startsWith(`${one}/`))).toBe(true);
  expect(detection.signatureParts.length).toBeGreaterThan(0);
  for (const part of detection.signatureParts) expect(typeof part).toBe("string");
  expect(detection.evidenceEventIds.length).toBeLessThanOrEqual(20);
  expect(detection.dedupKey !== undefined || detection.eventId !== null).toBe(true);
  expect((detection.dedupKey ?? "").length).toBeLessThanOrEqual(300);
}

export function signatures<State>(detector: Detector<State>, detections: readonly Detection[]): string[] {
  return detections.map((one) => signatureOf(detector.failureClass, one.signatureParts)).sort();
}

export function firingKeys(detections: readonly Detection[]): string[] {
  return [...new Set(detections.map((one) => one.dedupKey ?? one.eventId ?? ""))].sort();
}

const STATE_BYTES_MAX = 16_384;

interface DetectorOptions {
  readonly firesLate?: boolean;
  /** What a state may hold after hostile events; one that needs more says why. */
  readonly stateBytesMax?: number;
}

/**
 * The tests that every detector passes with a scenario that fires it: whatever the batching and the order of
 * arrival the same groups fire, a replay fires the same firings, and no input makes it throw or grow.
 */
export function describeAnyDetector<State>(
  detector: Detector<State>,
  scenario: () => Scenario,
  { firesLate = true, stateBytesMax = STATE_BYTES_MAX }: DetectorOptions = {},
): void {
  test("fires whether the events come together or singly", () => {
    const together = play(detector, scenario());
    expect(together.length).toBeGreaterThan(0);
    expect(signatures(detector, play(detector, scenario(), "singly"))).toEqual(
      signatures(detector, together),
    );
  });
  test("fires the same groups when the events come out of order", () => {
    const inOrder = signatures(detector, play(detector, scenario()));
    expect(signatures(detector, play(detector, scenario(), "reversed"))).toEqual(inOrder);
  });
  if (firesLate) {
    test("fires when the events come after the execution has finished", () => {
      const late = play(detector, scenario(), "after-finish");
      expect(signatures(detector, late)).toEqual(signatures(detector, play(detector, scenario())));
    });
  }
  test("it can begin in the middle of an execution", () => {
    const state = detector.createState(true);
    expect(stateBytes(state)).toBeLessThanOrEqual(1024);
    play({ ...detector, createState: () => detector.createState(true) }, scenario());
  });
  test("a replay from an empty state yields the same firings", () => {
    const first = play(detector, scenario());
    const again = play(detector, scenario());
    expect(firingKeys(again)).toEqual(firingKeys(first));
    expect(again).toEqual(first);
  });
  test.each([
    ["odd shapes", eventsOfOddShapes],
    ["long texts", eventsOfHostileTexts],
  ])(
    "hostile payloads of %s neither throw nor make the state grow",
    (_name, eventsOf) => {
      const events = eventsOf(detector.eventTypes).map(({ type, sequence, payload, eventId }) =>
        event(type, sequence, payload, { eventId }),
      );
      const { state, memory } = playFully(detector, { ...scenario(), events }, "singly");
      expect(stateBytes(state)).toBeLessThanOrEqual(stateBytesMax);
      expect(memory.size).toBeLessThanOrEqual(1000);
    },
    60_000,
  );
}

/** The size of a state as JSON; typed arrays count by their bytes, maps and sets by what they hold. */
function stateBytes(state: unknown): number {
  return JSON.stringify(state, (_key, value: unknown) => {
    if (ArrayBuffer.isView(value)) return "b".repeat(value.byteLength);
    return value instanceof Map || value instanceof Set ? [...value] : value;
  }).length;
}

interface TextCases {
  /** Events that make the detector fire exactly once. */
  readonly positive: readonly DetectorEvent[];
  /** Runs in which it must stay silent. */
  readonly negatives: readonly (readonly DetectorEvent[])[];
  /** Other runs in which it must fire. */
  readonly positives?: readonly (readonly DetectorEvent[])[];
}

/**
 * What holds of any detector, and beside it what holds of one that judges texts: a plain case fires once, in
 * whatever batches.
 */
export function describeTextDetector<State>(
  detector: Detector<State>,
  cases: TextCases,
  options: DetectorOptions = {},
): void {
  const { positive, positives = [], negatives } = cases;
  const noise = (sequence: number): DetectorEvent =>
    eventAt(sequence, "tool_call", { tool_name: "list_files", result: "report.txt, notes.txt and plan.txt" });
  const once = () => probe(detector, [positive]).detections;

  describeAnyDetector(detector, () => ({ events: positive, finished: { status: "completed" } }), options);

  test("fires once on the plain case, on one of its events", () => {
    const detections = once();
    expect(detections).toHaveLength(1);
    expect(detections[0]?.score).toBeGreaterThan(0);
    expect(positive.map(({ eventId }) => eventId)).toContain(detections[0]?.eventId ?? "");
  });

  test.each(positives.map((events, i) => [i, events] as const))("fires on case %d", (_i, events) => {
    expect(fires(detector, events)).toBe(true);
  });

  test.each(negatives.map((events, i) => [i, events] as const))("stays silent on case %d", (_i, events) => {
    expect(probe(detector, [events]).detections).toEqual([]);
  });

  test("fires once on events that come late, after much else", () => {
    const before = Array.from({ length: 40 }, (_unused, i) => noise(1_000 + i));
    expect(probe(detector, [before, positive]).detections).toHaveLength(1);
  });

  test("fires once when the events arrive in the opposite order, each in a batch of its own", () => {
    const batches = positive.toReversed().map((one) => [one]);
    expect(probe(detector, batches).detections).toHaveLength(1);
  });

  test("copies of the events, each in a batch of its own, yield the same detections", () => {
    const batches = structuredClone(positive).map((one) => [one]);
    expect(probe(detector, batches).detections).toEqual([...once()]);
  });

  test("frozen events are judged alike", () => {
    const frozen = structuredClone(positive).map((one) => Object.freeze(one));
    expect(probe(detector, [frozen]).detections).toEqual([...once()]);
  });
}
