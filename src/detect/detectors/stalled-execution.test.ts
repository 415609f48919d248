import { describe, expect, test } from "bun:test";
import {
  describeAnyDetector,
  event,
  execution,
  play,
  START_MS,
  TestMemory,
} from "../../../test/support/detector-harness.ts";
import { stalledExecution } from "./stalled-execution.ts";

const MINUTE_MS = 60_000;
const step = (sequence: number, receivedMs = START_MS + sequence * 1000) =>
  event("tool_call", sequence, { tool_name: "t" }, { receivedMs });

describe("stalled_execution", () => {
  describeAnyDetector(stalledExecution, () => ({ events: [step(1)], tickAfterMs: 21 * MINUTE_MS }), {
    firesLate: true,
  });

  test("time fires it, not an event, and not before its time", () => {
    expect(play(stalledExecution, { events: [step(1)], tickAfterMs: 20 * MINUTE_MS })).toEqual([]);
    const [detection] = play(stalledExecution, { events: [step(1)], tickAfterMs: 20 * MINUTE_MS + 1 });
    expect(detection).toMatchObject({
      signatureParts: ["tool_call"],
      eventId: null,
      evidenceEventIds: ["event-1"],
    });
  });

  test("an execution that never sent anything stalls too; a finished one does not", () => {
    expect(play(stalledExecution, { events: [], tickAfterMs: 21 * MINUTE_MS })[0]?.signatureParts).toEqual([
      "no-events",
    ]);
    const finished = { status: "completed" } as const;
    expect(play(stalledExecution, { events: [step(1)], finished, tickAfterMs: 21 * MINUTE_MS })).toEqual([]);
  });

  test("fires once a silence, again after the next, and five times at most", () => {
    let state = stalledExecution.createState();
    const fired: (string | undefined)[] = [];
    const call = (events: readonly ReturnType<typeof step>[], nowMs: number) => {
      const output = stalledExecution.detect({
        execution: execution(),
        events,
        cause: events.length > 0 ? "events" : "tick",
        nowMs,
        state,
        settings: { thresholds: {}, allow: [] },
        memory: new TestMemory(),
      });
      state = output.state;
      fired.push(...output.detections.map((one) => one.dedupKey));
    };
    for (let silence = 0; silence < 8; silence++) {
      const atMs = START_MS + silence * 40 * MINUTE_MS;
      call([step(silence + 1, atMs)], atMs);
      for (const minutes of [5, 22, 30]) call([], atMs + minutes * MINUTE_MS);
    }
    expect(fired).toEqual([
      "after:event-1",
      "after:event-2",
      "after:event-3",
      "after:event-4",
      "after:event-5",
    ]);
  });

  test("an event that arrives ends the silence, even one with an old timestamp", () => {
    const late = step(2, START_MS + 30 * MINUTE_MS);
    const events = [step(1), { ...late, timestampMs: START_MS }];
    expect(play(stalledExecution, { events, tickAfterMs: MINUTE_MS })).toEqual([]);
  });

  test("the service's own absence is no silence of the agent", () => {
    const state = stalledExecution.createState();
    const tick = (minutes: number, upSinceMs: number) =>
      stalledExecution.detect({
        execution: execution(),
        events: [],
        cause: "tick",
        nowMs: START_MS + minutes * MINUTE_MS,
        upSinceMs,
        state,
        settings: { thresholds: {}, allow: [] },
        memory: new TestMemory(),
      }).detections;
    expect(tick(60, START_MS + 55 * MINUTE_MS)).toEqual([]);
    expect(tick(76, START_MS + 55 * MINUTE_MS)).toHaveLength(1);
  });

  test("after the model's finished answer a person may take longer", () => {
    const answer = (finish_reason: string) => [event("llm_call", 1, { model: "m", finish_reason })];
    expect(play(stalledExecution, { events: answer("stop"), tickAfterMs: 59 * MINUTE_MS })).toEqual([]);
    expect(play(stalledExecution, { events: answer("end_turn"), tickAfterMs: 61 * MINUTE_MS })).toHaveLength(
      1,
    );
    expect(
      play(stalledExecution, { events: answer("tool_calls"), tickAfterMs: 21 * MINUTE_MS }),
    ).toHaveLength(1);
    const asked = [...answer("stop"), step(2)];
    expect(play(stalledExecution, { events: asked, tickAfterMs: 21 * MINUTE_MS })).toHaveLength(1);
  });

  test("an answer is finished in any provider's words, and not while it asks for a tool", () => {
    const after = (payload: Record<string, unknown>) =>
      play(stalledExecution, {
        events: [event("llm_call", 1, { model: "m", ...payload })],
        tickAfterMs: 30 * MINUTE_MS,
      });
    for (const finish_reason of ["STOP", "FinishReason.STOP", "END_TURN", "stop_sequence", "COMPLETE"])
      expect(after({ finish_reason, output: "Which of the two?" })).toEqual([]);
    for (const finish_reason of ["MAX_TOKENS", "tool_use", "error"])
      expect(after({ finish_reason })).toHaveLength(1);
    const call = {
      role: "assistant",
      tool_calls: [{ id: "c", function: { name: "book", arguments: "{}" } }],
    };
    expect(after({ finish_reason: "stop", output: call })).toHaveLength(1);
    const gemini = { role: "model", parts: [{ functionCall: { name: "book", args: {} } }] };
    expect(after({ finish_reason: "STOP", output: gemini })).toHaveLength(1);
  });

  const after = (minutes: number, ...events: ReturnType<typeof event>[]) =>
    play(stalledExecution, { events, tickAfterMs: minutes * MINUTE_MS }).length;

  test("what the run waits for may take its time: somebody until the next day, a time until it has come", () => {
    const waits = (state: Record<string, unknown>, name = "waiting_for_approval") =>
      event("checkpoint", 1, { name, state });
    expect(after(23 * 60, waits({ tool: "create_transfer" }))).toBe(0);
    expect(after(25 * 60, waits({ tool: "create_transfer" }))).toBe(1);
    const until = new Date(START_MS + 9 * 60 * MINUTE_MS).toISOString();
    expect(after(8 * 60, waits({ wake_at: until }, "sleeping_until"))).toBe(0);
    expect(after(10 * 60, waits({ wake_at: until }, "sleeping_until"))).toBe(1);
    expect(after(21, waits({ for: "the queue" }, "waiting"))).toBe(1);
    expect(after(21, waits({ tool: "x" }), step(2))).toBe(1);
  });

  test("what was started may take a quarter of its limit without a word", () => {
    const started = event("tool_call", 1, {
      tool_name: "render",
      arguments: {},
      result: { job: 1, estimate_min: 120 },
    });
    expect(after(29, started)).toBe(0);
    expect(after(31, started)).toBe(1);
  });

  test("a run that sends at long intervals is given two and a half of them", () => {
    const beats = [0, 9, 18].map((minutes, at) => step(at + 1, START_MS + minutes * MINUTE_MS));
    expect(after(22, ...beats)).toBe(0);
    expect(after(23, ...beats)).toBe(1);
    const quick = [0, 1, 2].map((minutes, at) => step(at + 1, START_MS + minutes * MINUTE_MS));
    expect(after(21, ...quick)).toBe(1);
    const stalled = [0, 300, 301].map((minutes, at) => step(at + 1, START_MS + minutes * MINUTE_MS));
    expect(after(21, ...stalled)).toBe(1);
  });

  test("what the project set itself holds whatever the run announces", () => {
    const call = (events: readonly ReturnType<typeof event>[], minutes: number, silenceMinutes: number) =>
      stalledExecution.detect({
        execution: execution(),
        events,
        cause: events.length > 0 ? "events" : "tick",
        nowMs: START_MS + minutes * MINUTE_MS,
        state,
        settings: { thresholds: { silenceMinutes }, allow: [] },
        memory: new TestMemory(),
      }).detections.length;
    const state = stalledExecution.createState();
    call([event("checkpoint", 1, { name: "waiting_for_approval", state: {} })], 0, 5);
    expect(call([], 4, 5)).toBe(0);
    expect(call([], 6, 5)).toBe(1);
  });

  test("a question without a reason of its end is a person's turn, too", () => {
    const answer = (output: string) => event("llm_call", 1, { model: "m", output });
    expect(after(30, answer("Yes, by Friday. Shall I register it?"))).toBe(0);
    expect(after(30, answer("I register it now."))).toBe(1);
  });
});
