import type { Detector, DetectorEvent } from "../../src/detect/detector.ts";
import { viewAtStart } from "../../src/detect/engine/execution-view.ts";
import { DETECTORS } from "../../src/detect/registry.ts";
import { forgetTexts } from "../../src/detect/text/quiet-texts.ts";
import type { EventType } from "../../src/ingest/wire/event-types.ts";
import { payloadJson } from "../ingest/payloads.ts";
import { SeededRandom } from "../ingest/random.ts";

/**
 * What all registered detectors cost an event: runs of 50 events of the busy fleet that the ingest bench
 * plays, each detector called once a run with the events of its types. The best of many rounds: others share
 * the machine, and the first ones are compiled.
 */
export interface Cost {
  readonly eventBytes: number;
  readonly microsecondsAnEvent: number;
  readonly byClass: Readonly<Record<string, number>>;
}

const EVENTS = 10_000;
const RUN_LENGTH = 50;
const ROUNDS = 30;
const TYPES: readonly EventType[] = [
  "tool_call",
  "llm_call",
  "tool_call",
  "mcp_call",
  "llm_call",
  "checkpoint",
  "memory_operation",
  "egress",
  "tool_call",
  "llm_call",
  "validator_result",
  "tool_call",
  "agent_handoff",
  "llm_call",
  "mcp_call",
  "infrastructure_event",
];

type RawEvent = Omit<DetectorEvent, "payload"> & { readonly json: string };

function rawEvents(eventBytes: number): readonly RawEvent[] {
  const random = new SeededRandom(7);
  return Array.from({ length: EVENTS }, (_unused, position) => {
    const type = TYPES[position % TYPES.length] as EventType;
    const sequence = (position % RUN_LENGTH) + 1;
    return {
      eventId: `e${position}`,
      type,
      sequence,
      timestampMs: position,
      receivedMs: position,
      json: payloadJson(type, random, eventBytes),
    };
  });
}

function runOnce(detector: Detector, events: readonly DetectorEvent[]): void {
  const chosen = events.filter((event) => detector.eventTypes.includes(event.type));
  detector.detect({
    execution: viewAtStart({ executionId: "x", startedMs: 0 }),
    events: chosen,
    cause: "events",
    nowMs: 0,
    state: detector.createState(),
    settings: { thresholds: {}, allow: [] },
    memory: { get: () => undefined, set: () => undefined, size: 0, keys: () => [] },
  });
}

export function measureCost(eventBytes: number): Cost {
  const raw = rawEvents(eventBytes);
  const best = new Map<string, number>();
  for (let round = 0; round < ROUNDS; round++) {
    const spent = new Map<string, number>();
    forgetTexts();
    for (let from = 0; from < raw.length; from += RUN_LENGTH) {
      const events = raw.slice(from, from + RUN_LENGTH).map(({ json, ...event }) => ({
        ...event,
        payload: JSON.parse(json) as Record<string, unknown>,
      }));
      for (const detector of DETECTORS) {
        const began = Bun.nanoseconds();
        runOnce(detector, events);
        const time = Bun.nanoseconds() - began;
        spent.set(detector.failureClass, (spent.get(detector.failureClass) ?? 0) + time);
      }
    }
    for (const [name, time] of spent)
      best.set(name, Math.min(best.get(name) ?? Infinity, time / EVENTS / 1_000));
  }
  const byClass = Object.fromEntries(
    [...best].map(([name, time]) => [name, Math.round(time * 1_000) / 1_000]),
  );
  const total = [...best.values()].reduce((sum, time) => sum + time, 0);
  return { eventBytes, microsecondsAnEvent: Math.round(total * 1_000) / 1_000, byClass };
}
