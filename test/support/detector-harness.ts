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

export function execution(overrides: Partial<ExecutionView> = {}): ExecutionView {
  return { ...viewAtStart({ executionId: "execution-1", startedMs: START_MS }), ...overrides };
}

/** A project's memory that refuses what the real one refuses, and more keys than it holds. */
export class TestMemory implements ProjectMemory {
  readonly values = new Map<string, string>();
  get(key: string): unknown {
    const value = this.values.get(key);
    return value === undefined ? undefined : JSON.parse(value);
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
    const output = detector.detect({ execution: view, events, cause, nowMs, state, settings, memory });
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

function expectSound<State>(detector: Detector<State>, detection: Detection): void {
  expect(["low", "medium", "high", "critical"]).toContain(detection.severity);
  expect(detection.score).toBeGreaterThanOrEqual(0);
  expect(detection.score).toBeLessThanOrEqual(1);
  expect(detection.excerpt.length).toBeLessThanOrEqual(240);
  expect(detection.excerpt.isWellFormed()).toBe(true);
  expect(detection.ruleIds.length).toBeGreaterThan(0);
  for (const rule of detection.ruleIds) expect(rule.startsWith(`${detector.failureClass}/`)).toBe(true);
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

/**
 * The tests that every detector passes with a scenario that fires it: whatever the batching and the order of
 * arrival the same groups fire, a replay fires the same firings, and no input makes it throw or grow.
 */
export function describeAnyDetector<State>(
  detector: Detector<State>,
  scenario: () => Scenario,
  options: { readonly firesLate?: boolean } = {},
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
  if (options.firesLate !== false) {
    test("fires when the events come after the execution has finished", () => {
      const late = play(detector, scenario(), "after-finish");
      expect(signatures(detector, late)).toEqual(signatures(detector, play(detector, scenario())));
    });
  }
  test("a replay from an empty state yields the same firings", () => {
    const first = play(detector, scenario());
    const again = play(detector, scenario());
    expect(firingKeys(again)).toEqual(firingKeys(first));
    expect(again).toEqual(first);
  });
  test("hostile payloads neither throw nor make the state grow", () => {
    const { state, memory } = playFully(
      detector,
      { ...scenario(), events: hostileEvents(detector.eventTypes) },
      "singly",
    );
    expect(JSON.stringify(state).length).toBeLessThanOrEqual(16_384);
    expect(memory.size).toBeLessThanOrEqual(1000);
  });
}

const FIELDS = [
  "destination tool_name protocol mode server method description input_schema arguments result error call_id",
  "type message stack handled validator passed signal score threshold drifted component kind code metric",
  "operation store key content from_agent to_agent reason action name state_hash state model provider output",
  "finish_reason tokens_in tokens_out latency_ms input",
]
  .join(" ")
  .split(" ");

function hostileValue(field: string, i: number): unknown {
  const long = `${field}-${i}-${"x'\"<(".repeat(200)}`;
  switch (i % 13) {
    case 0:
      return null;
    case 1:
      return { toString: 1, message: { deep: [[[[]]]] }, tools: [null, 1, { name: long }] };
    case 2:
      return [null, [i], { a: long }];
    case 3:
      return Number.MAX_SAFE_INTEGER * (i % 2 === 0 ? 1 : -1);
    case 4:
      return -0.5;
    case 5:
      return i % 2 === 0;
    case 6:
      return "";
    case 7:
      return `\ud800${long}\udfff\u202e\u0007`;
    case 8:
      return `{"a":${"[".repeat(500)}`;
    case 9:
      return "a".repeat(50_000) + i;
    case 10:
      return ["reject", "stop", "approve", "write", "tools/list", "tools/call", "simulation"][
        ((i / 13) % 7) | 0
      ];
    case 11:
      return `at ${"f(".repeat(500)}\n`.repeat(50) + i;
    default:
      return long;
  }
}

/** 600 events whose every field takes every odd shape, with ids and sequences at their limits. */
export function hostileEvents(types: readonly EventType[]): DetectorEvent[] {
  if (types.length === 0) return [];
  return Array.from({ length: 600 }, (_, i) => {
    const payload: Record<string, unknown> = {};
    FIELDS.forEach((field, at) => {
      payload[field] = hostileValue(field, i + at * (1 + (i % 5)));
    });
    // Every other event is well-formed but for its length, to reach the code behind the checks.
    if (i % 2 === 0) for (const field of FIELDS) payload[field] = `${field}-${i}-${"y".repeat(300)}`;
    return event(types[i % types.length]!, i % 7 === 0 ? 2_147_483_647 - i : i * 3, payload, {
      eventId: `${i}-`.padEnd(128, "e"),
    });
  });
}
