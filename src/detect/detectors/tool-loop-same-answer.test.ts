import { describe, expect, test } from "bun:test";
import { atGaps, call } from "../../../test/detect/support/loop-calls.ts";
import { describeAnyDetector, event, play, START_MS } from "../../../test/support/detector-harness.ts";
import { toolLoop } from "./tool-loop.ts";

const items = [
  { id: "R-1", net: 210 },
  { id: "R-2", net: 88.5 },
];
const pages = (
  length: number,
  result: (at: number) => unknown,
  tool = "list_invoices",
  field = "page",
  step = 1,
) =>
  Array.from({ length }, (_, i) =>
    call(
      i + 1,
      tool,
      { from: "2026-01-01", [field]: field === "cursor" ? `c${i}` : i * step, size: 50 },
      result(i),
    ),
  );
const kinds = (events: ReturnType<typeof pages>) =>
  play(toolLoop, { events }, "singly").map((one) => one.signatureParts);
const found = [["same-answer", "list_invoices"]];

describe("tool_loop with the same answer to other pages and times", () => {
  describeAnyDetector(toolLoop, () => ({ events: pages(8, () => items) }));

  test("pages that all bring the same are a loop, whatever the page is called and however the list is wrapped", () => {
    expect(kinds(pages(5, () => items))).toEqual(found);
    expect(kinds(pages(4, () => items))).toEqual([]);
    expect(kinds(pages(6, () => ({ items, has_more: true }), "list_invoices", "offset", 50))).toEqual(found);
    expect(kinds(pages(6, (at) => ({ page: at, data: { rows: items } }), "list_invoices", "cursor"))).toEqual(
      found,
    );
    const text = (at: number) => [{ type: "text", text: JSON.stringify({ page: at, items }) }];
    expect(kinds(pages(6, (at) => ({ content: text(at), isError: false })))).toEqual(found);
    const asText = pages(6, () => items).map((one) => ({
      ...one,
      payload: { ...one.payload, arguments: JSON.stringify(one.payload.arguments) },
    }));
    expect(kinds(asText)).toEqual(found);
  });

  test("also where a call and its result come in two events, and where they show in the chat alone", () => {
    const halves = pages(7, () => items).flatMap(({ payload: { result, ...asked }, sequence }) => [
      event("tool_call", sequence * 2, { ...asked, call_id: `c${sequence}` }),
      event("tool_call", sequence * 2 + 1, { tool_name: asked.tool_name, call_id: `c${sequence}`, result }),
    ]);
    expect(kinds(halves)).toEqual(found);
    const turn = (at: number) => {
      const calls = (page: number) => ({
        role: "assistant",
        content: null,
        tool_calls: [
          {
            id: `c${page}`,
            type: "function",
            function: { name: "list_invoices", arguments: `{"page":${page}}` },
          },
        ],
      });
      const before = [
        calls(at - 1),
        { role: "tool", tool_call_id: `c${at - 1}`, content: JSON.stringify(items) },
      ];
      const input = [{ role: "user", content: "All invoices?" }, ...(at === 1 ? [] : before)];
      return event("llm_call", at, { model: "m", input, output: calls(at) });
    };
    expect(kinds([1, 2, 3, 4, 5, 6, 7].map(turn))).toEqual(found);
  });

  test("pages with other things, without any, with a receipt or a short word are none, nor is another filter", () => {
    expect(kinds(pages(9, (at) => [{ id: at }, { id: at + 1 }]))).toEqual([]);
    expect(kinds(pages(9, (at) => ({ items: [], page: at, total: 7 })))).toEqual([]);
    for (const receipt of ["(blank page)", { ok: true }, { saved: true, path: "/tmp/out" }, "", null])
      expect(kinds(pages(9, () => receipt))).toEqual([]);
    expect(kinds(pages(9, () => items, "translate_page"))).toEqual([]);
    expect(kinds(pages(9, () => items, "list_invoices", "customer"))).toEqual([]);
    expect(kinds(pages(9, (at) => (at % 2 === 0 ? items : [{ id: at }])))).toEqual([]);
  });

  const timed = (
    length: number,
    make: (nowMs: number) => object,
    tool = "stock.query",
    result: (at: number, nowMs: number) => unknown = () => ({ sku: "40", on_hand: 0, inbound: [] }),
  ) =>
    Array.from({ length }, (_, i) => {
      const nowMs = START_MS + (i + 1) * 1_000;
      return call(i + 1, tool, { sku: "40", ...make(nowMs) }, result(i, nowMs));
    });

  test("a call of which only the clock goes on is the same call if it reads and its answer stays", () => {
    const clocks: readonly ((nowMs: number) => object)[] = [
      (nowMs) => ({ ts: Math.round(nowMs / 1_000) }),
      (nowMs) => ({ sent: nowMs - 300 }),
      (nowMs) => ({ as_of: new Date(nowMs).toISOString(), request_id: `r${nowMs}` }),
    ];
    for (const clock of clocks) {
      expect(kinds(timed(5, clock))).toEqual([["same-answer", "stock.query"]]);
      expect(kinds(timed(4, clock))).toEqual([]);
    }
    const echoed = timed(6, clocks[0]!, "stock.query", (_, nowMs) => ({
      sku: "40",
      on_hand: 0,
      at: nowMs,
      bin: 3,
    }));
    expect(kinds(echoed)).toEqual([["same-answer", "stock.query"]]);
  });

  test("other moments asked about, new answers, records and a timer are no loop", () => {
    const clock = (nowMs: number) => ({ ts: Math.round(nowMs / 1_000) });
    expect(kinds(timed(9, (nowMs) => ({ day: nowMs - 86_400_000 * (1 + (nowMs % 9)) })))).toEqual([]);
    expect(kinds(timed(9, clock, "stock.query", (at) => ({ sku: "40", on_hand: at % 4, bin: 3 })))).toEqual(
      [],
    );
    for (const tool of ["record_sample", "metrics/append", "heartbeat", "publish"])
      expect(kinds(timed(9, clock, tool, () => ({ accepted: true, queue: "telemetry", lag: 0 })))).toEqual(
        [],
      );
    const minutes = atGaps(
      Array.from({ length: 9 }, () => 60_000),
      (at) => call(at, "stock.query", { sku: "40" }, { sku: "40", on_hand: 0, bin: 3 }),
    ).map((one) => ({
      ...one,
      payload: { ...one.payload, arguments: { sku: "40", ts: one.timestampMs } },
    }));
    expect(kinds(minutes)).toEqual([]);
  });
});
