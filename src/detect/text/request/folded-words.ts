/** Words without the marks that people and names of tools leave out: "löschen", "loeschen". */
const UMLAUTS = /([aou])\u0308/g;
const MARKS = /[\u0300-\u036f]/g;
const OTHER_LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  ø: "oe",
  œ: "oe",
  đ: "d",
  ł: "l",
  ı: "i",
};
const OTHER = /[ßæøœđłı]/g;
/** Vowel marks of Arabic, and letters that are written with and without theirs. */
const ARABIC_MARKS = /[\u064b-\u0655\u0640]/g;

/** In lower case; an umlaut with an "e" behind its vowel, every other mark left out. */
export function foldedText(text: string): string {
  return text
    .toLowerCase()
    .normalize("NFD")
    .replace(UMLAUTS, "$1e")
    .replace(MARKS, "")
    .replace(ARABIC_MARKS, "")
    .normalize("NFC")
    .replace(OTHER, (letter) => OTHER_LETTERS[letter] ?? letter);
}

/** The same with nothing for an umlaut. */
export const barelyFolded = (text: string): string =>
  foldedText(text.toLowerCase().normalize("NFD").replace(UMLAUTS, "$1"));

/** Words, each for all that begin with it, or with a stop behind it for itself. */
export class WordBeginnings {
  private readonly begins = new Set<string>();
  private readonly whole = new Set<string>();
  private longest = 0;
  private shortest = 99;

  constructor(words: string, fold: (text: string) => string = foldedText) {
    for (const given of words.split(/\s+/)) {
      if (given === "") continue;
      const isWhole = given.endsWith(".");
      const word = fold(isWhole ? given.slice(0, -1) : given);
      (isWhole ? this.whole : this.begins).add(word);
      if (isWhole) continue;
      this.longest = Math.max(this.longest, word.length);
      this.shortest = Math.min(this.shortest, word.length);
    }
  }

  /** How much of the (folded) word is one of these; 0: it begins with none. */
  lengthIn(word: string): number {
    if (this.whole.has(word)) return word.length;
    for (let length = Math.min(word.length, this.longest); length >= this.shortest; length--)
      if (this.begins.has(word.slice(0, length))) return length;
    return 0;
  }

  has(word: string): boolean {
    return this.lengthIn(word) > 0;
  }

  /** The same for words that may begin with something else. */
  lengthWithin(word: string): number {
    let longest = 0;
    for (let at = 0; at + this.shortest <= word.length; at++)
      longest = Math.max(longest, this.lengthIn(at === 0 ? word : word.slice(at)));
    return longest;
  }
}

const BEGINNING_MIN = 4;

/** Words of which a short one stands for itself alone: too many others begin with it. */
export const wholeIfShort = (words: string): string =>
  words
    .split(/\s/)
    .map((one) => (one.length < BEGINNING_MIN && !one.endsWith(".") ? `${one}.` : one))
    .join(" ");
