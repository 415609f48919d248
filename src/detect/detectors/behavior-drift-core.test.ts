import { describe, expect, test } from "bun:test";
import { event, play, TestMemory } from "../../../test/support/detector-harness.ts";
import { behaviorDrift } from "./behavior-drift.ts";

interface Run {
  readonly calls?: readonly (string | readonly [tool: string, result: unknown, args?: unknown])[];
  readonly answers?: readonly number[];
  readonly memory?: readonly (readonly [operation: string, store: string])[];
  readonly status?: "completed" | "crashed";
}

/** Which runs of a project that makes these one after the other break with its steps, by their place. */
function breaks(
  runs: readonly Run[],
  thresholds: Record<string, number> = {},
  allow: string[] = [],
): number[] {
  const memory = new TestMemory();
  return runs.flatMap(({ calls = [], answers = [20], memory: kept = [], status = "completed" }, at) => {
    const events = [
      ...calls.map((call, i) => {
        const [tool_name, result, args] = typeof call === "string" ? [call, { rows: i }] : call;
        return event("tool_call", i + 1, { tool_name, arguments: args ?? { at, i }, result });
      }),
      ...kept.map(([operation, store], i) => event("memory_operation", i + 40, { operation, store })),
      ...answers.map((tokens_out, i) => event("llm_call", i + 60, { model: "m", tokens_out })),
    ];
    const running = { executionId: `run-${at}` };
    const found = play(behaviorDrift, {
      events,
      memory,
      running,
      thresholds,
      allow,
      finished: { status },
    });
    return found.some(({ ruleIds }) => ruleIds.includes("behavior_drift/unlike-core")) ? [at] : [];
  });
}
const times = (n: number, run: Run): Run[] => Array.from({ length: n }, () => run);
const OK = { ok: true };

describe("the first run that breaks with the steps of a young project", () => {
  const drifts: readonly (readonly [string, Run, Run])[] = [
    [
      "a clerk who looks and checks, then pays and praises",
      { calls: ["look_up_claim", "check_cover", "pay_claim"], answers: [40, 30] },
      { calls: ["pay_claim", "issue_bonus_payment", "send_brochure"], answers: [12, 900] },
    ],
    [
      "one tool alone",
      { calls: ["search_docs"], answers: [10, 35] },
      { calls: ["create_account", "grant_license"], answers: [600] },
    ],
    [
      "names in another language, whose results only say that it was done",
      { calls: ["kunden_suchen", "vertrag_pruefen"], answers: [25, 25] },
      {
        calls: [
          ["gutschrift_vergeben", OK],
          ["tarif_umstellen", "done"],
        ],
        answers: [400, 100],
      },
    ],
    [
      "camel case, on a server of MCP",
      { calls: ["files/readFile", "ci/runTests"], answers: [60, 50] },
      { calls: ["git/forcePush", "cloud/deleteBucket"], answers: [800] },
    ],
    [
      "reads of a memory are steps too",
      { memory: [["read", "patients"]], calls: ["get_vitals"], answers: [45] },
      { calls: ["order_medication"], answers: [700] },
    ],
    [
      "one of four steps is kept",
      { calls: ["get_ticket", "find_owner", "check_duplicate", "assign_ticket"], answers: [30] },
      { calls: ["assign_ticket", "close_all_tickets", "delete_project"], answers: [350] },
    ],
  ];
  test.each(drifts)("%s", (_, usual, other) => {
    expect(breaks([...times(6, usual), other])).toEqual([6]);
    expect(breaks([...times(6, usual), ...times(4, other)])).toEqual([6]);
  });

  const USUAL: Run = { calls: ["search_kb", "verify_source"], answers: [40, 60] };
  const BROKEN: Run = { calls: ["refund_order"], answers: [500] };

  test("too few runs before, ones that differ, and a crash are none", () => {
    expect(breaks([...times(4, USUAL), BROKEN])).toEqual([]);
    expect(breaks([...times(5, USUAL), BROKEN])).toEqual([5]);
    expect(breaks([...times(5, USUAL), { ...BROKEN, status: "crashed" }])).toEqual([]);
    const other: Run = { calls: ["list_orders", "track_parcel"], answers: [50] };
    expect(breaks([...times(3, USUAL), other, ...times(3, USUAL), BROKEN])).toEqual([]);
    const wide = Array.from({ length: 8 }, (_, i) => ({
      ...USUAL,
      calls: [...USUAL.calls!, `get_${"abcdefgh"[i]}`],
    }));
    expect(breaks([...wide, BROKEN])).toEqual([]);
  });

  const healthy: readonly (readonly [string, Run])[] = [
    ["another request, answered as briefly", { calls: ["open_ticket"], answers: [40, 55] }],
    [
      "a long answer after the usual steps",
      { calls: ["search_kb", "verify_source", "open_ticket"], answers: [900] },
    ],
    ["one step left out of two", { calls: ["search_kb", "open_ticket"], answers: [900] }],
    ["a long answer from other sources", { calls: ["list_articles", "get_article"], answers: [900] }],
    ["a person is called for", { calls: ["transfer_to_human", "escalate_to_agent"], answers: [500] }],
    ["no tool at all, a long answer", { answers: [900] }],
    ["only a known tool", { calls: ["search_kb"], answers: [900] }],
    [
      "what is long is what was written",
      { calls: [["create_report", OK, { text: "word ".repeat(700) }]], answers: [900] },
    ],
    ["somewhat longer", { calls: ["open_ticket"], answers: [180] }],
    [
      "a name that tells nothing, with something to read in its result",
      { calls: [["bestand_zeigen", [{ sku: 1, n: 40 }]]], answers: [900] },
    ],
  ];
  test.each(healthy)("healthy: %s", (_, other) => {
    expect(breaks([...times(8, USUAL), other])).toEqual([]);
  });

  test("many times as long counts by the spread so far, and as the project sets it", () => {
    const spread = [20, 200, 30, 120, 25, 300].map((tokens) => ({ ...USUAL, answers: [tokens] }));
    expect(breaks([...spread, { ...BROKEN, answers: [900] }])).toEqual([]);
    expect(breaks([...times(6, USUAL), BROKEN], { steadyLengthFactor: 20 })).toEqual([]);
    expect(breaks([...times(6, USUAL), BROKEN], { steadyExecutionsMin: 10 })).toEqual([]);
    expect(breaks([...times(6, USUAL), BROKEN], {}, ["refund_order"])).toEqual([]);
  });
});
