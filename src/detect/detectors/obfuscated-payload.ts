import type { Detector } from "../detector.ts";
import { judge, type RuleMatch } from "../text/chain-rules.ts";
import { holdsAny } from "../text/class-set.ts";
import { type HiddenText, hiddenInWords, hiddenTexts } from "../text/decode-hidden.ts";
import { EXTRACTION_RULES } from "../text/extraction-rules.ts";
import { findingOf, type SeenState } from "../text/firing.ts";
import { CARRIED_RULES, OVERRIDE_RULES } from "../text/injection-rules.ts";
import { injectionVerdict } from "../text/injection-verdict.ts";
import { CODE_RULES, EXFILTRATION_RULES } from "../text/payload-rules.ts";
import type { FragmentScan } from "../text/scan-event.ts";
import { scanText } from "../text/scan-text.ts";
import { textDetector, threshold } from "../text/text-detector.ts";

/**
 * Orders or commands made unreadable: encodings that decode to an order, commands that run what they decode,
 * invisible characters, letters spaced apart, look-alike letters. An encoding by itself is no finding.
 */
const CLASS = "obfuscated_payload";
const SCORE = 0.7;
const INVISIBLE_MIN = 6;

const hasCode = holdsAny("decode|powershell");
const suspicious = holdsAny(
  "override|hiddenText|sensitivePath|netTool|execWord|unbound|secrecy|urge|dropSite",
);

function match(id: string, weight: number, start: number, end: number): RuleMatch {
  return { id, weight, start, end };
}

/** Letters spaced evenly join to one word. */
const RUN_TOGETHER =
  /(?:ignore|forget|disregard|bypass|override)(?:all|any|the|your|my|previous|prior|every)|systemprompt|previousinstructions/i;

/** The decoded text is judged as content from outside: nobody encodes a wish. */
function judgeDecoded(hiddenOnes: readonly HiddenText[]): RuleMatch[] {
  const matches: RuleMatch[] = [];
  for (const hidden of hiddenOnes) {
    const scan = scanText(hidden.text.slice(0, 4_096));
    const run = hidden.kind === "spaced-letters" && RUN_TOGETHER.test(hidden.text);
    if (!run && !suspicious(scan)) continue;
    const rules = [
      ...OVERRIDE_RULES,
      ...CARRIED_RULES,
      ...EXTRACTION_RULES,
      ...EXFILTRATION_RULES,
      ...CODE_RULES,
    ];
    const { score } = judge(scan, rules);
    const command =
      /\b(?:curl|wget|bash|powershell|nc|rm -rf|chmod|\/bin\/sh|invoke-|downloadstring)\b/i.test(hidden.text);
    const weight = score >= 0.6 || run ? 0.9 : command && hidden.kind !== "digits-for-letters" ? 0.8 : 0;
    if (weight > 0) matches.push(match(`hidden-in-${hidden.kind}`, weight, hidden.start, hidden.end));
  }
  return matches;
}

const LOOK_ALIKE = /[\u0370-\u03ff\u0400-\u04ff\uff01-\uff5e\u{1d400}-\u{1d7ff}]/u;
const MIXED_WORD = /[A-Za-z][\u0370-\u03ff\u0400-\u04ff]|[\u0370-\u03ff\u0400-\u04ff][A-Za-z]/;

/** An order that only reads as one after look-alikes are folded and invisible characters are left out. */
function disguised(fragment: FragmentScan): RuleMatch | null {
  for (const found of injectionVerdict(fragment).matches) {
    const raw = fragment.text.slice(found.start, found.end);
    const alike = LOOK_ALIKE.test(raw) && (MIXED_WORD.test(raw) || /[\uff01-\uff5e]/.test(raw));
    if (alike || /[\u200b-\u200f\u2060-\u2064\ufeff]/.test(raw) || hiddenInWords(raw) > 0) {
      return match("disguised-letters", 0.9, found.start, found.end);
    }
  }
  return null;
}

export const obfuscatedPayload: Detector<SeenState> = textDetector(
  {
    failureClass: CLASS,
    version: 3,
    family: "security",
    summary: "An order or a command is hidden by an encoding, invisible characters or disguised letters.",
    defaultSeverity: "high",
    signature: ["strongest rule", "origin of the text", "event type", "class of the tool"],
    taxonomy: {
      owaspLlm2025: ["LLM01:2025"],
      owaspAgentic2026: ["ASI01", "ASI05"],
      mitreAtlas: ["AML.T0051", "AML.T0068"],
    },
    thresholds: {
      score: {
        default: SCORE,
        min: 0.3,
        max: 1,
        description: "Evidence from which a text counts as a payload.",
      },
      invisibleMin: {
        default: INVISIBLE_MIN,
        min: 1,
        max: 1_000,
        description: "Invisible characters inside words from which a text counts.",
      },
    },
    eventTypes: ["llm_call", "tool_call", "mcp_call", "memory_operation", "agent_handoff"],
  },
  {
    find(fragment, _event, input) {
      const { scan, text, origin } = fragment;
      if (origin === "system") return null;
      const hiddenOnes = hiddenTexts(scan);
      if (scan.hits.length === 0 && scan.hidden === 0 && hiddenOnes.length === 0) return null;
      const matches: RuleMatch[] = [];
      const invisibleMin = threshold(input, "invisibleMin", INVISIBLE_MIN);
      if (scan.hidden > 0 && scan.hidden >= invisibleMin && hiddenInWords(text) >= invisibleMin) {
        matches.push(match("invisible-characters", 0.8, 0, Math.min(60, text.length)));
      }
      if (scan.hits.length > 0) {
        if (hasCode(scan)) matches.push(...judge(scan, CODE_RULES).matches);
        const found = disguised(fragment);
        if (found !== null) matches.push(found);
      }
      if (hiddenOnes.length > 0) matches.push(...judgeDecoded(hiddenOnes));
      if (matches.length === 0) return null;
      const score = 1 - matches.reduce((doubt, one) => doubt * (1 - one.weight), 1);
      return score >= threshold(input, "score", SCORE)
        ? findingOf(fragment, { score, matches }, CLASS)
        : null;
    },
  },
);
