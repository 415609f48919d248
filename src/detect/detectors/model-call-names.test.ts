import { describe, expect, test } from "bun:test";
import { rules } from "../../../test/support/completed-run.ts";
import { event, eventAt, play } from "../../../test/support/detector-harness.ts";
import { executionTimeout } from "./execution-timeout.ts";
import { handoffLoop } from "./handoff-loop.ts";
import { noProgress } from "./no-progress.ts";
import { runawayTokens } from "./runaway-tokens.ts";
import { tokenAccountingMismatch } from "./token-accounting-mismatch.ts";

/** What a model was asked and what it answered goes by several names, and every class reads all of them. */
const COMPLETED = { status: "completed", totalTokensIn: null, totalTokensOut: null } as const;

describe.each(["output", "completion", "gen_ai.output.messages"])("the answer as %s", (answer) => {
  const says = (at: number, said: unknown, more: object = {}) =>
    event("llm_call", at, { model: "m", [answer]: said, ...more });
  const chat = (content: string) => JSON.stringify([{ role: "assistant", content }]);

  test.each([
    ["text", (text: string): unknown => text],
    ["a message", (content: string): unknown => [{ role: "assistant", content }]],
    ["messages in JSON", chat],
  ])("%s", (_, put) => {
    const again = Array(12).fill("praktisch,").join(" ");
    const cutOff = says(1, put(again), { tokens_in: 30_000, tokens_out: 32_000, finish_reason: "length" });
    expect(play(runawayTokens, { events: [cutOff] }).flatMap(({ ruleIds }) => ruleIds)).toEqual([
      "runaway_tokens/repeats-to-limit",
    ]);

    const outOfTime = says(2, put("Agent stopped due to iteration limit or time limit."));
    expect(play(executionTimeout, { events: [outOfTime], finished: COMPLETED })).toHaveLength(1);

    const filed = (tool_name: string, more: object) => (at: number) =>
      event("tool_call", at, { tool_name, arguments: { form: "303" }, ...more });
    const claim = (at: number) =>
      says(at, put("Done! The forms have been filed."), { finish_reason: "stop" });
    expect(
      rules(filed("read_book", { result: "ok" }), filed("file_form", { error: "refused" }), claim),
    ).toEqual(["claimed-after-failure"]);

    const uncounted = Array.from({ length: 4 }, (_unused, i) =>
      says(i + 1, put("The second site runs two feeds, and each was audited twice. ".repeat(16)), {
        tokens_in: 900,
        tokens_out: 1,
      }),
    );
    const miscounted = { events: uncounted, finished: COMPLETED, tickAfterMs: 6_000 };
    expect(play(tokenAccountingMismatch, miscounted)).toHaveLength(1);

    const round = (report: (at: number) => string) =>
      Array.from({ length: 15 }, (_unused, i) =>
        i % 2 === 0
          ? event("agent_handoff", i + 1, {
              from_agent: i % 4 === 0 ? "desk" : "field",
              to_agent: i % 4 === 0 ? "field" : "desk",
            })
          : says(i + 1, put(report(i))),
      );
    const report = (at: number) => `Pier ${at} was looked at: ${`beam ${at * 7} holds, `.repeat(60)}`;
    expect(play(handoffLoop, { events: round(report) })).toEqual([]);
    expect(play(handoffLoop, { events: round(() => "ok") })).toHaveLength(1);
  });
});

test.each(["input", "messages", "prompt", "gen_ai.input.messages"])("the question as %s", (asked) => {
  const answers = (question: (at: number) => string) =>
    Array.from({ length: 8 }, (_unused, i) =>
      eventAt(i + 1, "llm_call", {
        model: "m",
        [asked]: [{ role: "user", content: question(i) }],
        output: "Please tell me the number of your contract, then I can look into it for you at once.",
      }),
    );
  const other = (at: number) => `${at}: ${at % 2 === 0 ? "Where is my bill?" : "Who reads the meter?"}`;
  expect(play(noProgress, { events: answers(other).slice(0, 4) })).toEqual([]);
  expect(play(noProgress, { events: answers(() => "Where is my bill?") })).not.toEqual([]);

  const input = "The second site runs two feeds, and each was audited twice. ".repeat(16);
  const uncounted = Array.from({ length: 4 }, (_unused, i) =>
    event("llm_call", i + 1, { model: "gpt-4o", [asked]: input, tokens_in: 4, tokens_out: 40 }),
  );
  const miscounted = { events: uncounted, finished: COMPLETED, tickAfterMs: 6_000 };
  expect(play(tokenAccountingMismatch, miscounted)).toHaveLength(1);
});
