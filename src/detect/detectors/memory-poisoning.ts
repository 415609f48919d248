import { byName } from "../building-blocks/by-name.ts";
import { toolNameOf } from "../building-blocks/calls/tool-class.ts";
import type { Detector } from "../detector.ts";
import { findingOf, type SeenState } from "../text/firing.ts";
import { injectionVerdict } from "../text/injection/injection-verdict.ts";
import { orderForLater } from "../text/injection/speech-acts.ts";
import { languageMatch } from "../text/languages/language-rules.ts";
import { claimedRank, EXAMPLE_VALUES, FOR_READING, MEMORY_RULES } from "../text/payload-rules.ts";
import { MEMORY_ORDERS } from "../text/poisoning/memory-orders.ts";
import { mayOrder, sentenceMatches } from "../text/poisoning/sentence-rules.ts";
import { withoutUsage } from "../text/poisoning/usage-told.ts";
import { judge, type RuleMatch } from "../text/scan/chain-rules.ts";
import { ClassSet } from "../text/scan/class-set.ts";
import type { TextScan } from "../text/scan/scan-text.ts";
import { textDetector, threshold } from "../text/text-detector.ts";

/**
 * What is written into a memory gives orders to later runs: to set rules aside, to send things away, to trust a
 * stranger, to keep quiet. A user's wishes ("prefers short answers") are what a memory is for.
 */
const CLASS = "memory_poisoning";
const SCORE = 0.7;

/** Words that give, lift or hide something; notes on how code is to be written have other uses for some of them. */
const TURNS = new ClassSet(
  "secrecy",
  "hush",
  "override",
  "diverge",
  "voided",
  "weaken",
  "persist",
  "authority",
  "noRefuse",
  "unbound",
  "provider",
  "toMachine",
  "urge",
);
const OF_CODE =
  /^(?:instead|disable[ds]?|overrid\w{0,5}|ignore[sd]?|skip(?:s|ped)?|silent(?:ly)?|the user has already|persist\w{0,6}|each time|every time|subsequent\w{0,4})$/i;
const ADDRESS = /[\w.+-]{1,64}@[\w-]{1,63}\.\w{2,12}|https?:\/\//i;

function rulesLaterRuns({ hits, text }: TextScan, { start, end }: RuleMatch): boolean {
  for (let i = 0; i < hits.length; i += 3) {
    const from = hits[i + 1] as number;
    if (from < start || from >= end || !TURNS.has(hits[i] as number)) continue;
    if (!OF_CODE.test(text.slice(from, hits[i + 2] as number))) return true;
  }
  return ADDRESS.test(text.slice(start, end).replace(FOR_READING, "").replace(EXAMPLE_VALUES, ""));
}

export const memoryPoisoning: Detector<SeenState> = textDetector(
  {
    failureClass: CLASS,
    version: 10,
    family: "security",
    summary: "Content written into a memory gives orders to later runs.",
    defaultSeverity: "high",
    signature: ["strongest rule", "origin of the text", "event type", "class of the tool"],
    taxonomy: {
      owaspLlm2025: ["LLM01:2025", "LLM04:2025"],
      owaspAgentic2026: ["ASI06"],
      mitreAtlas: ["AML.T0080", "AML.T0080.000"],
    },
    thresholds: {
      score: {
        default: SCORE,
        min: 0.3,
        max: 1,
        description: "Evidence from which a memory counts as poisoned.",
      },
    },
    eventTypes: ["memory_operation", "tool_call", "mcp_call", "llm_call"],
  },
  {
    readsDisguised: true,
    looksAt: ({ origin, tool }, event) =>
      event.type === "memory_operation"
        ? origin === "memory"
        : origin === "arguments" && isMemoryTool(tool || toolNameOf(event.payload)),
    find(fragment, input) {
      const scan = withoutUsage(fragment.scan);
      if (scan.hits.length === 0 && !scan.isForeign) return null;
      const matches: RuleMatch[] = [...judge(scan, MEMORY_RULES).matches];
      const signed = orderForLater(scan);
      if (signed !== null && rulesLaterRuns(scan, signed)) matches.push(signed);
      const foreign = languageMatch(scan, "memory");
      if (foreign !== null) matches.push(foreign);
      if (mayOrder(scan)) matches.push(...sentenceMatches(fragment.text, MEMORY_ORDERS));
      const claimed = claimedRank(fragment.text);
      if (claimed !== null) matches.push(claimed);
      const injected = injectionVerdict(fragment);
      if (injected.score >= 0.7) matches.push(...injected.matches);
      if (matches.length === 0) return null;
      const score = 1 - matches.reduce((doubt, one) => doubt * (1 - one.weight), 1);
      return score >= threshold(input, "score", SCORE)
        ? findingOf(fragment, { score, matches }, CLASS)
        : null;
    },
  },
);

/** Tools whose name says that they write a memory. */
const isMemoryTool = byName(
  (name) => /memor|remember|knowledge/i.test(name) && !/^(?:get|read|search|list|recall)/i.test(name),
);
