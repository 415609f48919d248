import { expect, test } from "bun:test";
import fc from "fast-check";
import { keywordsOf, LANGUAGES, tellingLatinWords } from "./all-languages.ts";
import { foldScript } from "./script-folds.ts";
import { findWords, KIND_NUMBERS } from "./word-index.ts";
import { WORD_KINDS, type WordKind } from "./word-kinds.ts";

const FILL = " 。 ";

/** Languages that have a word of this kind in a text. */
function languagesWith(text: string, kind: WordKind): string[] {
  const bit = 1 << (KIND_NUMBERS.get(kind) as number);
  return findWords(text)
    .filter((hits) => (hits.present & bit) !== 0)
    .map((hits) => LANGUAGES[hits.language]?.code ?? "");
}

test.each(LANGUAGES.map((one) => [one.code, one] as const))("%s: every word is found", (code, language) => {
  const missed: string[] = [];
  for (const kind of WORD_KINDS) {
    for (const { text } of keywordsOf(language, kind)) {
      if (!languagesWith(`${FILL}${text}${FILL}`, kind).includes(code)) missed.push(`${kind}: ${text}`);
    }
  }
  expect(missed).toEqual([]);
});

test("places are those of the raw text, whatever was folded", () => {
  const text = "x Wszystkie\u00a0 \n poprzednie ignoru\u0301j";
  const polish = LANGUAGES.findIndex((one) => one.code === "pl");
  const hits = findWords(text).find((one) => one.language === polish);
  const found = hits?.starts.map((start, at) => text.slice(start, hits.ends[at]));
  expect(found).toEqual(["Wszystkie", "poprzedni", "ignoru\u0301j"]);
});

test("simplified and traditional characters, Arabic forms and marks are one", () => {
  expect(foldScript("無視規則")).toBe(foldScript("无视规则"));
  expect(foldScript("أُلغيت")).toBe(foldScript("الغيت"));
  expect(languagesWith("ИГНОРИРУЙ всё", "aside")).toContain("ru");
});

test("words of languages that divide them are whole, stems at the beginning", () => {
  expect(languagesWith("unutulmaz", "aside")).not.toContain("tr");
  expect(languagesWith("talimatları", "rules")).toContain("tr");
  expect(languagesWith("xtalimat", "rules")).not.toContain("tr");
});

test("any text is read without an error, with places inside it", () => {
  const pieces = LANGUAGES.flatMap((one) => [...one.words.aside.split(","), ...one.words.rules.split(",")]);
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string()), { maxLength: 30 }), (some) => {
      const text = some.join("");
      for (const { starts, ends } of findWords(text)) {
        starts.forEach((start, at) => {
          expect(start).toBeGreaterThanOrEqual(0);
          expect(ends[at] as number).toBeGreaterThan(start);
          expect(ends[at] as number).toBeLessThanOrEqual(text.length);
        });
      }
    }),
  );
});

test("no telling word is one of English", () => {
  const english =
    "the previous instructions model initial system prompt date original restrictions agent rules above any all limits";
  const words = new Set(english.split(" "));
  for (const { text, endsWord } of tellingLatinWords()) {
    const same = endsWord ? words.has(text) : [...words].some((word) => word.startsWith(text));
    expect([text, same]).toEqual([text, false]);
  }
});
