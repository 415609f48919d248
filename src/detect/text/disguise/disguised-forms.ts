/**
 * An attack's words after a change that can be written down beforehand: reversed, enciphered letter by
 * letter, in Pig Latin, with a letter too many or too few, without vowels, in base64. They are keywords of
 * the one scan, so a text without them pays nothing for them.
 */
export interface DisguisedForm {
  readonly kind: "reversed" | "shifted" | "mirrored" | "pig-latin" | "misspelt" | "base64";
  /** Of a misspelt word: the right one. Of a shifted one: how far, in letters. */
  readonly word: string;
  readonly shift: number;
  /** Counts as a whole word only. */
  readonly isWhole: boolean;
}

const TURNED =
  "ignore previous instruction system prompt reveal disregard override guidelines restrictions password unrestricted".split(
    " ",
  );
/** Words of orders in general, in spellings that are no word of any language known here. */
const TURNED_WHOLE =
  "the with from your forward email transfer delete upload assistant execute customer customers contacts token tokens https payroll".split(
    " ",
  );
const TURNED_AROUND_13 =
  "the and you with from your send forward email delete transfer customer assistant".split(" ");
const ENCIPHERED = "ignore previous instruction system disregard restriction unrestricted".split(" ");
const IN_BASE64 =
  "ignore previous instruction system disregard prompt reveal password guidelines restriction override".split(
    " ",
  );
const MISSPELT =
  "ignore previous instruction instructions system prompt reveal disregard override guidelines restrictions password unrestricted bypass".split(
    " ",
  );
/** Words as they stand without their vowels, where that is no other word. */
const WITHOUT_VOWELS: Readonly<Record<string, string>> = {
  ignr: "ignore",
  prvs: "previous",
  prevs: "previous",
  instrctns: "instructions",
  instrctn: "instruction",
  nstrctns: "instructions",
  systm: "system",
  sstm: "system",
  prmpt: "prompt",
  rvl: "reveal",
  dsrgrd: "disregard",
  disrgrd: "disregard",
  ovrrd: "override",
  gdlns: "guidelines",
  guidlns: "guidelines",
  rstrctns: "restrictions",
  restrctns: "restrictions",
  unrstrctd: "unrestricted",
  psswrd: "password",
};

const shifted = (word: string, by: number): string =>
  word.replace(/[a-z]/g, (letter) => String.fromCharCode(((letter.charCodeAt(0) - 97 + by) % 26) + 97));

/**
 * The letters of base64 that a word fixes whatever stands around it, by how many bytes of a group stand
 * before it.
 */
function inBase64(word: string, before: number): string {
  const whole = Buffer.from("\0".repeat(before) + word).toString("base64");
  const known = Math.floor(((before + word.length) * 8) / 6);
  return whole.slice(Math.ceil((before * 8) / 6), known);
}

function* forms(): Generator<[string, DisguisedForm]> {
  const form = (kind: DisguisedForm["kind"], word: string, isWhole = false, shift = 0): DisguisedForm => ({
    kind,
    word,
    shift,
    isWhole,
  });
  for (const word of TURNED) {
    yield [[...word].reverse().join(""), form("reversed", word)];
    const [, head = "", rest = ""] = /^([^aeiou]{0,4})([a-z]{1,24})$/.exec(word) ?? [];
    const plural = word === "instruction" ? `${rest}s` : rest;
    for (const ending of head === "" ? ["way", "yay", "ay"] : ["ay"])
      yield [`${plural}${head}${ending}`, form("pig-latin", word, true)];
  }
  for (const word of TURNED_WHOLE) yield [[...word].reverse().join(""), form("reversed", word, true)];
  for (const word of TURNED_AROUND_13) yield [shifted(word, 13), form("shifted", word, true, 13)];
  for (const word of ENCIPHERED) {
    for (let by = 1; by < 26; by++) yield [shifted(word, by), form("shifted", word, false, by)];
    yield [
      [...word].map((letter) => String.fromCharCode(219 - letter.charCodeAt(0))).join(""),
      form("mirrored", word),
    ];
  }
  for (const word of IN_BASE64)
    for (const spelling of [word, (word[0] ?? "").toUpperCase() + word.slice(1)])
      for (let before = 0; before < 3; before++)
        yield [inBase64(spelling, before).toLowerCase(), form("base64", word)];
  for (const word of MISSPELT) {
    for (let at = 0; at < word.length; at++) {
      yield [word.slice(0, at) + word[at] + word.slice(at), form("misspelt", word, true)];
      if (at > 0 && at < word.length - 2)
        yield [
          `${word.slice(0, at)}${word[at + 1]}${word[at]}${word.slice(at + 2)}`,
          form("misspelt", word, true),
        ];
      if (at > 0 && at < word.length - 1)
        yield [word.slice(0, at) + word.slice(at + 1), form("misspelt", word, true)];
    }
  }
  for (const [written, word] of Object.entries(WITHOUT_VOWELS)) yield [written, form("misspelt", word, true)];
}

/** By the written form, folded. */
export const disguisedForms: ReadonlyMap<string, DisguisedForm> = new Map(
  [...forms()].filter(([written]) => written.length > 2 && !MISSPELT.includes(written)),
);
