import { WORD_CLASSES, type WordClass } from "./lexicon.ts";

/** One bit a word class: the first 31 classes in `low`, the next 31 in `high`. A `TextScan` is one too. */
export interface ClassBits {
  readonly low: number;
  readonly high: number;
}

const LOW_CLASSES = 31;

/** The number of a class in `TextScan.hits`. Throws RangeError if there is no such class. */
export function classNumber(name: string): number {
  const number = WORD_CLASSES.indexOf(name as WordClass);
  if (number < 0) throw new RangeError(`unknown word class ${name}`);
  return number;
}

export function addClass(bits: { low: number; high: number }, cls: number): void {
  if (cls < LOW_CLASSES) bits.low |= 1 << cls;
  else bits.high |= 1 << (cls - LOW_CLASSES);
}

/** Word classes that a rule asks for, or that stand in a stretch of a text. */
export class ClassSet implements ClassBits {
  low = 0;
  high = 0;

  constructor(...names: readonly WordClass[]) {
    for (const name of names) addClass(this, classNumber(name));
  }

  /** From `"override|frame"`. */
  static parse(names: string): ClassSet {
    return new ClassSet(...(names.split("|") as WordClass[]));
  }

  has(cls: number): boolean {
    return cls < LOW_CLASSES ? (this.low & (1 << cls)) !== 0 : (this.high & (1 << (cls - LOW_CLASSES))) !== 0;
  }

  /** True if the two share a class. */
  meets(other: ClassBits): boolean {
    return (other.low & this.low) !== 0 || (other.high & this.high) !== 0;
  }

  isWithin(other: ClassBits): boolean {
    return (other.low & this.low) === this.low && (other.high & this.high) === this.high;
  }

  /** True if the set is of one class. */
  get isSingle(): boolean {
    const [word, none] = this.low === 0 ? [this.high, this.low] : [this.low, this.high];
    return none === 0 && word !== 0 && (word & (word - 1)) === 0;
  }

  include(other: ClassBits): void {
    this.low |= other.low;
    this.high |= other.high;
  }

  clear(): void {
    this.low = 0;
    this.high = 0;
  }
}

/** From `"override|frame"`: asks whether a text or a stretch of it holds any of these classes. */
export function holdsAny(names: string): (found: ClassBits) => boolean {
  const classes = ClassSet.parse(names);
  return (found) => classes.meets(found);
}
