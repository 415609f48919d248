import type { Detector, DetectorEvent } from "../../src/detect/detector.ts";
import {
  LATER_BENIGN_OUTPUTS,
  LATER_BENIGN_PROMPTS,
  LATER_DESCRIPTIONS,
  LATER_EXTRACTIONS,
  LATER_INJECTIONS,
  LATER_JAILBREAKS,
  LATER_MEMORIES,
} from "../../test/detect/corpus/afterwards.ts";
import {
  BENIGN_CALLS,
  BENIGN_DESCRIPTIONS,
  BENIGN_MEMORIES,
  BENIGN_PROMPTS,
  BENIGN_TOOL_OUTPUTS,
} from "../../test/detect/corpus/benign.ts";
import { BENIGN_DOCUMENTS } from "../../test/detect/corpus/benign-documents.ts";
import { MORE_BENIGN_OUTPUTS } from "../../test/detect/corpus/benign-more.ts";
import { INJECTIONS } from "../../test/detect/corpus/injections.ts";
import { EXTRACTIONS, JAILBREAKS } from "../../test/detect/corpus/prompts.ts";
import {
  SEALED_BENIGN_DESCRIPTIONS,
  SEALED_BENIGN_MEMORIES,
  SEALED_BENIGN_OUTPUTS,
  SEALED_BENIGN_PROMPTS,
  SEALED_DESCRIPTIONS,
  SEALED_EXTRACTIONS,
  SEALED_INJECTIONS,
  SEALED_JAILBREAKS,
  SEALED_MEMORIES,
} from "../../test/detect/corpus/sealed.ts";
import { POISONED_DESCRIPTIONS, POISONED_MEMORIES } from "../../test/detect/corpus/tools-and-memory.ts";
import { EXFILTRATIONS, OBFUSCATED, PII, SECRETS } from "../../test/detect/corpus/values-in-texts.ts";
import { detectRun, TEXT_DETECTORS } from "./detector-set.ts";
import { EventList, eventOf, type TextPlace } from "./events.ts";

/**
 * The invented corpus of `test/detect/corpus`. Its first texts were written before anything was measured on
 * them and dealt to two parts; the rules were worked on with what the develop part shows in sight, and their
 * author knew the texts of the other. The part "afterwards" was written when the first rules were done.
 * "Sealed" was written before the rules of speech acts were begun and opened for its totals when they were
 * done.
 */
export type Part = "develop" | "held out" | "afterwards" | "sealed";

interface Case {
  /** The class that should fire; null: none should. */
  readonly expected: string | null;
  readonly name: string;
  readonly text: string;
  readonly event: DetectorEvent;
}

type Call = { readonly tool: string; readonly arguments: Record<string, unknown> };

function callEvent(call: Call): DetectorEvent {
  const list = new EventList();
  list.add("tool_call", { tool_name: call.tool, call_id: "c1", arguments: call.arguments });
  return list.events[0] as DetectorEvent;
}

const inPlace =
  (place: TextPlace, expected: string | null, name = expected ?? "") =>
  (text: string): Case => ({ expected, name, text, event: eventOf(text, place) });

const asCall =
  (expected: string | null, name = expected ?? "") =>
  (call: Call): Case => ({ expected, name, text: JSON.stringify(call), event: callEvent(call) });

/** Lists in turn go to the halves, place by place, so that each half holds every kind and language. */
const LISTS: readonly (readonly Case[])[] = [
  INJECTIONS.map(inPlace("tool", "prompt_injection")),
  JAILBREAKS.map(inPlace("prompt", "jailbreak_attempt")),
  EXTRACTIONS.map(inPlace("prompt", "system_prompt_extraction")),
  OBFUSCATED.map(inPlace("tool", "obfuscated_payload")),
  SECRETS.map(inPlace("tool", "secret_exposure")),
  PII.map(inPlace("tool", "pii_exposure")),
  POISONED_DESCRIPTIONS.map(inPlace("description", "mcp_tool_poisoning")),
  POISONED_MEMORIES.map(inPlace("memory", "memory_poisoning")),
  EXFILTRATIONS.map(asCall("data_exfiltration")),
  BENIGN_PROMPTS.map(inPlace("prompt", null, "prompts")),
  BENIGN_TOOL_OUTPUTS.map(inPlace("tool", null, "tool outputs")),
  BENIGN_DESCRIPTIONS.map(inPlace("description", null, "descriptions of tools")),
  BENIGN_MEMORIES.map(inPlace("memory", null, "memories")),
  BENIGN_CALLS.map(asCall(null, "calls")),
];

