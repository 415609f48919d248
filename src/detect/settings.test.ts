import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { DETECTORS } from "./registry.ts";
import { checkDetectorSettings } from "./settings.ts";

describe("checkDetectorSettings", () => {
  test("nothing chosen: every class runs with its defaults", () => {
    for (const value of [{}, null, undefined]) {
      const { byClass, problems } = checkDetectorSettings(value, DETECTORS);
      expect(problems).toEqual([]);
      expect(byClass.size).toBe(DETECTORS.length);
      expect(byClass.get("tool_loop")).toEqual({ enabled: true, settings: { thresholds: {}, allow: [] } });
    }
  });

  test("of an allow-list that is too long the first 500 entries hold", () => {
    const tools = Array.from({ length: 501 }, (_, n) => `tool_${n}`);
    const { byClass, problems } = checkDetectorSettings({ tool_loop: { allow: tools } }, DETECTORS);
    expect(byClass.get("tool_loop")?.settings.allow).toEqual(tools.slice(0, 500));
    expect(problems.map(({ code, path }) => `${code} ${path}`)).toEqual(["out_of_range tool_loop.allow"]);
  });

  test("what is chosen holds", () => {
    const value = {
      tool_loop: { enabled: false, thresholds: { repeats: 5 }, allow: ["poll_job"] },
      sandbox_escape: { allow: ["*.mock.internal"] },
    };
    const { byClass, problems } = checkDetectorSettings(value, DETECTORS);
    expect(problems).toEqual([]);
    expect(byClass.get("tool_loop")).toEqual({
      enabled: false,
      settings: { thresholds: { repeats: 5 }, allow: ["poll_job"] },
    });
    expect(byClass.get("sandbox_escape")?.settings.allow).toEqual(["*.mock.internal"]);
  });

  test("entries that can match nothing are named and left out", () => {
    const fine = [
      "a.example",
      "*.b.example",
      "db:5432",
      "[::1]:80",
      "10.0.0.0/8",
      "fd00::/8",
      "bücher.example",
    ];
    const wrong = ["https://a.example", "a.example/path", "10.0.0.0/99", "a b", "*.", "user@a.example", "*"];
    const { byClass, problems } = checkDetectorSettings(
      { sandbox_escape: { allow: [...fine, ...wrong] }, prompt_injection: { allow: ["read_mail"] } },
      DETECTORS,
    );
    expect(byClass.get("sandbox_escape")?.settings.allow).toEqual(fine);
    expect(problems.map(({ path }) => path).toSorted()).toEqual(
      [
        "prompt_injection.allow",
        ...wrong.map((_, n) => `sandbox_escape.allow[${fine.length + n}]`),
      ].toSorted(),
    );
    expect(checkDetectorSettings({ prompt_injection: { allow: [] } }, DETECTORS).problems).toEqual([]);
  });

  test("what is wrong is named and left out, and the rest holds", () => {
    const value = {
      tool_loops: {},
      tool_loop: {
        enabled: "no",
        thresholds: { repeats: 1, windowCalls: 20, nope: 3, toString: 1 },
        allow: ["a", 7, ""],
        x: 1,
      },
      no_progress: [],
      validator_failure: { thresholds: { any: 1 }, allow: "v" },
      handoff_loop: { thresholds: { rounds: Number.NaN } },
      tool_error_burst: { thresholds: { windowCalls: 10.5, errorShareMin: 0.25 } },
    };
    const { byClass, problems } = checkDetectorSettings(value, DETECTORS);
    expect(problems.map(({ code, path }) => `${code} ${path}`).sort()).toEqual([
      "invalid_value handoff_loop.thresholds.rounds",
      "invalid_value tool_error_burst.thresholds.windowCalls",
      "invalid_value tool_loop.allow[1]",
      "invalid_value tool_loop.allow[2]",
      "invalid_value tool_loop.enabled",
      "invalid_value validator_failure.allow",
      "not_an_object no_progress",
      "out_of_range tool_loop.thresholds.repeats",
      "unknown_class tool_loops",
      "unknown_field tool_loop.x",
      "unknown_threshold tool_loop.thresholds.nope",
      "unknown_threshold tool_loop.thresholds.toString",
      "unknown_threshold validator_failure.thresholds.any",
    ]);
    expect(byClass.get("tool_loop")).toEqual({
      enabled: true,
      settings: { thresholds: { windowCalls: 20 }, allow: ["a"] },
    });
  });

  test("numbers that can never be reached together are named and left out", () => {
    const problemsOf = (thresholds: Record<string, number>) => {
      const { byClass, problems } = checkDetectorSettings({ tool_error_burst: { thresholds } }, DETECTORS);
      return [
        problems.map(({ path, detail }) => `${path}: ${detail}`),
        byClass.get("tool_error_burst")!.settings,
      ];
    };
    expect(problemsOf({ errorsMin: 11, errorShareMin: 0.2 })).toEqual([
      ["tool_error_burst.thresholds.errorsMin: expected at most windowCalls, which is 10"],
      { thresholds: { errorShareMin: 0.2 }, allow: [] },
    ]);
    expect(problemsOf({ windowCalls: 4 })).toEqual([
      ["tool_error_burst.thresholds.windowCalls: expected at least errorsMin, which is 5"],
      { thresholds: {}, allow: [] },
    ]);
    expect(problemsOf({ windowCalls: 4, errorsMin: 4 })).toEqual([
      [],
      { thresholds: { windowCalls: 4, errorsMin: 4 }, allow: [] },
    ]);
    expect(problemsOf({ windowCalls: 12, errorsMin: 13 })[0]).toHaveLength(1);
  });

  test("any JSON is answered, with a bounded report", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const { byClass, problems } = checkDetectorSettings(value, DETECTORS);
        expect(byClass.size).toBe(DETECTORS.length);
        expect(problems.length).toBeLessThanOrEqual(100);
      }),
    );
    const flood = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`class-${i}`, 1]));
    expect(checkDetectorSettings(flood, DETECTORS).problems).toHaveLength(100);
    expect(checkDetectorSettings([], DETECTORS).problems[0]?.code).toBe("not_an_object");
  });
});
