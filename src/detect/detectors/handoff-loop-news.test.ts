import { describe, expect, test } from "bun:test";
import { event, play, START_MS } from "../../../test/support/detector-harness.ts";
import type { EventType } from "../../ingest/wire/event-types.ts";
import { handoffLoop } from "./handoff-loop.ts";

type Fields = Record<string, unknown>;

const hops = (length: number, fields: (i: number) => Fields, agents = ["desk", "field"]) =>
  Array.from({ length }, (_, i) =>
    event("agent_handoff", i * 2 + 1, {
      from_agent: agents[i % agents.length],
      to_agent: agents[(i + 1) % agents.length],
      ...fields(i),
    }),
  );
const fires = (...events: readonly ReturnType<typeof event>[]) =>
  play(handoffLoop, { events: events.toSorted((a, b) => a.sequence - b.sequence) }, "singly").length > 0;
const reasons = (...texts: readonly string[]) => fires(...hops(texts.length, (i) => ({ reason: texts[i] })));
const between = (type: EventType, fields: (i: number) => Fields, rounds = 4) =>
  fires(
    ...hops(rounds * 2, () => ({})),
    ...Array.from({ length: rounds * 2 - 1 }, (_, i) => event(type, i * 2 + 2, fields(i))),
  );

describe("handoff_loop: what goes round is new", () => {
  test("figures, ids and results that were not there before get on; the same, and counts of rounds, do not", () => {
    expect(reasons("I offer 940", "I ask 1210", "I offer 985", "I ask 1150", "I offer 1040")).toBe(false);
    expect(reasons("I offer 940", "I ask 1210", "I offer 940", "I ask 1210", "I offer 940")).toBe(true);
    expect(reasons("attempt 1", "attempt 2", "attempt 3", "attempt 4", "attempt 5")).toBe(true);
    expect(fires(...hops(8, (i) => ({ ticket_id: 4_100 + (i >> 1) })))).toBe(false);
    expect(fires(...hops(8, () => ({ ticket_id: 4_100 })))).toBe(true);
    expect(fires(...hops(8, (i) => ({ result: { city: `c${i}`, people: i * 7 } })))).toBe(false);
    expect(fires(...hops(8, (i) => ({ hops: i, handoff_id: `h${i}`, sent_at: `t${i}`, hopCount: i })))).toBe(
      true,
    );
    expect(fires(...hops(8, (i) => ({ context: { hops: i, history: [i] } })))).toBe(true);
  });

  test("new words get on; questions, refusals, thanks for nothing and the receiver's name do not", () => {
    expect(
      reasons(
        "open bucket found",
        "bucket closed",
        "weak cipher found",
        "cipher replaced",
        "stale token found",
      ),
    ).toBe(false);
    expect(
      reasons("not for us", "please take it over", "we cannot do that", "belongs to you", "is that yours?"),
    ).toBe(true);
    expect(
      reasons(
        "a matter of the field",
        "desk work",
        "field trip wanted",
        "desk knows more",
        "field experts exist",
      ),
    ).toBe(true);
    expect(
      reasons("nicht zuständig", "bitte prüfen", "kein Zugriff", "zurück an euch", "leider falsch"),
    ).toBe(true);
    expect(
      reasons("担当外です", "こちらではありません", "お願いします", "対象外のため", "待っています"),
    ).toBe(true);
  });

  test("short answers count as the words of a handoff do", () => {
    const answers = ["Net thirty days.", "Payment in euro.", "Only within Austria.", "Ends after two years."];
    expect(between("llm_call", (i) => ({ model: "m", output: answers[i % 4] }), 2)).toBe(false);
    expect(between("llm_call", () => ({ model: "m", output: "Over to the others." }))).toBe(true);
  });

  test("whoever is busy is asked again three times as often", () => {
    const busy = (i: number) => ({ reason: i % 2 === 0 ? "scan the batch" : "queue full, try later" });
    expect(fires(...hops(11, busy))).toBe(false);
    expect(fires(...hops(12, busy))).toBe(true);
  });

  test.each([
    [2, 12],
    [3, 12],
    [4, 12],
    [5, 12],
    [6, 12],
    [7, 14],
    [8, 16],
  ])(
    "a ring of %d with one that is busy is let go round as long as such a pair, to handoff %d",
    (size, end) => {
      const ring = ["desk", "field", "lab", "mill", "port", "yard", "dock", "barn"].slice(0, size);
      const busy = (i: number) => ({
        reason: i % size === size - 1 ? "queue full, try later" : "scan the batch",
      });
      expect(fires(...hops(end - 1, busy, ring))).toBe(false);
      expect(fires(...hops(end, busy, ring))).toBe(true);
    },
  );

  test("with more rounds asked for, the busy fire within the handoffs that are kept", () => {
    const busy = (i: number) => ({ reason: i % 2 === 0 ? "scan the batch" : "queue full, try later" });
    const firesOf = (rounds: number, length: number) =>
      play(handoffLoop, { events: hops(length, busy), thresholds: { rounds, roundsWithWork: 16 } }).length >
      0;
    expect(firesOf(4, 23)).toBe(false);
    expect(firesOf(4, 24)).toBe(true);
    expect(firesOf(8, 31)).toBe(false);
    expect(firesOf(8, 32)).toBe(true);
  });
});

