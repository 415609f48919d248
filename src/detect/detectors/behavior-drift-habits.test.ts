import { describe, expect, test } from "bun:test";
import { event, play, TestMemory } from "../../../test/support/detector-harness.ts";
import { behaviorDrift } from "./behavior-drift.ts";

interface Run {
  readonly tools?: readonly string[];
  readonly memory?: readonly (readonly [operation: string, store: string])[];
  readonly tokens?: number;
  readonly status?: "completed" | "crashed";
}

/** The signature parts of each run's firings, in a project that these runs make one after the other. */
function project(runs: readonly Run[], memory = new TestMemory(), first = 0): (readonly string[])[][] {
  return runs.map(({ tools = [], memory: operations = [], tokens = 20, status = "completed" }, at) => {
    const events = [
      event("llm_call", 1, { model: "m", tokens_out: tokens }),
      ...tools.map((tool_name, i) =>
        event("tool_call", i + 2, { tool_name, arguments: { at, i }, result: 1 }),
      ),
      ...operations.map(([operation, store], i) => event("memory_operation", i + 60, { operation, store })),
    ];
    const running = { executionId: `run-${first + at}` };
    return play(behaviorDrift, { events, memory, running, finished: { status } }).map(
      (one) => one.signatureParts,
    );
  });
}
const times = (n: number, run: Run): Run[] => Array.from({ length: n }, () => run);
const firings = (runs: readonly Run[]) => project(runs).flat();
const REFUND = { tools: ["get_order", "check_policy", "issue_refund"] };
const UNCHECKED = { tools: ["get_order", "issue_refund"] };

describe("habits of a project", () => {
  test("what is done in every run and then in none of six fires once, with the sixth", () => {
    const found = project([...times(18, REFUND), ...times(12, UNCHECKED)]);
    expect(found.findIndex((one) => one.length > 0)).toBe(23);
    expect(found.flat()).toEqual([["habit-gone", "check_policy"]]);
  });

  test("several that go together are one firing", () => {
    expect(firings([...times(18, REFUND), ...times(8, {})])).toHaveLength(1);
  });

  test("reads of a memory are habits as calls are", () => {
    const coach: Run = { memory: [["read", "profile"]] };
    expect(firings([...times(16, coach), ...times(6, { memory: [["delete", "profile"]] })])).toEqual([
      ["habit-gone", "read of profile"],
    ]);
  });

  test("too few runs before, too few without it, and what only many runs do are none", () => {
    expect(firings([...times(12, REFUND), ...times(12, UNCHECKED)])).toEqual([]);
    expect(firings([...times(18, REFUND), ...times(5, UNCHECKED), ...times(18, REFUND)])).toEqual([]);
    const often = Array.from({ length: 40 }, (_, i) => (i % 8 === 0 ? UNCHECKED : REFUND));
    expect(firings([...often, ...times(10, UNCHECKED)])).toEqual([]);
  });

  test("runs that crash do not count", () => {
    expect(firings([...times(18, REFUND), ...times(12, { ...UNCHECKED, status: "crashed" })])).toEqual([]);
  });

  test("agents that take turns in one project are told of once", () => {
    const turn = [...times(20, REFUND), ...times(10, { tools: ["plan", "water"] })];
    const gone = firings([...turn, ...turn, ...turn]).filter(([rule]) => rule === "habit-gone");
    expect(gone.length).toBeLessThanOrEqual(2);
  });

  test("the memory stays small, and a long history is as good as a short one", () => {
    const memory = new TestMemory();
    const many = Array.from({ length: 30 }, (_, i) => `tool-${i}-${"ü".repeat(60)}`);
    expect(project(times(3, { tools: many }), memory).flat()).toEqual([]);
    expect(Buffer.byteLength(JSON.stringify(memory.get("habits")))).toBeLessThan(2_048);
    const old = new TestMemory();
    project(times(900, REFUND), old);
    expect(project(times(6, UNCHECKED), old, 900).flat()).toEqual([["habit-gone", "check_policy"]]);
  });
});

describe("the size of answers", () => {
  const short = Array.from({ length: 20 }, (_, i) => ({ tokens: 14 + (i % 5) }));

  test("six runs in a row with much longer or shorter ones fire once", () => {
    expect(firings([...short, ...times(10, { tokens: 250 })])).toEqual([["answer-size", "longer"]]);
    expect(firings([...times(20, { tokens: 800 }), ...times(6, { tokens: 20 })])).toEqual([
      ["answer-size", "shorter"],
    ]);
  });

  test("five, a mixed row and a project of both kinds do not", () => {
    expect(firings([...short, ...times(5, { tokens: 250 }), ...short])).toEqual([]);
    const mixed = Array.from({ length: 60 }, (_, i) => ({ tokens: i % 3 === 0 ? 300 : 15 }));
    expect(firings([...mixed, ...times(10, { tokens: 300 })])).toEqual([]);
  });
});
