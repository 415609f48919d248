import type { Detector } from "../detector.ts";
import { judge } from "../text/chain-rules.ts";
import { holdsAny } from "../text/class-set.ts";
import { findingOf, type SeenState } from "../text/firing.ts";
import { speaksOfLimits } from "../text/jailbreak-features.ts";
import { jailbreakScore } from "../text/jailbreak-model.ts";
import { JAILBREAK_RULES } from "../text/jailbreak-rules.ts";
import { textDetector, threshold } from "../text/text-detector.ts";

/**
 * A prompt that tries to talk the model out of its rules: a persona without limits, two answers, a promise never to
 * refuse. Looks at what a person typed and at content from outside, never at the operator's own instructions.
 */
const CLASS = "jailbreak_attempt";
const SCORE = 0.7;

const worth = holdsAny("persona|unbound|jailbreakName|noRefuse|dualOutput|tokensGame|override");

/** What a tool returns speaks of rules and crimes in many ways; an attempt casts the model into something. */
const castsModel = holdsAny("persona|jailbreakName|dualOutput");

export const jailbreakAttempt: Detector<SeenState> = textDetector(
  {
    failureClass: CLASS,
    version: 3,
    family: "security",
    summary: "A prompt tries to talk the model out of its rules with a persona, a mode or a game.",
    defaultSeverity: "medium",
    signature: ["strongest rule", "origin of the text", "event type", "class of the tool"],
    taxonomy: { owaspLlm2025: ["LLM01:2025"], owaspAgentic2026: ["ASI01"], mitreAtlas: ["AML.T0054"] },
    thresholds: {
      score: {
        default: SCORE,
        min: 0.3,
        max: 1,
        description: "Evidence from which a prompt counts as an attempt.",
      },
    },
    eventTypes: ["llm_call", "tool_call", "mcp_call", "memory_operation", "agent_handoff"],
  },
  {
    find(fragment, _event, input) {
      const { origin, scan } = fragment;
      if (scan.hits.length < 9 || !worth(scan)) return null;
      if (origin !== "user" && origin !== "tool" && origin !== "other") return null;
      const least = threshold(input, "score", SCORE);
      const verdict = judge(scan, JAILBREAK_RULES);
      if (verdict.score >= least) return findingOf(fragment, verdict, CLASS);
      if (!speaksOfLimits(scan) || (origin === "tool" && !castsModel(scan))) return null;
      const score = jailbreakScore(scan);
      if (score < least) return null;
      const first = scan.hits[1] as number;
      const weighed = { id: "lexicon-model", weight: score, start: first, end: first + 80 };
      return findingOf(fragment, { score, matches: [weighed, ...verdict.matches] }, CLASS);
    },
  },
);
