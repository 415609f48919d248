import { describe, expect, test } from "bun:test";
import { describeAnyDetector, event, play, START_MS } from "../../../test/support/detector-harness.ts";
import { handoffLoop } from "./handoff-loop.ts";
import { toolLoop } from "./tool-loop.ts";

const path = (agents: readonly string[], gap = 2) =>
  agents
    .slice(1)
    .map((to, at) => event("agent_handoff", at * gap + 1, { from_agent: agents[at], to_agent: to }));
const inOrder = (events: readonly ReturnType<typeof event>[]) =>
  events.toSorted((a, b) => a.sequence - b.sequence);
const fired = (events: readonly ReturnType<typeof event>[]) =>
  play(handoffLoop, { events: inOrder(events) }, "singly").map((one) => one.signatureParts);

const asked = (at: number, name: string, args: string, said = "My hinge broke.") => {
  const calls = [{ id: `c${at}`, type: "function", function: { name, arguments: args } }];
  const before = [
    { role: "assistant", content: null, tool_calls: [{ ...calls[0], id: `c${at - 1}` }] },
    { role: "tool", tool_call_id: `c${at - 1}`, content: "ok" },
  ];
  const input = [{ role: "user", content: said }, ...(at === 1 ? [] : before)];
  return event("llm_call", at, {
    model: "m",
    input,
    output: { role: "assistant", content: null, tool_calls: calls },
  });
};
const toAndFro = (length: number, name: (at: number) => string, args: (at: number) => string = () => "{}") =>
  Array.from({ length }, (_, i) => asked(i + 1, name(i + 1), args(i + 1)));
const inTurn = (at: number) => (at % 2 === 0 ? "sales" : "support");

describe("handoff_loop where handoffs are calls of tools", () => {
  describeAnyDetector(handoffLoop, () => ({ events: toAndFro(7, (at) => `transfer_to_${inTurn(at)}`) }));

  test("in the chat, as tool calls, with the agent in the name or among the arguments: one loop, and none of tool_loop", () => {
    const forms = [
      toAndFro(7, (at) => `transfer_to_${inTurn(at)}`),
      toAndFro(
        7,
        (at) => `handoff_to_${inTurn(at)}`,
        (at) => `{"reason":"not mine, ${at}"}`,
      ),
      toAndFro(
        7,
        () => "transfer_to_agent",
        (at) => `{"agent_name":"${inTurn(at)}"}`,
      ),
      toAndFro(
        7,
        () => "handoff",
        (at) => `{"to":"${inTurn(at)}"}`,
      ),
      Array.from({ length: 7 }, (_, i) =>
        event("tool_call", i + 1, { tool_name: `transfer_to_${inTurn(i)}`, arguments: {}, result: "ok" }),
      ),
    ];
    for (const events of forms) {
      expect(fired(events)).toEqual([["sales", "support"]]);
      expect(play(toolLoop, { events })).toEqual([]);
    }
  });

  test("where handoffs are told as events too these alone count, once", () => {
    const both = toAndFro(9, (at) => `transfer_to_${inTurn(at)}`).flatMap((one, i) => [
      { ...one, sequence: 2 * i + 1, eventId: `call-${i}` },
      event("agent_handoff", 2 * i + 2, { from_agent: inTurn(i), to_agent: inTurn(i + 1) }),
    ]);
    expect(fired(both)).toEqual([["sales", "support"]]);
  });

  test("the same transfer again and again is a loop of that tool, transfers of money are none of agents", () => {
    const same = toAndFro(7, () => "transfer_to_support");
    expect(fired(same)).toEqual([]);
    expect(play(toolLoop, { events: same })).toHaveLength(1);
    const money = toAndFro(
      7,
      (at) => `transfer_to_${at % 2 === 0 ? "savings" : "checking"}`,
      () => '{"amount":20}',
    );
    expect(fired(money)).toEqual([]);
    expect(play(toolLoop, { events: money }).length).toBeGreaterThan(0);
    const delegated = toAndFro(
      7,
      () => "delegate_work",
      (at) => `{"coworker":"${inTurn(at)}"}`,
    );
    expect(fired(delegated)).toEqual([]);
  });

  test("a person who asks something new each time is served, a person who waits is not", () => {
    const chat = (said: (at: number) => string, gapMs: number) =>
      Array.from({ length: 8 }, (_, i) => {
        const timestampMs = START_MS + i * gapMs;
        const hop = event("agent_handoff", 2 * i + 1, { from_agent: inTurn(i), to_agent: inTurn(i + 1) });
        const input = [{ role: "user", content: said(i) }];
        const answer = event("llm_call", 2 * i + 2, {
          model: "m",
          input,
          output: "It costs 3 euro a month.",
        });
        return [
          { ...hop, timestampMs },
          { ...answer, timestampMs: timestampMs + 2_000 },
        ];
      }).flat();
    expect(fired(chat((at) => `Question ${at}?`, 28_000))).toEqual([]);
    expect(fired(chat(() => "My hinge broke.", 28_000))).toHaveLength(1);
    expect(fired(chat((at) => `planner: round ${at}`, 4_000))).toHaveLength(1);
    const unanswered = chat((at) => `Hello? ${at}`, 28_000).map((one) =>
      one.type === "llm_call" ? { ...one, payload: { ...one.payload, output: "" } } : one,
    );
    expect(fired(unanswered)).toHaveLength(1);
  });
});

