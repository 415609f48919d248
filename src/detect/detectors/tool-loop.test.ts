import { describe, expect, test } from "bun:test";
import { atGaps, call, search } from "../../../test/detect/support/loop-calls.ts";
import { describeAnyDetector, event, play } from "../../../test/support/detector-harness.ts";
import { toolLoop } from "./tool-loop.ts";

const task = { role: "user", content: "Find it." };
const asksFor = (q: string, id: string | undefined) => ({
  role: "assistant",
  content: "",
  tool_calls: [{ id, type: "function", function: { name: "search", arguments: JSON.stringify({ q }) } }],
});

interface ChatOptions {
  /** Of the chat so far: all, what is new, or nothing goes into the input. */
  readonly history?: "full" | "new" | "none";
  readonly ids?: boolean;
  readonly result?: (at: number) => string;
}

/**
 * A run as a wrapper around a provider's client sends it: searches for these, one an answer, and a last word.
 */
function chat(searches: readonly string[], options: ChatOptions = {}) {
  const { history = "full", ids = true, result = () => "none" } = options;
  const whole: object[] = [task];
  let known = 0;
  const inputOf = () => {
    const from = history === "full" ? 0 : known;
    known = whole.length + 1;
    return history === "none" ? undefined : whole.slice(from);
  };
  const events = searches.map((q, at) => {
    const id = ids ? `call-${at}` : undefined;
    const output = asksFor(q, id);
    const input = inputOf();
    whole.push(output, { role: "tool", tool_call_id: id, content: result(at) });
    return event("llm_call", at + 1, { model: "m", input, output });
  });
  return [...events, event("llm_call", events.length + 1, { input: inputOf(), output: "Nothing." })];
}

