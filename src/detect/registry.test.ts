import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { event, play } from "../../test/support/detector-harness.ts";
import { EVENT_TYPES } from "../ingest/wire/event-types.ts";
import { DETECTORS } from "./registry.ts";

describe("the registry", () => {
  test("holds each class once, under a name that the webhook can carry", () => {
    const names = DETECTORS.map((detector) => detector.failureClass);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z]+(?:_[a-z]+)*$/);
  });

  test("every threshold declares a default within its range", () => {
    for (const { thresholds } of DETECTORS) {
      for (const { default: value, min, max, integer, notAbove, description } of Object.values(thresholds)) {
        if (notAbove !== undefined) expect(value).toBeLessThanOrEqual(thresholds[notAbove]!.default);
        if (integer) for (const number of [value, min, max]) expect(Number.isInteger(number)).toBe(true);
        expect(value).toBeGreaterThanOrEqual(min);
        expect(value).toBeLessThanOrEqual(max);
        expect(description.length).toBeGreaterThan(10);
      }
    }
  });

  test("every detector can be called, and starts from a small state of its own", () => {
    for (const detector of DETECTORS) {
      expect(detector.eventTypes.length > 0 || detector.onStatus || detector.onTick).toBe(true);
      for (const type of detector.eventTypes) expect(EVENT_TYPES).toContain(type);
      expect(JSON.stringify(detector.createState()).length).toBeLessThan(1024);
      const first = detector.createState();
      if (typeof first === "object" && first !== null) expect(detector.createState()).not.toBe(first);
    }
  });

  test("taxonomy ids have the form of their lists", () => {
    for (const { taxonomy } of DETECTORS) {
      const all = [
        ...(taxonomy.owaspLlm2025 ?? []),
        ...(taxonomy.owaspAgentic2026 ?? []),
        ...(taxonomy.mitreAtlas ?? []),
        ...(taxonomy.mast ?? []),
      ];
      expect(all.length).toBeGreaterThan(0);
      for (const id of taxonomy.owaspLlm2025 ?? []) expect(id).toMatch(/^LLM(?:0[1-9]|10):2025$/);
      for (const id of taxonomy.owaspAgentic2026 ?? []) expect(id).toMatch(/^ASI(?:0[1-9]|10)$/);
      for (const id of taxonomy.mitreAtlas ?? []) expect(id).toMatch(/^AML\.T\d{4}(?:\.\d{3})?$/);
      for (const id of taxonomy.mast ?? []) expect(id).toMatch(/^FM-(?:1\.[1-5]|2\.[1-6]|3\.[1-3])$/);
    }
  });

  test("no payload makes a detector throw or answer unsoundly", () => {
    const names = ["tool_name", "arguments", "result", "error", "call_id", "server", "method", "description"];
    const more = [
      "input_schema",
      "destination",
      "mode",
      "type",
      "message",
      "stack",
      "handled",
      "validator",
      "passed",
    ];
    const rest = [
      "signal",
      "score",
      "threshold",
      "drifted",
      "component",
      "kind",
      "code",
      "metric",
      "operation",
    ];
    const last = [
      "from_agent",
      "to_agent",
      "action",
      "state_hash",
      "state",
      "output",
      "finish_reason",
      "tokens_in",
    ];
    const fields = fc.constantFrom(...names, ...more, ...rest, ...last);
    const payload = fc.dictionary(fields, fc.jsonValue({ maxDepth: 3 }), { maxKeys: 20 });
    const stored = fc.tuple(fc.constantFrom(...EVENT_TYPES), fc.nat({ max: 20 }), payload);
    fc.assert(
      fc.property(fc.array(stored, { maxLength: 30 }), (list) => {
        const events = list.map(([type, sequence, data], at) =>
          event(type, sequence, data, { eventId: `e${at}` }),
        );
        for (const detector of DETECTORS) {
          play(detector, { events, finished: { status: "crashed" }, tickAfterMs: 3_600_001 }, "singly");
        }
      }),
    );
  });
});