describe("handoff_loop: what is done between is new", () => {
  test("scores, verdicts, scans and rollouts that move are work, those that stand are none", () => {
    expect(between("eval_score", (i) => ({ metric: "bleu", score: i / 10 }))).toBe(false);
    expect(between("eval_score", () => ({ metric: "bleu", score: 0.4 }))).toBe(true);
    expect(between("validator_result", (i) => ({ validator: "schema", message: `${9 - i} wrong` }))).toBe(
      false,
    );
    expect(between("validator_result", () => ({ validator: "schema", passed: false }))).toBe(true);
    expect(between("dlp_scan_result", (i) => ({ document: `${i}.pdf`, findings: 0 }))).toBe(false);
    expect(between("infrastructure_event", (i) => ({ kind: "rollout", percent: i * 10 }))).toBe(false);
    expect(between("infrastructure_event", (i) => ({ kind: "heartbeat", load: i }))).toBe(true);
  });

  test("memory: a new entry is work, the same one, a count of hops and an empty look are none", () => {
    const entry = (operation: string, value: (i: number) => unknown) =>
      between("memory_operation", (i) => ({ operation, key: "k", value: value(i) }));
    expect(entry("append", (i) => ({ pulse: 90 + i }))).toBe(false);
    expect(entry("write", () => "the plan")).toBe(true);
    expect(entry("write", (i) => `hop ${i}`)).toBe(true);
    expect(entry("read", () => null)).toBe(true);
    expect(between("memory_operation", () => ({ operation: "write" }))).toBe(false);
  });

  test("a call that failed before and one that writes the same again are none", () => {
    const called = (fields: (i: number) => Fields) =>
      between("tool_call", (i) => ({ tool_name: "set_owner", arguments: { id: 7 }, ...fields(i) }));
    expect(called(() => ({ error: "permission denied" }))).toBe(true);
    expect(called(() => ({ result: "ok" }))).toBe(true);
    expect(called((i) => ({ arguments: { id: i }, result: "ok" }))).toBe(false);
    expect(called((i) => ({ result: `version ${i}` }))).toBe(false);
  });

  test("many rounds of two with work are a loop unless each brings a result or a fact of its own", () => {
    const rounds = (told: Fields, result: (i: number) => unknown) =>
      fires(
        ...hops(28, () => told),
        ...Array.from({ length: 27 }, (_, i) =>
          event("tool_call", i * 2 + 2, { tool_name: "render", arguments: { brush: i }, result: result(i) }),
        ),
      );
    expect(rounds({}, () => ({ ok: true }))).toBe(true);
    expect(rounds({}, (i) => ({ picture: `p${i}.png` }))).toBe(false);
    const jobs = hops(28, (i) => ({ ticket_id: i >> 1, at: START_MS + i }));
    const work = jobs.map((one) =>
      event("tool_call", one.sequence + 1, {
        tool_name: "solve",
        arguments: { n: one.sequence },
        result: "ok",
      }),
    );
    expect(fires(...jobs, ...work)).toBe(false);
  });
});
