import type { SeededRandom } from "../../ingest/random.ts";
import { chance, type Draft, modelCall, type Step, toolCall } from "../generated-runs.ts";
import { type Failure, times } from "./failure.ts";

/** Failures of what an agent does, and what it costs. */

/** The same call over and over, other calls between them now and then. */
function repeats(
  draft: Draft,
  random: SeededRandom,
  count: number,
  of: (at: number) => Record<string, unknown>,
): void {
  const steps: Step[] = [];
  for (let at = 0; at < count; at++) {
    steps.push(toolCall(draft, random, of(at)));
    if (chance(random, 0.4)) steps.push(modelCall(draft, random));
    if (chance(random, 0.2)) steps.push(toolCall(draft, random));
  }
  draft.put(draft.somewhere(), ...steps);
}

function cycle(draft: Draft, random: SeededRandom, rounds: number): void {
  const period = 2 + random.below(2);
  const calls = times(rounds * period, (at) =>
    toolCall(draft, random, {
      tool_name: `step_${at % period}`,
      arguments: { page: at % period },
      result: "unchanged",
    }),
  );
  draft.put(draft.somewhere(), ...calls);
}

const errors = (draft: Draft, random: SeededRandom, of: number, failed: number, told: boolean): Step[] => {
  const places = new Set<number>();
  while (places.size < failed) places.add(random.below(of));
  return times(of, (at) => {
    if (!places.has(at)) return toolCall(draft, random);
    return told
      ? toolCall(draft, random, { error: `HTTP 502 from upstream ${random.below(90)}`, result: null })
      : toolCall(draft, random, { result: `sorry, that did not work (${random.below(900)})` });
  });
};

const handoffs = (draft: Draft, agents: readonly string[], rounds: number, between: () => Step[]): Step[] => {
  const steps: Step[] = [];
  for (let at = 0; at < rounds * agents.length; at++) {
    const from_agent = agents[at % agents.length];
    const to_agent = agents[(at + 1) % agents.length];
    steps.push(draft.step("agent_handoff", { from_agent, to_agent, reason: "not mine" }), ...between());
  }
  return steps;
};

const decision = (draft: Draft, action: string, more: Record<string, unknown> = {}): Step =>
  draft.step("human_intervention", { action, ...more });

const refund = { tool_name: "pay_refund", arguments: { order: 77, amount: 120 } };

/** The last step of an ordinary draft is its final answer. */
const finalAnswer = (draft: Draft): Step => draft.steps.at(-1) as Step;

