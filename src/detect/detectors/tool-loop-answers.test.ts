import { describe, expect, test } from "bun:test";
import { atGaps, call } from "../../../test/detect/support/loop-calls.ts";
import { event, play } from "../../../test/support/detector-harness.ts";
import { toolLoop } from "./tool-loop.ts";

type Made = ReturnType<typeof call>;

const uneven = (length: number, leastMs: number) =>
  Array.from({ length }, (_, at) => leastMs * (1 + (at % 3) / 2));
const fires = (events: readonly Made[]) => play(toolLoop, { events }, "singly").length > 0;
/** So many calls, and what each brings. */
const made = (
  length: number,
  leastMs: number,
  tool: string,
  result: (at: number) => unknown,
  args = (_: number): unknown => ({ id: 7 }),
) => fires(atGaps(uneven(length, leastMs), (at) => call(at, tool, args(at), result(at))));

describe("tool_loop: what the answer says of asking again", () => {
  test("what goes on is looked at every few seconds, two dozen times; asked at once it is a loop", () => {
    for (const answer of [
      { status: "running" },
      { state: "PENDING" },
      "queued",
      '{"status":"in_progress"}',
      { ready: false },
      { job: { status: "processing" } },
      { content: [{ type: "text", text: '{"phase":"Provisioning"}' }] },
      { id: 7, progress: 40 },
    ]) {
      expect([answer, made(9, 4_000, "get_job", () => answer)]).toEqual([answer, false]);
      expect([answer, made(9, 1_000, "get_job", () => answer)]).toEqual([answer, true]);
    }
    expect(made(22, 4_000, "get_job", () => ({ status: "running" }))).toBe(false);
    expect(made(30, 4_000, "get_job", () => ({ status: "running" }))).toBe(true);
  });

  test("a chat tells of it too", () => {
    const chat = (gapMs: number, status: string) => {
      const asks = (at: number) => [
        { id: `c${at}`, type: "function", function: { name: "get_job", arguments: '{"id":7}' } },
      ];
      return fires(
        atGaps(uneven(9, gapMs), (at) => {
          const told = at === 1 ? [] : [{ role: "tool", tool_call_id: `c${at - 1}`, content: status }];
          const output = { role: "assistant", content: null, tool_calls: asks(at) };
          return event("llm_call", at, {
            model: "m",
            input: [{ role: "user", content: "Go on." }, ...told],
            output,
          });
        }),
      );
    };
    expect(chat(5_000, '{"status":"running"}')).toBe(false);
    expect(chat(1_000, '{"status":"running"}')).toBe(true);
    expect(chat(5_000, '{"status":"odd"}')).toBe(true);
  });

  test("what has ended is not waited for, however long the pauses", () => {
    for (const answer of [
      { status: "failed" },
      { state: "completed" },
      "cancelled",
      { status: "expired", rows: 0 },
    ])
      expect([answer, made(6, 65_000, "get_job", () => answer)]).toEqual([answer, true]);
    expect(made(6, 65_000, "get_job", (at) => ({ status: at < 5 ? "running" : "failed" }))).toBe(false);
    const everyMinute = (status: string) =>
      fires(
        atGaps(
          Array.from({ length: 8 }, () => 60_000),
          (at) => call(at, "last_backup", {}, { status }),
        ),
      );
    expect(everyMinute("completed")).toBe(false);
    expect(everyMinute("failed")).toBe(true);
  });

  test("nothing yet, of a tool that waits for what comes from elsewhere, is no answer; of a search it is one", () => {
    for (const nothing of [[], { messages: [] }, { unread: 0 }, "no new messages"]) {
      expect([nothing, made(6, 4_000, "check_inbox", () => nothing)]).toEqual([nothing, false]);
      expect([nothing, made(6, 4_000, "search", () => nothing)]).toEqual([nothing, true]);
    }
    const longPolls = atGaps(uneven(6, 30_000), (at) => {
      const one = call(at, "wait_for_message", { timeout: 30 }, "no message");
      return { ...one, payload: { ...one.payload, latency_ms: 29_500 } };
    });
    expect(fires(longPolls)).toBe(false);
  });

  test("what changes by itself is read off every few seconds, unless that fails", () => {
    expect(made(8, 6_000, "read_sensor", () => ({ celsius: 20.4 }))).toBe(false);
    expect(made(8, 1_500, "read_sensor", () => ({ celsius: 20.4 }))).toBe(true);
    expect(made(8, 6_000, "read_sensor", () => ({ error: "sensor not found" }))).toBe(true);
    expect(made(8, 6_000, "read_manual", () => "chapter 1")).toBe(true);
  });

  test("dice and steps give another result each time; where they do not, they are a loop", () => {
    const thrown = [3, 5, 3, 3, 6, 1, 3, 2];
    expect(made(8, 1_000, "roll_dice", (at) => thrown[at % 8])).toBe(false);
    expect(made(8, 1_000, "walk_step", () => "blocked by a wall")).toBe(true);
    expect(made(8, 1_000, "multiply", (at) => thrown[at % 8])).toBe(true);
  });
});

