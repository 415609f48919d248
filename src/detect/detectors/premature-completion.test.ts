import { describe, expect, test } from "bun:test";
import { describeAnyDetector, event, play } from "../../../test/support/detector-harness.ts";
import { prematureCompletion } from "./premature-completion.ts";

const validated = (sequence: number, passed: boolean, validator = "schema") =>
  event("validator_result", sequence, { validator, passed });
const model = (sequence: number, finish_reason: string) =>
  event("llm_call", sequence, { model: "m", finish_reason });
const tool = (sequence: number, call_id: string, result?: unknown) =>
  event("tool_call", sequence, { tool_name: "search", call_id, arguments: {}, result });
const completed = { status: "completed" } as const;
const rules = (
  events: ReturnType<typeof event>[],
  finished: { status: "completed" | "crashed" } = completed,
) => play(prematureCompletion, { events, finished, tickAfterMs: 60_000 }).flatMap((one) => one.ruleIds);

describe("premature_completion", () => {
  describeAnyDetector(prematureCompletion, () => ({
    events: [validated(1, true), validated(2, false), tool(3, "a", "x"), tool(4, "b"), model(5, "length")],
    finished: completed,
    tickAfterMs: 60_000,
  }));

  test("a failed last validation fires at once; a later pass heals it, whatever arrives first", () => {
    const events = [validated(1, false)];
    expect(play(prematureCompletion, { events, finished: completed })).toHaveLength(1);
    expect(rules([validated(1, false), validated(2, true)])).toEqual([]);
    expect(rules([validated(2, true), validated(1, false)])).toEqual([]);
    expect(rules([validated(1, false), validated(2, true, "other")])).toEqual([
      "premature_completion/failed-validation",
    ]);
  });

  test("a verdict is understood as a number and in words", () => {
    const said = (passed: unknown) => rules([event("validator_result", 1, { validator: "v", passed })]);
    for (const passed of [0, "nicht bestanden", "not met"])
      expect(said(passed)).toEqual(["premature_completion/failed-validation"]);
    for (const passed of [1, "passed", "skipped", null]) expect(said(passed)).toEqual([]);
  });

  test("an open call fires after the grace, if other calls were seen to end", () => {
    const events = [tool(1, "a", "x"), tool(2, "b")];
    expect(play(prematureCompletion, { events, finished: completed })).toEqual([]);
    expect(rules(events)).toEqual(["premature_completion/open-tool-call"]);
    expect(rules([...events, tool(3, "b", "late")])).toEqual([]);
    expect(rules([tool(3, "b", "early"), ...events])).toEqual([]);
    expect(rules([tool(1, "a"), tool(2, "b")])).toEqual([]);
  });

  test("a last answer that was cut off, or that asked for a tool", () => {
    expect(rules([model(1, "stop"), model(2, "length")])).toEqual(["premature_completion/unfinished-answer"]);
    expect(rules([model(1, "length"), model(2, "stop")])).toEqual([]);
    expect(rules([tool(1, "a", "x"), model(2, "tool_calls")])).toEqual([
      "premature_completion/tool-never-called",
    ]);
    expect(rules([model(1, "tool_calls"), tool(2, "a", "x")])).toEqual([]);
    expect(rules([model(1, "tool_calls")])).toEqual([]);
  });

  test("a run that is still going, or crashed, has completed nothing", () => {
    expect(rules([validated(1, false), tool(2, "a", "x"), tool(3, "b")], { status: "crashed" })).toEqual([]);
    expect(play(prematureCompletion, { events: [validated(1, false)], tickAfterMs: 60_000 })).toEqual([]);
  });
});