describe("handoff_loop in other orders", () => {
  const shifting =
    "planner coder reviewer planner ops reviewer coder planner reviewer ops coder reviewer".split(" ");

  test("to and fro among few agents with no work is a loop in whatever order", () => {
    expect(fired(path(shifting))).toEqual([["coder", "ops", "planner", "reviewer"]]);
    expect(fired(path(shifting.slice(0, 10)))).toEqual([]);
    const work = event("tool_call", 10, { tool_name: "edit", arguments: { path: "a" }, result: "ok" });
    expect(fired([...path(shifting), work])).toEqual([]);
  });

  test("a chain of many, a supervisor who asks silent workers and a gap in the way are none", () => {
    expect(fired(path([..."ABCDEFGHIJKLMN"]))).toEqual([]);
    expect(fired(path([..."SASBSCSASCSBSASBS"]))).toEqual([]);
    expect(fired(path([..."SASBSCSDSASBSCSDSASBSCSDS"]))).toEqual([]);
    expect(fired(path(shifting).filter((_, at) => at !== 5))).toEqual([]);
  });

  test("a circle of five is one, and so is one whose events name the receiver alone", () => {
    expect(fired(path([..."ABCDEABCDEA"]))).toEqual([[..."ABCDE"]]);
    const receivers = [..."BABAB"].map((to, at) => event("agent_handoff", at + 1, { to_agent: to }));
    expect(fired(receivers)).toEqual([["A", "B"]]);
    const once = [..."BBBBB"].map((to, at) => event("agent_handoff", at + 1, { to_agent: to }));
    expect(fired(once)).toEqual([]);
  });

  const circle = path([..."ABABABA"], 3);
  const between = (make: (at: number) => ReturnType<typeof event>) => [
    ...circle,
    ...[2, 5, 8, 11, 14].map(make),
  ];

  test("reading the same again with the same answer is no work; reading anew, another answer and a deed are", () => {
    const read = (tool: string, args: (at: number) => object, result: (at: number) => unknown) =>
      fired(
        between((at) => event("tool_call", at, { tool_name: tool, arguments: args(at), result: result(at) })),
      );
    expect(
      read(
        "get_ticket",
        () => ({ id: 7 }),
        () => "open",
      ),
    ).toHaveLength(1);
    expect(
      read(
        "get_ticket",
        (at) => ({ id: at }),
        () => "open",
      ),
    ).toEqual([]);
    expect(
      read(
        "get_ticket",
        () => ({ id: 7 }),
        (at) => `step ${at}`,
      ),
    ).toEqual([]);
    expect(
      read(
        "close_next",
        () => ({}),
        () => "ok",
      ),
    ).toEqual([]);
    expect(
      read(
        "next_item",
        () => ({}),
        () => undefined,
      ),
    ).toEqual([]);
  });

  test("a new state and a person's word are work, the same state and a count of rounds are none", () => {
    const state = (of: (at: number) => object) =>
      fired(between((at) => event("checkpoint", at, { name: "plan", state: of(at) })));
    expect(state((at) => ({ done: at, of: 20 }))).toEqual([]);
    expect(state(() => ({ done: 1, of: 20 }))).toHaveLength(1);
    expect(state((at) => ({ done: 1, hops: at, updated_at: `t${at}` }))).toHaveLength(1);
    expect(fired(between((at) => event("human_intervention", at, { action: "approve" })))).toEqual([]);
  });

  test("a shift that changes by the clock is no loop", () => {
    const shift = (gapMs: (at: number) => number) => {
      let timestampMs = START_MS;
      return circle.map((one, i) => {
        timestampMs += gapMs(i);
        return { ...one, timestampMs };
      });
    };
    expect(fired(shift(() => 600_000))).toEqual([]);
    expect(fired(shift((at) => 60_000 * (1 + (at % 3))))).toHaveLength(1);
  });
});
