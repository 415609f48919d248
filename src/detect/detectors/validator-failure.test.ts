import { describe, expect, test } from "bun:test";
import { describeAnyDetector, event, play } from "../../../test/support/detector-harness.ts";
import { validatorFailure } from "./validator-failure.ts";

const result = (sequence: number, payload: Record<string, unknown>) =>
  event("validator_result", sequence, payload);

describe("validator_failure", () => {
  describeAnyDetector(validatorFailure, () => ({
    events: [result(1, { validator: "schema", passed: false, message: "field total is missing" })],
  }));

  test("every failed result is a firing of its validator's group", () => {
    const events = [1, 2, 3].map((at) =>
      result(at, { validator: "schema", passed: false, message: `row ${at}` }),
    );
    const detections = play(validatorFailure, { events });
    expect(detections.map((one) => [one.eventId, one.signatureParts])).toEqual([
      ["event-1", ["schema"]],
      ["event-2", ["schema"]],
      ["event-3", ["schema"]],
    ]);
  });

  test("passed, and nothing said, are no failures; words are understood", () => {
    const verdicts = [true, "true", null, undefined, 0, "", "passed", {}];
    expect(
      play(validatorFailure, {
        events: verdicts.map((passed, at) => result(at + 1, { validator: "v", passed })),
      }),
    ).toEqual([]);
    expect(
      play(validatorFailure, { events: [result(1, { validator: "v", passed: "Failed" })] }),
    ).toHaveLength(1);
  });

  test("the message is masked, the allow-list holds, a flood ends at 100", () => {
    const message = "got key sk-ABCDEFGHIJ0123456789abcdefghij, card 4111 1111 1111 1111";
    const [detection] = play(validatorFailure, {
      events: [result(1, { validator: "v", passed: false, message })],
    });
    expect(detection?.excerpt).toBe("v: got key [masked], card [number]");
    expect(
      play(validatorFailure, { events: [result(1, { validator: "v", passed: false })], allow: ["v"] }),
    ).toEqual([]);
    const flood = Array.from({ length: 500 }, (_, i) => result(i, { validator: "v", passed: false }));
    expect(play(validatorFailure, { events: flood })).toHaveLength(100);
  });
});
