import { describe, expect, test } from "bun:test";
import { describeAnyDetector, event, play } from "../../../test/support/detector-harness.ts";
import { executionCrash } from "./execution-crash.ts";

const crashSignature = `sha256:${"ab".repeat(32)}`;
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
});