export const BEHAVIOUR_FAILURES: readonly Failure[] = [
  {
    failureClass: "tool_loop",
    inject(draft, random) {
      const kind = random.below(8);
      if (kind < 2) cycle(draft, random, 3 + random.below(3));
      else if (kind === 2)
        repeats(draft, random, 4 + random.below(4), (at) => ({
          tool_name: "get_job",
          arguments: { id: 9, request_id: `r${at}` },
          result: "pending",
        }));
      else
        repeats(draft, random, 3 + random.below(5), () => ({
          tool_name: "get_job",
          arguments: { id: 9 },
          result: "none",
        }));
    },
    nearMiss(draft, random) {
      const kind = random.below(4);
      if (kind === 0) cycle(draft, random, 2);
      else if (kind === 1)
        repeats(draft, random, 3 + random.below(3), (at) => ({
          tool_name: "get_job",
          arguments: { id: 9 },
          result: `${at * 20 + random.below(10)} %`,
        }));
      else if (kind === 2)
        repeats(draft, random, 6, (at) => ({
          tool_name: "list_orders",
          arguments: { page: at },
          result: [at],
        }));
      else repeats(draft, random, 2, () => ({ tool_name: "get_job", arguments: { id: 9 }, result: "none" }));
    },
  },
  {
    failureClass: "tool_error_burst",
    inject(draft, random) {
      draft.put(draft.somewhere(), ...errors(draft, random, 10, 5 + random.below(5), chance(random, 0.85)));
    },
    nearMiss(draft, random) {
      draft.put(draft.somewhere(), ...errors(draft, random, 10, 2 + random.below(2), true));
    },
  },
  {
    failureClass: "runaway_tokens",
    inject(draft, random) {
      const factor = 5 + random.below(40);
      draft.put(
        draft.somewhere(),
        ...times(10, () => modelCall(draft, random, { tokens_in: factor * 1_400 + random.below(400) })),
      );
    },
    nearMiss(draft, random) {
      const factor = 2 + random.below(4);
      draft.put(
        draft.somewhere(),
        ...times(10, () => modelCall(draft, random, { tokens_in: factor * 1_400 + random.below(400) })),
      );
    },
  },
  {
    failureClass: "no_progress",
    inject(draft, random) {
      const paraphrased = chance(random, 0.15);
      const count = 4 + random.below(3);
      const steps = chance(random, 0.5)
        ? times(count, () => draft.step("checkpoint", { state_hash: "same" }))
        : times(count, (at) =>
            modelCall(draft, random, {
              output: paraphrased
                ? `${["Let me", "I will", "Now I", "Next I"][at % 4]} look at the order once more, attempt ${at}.`
                : "I will look at the order once more and report.",
            }),
          );
      draft.put(
        draft.somewhere(),
        ...steps.flatMap((step) => (chance(random, 0.5) ? [step, toolCall(draft, random)] : [step])),
      );
    },
    nearMiss(draft, random) {
      const count = 2 + random.below(2);
      const steps = chance(random, 0.5)
        ? [
            ...times(count, () => draft.step("checkpoint", { state_hash: "same" })),
            draft.step("checkpoint", { state_hash: "other" }),
          ]
        : times(count, () =>
            modelCall(draft, random, { output: "I will look at the order once more and report." }),
          );
      draft.put(draft.somewhere(), ...steps);
    },
  },
  {
    failureClass: "handoff_loop",
    inject(draft, random) {
      const agents = ["planner", "writer", "checker", "router"].slice(0, 2 + random.below(3));
      const chatty = chance(random, 0.15);
      const between = (): Step[] =>
        chatty
          ? [
              modelCall(draft, random, {
                output: `I think that this is for you. ${"Please have a look at it. ".repeat(8)}`,
              }),
            ]
          : [];
      draft.put(draft.somewhere(), ...handoffs(draft, agents, 2 + random.below(3), between));
    },
    nearMiss(draft, random) {
      const agents = ["planner", "writer", "checker"].slice(0, 2 + random.below(2));
      if (chance(random, 0.5)) draft.put(draft.somewhere(), ...handoffs(draft, agents, 1, () => []));
      else draft.put(draft.somewhere(), ...handoffs(draft, agents, 3, () => [toolCall(draft, random)]));
    },
  },
  {
    failureClass: "ignored_human_decision",
    inject(draft, random) {
      const at = draft.somewhere();
      if (chance(random, 0.4)) draft.put(at, decision(draft, "stop"), toolCall(draft, random));
      else {
        const changed = chance(random, 0.2) ? { ...refund, arguments: { order: 77, amount: 119 } } : refund;
        draft.put(
          at,
          decision(draft, "reject", refund),
          modelCall(draft, random),
          toolCall(draft, random, changed),
        );
      }
    },
    nearMiss(draft, random) {
      const at = draft.somewhere();
      if (chance(random, 0.5))
        draft.put(
          at,
          decision(draft, "reject", refund),
          decision(draft, "approve", refund),
          toolCall(draft, random, refund),
        );
      else
        draft.put(
          at,
          decision(draft, "reject", refund),
          toolCall(draft, random, { tool_name: "ask_customer" }),
        );
    },
  },
  {
    failureClass: "premature_completion",
    inject(draft, random) {
      const kind = random.below(4);
      if (kind === 0)
        draft.put(
          draft.steps.length - 1,
          draft.step("validator_result", { validator: "totals", passed: false }),
        );
      else if (kind === 1)
        finalAnswer(draft).payload.finish_reason = chance(random, 0.5) ? "length" : "content_filter";
      else if (kind === 2) {
        draft.put(
          draft.steps.length - 1,
          toolCall(draft, random, { call_id: "open", result: undefined, latency_ms: undefined }),
        );
        for (const name of ["closed-1", "closed-2"])
          draft.put(
            2,
            toolCall(draft, random, { call_id: name, result: undefined, latency_ms: undefined }),
            toolCall(draft, random, { call_id: name }),
          );
      } else finalAnswer(draft).payload.output = "I would have to look that up first. (ends here)";
    },
    nearMiss(draft, random) {
      if (chance(random, 0.5))
        draft.put(
          draft.steps.length - 1,
          draft.step("validator_result", { validator: "totals", passed: false }),
          toolCall(draft, random),
          draft.step("validator_result", { validator: "totals", passed: true }),
        );
      else
        draft.put(
          draft.somewhere(),
          modelCall(draft, random, { finish_reason: "length" }),
          toolCall(draft, random),
        );
    },
  },
  {
    failureClass: "validator_failure",
    inject: (draft) =>
      draft.put(draft.somewhere(), draft.step("validator_result", { validator: "address", passed: false })),
    nearMiss: (draft) =>
      draft.put(
        draft.somewhere(),
        draft.step("validator_result", { validator: "address", passed: true, message: "0 failures" }),
      ),
  },
  {
    failureClass: "eval_regression",
    inject(draft, random) {
      const score = 0.9 * (0.4 + random.below(450) / 1_000);
      draft.put(draft.somewhere(), draft.step("eval_score", { metric: "accuracy", score }));
    },
    nearMiss(draft, random) {
      const score = 0.84 + random.below(100) / 1_000;
      draft.put(draft.somewhere(), draft.step("eval_score", { metric: "accuracy", score }));
    },
  },
  {
    failureClass: "behavior_drift",
    inject(draft, random) {
      const kind = random.below(3);
      if (kind === 0)
        draft.put(
          draft.somewhere(),
          draft.step("drift_signal", { signal: "topic", score: 0.6 + random.below(40) / 100, drifted: true }),
        );
      else if (kind === 1)
        draft.put(draft.somewhere(), toolCall(draft, random, { tool_name: `export_${random.below(9)}` }));
      else draft.put(draft.somewhere(), ...times(50 + random.below(150), () => toolCall(draft, random)));
    },
    nearMiss(draft, random) {
      if (chance(random, 0.5))
        draft.put(
          draft.somewhere(),
          draft.step("drift_signal", { signal: "topic", score: 0.4, drifted: false }),
        );
      else draft.put(draft.somewhere(), ...times(10 + random.below(15), () => toolCall(draft, random)));
    },
  },
];
