import { expect, test } from "bun:test";
import { scanText } from "../scan/scan-text.ts";
import { numberNames } from "./number-names.ts";

test("a text in which a name's pattern finds something has the name's bit, whatever stands beside it", () => {
  for (const [kind, { bit, keywords, pattern }] of numberNames) {
    for (const { text } of keywords) {
      for (const written of [text, text.toUpperCase()]) {
        for (const around of [
          written,
          ` ${written} `,
          `\u00e9${written}\u306f`,
          `a${written}b`,
          `_${written}1`,
        ])
          if (pattern.test(around))
            expect([kind, around, scanText(around).namesNumbers & bit]).toEqual([kind, around, bit]);
      }
    }
  }
});

test("a short name inside another word names nothing", () => {
  expect(scanText("using companies significantly").namesNumbers).toBe(0);
});

test("digits count as one number with at most one mark between two of them", () => {
  expect(scanText("call 756.1234-5678 90 now").numberDigits).toBe(13);
  expect(scanText("1, 2, 3: 2024-05-12").numberDigits).toBe(8);
  expect(scanText("none").numberDigits).toBe(0);
});
