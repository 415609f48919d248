import { describe, expect, test } from "bun:test";
import { event, play } from "../../../test/support/detector-harness.ts";
import { plainPayload } from "../client-forms/plain-payload.ts";
import { ignoredHumanDecision } from "./ignored-human-decision.ts";

/** Clients that send model calls alone: the result in the next input shows that a call was made. */
const pay = { to: "ACME", amount: 100 };
const rejected = (sequence: number) =>
  event("human_intervention", sequence, { action: "reject", tool_name: "send_money", arguments: pay });
const model = (sequence: number, payload: Record<string, unknown>) =>
  event("llm_call", sequence, plainPayload("llm_call", { model: "m", ...payload }));
const asked = { role: "user", content: "pay the invoice" };

const openai = (from: number, result: unknown, args: object = pay) => {
  const call = {
    id: `c${from}`,
    type: "function",
    function: { name: "send_money", arguments: JSON.stringify(args) },
  };
  const answer = { role: "assistant", content: null, tool_calls: [call] };
  const message = { role: "tool", tool_call_id: `c${from}`, content: result };
  return [
    model(from, { messages: [asked], choices: [{ message: answer, finish_reason: "tool_calls" }] }),
    model(from + 1, {
      messages: [asked, answer, message],
      choices: [{ message: { role: "assistant", content: "Done." } }],
    }),
  ];
};

const anthropic = (from: number, result: unknown, more: object = {}) => {
  const answer = [{ type: "tool_use", id: `t${from}`, name: "send_money", input: pay }];
  const message = {
    role: "user",
    content: [{ type: "tool_result", tool_use_id: `t${from}`, content: result, ...more }],
  };
  return [
    model(from, { messages: [asked], content: answer, stop_reason: "tool_use" }),
    model(from + 1, {
      messages: [asked, { role: "assistant", content: answer }, message],
      content: [{ type: "text", text: "Done." }],
    }),
  ];
};

const found = (...events: ReturnType<typeof model>[]) => {
  const [together, singly] = (["together", "singly"] as const).map((arrival) =>
    play(ignoredHumanDecision, { events }, arrival).map(({ ruleIds, eventId }) => [...ruleIds, eventId]),
  );
  expect(singly).toEqual(together);
  return together;
};

describe("a call that stands in an answer, and its result in the next input", () => {
  const MADE = [["ignored_human_decision/rejected-call-made", "event-4"]];

  test("was made", () => {
    expect(found(rejected(1), ...openai(3, "paid 100 to ACME"))).toEqual(MADE);
    expect(found(rejected(1), ...anthropic(3, [{ type: "text", text: "paid 100 to ACME" }]))).toEqual(MADE);
    const before = openai(1, "rejected by the user")[0]!;
    expect(found(before, rejected(2), ...openai(3, "paid"))).toEqual(MADE);
  });

  test.each([
    ["asked before the decision", [openai(1, "paid")[0]!, rejected(2), openai(1, "paid")[1]!]],
    ["of which no result came", [rejected(1), openai(3, "paid")[0]!]],
    ["that was refused", [rejected(1), ...openai(3, "The user rejected this call.")]],
    ["that was refused in German", [rejected(1), ...openai(3, "Vom Benutzer abgelehnt")]],
    ["that failed", [rejected(1), ...anthropic(3, "no route", { is_error: true })]],
    ["with other arguments", [rejected(1), ...openai(3, "paid", { ...pay, amount: 5 })]],
    [
      "that a person approved then",
      [
        rejected(1),
        event("human_intervention", 2, { action: "approve", tool_name: "send_money", arguments: pay }),
        ...openai(3, "paid"),
      ],
    ],
    [
      "in a run whose tools send events",
      [
        rejected(1),
        event("tool_call", 2, { tool_name: "read", arguments: {}, result: "x" }),
        ...openai(3, "paid"),
      ],
    ],
  ])("%s: none", (_name, events) => {
    expect(found(...events)).toEqual([]);
  });
});
