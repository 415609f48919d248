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
    const report = (sequence: number) => event("llm_call", sequence, { model: "m", output: text });
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
});
