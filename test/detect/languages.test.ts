/**
 * The invented texts in other languages as floors: what each class finds of its attacks, and how seldom the
 * benign ones fire.
 */
import { expect, test } from "bun:test";
import { detectRun, TEXT_DETECTORS } from "../../bench/eval/detector-set.ts";
import { eventOf, type TextPlace } from "../../bench/eval/events.ts";
import { languageSamples, type SampleKind } from "./corpus/languages/halves.ts";

const EXPECTED: Readonly<Record<SampleKind, readonly [TextPlace, string | null]>> = {
  inject: ["tool", "prompt_injection"],
  override: ["prompt", "prompt_injection"],
  jailbreak: ["prompt", "jailbreak_attempt"],
  extract: ["prompt", "system_prompt_extraction"],
  description: ["description", "mcp_tool_poisoning"],
  memory: ["memory", "memory_poisoning"],
  page: ["tool", null],
  prompt: ["prompt", null],
  tool: ["description", null],
  note: ["memory", null],
};
/** Missed of each kind of attack, and fired of each kind of benign text, at most, of both halves. */
const WRONG_MAX: Readonly<Record<SampleKind, number>> = {
  inject: 1,
  override: 0,
  jailbreak: 2,
  extract: 3,
  description: 0,
  memory: 0,
  page: 2,
  prompt: 0,
  tool: 0,
  note: 0,
};

const wrong = new Map<SampleKind, number>();
for (const { kind, text } of languageSamples()) {
  const [place, expected] = EXPECTED[kind];
  const classes = detectRun(TEXT_DETECTORS, [eventOf(text, place)]);
  const isRight = expected === null ? classes.size === 0 : classes.has(expected);
  if (!isRight) wrong.set(kind, (wrong.get(kind) ?? 0) + 1);
}

test.each(Object.entries(WRONG_MAX))(
  "texts of the kind %s in nineteen languages and scripts",
  (kind, most) => {
    expect(wrong.get(kind as SampleKind) ?? 0).toBeLessThanOrEqual(most);
  },
);
