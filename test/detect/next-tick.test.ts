import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Detector, ExecutionView } from "../../src/detect/detector.ts";
import { DETECTORS } from "../../src/detect/registry.ts";
import { event, execution, START_MS, TestMemory } from "../support/detector-harness.ts";

/**
 * What a detector says of when a tick may fire next holds: the engine asks executions that gave way at no
 * other moment.
 */

const FAR_MS = START_MS + 10 * 365 * 86_400_000;
const settings = { thresholds: {}, allow: [] };

const events = fc.array(
  fc.record({
    sequence: fc.integer({ min: 1, max: 12 }),
    lateMs: fc.integer({ min: 0, max: 120_000 }),
    of: fc.oneof(
      fc.record({
        type: fc.constant("llm_call" as const),
        payload: fc.record({
          finish_reason: fc.constantFrom("stop", "length", "tool_calls", null),
          tokens_in: fc.constantFrom(0, 10, 5_000),
          tokens_out: fc.constantFrom(0, 10, 5_000),
        }),
      }),
      fc.record({
        type: fc.constant("tool_call" as const),
        payload: fc.record(
          { tool_name: fc.constant("t"), call_id: fc.constantFrom("a", "b"), result: fc.constant("r") },
          { requiredKeys: ["tool_name"] },
        ),
      }),
      fc.constant({ type: "checkpoint" as const, payload: {} }),
    ),
  }),
  { maxLength: 14 },
);
const end = fc.option(
  fc.record({
    status: fc.constantFrom("completed" as const, "crashed" as const),
    finishedMs: fc.integer({ min: START_MS, max: START_MS + 200_000 }),
    durationMs: fc.constantFrom(null, 1_000, 7_200_000),
    totalTokensIn: fc.constantFrom(null, 10, 9_000),
    totalTokensOut: fc.constantFrom(null, 10, 9_000),
  }),
);

const ticking = DETECTORS.filter(({ onTick }) => onTick);

test("each detector that fires by time says when", () => {
  expect(ticking.length).toBeGreaterThan(3);
  for (const { nextTickMs } of ticking) expect(nextTickMs).toBeFunction();
});

test.each(ticking.map((detector) => [detector.failureClass, detector] as const))(
  "%s",
  (_, detector: Detector) => {
    let fired = 0;
    fc.assert(
      fc.property(
        events,
        end,
        fc.integer({ min: 0, max: 400_000 }),
        fc.boolean(),
        (given, ended, upMs, isCut) => {
          const memory = new TestMemory();
          const upSinceMs = START_MS + upMs;
          const call = (
            view: ExecutionView,
            state: unknown,
            cause: "events" | "status" | "tick",
            nowMs: number,
            list = [] as ReturnType<typeof event>[],
          ) =>
            detector.detect({
              execution: view,
              events: list,
              cause,
              nowMs,
              upSinceMs,
              state,
              settings,
              memory,
            });
          let state = detector.createState(isCut);
          let nowMs = START_MS;
          for (const [n, { sequence, lateMs, of }] of given.entries()) {
            nowMs = Math.max(nowMs, START_MS + lateMs);
            const one = event(of.type, sequence, of.payload, { eventId: `e${n}`, receivedMs: nowMs });
            if (detector.eventTypes.includes(of.type))
              state = call(execution(), state, "events", nowMs, [one]).state;
          }
          const view = execution(ended === null ? {} : { ...ended });
          if (ended !== null) {
            nowMs = Math.max(nowMs, ended.finishedMs);
            if (detector.onStatus) state = call(view, state, "status", nowMs).state;
          }
          const nextMs = detector.nextTickMs!({ execution: view, state, settings, upSinceMs });
          const tick = (at: number, of = state) => call(view, structuredClone(of), "tick", at);
          if (nextMs > nowMs) expect(tick(Math.min(nextMs - 1, FAR_MS)).detections).toEqual([]);
          if (nextMs > FAR_MS) return;
          const asked = tick(Math.max(nextMs, nowMs));
          if (asked.detections.length > 0) fired++;
          // Who had nothing to say then has nothing to say later.
          else expect(tick(FAR_MS, asked.state).detections).toEqual([]);
        },
      ),
      { numRuns: 2_000 },
    );
    expect(fired).toBeGreaterThan(20);
  },
);
