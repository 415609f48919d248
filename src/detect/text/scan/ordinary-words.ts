import { foldText } from "./char-classes.ts";
import { classNumber } from "./class-set.ts";
import { WORD_CLASSES, type WordClass } from "./lexicon.ts";
import type { TextScan } from "./scan-text.ts";

/**
 * Words of some classes that ordinary writing uses as well as an attack. Beside a telling word they add to
 * what it says; by themselves they say nothing.
 */
export class OrdinaryWords {
  /** The classes that have ordinary words, in the order given. */
  readonly classes: readonly WordClass[];
  private readonly places = new WeakMap<TextScan, readonly number[]>();
  private readonly ofClass: readonly (ReadonlySet<string> | undefined)[];

  /** Folded words of each class, separated by `|`, as the scan reports them: a stem without its ending. */
  constructor(words: Partial<Record<WordClass, string>>) {
    this.classes = Object.keys(words) as WordClass[];
    const sets: (ReadonlySet<string> | undefined)[] = WORD_CLASSES.map(() => undefined);
    for (const name of this.classes) sets[classNumber(name)] = new Set(words[name]?.split("|"));
    this.ofClass = sets;
  }

  /** True if the word at place `hit` of `scan.hits` is an ordinary one. */
  has({ hits, text }: TextScan, hit: number): boolean {
    const words = this.ofClass[hits[hit] as number];
    if (words === undefined) return false;
    const word = foldText(text.slice(hits[hit + 1], hits[hit + 2]));
    return words.has(word) || (word.includes("  ") && words.has(word.replace(/ +/g, " ")));
  }

  /** True if some word of these classes that begins between two places of a text is telling. */
  isTelling(scan: TextScan, start: number, end: number): boolean {
    const places = this.tellingPlaces(scan);
    let low = 0;
    let high = places.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((places[middle] as number) < start) low = middle + 1;
      else high = middle;
    }
    return low < places.length && (places[low] as number) < end;
  }

  /** Where the telling words begin, in order; found once a text, as rules ask at many places of it. */
  private tellingPlaces(scan: TextScan): readonly number[] {
    const known = this.places.get(scan);
    if (known !== undefined) return known;
    const { hits } = scan;
    const found: number[] = [];
    for (let hit = 0; hit < hits.length; hit += 3) {
      const hasOrdinary = this.ofClass[hits[hit] as number] !== undefined;
      if (hasOrdinary && !this.has(scan, hit)) found.push(hits[hit + 1] as number);
    }
    found.sort((a, b) => a - b);
    this.places.set(scan, found);
    return found;
  }
}
