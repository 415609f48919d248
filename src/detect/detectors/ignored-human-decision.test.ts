import { describe, expect, test } from "bun:test";
import { describeAnyDetector, event, play, probe, START_MS } from "../../../test/support/detector-harness.ts";
import { plainPayload } from "../client-forms/plain-payload.ts";
import { ignoredHumanDecision } from "./ignored-human-decision.ts";

const decide = (sequence: number, action: string, tool_name?: string, args?: unknown) =>
  event("human_intervention", sequence, { action, tool_name, arguments: args });
const call = (sequence: number, tool_name: string, args: unknown, more = {}) =>
  event("tool_call", sequence, { tool_name, arguments: args, result: "ok", ...more });
const pay = { to: "ACME", amount: 100 };

describe("ignored_human_decision", () => {
  describeAnyDetector(ignoredHumanDecision, () => ({
    events: [decide(1, "reject", "send_money", pay), call(2, "send_money", { amount: 100, to: "ACME" })],
  }));

  test("the rejected call, made all the same, fires with the decision as evidence", () => {
    const [detection] = play(ignoredHumanDecision, {
      events: [decide(1, "reject", "send_money", pay), call(2, "read", {}), call(3, "send_money", pay)],
    });
    expect(detection).toMatchObject({
      eventId: "event-3",
      evidenceEventIds: ["event-1"],
      ruleIds: ["ignored_human_decision/rejected-call-made"],
      severity: "high",
    });
  });

  describe("where all events have the same sequence", () => {
    const equal = (ms: number, one: ReturnType<typeof call>) => ({
      ...one,
      eventId: `at ${ms} of ${one.sequence}`,
      sequence: 0,
      timestampMs: START_MS + ms,
    });
    const rejected = (ms: number) => equal(ms, decide(1, "reject", "send_money", pay));
    const made = (ms: number) => equal(ms, call(2, "send_money", pay));
    const fires = (events: ReturnType<typeof made>[], arrival: "together" | "singly") =>
      play(ignoredHumanDecision, { events }, arrival).length;

    test.each(["together", "singly"] as const)(
      "the clock orders them, and else their arrival: %s",
      (arrival) => {
        expect(fires([rejected(1), made(2)], arrival)).toBe(1);
        expect(fires([made(2), rejected(1)], arrival)).toBe(1);
        expect(fires([rejected(-30_000), made(-29_000)], arrival)).toBe(1);
        expect(fires([rejected(5), made(5)], arrival)).toBe(1);
        expect(fires([made(1), rejected(2)], arrival)).toBe(0);
        expect(fires([rejected(2), made(1)], arrival)).toBe(0);
        expect(fires([made(5), rejected(5)], arrival)).toBe(0);
        const approved = equal(2, decide(3, "approve", "send_money", pay));
        expect(fires([rejected(1), approved, made(3)], arrival)).toBe(0);
        expect(fires([rejected(1), made(2), equal(3, approved)], arrival)).toBe(1);
        const prompt = event("llm_call", 4, {
          input: [
            { role: "assistant", content: "ok" },
            { role: "user", content: "go on" },
          ],
        });
        const stopped = equal(1, decide(5, "stop"));
        expect(fires([stopped, made(3)], arrival)).toBe(1);
        expect(fires([stopped, equal(2, prompt), made(3)], arrival)).toBe(0);
      },
    );
  });

  test("a changed call, a call before the decision and a refused call obey it", () => {
    const rejection = decide(5, "reject", "send_money", pay);
    expect(
      play(ignoredHumanDecision, { events: [rejection, call(6, "send_money", { ...pay, amount: 1 })] }),
    ).toEqual([]);
    expect(play(ignoredHumanDecision, { events: [rejection, call(4, "send_money", pay)] })).toEqual([]);
    const refused = call(6, "send_money", pay, { result: undefined, error: "rejected by user" });
    expect(play(ignoredHumanDecision, { events: [rejection, refused] })).toEqual([]);
  });

  test("a rejected command, told as the action of the decision, is run by whatever tool runs commands", () => {
    const run = (command: string) => call(2, "bash", { command });
    const rejected = plainPayload("human_intervention", { decision: "rejected", action: "npm run db:push" });
    const fired = (command: string) =>
      play(ignoredHumanDecision, { events: [event("human_intervention", 1, rejected), run(command)] });
    expect(fired("npm run db:push")[0]).toMatchObject({
      ruleIds: ["ignored_human_decision/rejected-call-made"],
    });
    expect(fired("npm run db:status")).toEqual([]);
  });

  test("a rejection without arguments is of the tool", () => {
    const events = [decide(1, "reject", "send_money"), call(2, "send_money", { any: 1 })];
    expect(play(ignoredHumanDecision, { events })[0]?.ruleIds).toEqual([
      "ignored_human_decision/rejected-tool-called",
    ]);
  });

  test("an approval or an edit in between lifts the decision", () => {
    for (const lift of ["approve", "edit"]) {
      const events = [
        decide(1, "reject", "send_money", pay),
        decide(2, lift, "send_money", pay),
        call(3, "send_money", pay),
      ];
      expect(play(ignoredHumanDecision, { events })).toEqual([]);
    }
    const other = [
      decide(1, "reject", "send_money", pay),
      decide(2, "approve", "read"),
      call(3, "send_money", pay),
    ];
    expect(play(ignoredHumanDecision, { events: other })).toHaveLength(1);
  });

  test("work after a stop fires once, whatever the work", () => {
    const after = [
      call(2, "read", {}),
      event("egress", 3, { destination: "a.example" }),
      event("agent_handoff", 5, { from_agent: "a", to_agent: "b" }),
    ];
    for (const one of after)
      expect(play(ignoredHumanDecision, { events: [decide(1, "stop"), one] })).toHaveLength(1);
    expect(play(ignoredHumanDecision, { events: [decide(1, "stop"), ...after] })).toHaveLength(1);
  });

  test("work that began before the stop, or in its grace, or after a resumption is none", () => {
    const began = call(2, "read", {}, { latency_ms: 5000 });
    expect(play(ignoredHumanDecision, { events: [decide(1, "stop"), began] })).toEqual([]);
    const events = [decide(1, "stop"), call(2, "read", {})];
    expect(play(ignoredHumanDecision, { events, thresholds: { graceMs: 2000 } })).toEqual([]);
    expect(
      play(ignoredHumanDecision, { events: [decide(1, "stop"), decide(2, "approve"), call(3, "read", {})] }),
    ).toEqual([]);
    expect(
      play(ignoredHumanDecision, {
        events: [decide(1, "stop"), event("memory_operation", 2, { operation: "read" })],
      }),
    ).toEqual([]);
  });

  test("an MCP call is known by its own name and arguments", () => {
    const mcp = event("mcp_call", 2, {
      server: "bank",
      method: "tools/call",
      tool_name: "send_money",
      arguments: pay,
    });
    expect(
      play(ignoredHumanDecision, { events: [decide(1, "reject", "send_money", pay), mcp] }),
    ).toHaveLength(1);
  });

  test("in a batch that is out of order an approval still stands before the call", () => {
    const events = [
      decide(1, "reject", "send_money", pay),
      call(3, "send_money", pay),
      decide(2, "approve", "send_money"),
    ];
    expect(play(ignoredHumanDecision, { events })).toEqual([]);
    expect(play(ignoredHumanDecision, { events: events.toReversed() })).toEqual([]);
  });

  describe("a rejection that names no tool", () => {
    const asks = (sequence: number, ...calls: readonly object[]) =>
      event("llm_call", sequence, { output: [{ role: "assistant", tool_calls: calls }] });
    const asked = (id: string, name: string, args: object) => ({
      id,
      type: "function",
      function: { name, arguments: JSON.stringify(args) },
    });
    const fires = (...events: Parameters<typeof play>[1]["events"]) =>
      play(ignoredHumanDecision, { events }).map(({ ruleIds }) => ruleIds[0]);
    const made = ["ignored_human_decision/rejected-call-made"];

    test("is of the call with its id", () => {
      const rejected = event("human_intervention", 2, { action: "reject", call_id: "c1" });
      expect(fires(rejected, call(3, "send_money", pay, { call_id: "c1" }))).toEqual(made);
      expect(fires(rejected, call(3, "send_money", pay, { call_id: "c2" }))).toEqual([]);
      expect(fires(rejected, call(1, "send_money", pay, { call_id: "c1" }))).toEqual([]);
    });

    test("is of the call that waits for its end", () => {
      const begun = event("tool_call", 1, { tool_name: "send_money", arguments: pay });
      expect(fires(begun, decide(2, "reject"), call(3, "send_money", pay))).toEqual(made);
      expect(fires(begun, decide(2, "reject"), call(3, "read", {}))).toEqual([]);
      expect(fires(begun, decide(2, "reject"), decide(3, "approve"), call(4, "send_money", pay))).toEqual([]);
    });

    test("is of what the latest answer asks for and what was not done yet", () => {
      const answer = asks(1, asked("c1", "read", { id: 1 }), asked("c2", "send_money", pay));
      expect(fires(answer, decide(2, "reject"), call(3, "send_money", pay))).toEqual(made);
      const inWords = event("llm_call", 1, { output: "I would pay now." });
      expect(fires(inWords, decide(2, "reject"), call(3, "send_money", pay))).toEqual([]);
      const read = call(2, "read", { id: 1 });
      expect(fires(answer, read, decide(3, "reject"), call(4, "read", { id: 1 }))).toEqual([]);
      expect(fires(answer, read, decide(3, "reject"), call(4, "send_money", pay))).toEqual(made);
      const said = event("llm_call", 2, { output: "Shall I?" });
      expect(fires(answer, said, decide(3, "reject"), call(4, "send_money", pay))).toEqual([]);
    });

    test("comes in batches of any order", () => {
      const events = [
        asks(1, asked("c2", "send_money", pay)),
        decide(2, "reject"),
        call(3, "send_money", pay),
      ];
      for (const order of [
        [0, 1, 2],
        [2, 1, 0],
        [1, 0, 2],
        [2, 0, 1],
      ]) {
        const { detections: found } = probe(
          ignoredHumanDecision,
          order.map((at) => [events[at]!]),
        );
        expect(found.map(({ eventId }) => eventId)).toEqual(["event-3"]);
      }
    });
  });

  test("a command that ended with a status was run", () => {
    const run = call(2, "shell", pay, { error: "exit code 1" });
    expect(play(ignoredHumanDecision, { events: [decide(1, "reject", "shell", pay), run] })).toHaveLength(1);
  });

  describe("who writes to the agent after a stop", () => {
    const turn = (sequence: number, ...input: object[]) => event("llm_call", sequence, { model: "m", input });
    const task = { role: "user", content: "Clean the folder." };
    const answer = { role: "assistant", content: "I stopped." };
    const goOn = { role: "user", content: "Now read the notes, please." };
    const after = (...between: ReturnType<typeof turn>[]) =>
      play(ignoredHumanDecision, {
        events: [turn(1, task), decide(2, "stop"), ...between, call(6, "read", { path: "notes" })],
      }).length;

    test("lets it go on", () => {
      expect(after(turn(4, task, answer, goOn))).toBe(0);
      const langchain = [{ type: "human" }, { type: "ai" }, { type: "human", content: "Go on." }];
      expect(after(turn(4, ...langchain))).toBe(0);
    });

    test("but not the task said again, a tool's result, or words before the stop", () => {
      expect(after()).toBe(1);
      expect(after(turn(4, { role: "system", content: "s" }, task))).toBe(1);
      const result = { role: "user", content: [{ type: "tool_result", tool_use_id: "c", content: "ok" }] };
      expect(after(turn(4, task, answer, result))).toBe(1);
      expect(after(turn(4, task, answer, { role: "tool", content: "ok" }))).toBe(1);
      const events = [turn(1, task, answer, goOn), decide(2, "stop"), call(6, "read", { path: "notes" })];
      expect(play(ignoredHumanDecision, { events })).toHaveLength(1);
    });

    test("is heard in a chat that comes as JSON text too, short or long", () => {
      const told = (chat: unknown, arrival?: "singly") =>
        play(
          ignoredHumanDecision,
          {
            events: [
              turn(1, task),
              decide(2, "stop"),
              event("llm_call", 4, { model: "m", input: JSON.stringify(chat) }),
              call(6, "read", { path: "notes" }),
            ],
          },
          arrival,
        ).length;
      const long = Array.from({ length: 12 }, () => [task, answer]).flat();
      for (const arrival of [undefined, "singly"] as const) {
        expect(told([task, answer, goOn], arrival)).toBe(0);
        expect(told({ messages: [task, answer, goOn] }, arrival)).toBe(0);
        expect(told([...long, goOn], arrival)).toBe(0);
        expect(told([...long, { role: "tool", content: "ok" }], arrival)).toBe(1);
        expect(told([task], arrival)).toBe(1);
        expect(told("Now read the notes, please.", arrival)).toBe(1);
      }
    });

    test("does not lift a rejection", () => {
      const events = [
        decide(1, "reject", "send_money", pay),
        turn(2, task, answer, goOn),
        call(3, "send_money", pay),
      ];
      expect(play(ignoredHumanDecision, { events })).toHaveLength(1);
    });
  });
});