describe("tool_loop", () => {
  describeAnyDetector(toolLoop, () => ({
    events: [search(1, "a"), search(2, "b"), search(3, "a"), search(4, "a")],
  }));

  test("the third same call fires, once, with the others as evidence", () => {
    const detections = play(toolLoop, { events: [1, 2, 3, 4, 5, 6].map((at) => search(at, "a")) }, "singly");
    expect(detections).toHaveLength(1);
    expect(detections[0]).toMatchObject({
      eventId: "event-3",
      evidenceEventIds: ["event-1", "event-2"],
      signatureParts: ["repeat", "search"],
    });
  });

  test("arguments are the same whatever their key order, as an object and as text", () => {
    const events = [
      call(1, "f", { a: 1, b: [2, { c: 3 }] }),
      call(2, "f", { b: [2, { c: 3 }], a: 1 }),
      call(3, "f", '{ "b": [2, {"c": 3}], "a": 1 }'),
    ];
    expect(play(toolLoop, { events })).toHaveLength(1);
  });

  test("other arguments, another tool and far apart repeats do not fire", () => {
    expect(play(toolLoop, { events: [1, 2, 3, 4, 5].map((at) => search(at, `q${at}`)) })).toEqual([]);
    expect(play(toolLoop, { events: [1, 2, 3, 4].map((at) => call(at, `tool${at}`, { q: 1 })) })).toEqual([]);
    const apart = Array.from({ length: 30 }, (_, i) => search(i + 1, i % 10 === 0 ? "a" : `q${i}`));
    expect(play(toolLoop, { events: apart })).toEqual([]);
  });

  test("polling and paging, whose results differ, need twice as many", () => {
    const polled = (times: number) =>
      Array.from({ length: times }, (_, i) =>
        call(i + 1, "get_job", { id: 1 }, `still at ${(i * 7) % 11} %`),
      );
    expect(play(toolLoop, { events: polled(5) })).toEqual([]);
    expect(play(toolLoop, { events: polled(6) })).toHaveLength(1);
    const waits = (times: number) =>
      Array.from({ length: times }, (_, i) =>
        event("tool_call", i + 1, { tool_name: "wait_for", arguments: { s: 5 } }),
      );
    expect(play(toolLoop, { events: waits(5) })).toEqual([]);
    expect(play(toolLoop, { events: waits(6) })).toHaveLength(1);
  });

  test("answers that count up or down are headway, however often; an order, a clock or a failure that counts is none", () => {
    const asked = (answer: (at: number) => unknown, more = {}) =>
      play(toolLoop, {
        events: Array.from({ length: 10 }, (_, i) => call(i + 1, "get_job", { id: 1 }, answer(i), more)),
      }).length;
    expect(asked((at) => ({ job: 77, state: "running", progress: at * 6 }))).toBe(0);
    expect(asked((at) => `Page ${at + 2} of 15: tent ${(at * 37) % 11}, tent ${(at * 53) % 17}`)).toBe(0);
    expect(asked((at) => [{ type: "text", text: `${30 - at} left, one of them late` }])).toBe(0);
    expect(asked((at) => `12:00:${10 + at} not there`)).toBe(1);
    expect(asked((at) => `2026-11-23T10:00:${10 + at}Z not there`)).toBe(1);
    expect(asked((at) => `not there, took 1${at}ms`)).toBe(1);
    expect(asked((at) => ({ at: 1_795_000_000_000 + at, found: 0 }))).toBe(1);
    expect(asked((at) => ({ tries: at }), { error: "refused" })).toBe(1);
    expect(asked((at) => ({ progress: [3, 9, 1, 7, 2, 8, 4, 6, 5, 0][at] }))).toBe(1);
  });

  test("what a timer calls is no loop, unless it fails; what somebody calls at any time is one", () => {
    const looks = (gapMs: (at: number) => number, more = {}) =>
      atGaps(
        Array.from({ length: 8 }, (_, at) => gapMs(at)),
        (at) => call(at, "count_rows", { table: "mail" }, { rows: 0 }, more),
      );
    const fired = (events: ReturnType<typeof looks>) => play(toolLoop, { events }).length;
    expect(fired(looks(() => 300_000))).toBe(0);
    expect(fired(looks((at) => 60_000 + at * 300))).toBe(0);
    expect(fired(looks((at) => 30_000 + (at % 3) * 9_000))).toBe(1);
    expect(fired(looks(() => 5_000))).toBe(1);
    expect(fired(looks(() => 300_000, { error: "refused" }))).toBe(1);
  });

  test("failed tries that back off or fail for a cause that passes need twice as many, unless what they meet stays", () => {
    const tries = (gaps: readonly number[], succeedsAt = 0, error = "the service said no") => {
      const events = atGaps([0, ...gaps], (at) =>
        at === succeedsAt
          ? call(at, "http_get", { url: "a" }, "found")
          : call(at, "http_get", { url: "a" }, undefined, { error }),
      );
      return play(toolLoop, { events }).length;
    };
    expect(tries([1_000, 2_000, 4_000])).toBe(0);
    expect(tries([1_000, 2_000, 4_000, 8_000, 16_000])).toBe(1);
    expect(tries([1_000, 2_000, 500], 4)).toBe(0);
    expect(tries([1_000, 1_000])).toBe(1);
    expect(tries([100, 200])).toBe(1);
    for (const error of ["ETIMEDOUT", "HTTP 503", "429 Too Many Requests", "database is busy"]) {
      expect(tries([1_000, 1_000, 1_000, 1_000], 0, error)).toBe(0);
      expect(tries([1_000, 1_000, 1_000, 1_000, 1_000], 0, error)).toBe(1);
    }
    for (const error of ["403 Forbidden", "no such table", "invalid argument"])
      expect(tries([1_000, 2_000, 4_000], 0, error)).toBe(1);
  });

  test("a few failed tries behind which one goes through are no loop", () => {
    const tries = (failed: number) =>
      atGaps(
        Array.from({ length: failed + 1 }, () => 2_000),
        (at) =>
          at > failed
            ? call(at, "save", { id: 4 }, { saved: true })
            : call(at, "save", { id: 4 }, undefined, { error: "refused" }),
      );
    expect(play(toolLoop, { events: tries(2) })).toEqual([]);
    expect(play(toolLoop, { events: tries(3) }, "singly")).toHaveLength(1);
  });

  test("looking again after each new step needs twice as many, in any order of arrival", () => {
    const looks = (times: number) =>
      Array.from({ length: times * 2 - 1 }, (_, i) =>
        i % 2 === 0 ? call(i + 1, "list_files", { at: "/" }, "same") : call(i + 1, "write", { n: i }, "ok"),
      );
    expect(play(toolLoop, { events: looks(5) })).toEqual([]);
    expect(play(toolLoop, { events: looks(5).reverse() })).toEqual([]);
    expect(play(toolLoop, { events: looks(6) })).toHaveLength(1);
    const round = [1, 2, 3, 4, 5].map((at) =>
      at % 2 === 1 ? call(at, "list_files", { at: "/" }, "same") : call(at, "write", { n: 1 }, "ok"),
    );
    expect(play(toolLoop, { events: round })).toHaveLength(1);
  });

  test("a test run after each change is no loop while its outcome changes", () => {
    const work = (outcome: (at: number) => string) =>
      Array.from({ length: 24 }, (_, i) =>
        i % 2 === 0
          ? call(i + 1, "shell", { command: "run tests" }, outcome(i))
          : call(i + 1, "edit_file", { line: i }, "edited"),
      );
    expect(play(toolLoop, { events: work((at) => `${at} failed`) })).toEqual([]);
    expect(play(toolLoop, { events: work(() => "3 failed") })).toHaveLength(1);
    const idle = Array.from({ length: 12 }, (_, i) =>
      call(i + 1, "shell", { command: "run tests" }, `in 0.${i} s`),
    );
    expect(play(toolLoop, { events: idle })).toHaveLength(1);
  });

  test("going back from page to page is no loop, going back to the same one is", () => {
    const visits = (page: (at: number) => string) =>
      Array.from({ length: 14 }, (_, i) =>
        i % 2 === 0
          ? call(i + 1, "click", { id: `L${i % 3}` }, `page ${i}`)
          : call(i + 1, "go_back", {}, page(i)),
      );
    expect(play(toolLoop, { events: visits((at) => `list ${at}`) })).toEqual([]);
    expect(play(toolLoop, { events: visits(() => "list") }).length).toBeGreaterThan(0);
  });

  test("turning pages is no loop until a page comes again", () => {
    const turned = (pages: readonly string[]) =>
      pages.map((page, i) => call(i + 1, "scroll_down", { by: 1 }, page));
    expect(play(toolLoop, { events: turned([..."abcdefghij"]) })).toEqual([]);
    expect(play(toolLoop, { events: turned([..."abcdefgg"]) })).toHaveLength(1);
  });

  test("a cycle of calls whose window is too wide for repeats fires as a cycle", () => {
    const events = Array.from({ length: 12 }, (_, i) => search(i + 1, "abcd"[i % 4]!));
    const [detection] = play(toolLoop, { events, thresholds: { windowCalls: 6 } });
    expect(detection?.signatureParts).toEqual(["cycle", "search"]);
    expect(play(toolLoop, { events: events.slice(0, 11), thresholds: { windowCalls: 6 } })).toEqual([]);
  });

  test("a call reported twice, at its start and at its end, is one call", () => {
    const events = [1, 2].flatMap((n) => [
      event("tool_call", n * 2, { tool_name: "f", arguments: {}, call_id: `c${n}` }),
      event("tool_call", n * 2 + 1, { tool_name: "f", arguments: {}, call_id: `c${n}`, result: "x" }),
    ]);
    expect(play(toolLoop, { events })).toEqual([]);
  });

  describe("a call and its result in two events", () => {
    const ids = [undefined, "", "first", "both"] as const;
    type Ids = (typeof ids)[number];
    const idOf = (kind: Ids, at: number, isEnd: boolean) =>
      kind === "both" || (kind === "first" && !isEnd) ? `c${at}` : kind === "" ? "" : undefined;
    const asked = (sequence: number, at: number, args: unknown, kind: Ids) =>
      event("tool_call", sequence, { tool_name: "f", call_id: idOf(kind, at, false), arguments: args });
    const ended = (sequence: number, at: number, result: unknown, kind: Ids, more = {}) =>
      event("tool_call", sequence, { tool_name: "f", call_id: idOf(kind, at, true), result, ...more });
    const inTurn = (
      times: number,
      kind: Ids,
      args: (at: number) => unknown,
      result: (at: number) => unknown,
    ) =>
      Array.from({ length: times }, (_, at) => [
        asked(at * 2 + 1, at, args(at), kind),
        ended(at * 2 + 2, at, result(at), kind),
      ]).flat();

    test("short answers to several calls at once are no repeat, whatever ids there are", () => {
      for (const kind of ids) {
        const at = [0, 1, 2, 3];
        const events = [
          ...at.map((i) => asked(i + 1, i, { user: i }, kind)),
          ...at.map((i) => ended(i + 5, i, "None", kind)),
        ];
        for (const arrival of ["together", "singly"] as const) {
          expect(play(toolLoop, { events }, arrival)).toEqual([]);
          expect(
            play(
              toolLoop,
              {
                events: inTurn(
                  4,
                  kind,
                  (i) => ({ user: i }),
                  () => "ok",
                ),
              },
              arrival,
            ),
          ).toEqual([]);
        }
        expect(play(toolLoop, { events: events.slice(1, 6) }, "reversed")).toEqual([]);
      }
    });

    test("the same call with the same answer is a loop, with other answers it polls", () => {
      for (const kind of ids) {
        const same = inTurn(
          4,
          kind,
          () => ({ q: "a" }),
          () => "none",
        );
        for (const arrival of ["together", "singly", "reversed"] as const) {
          expect(play(toolLoop, { events: same }, arrival)).toHaveLength(1);
        }
        const polled = inTurn(
          5,
          kind,
          () => ({ q: "a" }),
          (at) => `${at % 2 === 0 ? "no" : at} news`,
        );
        expect(play(toolLoop, { events: polled }, "singly")).toEqual([]);
      }
    });

    test("the end of another tool's call is none", () => {
      const done = (sequence: number) =>
        event("tool_call", sequence, { tool_name: "g", result: "the same as before" });
      const events = [done(2), done(4), asked(1, 1, { q: 1 }, ""), done(6)];
      expect(play(toolLoop, { events }, "singly")).toHaveLength(1);
    });

    test("an end that fails makes the call a failed one: a timer's calls that fail are a loop", () => {
      const looks = (end: Record<string, unknown>) =>
        atGaps(Array(16).fill(30_000), (sequence) =>
          sequence % 2 === 1
            ? asked(sequence, sequence, { queue: "mail" }, "both")
            : ended(sequence, sequence - 1, undefined, "both", end),
        );
      expect(play(toolLoop, { events: looks({ result: { depth: 0 } }) })).toEqual([]);
      expect(play(toolLoop, { events: looks({ error: "refused" }) })).toHaveLength(1);
    });
  });

  test("calls without arguments and results cannot be told apart and do not fire", () => {
    const bare = [1, 2, 3, 4].map((at) => event("tool_call", at, { tool_name: "f" }));
    expect(play(toolLoop, { events: bare })).toEqual([]);
    const same = [1, 2, 3].map((at) => event("tool_call", at, { tool_name: "f", result: "x" }));
    expect(play(toolLoop, { events: same })).toHaveLength(1);
  });

  test("MCP calls loop as well, listings do not, the allow-list holds", () => {
    const mcp = (method: string) =>
      [1, 2, 3].map((at) =>
        event("mcp_call", at, { server: "s", method, tool_name: "t", arguments: {}, result: 1 }),
      );
    expect(play(toolLoop, { events: mcp("tools/call") })[0]?.signatureParts).toEqual(["repeat", "s/t"]);
    expect(play(toolLoop, { events: mcp("tools/list") })).toEqual([]);
    expect(play(toolLoop, { events: mcp("tools/call"), allow: ["s/t"] })).toEqual([]);
  });

  test("OpenTelemetry's names of the fields are understood", () => {
    const events = [1, 2, 3].map((at) =>
      event("tool_call", at, {
        "gen_ai.tool.name": "search",
        "gen_ai.tool.call.arguments": { q: "a" },
        "gen_ai.tool.call.result": "none",
      }),
    );
    expect(play(toolLoop, { events })[0]?.signatureParts).toEqual(["repeat", "search"]);
  });

  describe("where only model calls are sent", () => {
    describeAnyDetector(toolLoop, () => ({ events: chat(["a", "b", "a", "a"]) }));

    test("the answers' calls are counted once, however much of the chat comes along", () => {
      for (const history of ["full", "new", "none"] as const) {
        for (const ids of [true, false]) {
          const events = chat(["a", "a", "a", "a"], { history, ids });
          const detections = play(toolLoop, { events }, "singly");
          expect(detections.map((one) => [one.eventId, one.signatureParts])).toEqual([
            ["event-3", ["repeat", "search"]],
          ]);
          expect(detections[0]?.evidenceEventIds).toEqual(["event-1", "event-2"]);
          expect(play(toolLoop, { events: chat(["a", "b", "a", "c", "d"], { history, ids }) })).toEqual([]);
        }
      }
    });

    test("results in the chat tell polling from a loop, with ids and without", () => {
      for (const history of ["full", "new"] as const) {
        for (const ids of [true, false]) {
          const polled = (times: number) =>
            chat(Array(times).fill("job"), { history, ids, result: (at) => `${at} %` });
          expect(play(toolLoop, { events: polled(5) }, "singly")).toEqual([]);
          expect(play(toolLoop, { events: polled(7) }, "singly")).toHaveLength(1);
        }
      }
      const events = chat(Array(5).fill("job"), { result: (at) => `${at} %` });
      expect(play(toolLoop, { events }, "reversed")).toEqual([]);
    });

    test("calls that stand only in the chat are counted where their results come", () => {
      for (const ids of [true, false]) {
        const texts = chat(["a", "a", "a"], { ids }).map(({ sequence, payload: { input } }) =>
          event("llm_call", sequence, { input, output: "" }),
        );
        for (const arrival of ["together", "singly", "reversed"] as const) {
          expect(play(toolLoop, { events: texts }, arrival)).toHaveLength(1);
          expect(play(toolLoop, { events: texts.slice(0, 3) }, arrival)).toEqual([]);
        }
      }
    });

    test("turns of an earlier run that a chat begins with are not this run's", () => {
      const [last] = chat(["a", "a", "a", "a", "a"]).slice(-1);
      const past = [...(last!.payload.input as object[]), { role: "assistant", content: "Nothing there." }];
      const events = [1, 2, 3].map((at) =>
        event("llm_call", at, { input: [...past, { role: "user", content: `${at}?` }], output: "No." }),
      );
      expect(play(toolLoop, { events })).toEqual([]);
    });

    test("one answer sent again, or drawn several times, is one call", () => {
      const [first, second] = chat(["a", "a"]);
      expect(play(toolLoop, { events: [first!, second!, second!, first!, second!] }, "singly")).toEqual([]);
      const drawn = [1, 2, 3, 4].map((at) =>
        event("llm_call", at, { input: [task], output: asksFor("a", `call-${at}`) }),
      );
      expect(play(toolLoop, { events: drawn })).toEqual([]);
    });

    test("where the client sends events of tools too, these alone count, by whatever ids and arguments", () => {
      const both = (twice: (at: number) => Record<string, unknown>) =>
        chat(["a", "a"])
          .slice(0, 2)
          .flatMap((one, at) => [
            { ...one, sequence: at * 2 + 1, eventId: `model-${at}` },
            event("tool_call", at * 2 + 2, { tool_name: "search", result: "none", ...twice(at) }),
          ]);
      const asAsked = (at: number) => ({ call_id: `call-${at}`, arguments: { q: "a" } });
      for (const twice of [
        asAsked,
        () => ({ arguments: { q: "a" } }),
        () => ({ tool_name: "s/search", arguments: { q: "a", limit: 10 } }),
      ]) {
        for (const arrival of ["together", "singly", "reversed"] as const) {
          expect(play(toolLoop, { events: both(twice) }, arrival)).toEqual([]);
        }
      }
      const third = event("tool_call", 9, { tool_name: "search", result: "none", ...asAsked(2) });
      const all = [...both(asAsked), third];
      for (const arrival of ["together", "singly", "reversed"] as const) {
        expect(play(toolLoop, { events: all }, arrival)).toHaveLength(1);
      }
    });

    test("allowed tools are left out", () => {
      expect(play(toolLoop, { events: chat(["a", "a", "a"]), allow: ["search"] })).toEqual([]);
    });
  });

  test("asking how far something is, with another answer each time, is no loop", () => {
    const ask = (at: number, state: unknown) => call(at, "get_job_status", { id: "j1" }, state);
    const moving = Array.from({ length: 12 }, (_, at) => ask(at + 1, { progress: at * 8 }));
    expect(play(toolLoop, { events: moving })).toEqual([]);
    const stuck = Array.from({ length: 12 }, (_, at) => ask(at + 1, { progress: 8 }));
    expect(play(toolLoop, { events: stuck })).toHaveLength(1);
  });

  test("a wait between looks is none while the looks find something new", () => {
    const phases = ["queued", "building", "pushing", "rolling", "live"];
    const waits = (phase: (at: number) => string) =>
      phases.flatMap((_, at) => [
        call(2 * at + 1, "sleep", { seconds: 30 }, "ok"),
        call(2 * at + 2, "describe_deploy", { id: 4 }, phase(at)),
      ]);
    expect(play(toolLoop, { events: waits((at) => phases[at] ?? "") })).toEqual([]);
    expect(play(toolLoop, { events: waits(() => "queued") }).length).toBeGreaterThan(0);
  });
});
