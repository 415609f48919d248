import { expect, test } from "bun:test";
import { DRESSED_WORDS } from "./dressed-weights.ts";
import { promptWords, wordsOf } from "./prompt-words.ts";
import { VEIL_KINDS, type VeilKind } from "./veiled-words.ts";

const count = (text: string, kind: VeilKind): number =>
  promptWords(text, 0, text.length).kinds[VEIL_KINDS.indexOf(kind)] as number;

test("words and stems of a kind are counted wherever they stand, folded, each time", () => {
  expect(count("Novel, novels and a NOVEL", "story")).toBe(3);
  expect(count("novelist", "story")).toBe(0);
  expect(count("counterfeiters", "crime")).toBe(1);
  expect(count("step-by-step", "how")).toBe(1);
  expect(count("", "story")).toBe(0);
});

test("a word weighs what the list says, once, whatever its case and only within the window", () => {
  const [weight, words] = DRESSED_WORDS[0] as readonly [number, string];
  const word = words.split(" ")[0] as string;
  expect(promptWords(word, 0, word.length).weight).toBe(weight);
  const twice = `${word.toUpperCase()} xqzv ${word}`;
  expect(promptWords(twice, 0, twice.length).weight).toBe(weight);
  expect(promptWords(`${word} x`, word.length, word.length + 2).weight).toBe(0);
});

test("training reads the same words", () => {
  expect([...wordsOf("Don't: É\u200bt\u00e9 a step-by-step", 99)]).toEqual(["don", "ete", "step-by-step"]);
});
