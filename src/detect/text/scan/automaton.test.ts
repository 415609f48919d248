import { expect, test } from "bun:test";
import fc from "fast-check";
import { buildAutomaton, FAR_SHIFT, NEAR_CLASSES, NEAR_SHIFT } from "./automaton.ts";
import { foldText } from "./char-classes.ts";

function found(keywords: readonly string[], text: string): string[] {
  const { classOf, near, far, firstOutput, outputs } = buildAutomaton(keywords, () => false);
  const hits: string[] = [];
  let state = 0;
  for (let i = 0; i < text.length; i++) {
    const cls = classOf[text.charCodeAt(i)] as number;
    if (cls === 1) continue;
    const next = (
      cls < NEAR_CLASSES
        ? near[(state << NEAR_SHIFT) | cls]
        : far[(state << FAR_SHIFT) | (cls - NEAR_CLASSES)]
    ) as number;
    state = next;
    if (state < firstOutput) continue;
    for (const pattern of outputs[state - firstOutput] as readonly number[]) {
      hits.push(`${keywords[pattern]}@${i}`);
    }
  }
  return hits.sort();
}

function foundNaively(keywords: readonly string[], text: string): string[] {
  const hits: string[] = [];
  for (const keyword of keywords) {
    for (let at = text.indexOf(keyword); at >= 0; at = text.indexOf(keyword, at + 1)) {
      hits.push(`${keyword}@${at + keyword.length - 1}`);
    }
  }
  return hits.sort();
}

test("finds what a search for each keyword finds", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 5 });
  const property = fc.property(
    fc.uniqueArray(word, { minLength: 1, maxLength: 8 }),
    fc.string({ unit: fc.constantFrom("a", "b", "c", "d"), maxLength: 60 }),
    (keywords, text) => {
      expect(found(keywords, text)).toEqual(foundNaively(keywords, text));
    },
  );
  fc.assert(property, { numRuns: 500 });
});

test("finds keywords of characters that are not among the frequent ones", () => {
  const keywords = [..."abcdefghijklmnopqrstuvwxyz0123456789!$%&"].flatMap((unit) => [
    `${unit}x`,
    `x${unit}y`,
  ]);
  expect(new Set(keywords.join("")).size).toBeGreaterThan(NEAR_CLASSES);
  const text = keywords.join("").repeat(2);
  expect(found(keywords, text)).toEqual(foundNaively(keywords, text));
});

test("folds case, accents, look-alikes and any white space, and skips what is invisible", () => {
  expect(foldText("ÜBERSCHREIBE")).toBe("uberschreibe");
  expect(found(["ignore all"], "IGN\u200bО́RE \n\t ＡLL")).toHaveLength(1);
});

test("refuses keywords that could never be found", () => {
  expect(() => buildAutomaton([""], () => false)).toThrow(RangeError);
  expect(() => buildAutomaton(["a  b"], () => false)).toThrow(RangeError);
});
