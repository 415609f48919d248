import { describe, expect, test } from "bun:test";
import { describeAnyDetector, event, play, TestMemory } from "../../../test/support/detector-harness.ts";
import { executionCrash } from "./execution-crash.ts";

const crashSignature = `sha256:${"ab".repeat(32)}`;
const sha256 = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest("hex");
const thrown = (sequence: number, type: string) =>
  event("exception", sequence, { type, message: `row ${sequence}` });

describe("execution_crash", () => {
  describeAnyDetector(executionCrash, () => ({
    events: [thrown(1, "ValueError"), thrown(2, "KeyError")],
    finished: { status: "crashed", crashSignature },
  }));

  test("the client's signature groups", () => {
    const [detection] = play(executionCrash, { events: [], finished: { status: "crashed", crashSignature } });
    expect(detection).toMatchObject({
      signatureParts: ["signature", crashSignature],
      dedupKey: "crash",
      severity: "high",
    });
  });

  test("without one the last exception by sequence groups, without any the crash stands alone", () => {
    const finished = { status: "crashed" } as const;
    const events = [thrown(2, "KeyError"), thrown(1, "ValueError")];
    expect(play(executionCrash, { events, finished })[0]?.signatureParts).toEqual([
      "exception",
      "KeyError",
      "row <n>",
    ]);
    expect(play(executionCrash, { events: [], finished })[0]?.signatureParts).toEqual(["unknown"]);
  });

  test("only a crash is a crash", () => {
    expect(play(executionCrash, { events: [thrown(1, "E")], finished: { status: "completed" } })).toEqual([]);
    expect(play(executionCrash, { events: [thrown(1, "E")] })).toEqual([]);
  });

  test.each([
    ["of no text", "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
    ["of no text in capitals", "sha256:E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855"],
    ["of no text in base64", "sha256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="],
    ["of the word null", `sha256:${sha256("null")}`],
    ["of an empty object", `sha256:${sha256("{}")}`],
    ["a word", "sha256:unknown"],
    ["zeros", `sha256:${"0".repeat(64)}`],
    ["nothing", "sha256:"],
  ])("a signature that tells nothing (%s) groups nothing", (_name, nothing) => {
    const finished = { status: "crashed", crashSignature: nothing } as const;
    const parts = (type: string) =>
      play(executionCrash, { events: [thrown(1, type)], finished })[0]?.signatureParts;
    expect(parts("KeyError")).toEqual(["exception", "KeyError", "row <n>"]);
    expect(parts("ValueError")).toEqual(["exception", "ValueError", "row <n>"]);
    expect(play(executionCrash, { events: [], finished })[0]?.signatureParts).toEqual(["unknown"]);
  });

  const signed = (digit: string) =>
    ({ status: "crashed", crashSignature: `sha256:${digit.repeat(32)}` }) as const;
  const crashes = (memory: TestMemory, digit: string, payload: Record<string, unknown>) =>
    play(executionCrash, {
      events: [event("exception", 1, payload)],
      finished: signed(digit),
      memory,
    })[0]?.signatureParts;

  test("signatures that are new each time are one group where the exception is the same", () => {
    const memory = new TestMemory();
    const at = (line: number) => ({
      type: "KeyError",
      message: `order ${line}`,
      stack: `Traceback (most recent call last):\n  File "/app/bill.py", line ${line}, in total\n    f()`,
    });
    expect(crashes(memory, "a1", at(10))).toEqual(["signature", signed("a1").crashSignature]);
    expect(crashes(memory, "b2", at(11))).toEqual(["signature", signed("a1").crashSignature]);
    expect(crashes(memory, "c3", { ...at(11), type: "TypeError" })).toEqual([
      "signature",
      signed("c3").crashSignature,
    ]);
    expect(crashes(memory, "d4", { type: "E", message: "order 7 of 9" })).toEqual([
      "signature",
      signed("d4").crashSignature,
    ]);
    expect(crashes(memory, "e5", { type: "E", message: "order 8 of 9" })).toEqual([
      "signature",
      signed("d4").crashSignature,
    ]);
  });

  test("the client tells crashes apart that its exceptions do not, and joins those that they would part", () => {
    const memory = new TestMemory();
    const bare = { type: "Error", message: "the agent failed" };
    expect(crashes(memory, "a1", bare)).toEqual(["signature", signed("a1").crashSignature]);
    expect(crashes(memory, "b2", bare)).toEqual(["signature", signed("b2").crashSignature]);
    expect(crashes(memory, "a1", { type: "Other", message: "row 5" })).toEqual([
      "signature",
      signed("a1").crashSignature,
    ]);
    const handled = (row: number) => ({ type: "Busy", message: `row ${row}`, handled: true });
    expect(crashes(memory, "c3", handled(1))).toEqual(["signature", signed("c3").crashSignature]);
    expect(crashes(memory, "d4", handled(2))).toEqual(["signature", signed("d4").crashSignature]);
  });

  test("an exception that the run survived is not what ended it", () => {
    const early = event("exception", 1, { type: "Busy", message: "loading", handled: true });
    const call = (sequence: number) => event("tool_call", sequence, { tool_name: "t", result: "ok" });
    const finished = { status: "crashed" } as const;
    const parts = (events: ReturnType<typeof event>[]) =>
      play(executionCrash, { events, finished })[0]?.signatureParts;
    expect(parts([early, call(2)])).toEqual(["exception", "Busy", "loading"]);
    expect(parts([early, call(2), call(3)])).toEqual(["unknown"]);
    expect(parts([call(3), call(2), early])).toEqual(["unknown"]);
    const unhandled = event("exception", 1, { type: "Busy", message: "loading", handled: false });
    expect(parts([unhandled, call(2), call(3)])).toEqual(["exception", "Busy", "loading"]);
  });
});
