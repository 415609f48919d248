import { describe, expect, test } from "bun:test";
import { describeAnyDetector, event, play, signatures } from "../../../test/support/detector-harness.ts";
import { toolErrorBurst } from "./tool-error-burst.ts";

const failed = (sequence: number, error: unknown = `ValueError: no row ${sequence}`, tool_name = "query") =>
  event("tool_call", sequence, { tool_name, arguments: { sequence }, error });
const fine = (sequence: number) =>
  event("tool_call", sequence, { tool_name: "query", arguments: {}, result: "ok" });

describe("tool_error_burst", () => {
  describeAnyDetector(toolErrorBurst, () => ({ events: [1, 2, 3, 4, 5].map((at) => failed(at)) }));

  test("five failures in ten calls fire once and name the tool and its error", () => {
    const events = [
      fine(1),
      failed(2),
      fine(3),
      failed(4),
      failed(5),
      failed(6),
      failed(7),
      failed(8),
      failed(9),
    ];
    const detections = play(toolErrorBurst, { events });
    expect(detections).toHaveLength(1);
    expect(detections[0]?.signatureParts).toEqual(["query", "ValueError"]);
  });

  test("the group does not depend on ids and numbers in the error", () => {
    const of = (id: string) =>
      [1, 2, 3, 4, 5].map((at) => failed(at, `Order '${id}' (${at * 17}) not found in /srv/${id}/x`));
    const once = play(toolErrorBurst, { events: of("aaa") });
    expect(signatures(toolErrorBurst, play(toolErrorBurst, { events: of("zzzz") }))).toEqual(
      signatures(toolErrorBurst, once),
    );
  });

  test("few failures, and failures thinned by successes, do not fire", () => {
    expect(play(toolErrorBurst, { events: [1, 2, 3, 4].map((at) => failed(at)) })).toEqual([]);
    const thin = Array.from({ length: 40 }, (_, i) => (i % 3 === 0 ? failed(i + 1) : fine(i + 1)));
    expect(play(toolErrorBurst, { events: thin })).toEqual([]);
  });

  test("a second burst fires after the first has passed", () => {
    const burst = (from: number) => Array.from({ length: 6 }, (_, i) => failed(from + i));
    const calm = (from: number) => Array.from({ length: 12 }, (_, i) => fine(from + i));
    expect(play(toolErrorBurst, { events: [...burst(1), ...calm(10), ...burst(30)] })).toHaveLength(2);
  });

  test("errors are read as text, object, flag and MCP result", () => {
    const shapes = ["boom", { message: "boom" }, true, { code: "E1" }];
    const events = shapes.map((error, at) => failed(at + 1, error));
    const mcp = event("mcp_call", 5, { server: "s", tool_name: "t", result: { isError: true, content: [] } });
    expect(play(toolErrorBurst, { events: [...events, mcp] })).toHaveLength(1);
  });
});
