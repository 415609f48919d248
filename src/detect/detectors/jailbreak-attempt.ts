import type { Detector } from "../detector.ts";
import { alibi } from "../text/alibi.ts";
import { judge, withSigns } from "../text/chain-rules.ts";
import { holdsAny } from "../text/class-set.ts";
import { tellsPeople } from "../text/document-kind.ts";
import { findingOf, type SeenState } from "../text/firing.ts";
import { jailbreakPassages } from "../text/jailbreak-features.ts";
import { weighPassages } from "../text/jailbreak-model.ts";
import { JAILBREAK_RULES } from "../text/jailbreak-rules.ts";
import { languageMatch } from "../text/languages/language-rules.ts";
import { textDetector, threshold } from "../text/text-detector.ts";

/**
 * A prompt that tries to talk the model out of its rules: a persona without limits, two answers, a promise never to
 * refuse. Looks at what a person typed and at content from outside, never at the operator's own instructions.
 */
const CLASS = "jailbreak_attempt";
const SCORE = 0.7;

const worth = holdsAny("persona|unbound|jailbreakName|noRefuse|dualOutput|tokensGame|override|alibi");

export const jailbreakAttempt: Detector<SeenState> = textDetector(
  {
    failureClass: CLASS,
    version: 6,
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
      const foreign = languageMatch(scan, "jailbreak");
      if (foreign === null && (scan.hits.length < 9 || !worth(scan))) return null;
      if (origin !== "user" && origin !== "tool" && origin !== "other") return null;
      const carried = origin === "tool";
      const least = threshold(input, "score", SCORE);
      const rules = withSigns(judge(scan, JAILBREAK_RULES), foreign);
      const verdict = carried ? rules : withSigns(rules, alibi(scan));
      if (verdict.score >= least) {
        return carried && tellsPeople(scan.text) ? null : findingOf(fragment, verdict, CLASS);
      }
      const weighed = weighPassages(jailbreakPassages(scan), carried);
      if (weighed === null || weighed.score < least || (carried && tellsPeople(scan.text))) return null;
      const { score, passage } = weighed;
      const match = { id: "lexicon-model", weight: score, start: passage.at, end: passage.at + 80 };
      return findingOf(fragment, { score, matches: [match, ...verdict.matches] }, CLASS);
    },
  },
);
