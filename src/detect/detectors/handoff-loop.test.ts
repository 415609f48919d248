import { describe, expect, test } from "bun:test";
import { describeAnyDetector, event, play } from "../../../test/support/detector-harness.ts";
import { handoffLoop } from "./handoff-loop.ts";

/** `"ABAB"` is A→B, B→A, A→B; handoffs take every second sequence, so that work fits between. */
const path = (agents: string) =>
  [...agents]
    .slice(1)
    .map((to, at) => event("agent_handoff", at * 2 + 1, { from_agent: agents[at], to_agent: to }));
const work = (sequence: number) =>
  event("tool_call", sequence, { tool_name: "t", arguments: { sequence }, result: 1 });

describe("handoff_loop", () => {
  describeAnyDetector(handoffLoop, () => ({ events: path("ABABA") }));

  test("two rounds without work fire once, whichever agent began", () => {
    const detections = play(handoffLoop, { events: path("ABABABABABAB") }, "singly");
    expect(detections).toHaveLength(1);
    expect(detections[0]).toMatchObject({ eventId: "event-7", signatureParts: ["A", "B"] });
    expect(play(handoffLoop, { events: path("BABAB") })[0]?.signatureParts).toEqual(["A", "B"]);
  });

  test("circles of three and four agents count too", () => {
    expect(play(handoffLoop, { events: path("ABCABCA") })[0]?.signatureParts).toEqual(["A", "B", "C"]);
    expect(play(handoffLoop, { events: path("ABCDABCDA") })).toHaveLength(1);
  });

  test("a chain, one round and a handoff to oneself are no circle", () => {
    for (const agents of ["ABCDEFG", "ABA", "ABAC", "AAAAAA", "ABACABAD"]) {
      expect(play(handoffLoop, { events: path(agents) })).toEqual([]);
    }
  });

  test("a supervisor that hands out work and gets it back is no circle", () => {
    expect(play(handoffLoop, { events: [...path("ABABABA"), work(2), work(6), work(10)] })).toEqual([]);
    const text = "Here is the summary that you asked for: ".repeat(5);
    const report = (sequence: number) =>
      event("llm_call", sequence, { model: "m", output: `${text}chapter ${sequence}` });
    expect(play(handoffLoop, { events: [report(2), report(6), report(10), ...path("ABABABA")] })).toEqual([]);
    const counted = (sequence: number, tokens_out: number) =>
      event("llm_call", sequence, { model: "m", tokens_out });
    const long = [2, 6, 10].map((at) => counted(at, 400));
    expect(play(handoffLoop, { events: [...long, ...path("ABABABA")] })).toEqual([]);
    const short = [2, 6, 10].map((at) => counted(at, 25));
    expect(play(handoffLoop, { events: [...short, ...path("ABABABA")] })).toHaveLength(1);
  });

  test("but twelve rounds of the same two are one even with work", () => {
    const rounds = (n: number) => path(`${"AB".repeat(n)}A`).flatMap((one) => [one, work(one.sequence + 1)]);
    expect(play(handoffLoop, { events: rounds(11) })).toEqual([]);
    expect(play(handoffLoop, { events: rounds(12) })).toHaveLength(1);
  });

  test("one batch of many rounds is judged like many small ones", () => {
    const rounds = path(`${"AB".repeat(11)}A`).flatMap((one) => [one, work(one.sequence + 1)]);
    const ended = [...rounds, ...Array.from({ length: 100 }, (_, i) => work(1000 + i))];
    expect(play(handoffLoop, { events: ended })).toEqual([]);
    expect(play(handoffLoop, { events: ended.toReversed() })).toEqual([]);
    expect(play(handoffLoop, { events: ended }, "singly")).toEqual([]);
  });

  test("a report is work as a message too, and so is an answer that calls tools; the same report again is none", () => {
    const text = (at: number) =>
      `Here is the summary of part ${at}: ${"the figures that you asked for ".repeat(5)}`;
    const calls = (name: string) => [
      {
        role: "assistant",
        content: "",
        tool_calls: [
          { id: "c", type: "function", function: { name, arguments: `{"reason":"${"x".repeat(150)}"}` } },
        ],
      },
    ];
    const answered = (output: (at: number) => unknown) =>
      play(handoffLoop, {
        events: [
          ...path("ABABABABABA"),
          ...[2, 6, 10, 14, 18].map((at) => event("llm_call", at, { model: "m", output: output(at) })),
        ],
      });
    const message = (at: number) => ({ role: "assistant", content: text(at) });
    for (const output of [
      message,
      (at: number) => [message(at)],
      (at: number) => JSON.stringify([message(at)]),
      (at: number) => ({ role: "assistant", parts: [{ type: "text", content: text(at) }] }),
      () => calls("search_orders"),
    ])
      expect(answered(output)).toEqual([]);
    for (const output of [
      () => message(1),
      () => ({ role: "assistant", content: "Over to B." }),
      () => calls("transfer_to_billing"),
      () => JSON.stringify(calls("transfer_to_billing")),
    ])
      expect(answered(output)).toHaveLength(1);
  });

  test("a tool whose call is the handoff itself is no work", () => {
    const handsOver = (tool_name: string) =>
      [2, 4, 6, 8, 10].map((at) => event("tool_call", at, { tool_name, arguments: { at }, result: "ok" }));
    for (const name of [
      "transfer_to_billing",
      "transferToBilling",
      "handoff_to_agent",
      "transfer_back_to_supervisor",
      "Delegate work to coworker",
    ])
      expect(play(handoffLoop, { events: [...path("ABABABA"), ...handsOver(name)] })).toHaveLength(1);
    for (const name of ["transfer_money", "search", "hand_offset"])
      expect(play(handoffLoop, { events: [...path("ABABABA"), ...handsOver(name)] })).toEqual([]);
  });
});