describe("tool_loop: the same call by other words", () => {
  const others = (tool: string, args: (at: number) => unknown, result: unknown) =>
    made(7, 1_500, tool, () => result, args);

  test("other letters and spaces, and the clock of the request, with the same answer are one call; another answer makes another", () => {
    const cities = ["Paris", "paris", " Paris", "PARIS", "Pa ris", "paris ", "pARIS"];
    expect(others("find_flights", (at) => ({ city: cities[at - 1] }), { flights: [] })).toBe(true);
    expect(
      made(
        7,
        1_500,
        "find_flights",
        (at) => ({ flights: [at] }),
        (at) => ({ city: cities[at - 1] }),
      ),
    ).toBe(false);
    expect(others("find_flights", (at) => ({ city: `town ${at}` }), { flights: [] })).toBe(false);
    let ms = Date.UTC(2026, 10, 23);
    const clocks = uneven(7, 2_000).map((gap) => (ms += gap));
    expect(others("stock.of", (at) => ({ sku: "4", ts: clocks[at - 1] }), { sku: "4", free: 0 })).toBe(true);
    expect(others("stock.log", (at) => ({ sku: "4", ts: clocks[at - 1] }), "ok")).toBe(false);
    expect(others("write_log", (at) => ({ sku: "4", ts: clocks[at - 1] }), { sku: "4", free: 0 })).toBe(
      false,
    );
  });

  test("questions that share a word and find the same passage are one; those that share none, or find little, are not", () => {
    const found = "1. Returns within 30 days. 2. Shipping takes four days. 3. Gift cards cannot be returned.";
    const asked = [
      "refund policy",
      "policy refunds",
      "what about refunds",
      "refund",
      "refund rules",
      "refund info",
      "refunds",
    ];
    expect(others("search_docs", (at) => ({ query: asked[at - 1] }), found)).toBe(true);
    expect(others("search_docs", (at) => ({ query: asked[at - 1] }), "no results")).toBe(false);
    const unlike = ["refund", "opening hours", "parking", "vouchers", "warranty", "couriers", "invoices"];
    expect(others("search_docs", (at) => ({ query: unlike[at - 1] }), found)).toBe(false);
    expect(others("get_page", (at) => ({ topic: asked[at - 1] }), found)).toBe(false);
  });
});

describe("tool_loop: by whom, and whether it was meant once more", () => {
  test("each agent or lane has calls of its own", () => {
    const read = (field: string, of: number) =>
      atGaps(uneven(6, 1_500), (at) => {
        const one = call(at, "load_rules", { set: "style" }, "write short");
        return { ...one, payload: { ...one.payload, [field]: `a${at % of}` } };
      });
    for (const field of ["agent", "agent_id", "lane", "worker"]) {
      expect(fires(read(field, 6))).toBe(false);
      expect(fires(read(field, 2))).toBe(true);
    }
  });

  test("another key of idempotency is another deed, of a read or of a failure it is another try", () => {
    const keyed = (tool: string, result: unknown) =>
      made(
        6,
        1_500,
        tool,
        () => result,
        (at) => ({ tray: 2, idempotency_key: `k${at}` }),
      );
    expect(keyed("dispense", { ok: true })).toBe(false);
    expect(keyed("create_label", { error: "already exists" })).toBe(true);
    expect(keyed("get_tray", { grams: 40 })).toBe(true);
  });

  test("what a person did between was an occasion to look again", () => {
    const looks = atGaps(uneven(6, 12_000), (at) =>
      at % 2 === 0
        ? event("human_intervention", at, { action: "customer_message", note: `question ${at}` })
        : call(at, "opening_hours", { shop: "Graz" }, "9 to 18"),
    );
    expect(fires(looks)).toBe(false);
    expect(fires(looks.filter((one) => one.type === "tool_call"))).toBe(true);
  });
});