export interface CorpusResult {
  readonly part: Part;
  readonly name: string;
  readonly attack: boolean;
  readonly texts: number;
  /** Attacks on which the class fired, or benign texts on which any class fired. */
  readonly fired: number;
  /** Attacks on which some class fired, the expected one or another. */
  readonly firedAny: number;
  /**
   * Attacks that were missed and benign texts that fired, with the classes that did; of the develop part
   * only.
   */
  readonly wrong: readonly string[];
}

const chosenFor = (cases: readonly Case[], part: Part): readonly Case[] =>
  cases.filter((_unused, position) => (position % 2 === 0) === (part === "develop"));

function judgeList(cases: readonly Case[], part: Part): CorpusResult {
  let fired = 0;
  let firedAny = 0;
  const wrong: string[] = [];
  for (const { expected, event, text } of cases) {
    const classes = [...detectRun(TEXT_DETECTORS as readonly Detector[], [event]).keys()];
    const hit = expected === null ? classes.length > 0 : classes.includes(expected);
    if (hit) fired++;
    if (classes.length > 0) firedAny++;
    if (hit === (expected === null)) wrong.push(`${classes.join(",")}\t${text}`);
  }
  const [first] = cases;
  return {
    part,
    name: first?.name ?? "",
    attack: first?.expected !== null,
    texts: cases.length,
    fired,
    firedAny,
    wrong: part === "develop" ? wrong : [],
  };
}

const AFTERWARDS: readonly (readonly Case[])[] = [
  LATER_INJECTIONS.map(inPlace("tool", "prompt_injection")),
  LATER_JAILBREAKS.map(inPlace("prompt", "jailbreak_attempt")),
  LATER_EXTRACTIONS.map(inPlace("prompt", "system_prompt_extraction")),
  LATER_DESCRIPTIONS.map(inPlace("description", "mcp_tool_poisoning")),
  LATER_MEMORIES.map(inPlace("memory", "memory_poisoning")),
  LATER_BENIGN_PROMPTS.map(inPlace("prompt", null, "prompts")),
  LATER_BENIGN_OUTPUTS.map(inPlace("tool", null, "tool outputs")),
];

const SEALED: readonly (readonly Case[])[] = [
  SEALED_INJECTIONS.map(inPlace("tool", "prompt_injection")),
  SEALED_JAILBREAKS.map(inPlace("prompt", "jailbreak_attempt")),
  SEALED_EXTRACTIONS.map(inPlace("prompt", "system_prompt_extraction")),
  SEALED_DESCRIPTIONS.map(inPlace("description", "mcp_tool_poisoning")),
  SEALED_MEMORIES.map(inPlace("memory", "memory_poisoning")),
  SEALED_BENIGN_PROMPTS.map(inPlace("prompt", null, "prompts")),
  SEALED_BENIGN_OUTPUTS.map(inPlace("tool", null, "tool outputs")),
  SEALED_BENIGN_DESCRIPTIONS.map(inPlace("description", null, "descriptions of tools")),
  SEALED_BENIGN_MEMORIES.map(inPlace("memory", null, "memories")),
];

export function evaluateCorpus(): readonly CorpusResult[] {
  const halves = (["develop", "held out"] as const).flatMap((part) =>
    LISTS.map((cases) => judgeList(chosenFor(cases, part), part)),
  );
  const more = MORE_BENIGN_OUTPUTS.map(inPlace("tool", null, "more tool outputs"));
  const documents = BENIGN_DOCUMENTS.map(inPlace("tool", null, "documents"));
  return [
    ...halves,
    judgeList(more, "develop"),
    judgeList(documents, "develop"),
    ...AFTERWARDS.map((cases) => judgeList(cases, "afterwards")),
    ...SEALED.map((cases) => judgeList(cases, "sealed")),
  ];
}
