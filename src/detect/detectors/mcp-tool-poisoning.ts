import type { Detector } from "../detector.ts";
import { judge, type RuleMatch } from "../text/chain-rules.ts";
import { hiddenInWords } from "../text/decode-hidden.ts";
import { findingOf, type SeenState } from "../text/firing.ts";
import { injectionVerdict } from "../text/injection-verdict.ts";
import { DESCRIPTION_RULES } from "../text/payload-rules.ts";
import { reachBeyondTool } from "../text/speech-acts.ts";
import { textDetector, threshold } from "../text/text-detector.ts";

/**
 * A tool's description or schema gives the model orders: to read files that are none of its business, to call or
 * shun other tools, to keep something from the user. Looks at descriptions and at the answers to `tools/list`.
 */
const CLASS = "mcp_tool_poisoning";
const SCORE = 0.7;
const INVISIBLE_MIN = 8;

export const mcpToolPoisoning: Detector<SeenState> = textDetector(
  {
    failureClass: CLASS,
    version: 3,
    family: "security",
    summary: "The description or schema of a tool gives the model orders beyond the tool.",
    defaultSeverity: "critical",
    signature: ["strongest rule", "origin of the text", "event type", "class of the tool"],
    taxonomy: {
      owaspLlm2025: ["LLM01:2025", "LLM03:2025"],
      owaspAgentic2026: ["ASI02", "ASI04"],
      mitreAtlas: ["AML.T0110", "AML.T0051.001"],
    },
    thresholds: {
      score: {
        default: SCORE,
        min: 0.3,
        max: 1,
        description: "Evidence from which a description counts as poisoned.",
      },
    },
    eventTypes: ["mcp_call", "tool_call"],
  },
  {
    find(fragment, event, input) {
      const { origin, scan, text } = fragment;
      if (scan.hits.length === 0 && scan.hidden === 0 && scan.tags === 0) return null;
      const listed = origin === "tool" && event.payload.method === "tools/list";
      if (origin !== "description" && !listed) return null;
      const matches: RuleMatch[] = [...judge(scan, DESCRIPTION_RULES).matches];
      const signed = reachBeyondTool(scan);
      if (signed !== null) matches.push(signed);
      const injected = injectionVerdict(fragment);
      if (injected.score >= 0.7) matches.push(...injected.matches);
      if (scan.hidden + scan.tags >= INVISIBLE_MIN && hiddenInWords(text) + scan.tags >= INVISIBLE_MIN) {
        matches.push({ id: "invisible-characters", weight: 0.85, start: 0, end: Math.min(60, text.length) });
      }
      if (matches.length === 0) return null;
      const score = 1 - matches.reduce((doubt, one) => doubt * (1 - one.weight), 1);
      return score >= threshold(input, "score", SCORE)
        ? findingOf(fragment, { score, matches }, CLASS)
        : null;
    },
  },
);
