import { describe, expect, test } from "bun:test";
import { describeAnyDetector, event, play, signatures } from "../../../test/support/detector-harness.ts";
import { unhandledException } from "./unhandled-exception.ts";

const thrown = (sequence: number, payload: Record<string, unknown>) => event("exception", sequence, payload);
const python = (line: number, row: string) =>
  thrown(1, {
    type: "KeyError",
    message: `'${row}'`,
    stack: `Traceback (most recent call last):
  File "/srv/app-${line}/agent/run.py", line ${line}, in main
    step(row)
  File "/usr/lib/python3.12/site-packages/lib/x.py", line 9, in call
    return f()
  File "/srv/app-${line}/agent/steps.py", line ${line + 4}, in step
    return table['${row}']
KeyError: '${row}'`,
    handled: false,
  });

describe("unhandled_exception", () => {
  describeAnyDetector(unhandledException, () => ({ events: [python(10, "a")] }));

  test("the same fault of another build, host and row is the same group, another place is not", () => {
    const of = (one: ReturnType<typeof thrown>) =>
      signatures(unhandledException, play(unhandledException, { events: [one] }));
    expect(of(python(10, "a"))).toEqual(of(python(99, "user-7f3a")));
    const moved = thrown(1, {
      ...python(10, "a").payload,
      stack: String(python(10, "a").payload.stack).replace("in step", "in other"),
    });
    expect(of(moved)).not.toEqual(of(python(10, "a")));
    expect(of(thrown(1, { ...python(10, "a").payload, type: "ValueError" }))).not.toEqual(
      of(python(10, "a")),
    );
  });

  test("without a stack the masked message groups", () => {
    const of = (message: string) =>
      signatures(
        unhandledException,
        play(unhandledException, { events: [thrown(1, { type: "E", message })] }),
      );
    expect(of("order 17 of user 'ann' at /tmp/a/b.json failed")).toEqual(
      of("order 9 of user 'bob' at /srv/c/d.json failed"),
    );
    expect(of("order 17 failed")).not.toEqual(of("payment 17 failed"));
  });

  test("handled is passed over, not handled is high, nothing said is medium", () => {
    const severity = (handled: unknown) =>
      play(unhandledException, { events: [thrown(1, { type: "E", message: "m", handled })] }).map(
        (one) => one.severity,
      );
    expect(severity(true)).toEqual([]);
    expect(severity(false)).toEqual(["high"]);
    expect(severity(undefined)).toEqual(["medium"]);
  });

  test("the last exception of a run that crashed was not handled, whatever it says", () => {
    const events = [thrown(1, { type: "First", handled: true }), thrown(2, { type: "Last", handled: true })];
    const crashed = { status: "crashed" } as const;
    expect(play(unhandledException, { events, finished: crashed }).map((one) => one.eventId)).toEqual([
      "event-2",
    ]);
    expect(
      play(unhandledException, { events, finished: crashed }, "after-finish").map((one) => one.eventId),
    ).toEqual(["event-2"]);
    expect(play(unhandledException, { events, finished: { status: "completed" } })).toEqual([]);
    const reported = [
      thrown(1, { type: "First", handled: true }),
      thrown(2, { type: "Last", handled: false }),
    ];
    expect(play(unhandledException, { events: reported, finished: crashed })).toHaveLength(1);
  });

  test("a type that brings its message along groups by the type, and a list of lines is a stack", () => {
    const partsOf = (payload: Record<string, unknown>) =>
      play(unhandledException, { events: [thrown(1, payload)] })[0]?.signatureParts;
    const stack = "Error\n    at f (/app/a.js:1:2)";
    expect(partsOf({ type: "ValueError: No row 17", stack })).toEqual(["ValueError", "a.js:f"]);
    expect(partsOf({ type: "no row 17", stack })).toEqual(["no row <n>", "a.js:f"]);
    expect(partsOf({ type: "E", stack: stack.split("\n") })).toEqual(["E", "a.js:f"]);
    expect(partsOf({ type: "E", message: "row 1", stack: [7, null, { at: 1 }] })).toEqual(["E", "row <n>"]);
    // Frames of the runtime alone are the same for every lost connection.
    const lost = (code: string) =>
      partsOf({
        type: "Error",
        message: `connect ${code} 10.0.0.1:80`,
        stack: "Error\n    at f (node:net:1:2)",
      });
    expect(lost("ECONNREFUSED")).not.toEqual(lost("ETIMEDOUT"));
  });

  test("the excerpt holds the masked message only, the allow-list types, and a flood ends at 100", () => {
    const message = "login of ann@example.com with 'hunter2' failed after 31 s";
    const [detection] = play(unhandledException, { events: [thrown(1, { type: "AuthError", message })] });
    expect(detection?.excerpt).toBe("AuthError: login of <email> with <str> failed after <n>");
    expect(
      play(unhandledException, { events: [thrown(1, { type: "AuthError" })], allow: ["AuthError"] }),
    ).toEqual([]);
    const flood = Array.from({ length: 400 }, (_, i) => thrown(i, { type: "E" }));
    expect(play(unhandledException, { events: flood })).toHaveLength(100);
  });

  test("handled counts as a word and as a number too", () => {
    for (const handled of [true, "true", " True ", 1]) {
      expect(play(unhandledException, { events: [thrown(1, { type: "E", message: "m", handled })] })).toEqual(
        [],
      );
    }
    for (const handled of [false, "false", 0]) {
      const events = [thrown(1, { type: "E", message: "m", handled })];
      expect(play(unhandledException, { events })[0]?.ruleIds).toEqual(["unhandled_exception/not-handled"]);
    }
  });

  test("a handled exception that the run survived did not end it", () => {
    const busy = event("exception", 1, { type: "Busy", message: "loading", handled: true });
    const call = (sequence: number) => event("llm_call", sequence, { model: "m" });
    const finished = { status: "crashed" } as const;
    expect(play(unhandledException, { events: [busy, call(2)], finished })).toHaveLength(1);
    expect(play(unhandledException, { events: [busy, call(2), call(3)], finished })).toEqual([]);
    expect(play(unhandledException, { events: [call(3), busy, call(2)], finished })).toEqual([]);
    const last = event("exception", 4, { type: "Busy", message: "loading", handled: true });
    expect(play(unhandledException, { events: [busy, call(2), call(3), last], finished })).toHaveLength(1);
  });

  test("what ends or pauses a program in order is no failure of the code", () => {
    const count = (payload: Record<string, unknown>) =>
      play(unhandledException, { events: [event("exception", 1, payload)] }).length;
    expect(count({ type: "KeyboardInterrupt", message: "", handled: false })).toBe(0);
    expect(count({ type: "SystemExit", message: "0" })).toBe(0);
    expect(count({ type: "SignalException", message: "SIGTERM" })).toBe(0);
    expect(count({ type: "langgraph.errors.GraphInterrupt", message: "waiting" })).toBe(0);
    expect(count({ type: "SystemExit", message: "1" })).toBe(1);
    expect(count({ type: "SignalException", message: "SIGSEGV" })).toBe(1);
    expect(count({ type: "InterruptedIOException", message: "read" })).toBe(1);
  });
});
