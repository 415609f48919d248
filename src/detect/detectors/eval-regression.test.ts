import { describe, expect, test } from "bun:test";
import { describeAnyDetector, event, play, TestMemory } from "../../../test/support/detector-harness.ts";
import { plainPayload } from "../client-forms/plain-payload.ts";
import { evalRegression } from "./eval-regression.ts";

const score = (sequence: number, value: unknown, metric = "accuracy", more = {}) =>
  event("eval_score", sequence, { metric, score: value, ...more });

function used(metric: string, values: readonly number[]): TestMemory {
  const memory = new TestMemory();
  values.forEach((value, at) => {
    const running = { executionId: `run-${at}` };
    expect(play(evalRegression, { events: [score(1, value, metric)], memory, running })).toEqual([]);
  });
  return memory;
}
const around = (mean: number, spread: number, n = 40) =>
  Array.from({ length: n }, (_, i) => mean + spread * (((i * 7) % 11) / 5 - 1));

describe("eval_regression", () => {
  describeAnyDetector(evalRegression, () => ({
    events: [score(1, 0.4, "accuracy", { passed: false })],
    memory: used("accuracy", around(0.9, 0.02)),
  }));

  test("a failed evaluation fires without any history", () => {
    const [detection] = play(evalRegression, { events: [score(1, 0.2, "faithfulness", { passed: false })] });
    expect(detection?.signatureParts).toEqual(["failed", "faithfulness"]);
    expect(play(evalRegression, { events: [score(1, 0.2, "faithfulness", { passed: true })] })).toEqual([]);
  });

  describe("without a verdict", () => {
    const rulesOf = (payload: Record<string, unknown>) =>
      play(evalRegression, { events: [event("eval_score", 1, plainPayload("eval_score", payload))] }).flatMap(
        (one) => one.ruleIds,
      );

    const convention = (of: Record<string, unknown>) =>
      Object.fromEntries(Object.entries(of).map(([key, value]) => [`gen_ai.evaluation.${key}`, value]));

    test.each([
      [
        convention({
          name: "relevance",
          "score.value": 0.2,
          "score.label": "fail",
          explanation: "off topic",
        }),
        "relevance: 0.200, failed",
      ],
      [
        { attributes: convention({ name: "relevance", "score.value": 0.2, "score.label": "fail" }) },
        "relevance: 0.200, failed",
      ],
      [convention({ name: "relevance", "score.label": "failed" }), "relevance: no score, failed"],
      [{ name: "relevance", score: { value: 0.2, label: "incorrect" } }, "relevance: 0.200, failed"],
      [{ evaluation: { metric: "relevance", score: 0.2, label: "fail" } }, "relevance: 0.200, failed"],
    ])("OpenTelemetry's and others' fields: %j", (payload, excerpt) => {
      const [found] = play(evalRegression, {
        events: [event("eval_score", 1, plainPayload("eval_score", payload))],
      });
      expect(found?.excerpt.replace(": 0.2,", ": 0.200,")).toBe(excerpt);
    });

    test.each([
      convention({ name: "relevance", "score.value": 0.9, "score.label": "pass" }),
      convention({ name: "relevance", "score.value": 0.2 }),
      convention({ name: "relevance", "score.value": 0.2, "score.label": "relevant" }),
      { name: "relevance", score: { value: 0.9, label: "correct" } },
    ])("no failure: %j", (payload) => {
      expect(
        play(evalRegression, { events: [event("eval_score", 1, plainPayload("eval_score", payload))] }),
      ).toEqual([]);
    });

    test.each([
      { metric: "show_notes_rubric", score: 41, threshold: 80 },
      { metric: "faithfulness", score: "0.4", threshold: 0.7, passed: null },
      { metric: "toxicity", score: 0.8, threshold: 0.5 },
      { metric: "abc", score: 0.4, threshold: 0.7, higher_is_better: true },
      { metric: "abc", score: 9, threshold: 5, direction: "minimize" },
      { metric: "abc", passed: "nicht bestanden" },
      { metric: "abc", passed: 0 },
      { metric: "suite", passed: 18, failed: 2 },
      { metric: "abc", regression: true },
    ])("failed: %j", (payload) => {
      expect(rulesOf(payload)).toEqual(["eval_regression/failed"]);
    });

    test.each([
      { metric: "show_notes_rubric", score: 87, threshold: 80 },
      { metric: "toxicity", score: 0.2, threshold: 0.5 },
      { metric: "p95_seconds", score: 2.4, threshold: 5 },
      { metric: "completion_tokens", score: 200, threshold: 900 },
      { metric: "steps_to_success", score: 4, threshold: 12 },
      { metric: "abc", score: 0.4, threshold: 0.7 },
      { metric: "accuracy", score: 0.9, threshold: 80 },
      { metric: "accuracy", score: 0.4, threshold: 0.7, passed: true },
      { metric: "suite", passed: 20, failed: 0 },
      { metric: "sentiment", label: "positive", score: 0.2 },
    ])("not known to have failed: %j", (payload) => {
      expect(rulesOf(payload)).toEqual([]);
    });

    test("a baseline that the event names counts where the direction is known", () => {
      const against = (metric: string, value: number, baseline: number, more = {}) =>
        rulesOf({ metric, score: value, baseline, ...more });
      expect(against("resolved", 0.28, 0.62, { higher_is_better: true })).toEqual([
        "eval_regression/given-baseline",
      ]);
      expect(against("faithfulness", 0.6, 0.9, { passed: true })).toEqual(["eval_regression/given-baseline"]);
      expect(against("error_rate", 0.3, 0.1)).toEqual(["eval_regression/given-baseline"]);
      expect(against("error_rate", 0.05, 0.3)).toEqual([]);
      expect(against("faithfulness", 0.85, 0.9)).toEqual([]);
      expect(against("abc", 0.3, 0.9)).toEqual([]);
    });
  });

  test("one score far below all seen so far fires, one within the usual range does not", () => {
    const memory = () => used("accuracy", around(0.9, 0.02));
    expect(play(evalRegression, { events: [score(1, 0.5)], memory: memory() })[0]?.ruleIds).toEqual([
      "eval_regression/single-score",
    ]);
    for (const value of [0.88, 0.86, 0.95, 1]) {
      expect(play(evalRegression, { events: [score(1, value)], memory: memory() })).toEqual([]);
    }
    expect(
      play(evalRegression, { events: [score(1, 0.5)], memory: used("accuracy", around(0.9, 0.02, 9)) }),
    ).toEqual([]);
  });

  test("a metric of ones and zeros fires on a run of zeros, not on each zero", () => {
    const mostly = Array.from({ length: 60 }, (_, i) => (i % 10 === 4 ? 0 : 1));
    const memory = used("solved", mostly);
    expect(play(evalRegression, { events: [score(1, 0, "solved")], memory })).toEqual([]);
    let fired = 0;
    for (let i = 0; i < 7; i++)
      fired += play(evalRegression, { events: [score(1, 0, "solved")], memory }).length;
    expect(fired).toBeGreaterThan(0);
  });

  test("a recent fall is told by its mean, of a run that scored low and not of a good one among them", () => {
    const fallen = () => {
      const memory = used("accuracy", around(0.9, 0.02));
      for (let i = 0; i < 7; i++) play(evalRegression, { events: [score(i, 0.6)], memory });
      return memory;
    };
    const [low] = play(evalRegression, { events: [score(1, 0.62)], memory: fallen() });
    expect(low?.ruleIds).toEqual(["eval_regression/recent-mean"]);
    expect(low?.excerpt).toMatch(/^accuracy: 0\.62, mean of the latest 8 0\.60\d, usual 0\.8\d\d$/);
    expect(play(evalRegression, { events: [score(1, 0.93)], memory: fallen() })).toEqual([]);
  });

  test("where less is better, more is a regression", () => {
    const memory = () => used("error_rate", around(0.1, 0.02));
    expect(play(evalRegression, { events: [score(1, 0.6, "error_rate")], memory: memory() })).toHaveLength(1);
    expect(play(evalRegression, { events: [score(1, 0.0, "error_rate")], memory: memory() })).toEqual([]);
  });

  test("memory is bounded at 200 metrics, odd scores are passed over", () => {
    const memory = new TestMemory();
    play(evalRegression, { events: Array.from({ length: 500 }, (_, i) => score(i, 1, `m${i}`)), memory });
    expect(memory.size).toBe(201);
    const odd = [Number.NaN, Number.POSITIVE_INFINITY, "1", null, undefined].map((value, at) =>
      score(at, value),
    );
    expect(play(evalRegression, { events: odd, memory: new TestMemory() })).toEqual([]);
  });

  test("a score as low as one seen before is no regression by itself", () => {
    const memory = used(
      "solved",
      Array.from({ length: 100 }, (_, i) => (i === 5 ? 0 : 1)),
    );
    expect(play(evalRegression, { events: [score(1, 0, "solved")], memory })).toEqual([]);
  });

  test("the first zero after many ones is no regression, the first low score after equal ones is", () => {
    const ones = used("solved", Array(30).fill(1));
    expect(play(evalRegression, { events: [score(1, 0, "solved")], memory: ones })).toEqual([]);
    const equal = used("quality", Array(30).fill(0.9));
    expect(play(evalRegression, { events: [score(1, 0.4, "quality")], memory: equal })).toHaveLength(1);
  });

  describe("few scores", () => {
    /** Rules that fire, each score in an execution of its own or all in one. */
    const rules = (metric: string, values: readonly number[], more = {}, isOneRun = false) => {
      const memory = new TestMemory();
      return values.flatMap((value, at) =>
        play(evalRegression, {
          events: [score(at, value, metric, more)],
          memory,
          running: { executionId: isOneRun ? "run" : `run-${at}` },
        }).flatMap(({ ruleIds }) => ruleIds),
      );
    };

    test.each([
      ["faithfulness", [0.94, 0.91, 0.95, 0.92, 0.53, 0.49, 0.51], {}],
      ["judge", [8.5, 8.9, 8.7, 9, 8.6, 4, 4.5, 3.5], {}],
      ["abc", [81, 79, 80, 82, 30, 41, 35], {}],
      ["hallucination_rate", [0.02, 0.03, 0.02, 0.04, 0.03, 0.16, 0.22, 0.27], {}],
      ["toxicity", [0.01, 0.012, 0.011, 0.009, 0.2, 0.3, 0.25], {}],
      ["WER", [0.081, 0.079, 0.084, 0.08, 0.19, 0.21, 0.2], {}],
      ["perplexity", [12.1, 11.9, 12.4, 12, 12.2, 31, 29, 33], {}],
      ["p95_latency_ms", [810, 790, 830, 805, 3_100, 2_900, 3_400], {}],
      ["cost_per_task", [0.11, 0.12, 0.1, 0.115, 0.5, 0.52, 0.49], {}],
      ["false_positive_rate", [0.02, 0.03, 0.025, 0.02, 0.3, 0.28, 0.33], {}],
      ["abc", [3, 3.2, 2.9, 3.1, 9, 9.5, 8.8], { lower_is_better: true }],
    ] as const)("%s %j falls far and stays there", (metric, values, more) => {
      expect(rules(metric, values, more)).toEqual(["eval_regression/lasting-drop"]);
    });

    test.each([
      // Not for long, not far, not all of them.
      ["faithfulness", [0.94, 0.91, 0.95, 0.92, 0.53, 0.49]],
      ["faithfulness", [0.94, 0.91, 0.95, 0.92, 0.53, 0.93, 0.51]],
      ["faithfulness", [0.94, 0.91, 0.95, 0.92, 0.8, 0.78, 0.79]],
      ["faithfulness", [0.94, 0.91, 0.95, 0.53, 0.49, 0.51]],
      // It varies as much anyway, or does not say how much it varies.
      ["faithfulness", [0.9, 0.4, 1, 0.7, 0.35, 0.3, 0.38]],
      ["solved", [1, 1, 1, 1, 0, 0, 0]],
      ["stars", [5, 5, 4, 5, 1, 2, 1]],
      ["latency", [0.4, 2.5, 0.9, 5, 4, 6, 5]],
      // To the better.
      ["accuracy", [0.41, 0.4, 0.43, 0.42, 0.9, 0.91, 0.92]],
      ["hallucination_rate", [0.2, 0.22, 0.21, 0.19, 0.02, 0.03, 0.01]],
      ["response_time", [4, 4.2, 3.9, 4.1, 1, 1.1, 0.9]],
    ] as const)("%s %j does not", (metric, values) => {
      expect(rules(metric, values)).toEqual([]);
    });

    test("the scores of one run may differ as its questions do", () => {
      const values = [0.94, 0.91, 0.95, 0.92, 0.53, 0.49, 0.51];
      expect(rules("faithfulness", values, {}, true)).toEqual([]);
      expect(rules("faithfulness", values)).toHaveLength(1);
    });

    describe("a set of cases that is evaluated anew each day", () => {
      const DAY_MS = 86_400_000;
      const daily = (
        values: readonly number[],
        more: object = { dataset: "faq-80" },
        metric = "accuracy",
        everyMs = DAY_MS,
      ) => {
        const memory = new TestMemory();
        return values.flatMap((value, at) =>
          play(evalRegression, {
            events: [
              event(
                "eval_score",
                1,
                { metric, score: value, ...more },
                { timestampMs: Date.UTC(2026, 2, 1) + at * everyMs },
              ),
            ],
            memory,
            running: { executionId: `run-${at}` },
          }).flatMap(({ ruleIds }) => ruleIds),
        );
      };
      const STEADY = [0.88, 0.87, 0.89, 0.88, 0.9, 0.88];

      test.each([
        [[...STEADY, 0.66], { dataset: "letters" }],
        [[0.81, 0.8, 0.82, 0.81, 0.8, 0.6], { n_samples: 200 }],
        [[71.2, 70.8, 71.5, 71, 70.9, 48], { evaluator: "golden-set-v2" }],
        [[8.8, 8.7, 8.9, 8.8, 8.75, 5.1], { suite: "regression" }],
      ] as const)("%j of %j falls at once", (values, more) => {
        expect(daily(values, more)).toEqual(["eval_regression/single-score"]);
      });

      test("not too early, not a little, not of answers alone, nor of equal or unsteady scores, nor within the hour", () => {
        expect(daily([...STEADY.slice(0, 4), 0.6])).toEqual([]);
        expect(daily([...STEADY, 0.8])).toEqual([]);
        expect(daily([...STEADY, 0.66], {})).toEqual([]);
        expect(daily([...STEADY, 0.66], { evaluator: "gpt-judge", n: 1 })).toEqual([]);
        expect(daily([...STEADY, 0.66], { dataset: "letters" }, "accuracy", 60_000)).toEqual([]);
        expect(daily([0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.6])).toEqual([]);
        expect(daily([0.9, 0.8, 0.95, 0.78, 0.86, 0.84, 0.62])).toEqual([]);
        expect(daily([0.02, 0.021, 0.019, 0.02, 0.022, 0.09], { dataset: "d" }, "error_rate")).toEqual([]);
        expect(daily([...STEADY, 0.97, 0.98])).toEqual([]);
      });
    });
  });
});
