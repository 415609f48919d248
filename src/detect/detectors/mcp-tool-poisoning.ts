import type { Detector } from "../detector.ts";
import { hiddenInWords } from "../text/disguise/decode-hidden.ts";
import { findingOf, type SeenState } from "../text/firing.ts";
import { injectionVerdict } from "../text/injection/injection-verdict.ts";
import { reachBeyondTool } from "../text/injection/speech-acts.ts";
import { languageMatch } from "../text/languages/language-rules.ts";
import { DESCRIPTION_RULES, EXAMPLE_VALUES, strayOrders } from "../text/payload-rules.ts";
import { DESCRIPTION_CLAIMS } from "../text/poisoning/description-claims.ts";
import { DESCRIPTION_ORDERS } from "../text/poisoning/description-orders.ts";
import { sentenceMatches } from "../text/poisoning/sentence-rules.ts";
import { withoutUsage } from "../text/poisoning/usage-told.ts";
import { judge, type RuleMatch } from "../text/scan/chain-rules.ts";
import { ClassSet } from "../text/scan/class-set.ts";
import type { TextScan } from "../text/scan/scan-text.ts";
import { textDetector, threshold } from "../text/text-detector.ts";

/**
 * A tool's description or schema gives the model orders: to read files that are none of its business, to call or
 * shun other tools, to keep something from the user. Looks at descriptions and at the answers to `tools/list`.
 */
const CLASS = "mcp_tool_poisoning";
const SCORE = 0.7;
const INVISIBLE_MIN = 8;
const ORDERS = [...DESCRIPTION_ORDERS, ...DESCRIPTION_CLAIMS];

/** Words by which a description turns to its caller; without one it lists what its parameters hold. */
const TURNS = new ClassSet(
  "toMachine",
  "machine",
  "model",
  "secrecy",
  "hush",
  "sensitivePath",
  "toolCross",
  "netTool",
  "override",
  "diverge",
  "instead",
  "voided",
  "weaken",
  "persist",
  "urge",
  "authority",
  "frame",
);
/** What one parameter does to another, and nouns of the trade. */
const AMONG_PARAMETERS =
  /^(?:takes precedence|overrid\w{0,4}|supersedes|replaces any|ignore[sd]|replace[sd]|skip(?:s|ped)|in the parameter|as a parameter|conversation history|chat history|bcc|will not work|in the background|instead of|agents?)$/i;
const LEAVES = new ClassSet("outward", "act", "deed");
const MAIL = /[\w.+-]{1,64}@[\w-]{1,63}\.\w{2,12}/i;
/** An address to send to; one to read at explains the tool. */
const TARGET =
  /(?<!\b(?:see|visit|refer to|reference|documentation|docs|guide|info|information|details|from|format)\b[^.\n]{0,60})(?:https?:\/\/|www\.)(?!(?:docs|developers?|learn|support|help|cloud)\.|[^\s]{0,60}\/docs?\/)/i;

/** What somebody has to do; what a value has to be like is a matter of the parameter. */
const OBLIGED =
  /\b(?:must|should|ha(?:s|ve) to|needs? to|muss|soll|doit|debe|deve) (?!(?:not )?(?:be|only|match|contain|start|use|accept|specify|provide|have|exactly|sein|\u00eatre|ser|essere)\b|also accept)/i;

function turnsToCaller({ hits, text }: TextScan, { start, end }: RuleMatch): boolean {
  let leaves = false;
  for (let i = 0; i < hits.length; i += 3) {
    const from = hits[i + 1] as number;
    if (from < start || from >= end) continue;
    const cls = hits[i] as number;
    if (TURNS.has(cls) && !AMONG_PARAMETERS.test(wholeWord(text, from, hits[i + 2] as number))) return true;
    if (LEAVES.has(cls)) leaves = true;
  }
  const passage = text.slice(start, end);
  return (
    OBLIGED.test(passage) ||
    MAIL.test(passage.replace(EXAMPLE_VALUES, "")) ||
    (leaves && TARGET.test(passage))
  );
}

/** A hit with the letters that follow it in the text. */
function wholeWord(text: string, from: number, to: number): string {
  let end = to;
  while (end < to + 4 && /[a-z]/i.test(text[end] ?? "")) end++;
  return text.slice(from, end);
}

export const mcpToolPoisoning: Detector<SeenState> = textDetector(
  {
    failureClass: CLASS,
    version: 9,
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
    readsDisguised: true,
    looksAt: ({ origin }, event) =>
      origin === "description" || (origin === "tool" && event.payload.method === "tools/list"),
    find(fragment, input) {
      const { text } = fragment;
      const scan = withoutUsage(fragment.scan);
      const matches: RuleMatch[] = [...judge(scan, DESCRIPTION_RULES).matches];
      const signed = reachBeyondTool(scan);
      if (signed !== null && turnsToCaller(scan, signed)) matches.push(signed);
      const foreign = languageMatch(scan, "description");
      if (foreign !== null) matches.push(foreign);
      matches.push(...sentenceMatches(text, ORDERS));
      const stray = strayOrders(text);
      if (stray !== null) matches.push(stray);
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
