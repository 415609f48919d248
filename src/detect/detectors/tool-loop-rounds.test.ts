import { describe, expect, test } from "bun:test";
import { atGaps, call, search } from "../../../test/detect/support/loop-calls.ts";
import { event, play } from "../../../test/support/detector-harness.ts";
import { toolLoop } from "./tool-loop.ts";

describe("tool_loop in rounds and on screens", () => {
  test("a round of more calls than a cycle's, with the same answers, is one; new answers, a timer and new calls end it", () => {
    const round = [..."abcdefg"];
    const rounds = (times: number, result: (q: string, at: number) => unknown) =>
      Array.from({ length: times * round.length }, (_, at) => {
        const q = round[at % round.length]!;
        return search(at + 1, q, result(q, at));
      });
    const [detection, ...more] = play(toolLoop, { events: rounds(4, (q) => q) }, "singly");
    expect(detection?.signatureParts).toEqual(["nothing-new", "search"]);
    expect(detection?.excerpt).toContain("4 calls in a row");
    expect(more).toEqual([]);
    expect(play(toolLoop, { events: rounds(4, (q) => q).toReversed() }, "singly")).toHaveLength(1);
    expect(play(toolLoop, { events: rounds(4, (_, at) => at) })).toEqual([]);
    expect(play(toolLoop, { events: rounds(1, (q) => q) })).toEqual([]);
    expect(
      play(toolLoop, {
        events: atGaps(
          rounds(4, (q) => q).map(() => 60_000),
          (at) => rounds(4, (q) => q)[at - 1]!,
        ),
      }),
    ).toEqual([]);
    const between = rounds(4, (q) => q).map((one, at) => (at % 4 === 3 ? search(at + 1, `new ${at}`) : one));
    expect(play(toolLoop, { events: between })).toEqual([]);
  });

  describe("a cycle is one loop, whichever of its calls is noticed first", () => {
    const TOOLS = ["read_file", "list_dir", "stat"];
    const cycling = (
      times: number,
      tools = TOOLS,
      answer: (tool: string, at: number) => unknown = (tool) => tool,
    ) =>
      Array.from({ length: times * tools.length }, (_, at) => {
        const tool = tools[at % tools.length]!;
        const result = answer(tool, at);
        return event("tool_call", at + 1, {
          tool_name: tool,
          call_id: `c${at}`,
          arguments: { path: "/a" },
          result,
        });
      });
    const halves = (events: ReturnType<typeof cycling>) =>
      events.flatMap(({ payload: { result, ...call }, sequence }) => [
        event("tool_call", 2 * sequence, call),
        event("tool_call", 2 * sequence + 1, { tool_name: call.tool_name, call_id: call.call_id, result }),
      ]);
    const parts = (
      events: readonly ReturnType<typeof event>[],
      arrival: "together" | "singly" = "together",
    ) => play(toolLoop, { events }, arrival).map(({ signatureParts }) => signatureParts);

    test.each([3, 4, 6])("seen %d times, in whatever batches, halves and order", (times) => {
      const cycle = [["cycle", ...TOOLS.toSorted()]];
      for (const arrival of ["together", "singly"] as const) {
        expect(parts(cycling(times), arrival)).toEqual(cycle);
        expect(parts(halves(cycling(times)), arrival)).toEqual(cycle);
        expect(parts(cycling(times).toReversed(), arrival)).toEqual(cycle);
      }
    });

    test("of two and of four calls, with another call before it", () => {
      expect(parts(cycling(3, ["read_file", "stat"]))).toEqual([["cycle", "read_file", "stat"]]);
      expect(parts(cycling(3, [...TOOLS, "get_owner"]))).toEqual([
        ["cycle", "get_owner", ...TOOLS.toSorted()],
      ]);
      const before = [search(-1, "order"), search(0, "customer")];
      expect(parts([...before, ...cycling(3)])).toEqual([["cycle", ...TOOLS.toSorted()]]);
    });

    test("a call that comes more often than the others is a loop of its own", () => {
      const events = ["stat", "stat", "list_dir", "stat", "list_dir"].map((tool, at) =>
        event("tool_call", at + 1, { tool_name: tool, arguments: { path: "/a" }, result: "x" }),
      );
      expect(parts(events)).toEqual([["repeat", "stat"]]);
    });

    test("none where one of its calls gets on, nor of two rounds", () => {
      expect(parts(cycling(2))).toEqual([]);
      const gettingOn = (tool: string, at: number) => (tool === "list_dir" ? `file ${at}` : tool);
      expect(parts(cycling(3, TOOLS, gettingOn))).toEqual([]);
    });
  });

  test("many calls in a row that all come for the second time are a loop in whatever order", () => {
    const first = Array.from({ length: 14 }, (_, at) => search(at + 1, `q${at}`, at));
    const again = (length: number) =>
      Array.from({ length }, (_, at) => search(15 + at, `q${(at * 5) % 14}`, (at * 5) % 14));
    expect(play(toolLoop, { events: [...first, ...again(12)] })[0]?.signatureParts[0]).toBe("nothing-new");
    expect(play(toolLoop, { events: [...first, ...again(11)] })).toEqual([]);
  });

  test("clicks, scrolls and looks between new steps are no loop where nobody told what came of them", () => {
    const deeds = (length: number, tool: string, args: object = { x: 1 }) =>
      Array.from({ length }, (_, at) => event("tool_call", at + 1, { tool_name: tool, arguments: args }));
    const computer = { action: "left_click", coordinate: [1, 2] };
    for (const [tool, args] of [
      ["scroll", {}],
      ["browser_click", {}],
      ["scrollDown", {}],
      ["computer", computer],
      ["act", { action: { type: "keypress" } }],
    ] as const) {
      expect(play(toolLoop, { events: deeds(20, tool, args) })).toEqual([]);
    }
    expect(play(toolLoop, { events: deeds(3, "navigate") })).toHaveLength(1);
    expect(play(toolLoop, { events: deeds(3, "get_key") })).toHaveLength(1);
    expect(play(toolLoop, { events: deeds(6, "get_page") })).toHaveLength(1);
    expect(play(toolLoop, { events: deeds(9, "computer", { action: "key", text: "Tab" }) })).toEqual([]);
    expect(play(toolLoop, { events: deeds(3, "act", { action: "click the button" }) })).toHaveLength(1);
    const looks = [1, 3, 5, 7, 9, 11, 13].flatMap((at) => [
      event("tool_call", at, { tool_name: "read_screen", arguments: {} }),
      event("tool_call", at + 1, { tool_name: "open", arguments: { at } }),
    ]);
    expect(play(toolLoop, { events: looks })).toEqual([]);
  });

  test("a click that shows something else each time gets somewhere, one that does not is a loop", () => {
    const clicks = (result: (at: number) => unknown) =>
      Array.from({ length: 8 }, (_, at) => call(at + 1, "click", { x: 600, y: 80 }, result(at)));
    expect(play(toolLoop, { events: clicks((at) => `month ${"abcdefgh"[at]}`) })).toEqual([]);
    expect(play(toolLoop, { events: clicks(() => "the same page") })).toHaveLength(1);
  });

  test("a result that only says that it was clicked shows nothing; a refusal and a page do", () => {
    const clicks = (result: unknown, tool = "click", args: object = { index: 5 }) =>
      [1, 2, 3, 4].map((at) => call(at, tool, args, result));
    const receipts = [
      "",
      "Clicked button with index 5",
      "ok",
      { success: true },
      [{ type: "image" }],
      [],
      true,
    ];
    for (const receipt of receipts) {
      expect([receipt, play(toolLoop, { events: clicks(receipt) }).length]).toEqual([receipt, 0]);
      expect(play(toolLoop, { events: clicks(receipt, "computer", { action: "scroll" }) })).toEqual([]);
    }
    const shown = [
      "Invalid action!",
      "Could not click: not found",
      { success: false },
      "Your basket holds three things.",
    ];
    for (const page of shown) expect(play(toolLoop, { events: clicks(page) })).toHaveLength(1);
    expect(play(toolLoop, { events: clicks("ok", "navigate") })).toHaveLength(1);
  });

  test("a picture that the client left out is no answer that repeats", () => {
    const looks = Array.from({ length: 8 }, (_, at) => [
      call(2 * at + 1, "computer", { action: "screenshot" }, "[image omitted]"),
      call(2 * at + 2, "computer", { action: "left_click", coordinate: [at, 7] }, "ok"),
    ]).flat();
    expect(play(toolLoop, { events: looks })).toEqual([]);
    const waits = (length: number) =>
      Array.from({ length }, (_, at) => call(at + 1, "wait", { seconds: 3 }, "Waited for 3 seconds"));
    expect(play(toolLoop, { events: waits(5) })).toEqual([]);
    expect(play(toolLoop, { events: waits(6) })).toHaveLength(1);
  });

  test("a try is the same call whatever its number and the id of its request", () => {
    const tries = (field: string, isText: boolean) =>
      [1, 2, 3].map((at) => {
        const args = { url: "https://a.example/x", [field]: at };
        return call(at, "fetch", isText ? JSON.stringify(args) : args, "not ready");
      });
    for (const field of ["attempt", "retry_count", "requestId", "idempotency_key", "nonce"])
      for (const isText of [false, true])
        expect(play(toolLoop, { events: tries(field, isText) })).toHaveLength(1);
    for (const field of ["page", "id", "user_id", "tracking_id", "country"])
      expect(play(toolLoop, { events: tries(field, false) })).toEqual([]);
    const onlyIds = [1, 2, 3].map((at) => call(at, "get_request", { request_id: at }, "open"));
    expect(play(toolLoop, { events: onlyIds })).toEqual([]);
  });
});
