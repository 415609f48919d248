import { FOLD_SPACE, foldedCodes } from "./char-classes.ts";

/**
 * An Aho-Corasick automaton over folded characters: every keyword of every rule is looked for in one pass,
 * whose cost does not depend on how many keywords there are. States with output are numbered last, so the
 * inner loop asks one comparison a character. What a step costs is the memory it touches: the 30 most
 * frequent characters have a table of their own, whose rows are a cache line each, and states near the root
 * stand together.
 *
 *   text ──charCodeAt──▶ classOf[65536] ──▶ class < NEAR_CLASSES ? near[state << NEAR_SHIFT | class]
 *                                                             : far[state << FAR_SHIFT | class − NEAR_CLASSES]
 *                                       ──▶ state ≥ firstOutput ? patterns end here
 *
 * A space in a keyword stands for any run of white space. Broken keywords throw when it is built.
 */
export interface Automaton {
  /** Code unit → class; 0 is a character that no keyword holds, 1 an invisible one (skipped). */
  readonly classOf: Uint8Array;
  /** The next state by state and class: of the frequent classes, and of all others. */
  readonly near: Uint16Array;
  readonly far: Uint16Array;
  readonly firstOutput: number;
  /**
   * From here on states have an output that may stand inside a word; those before it end with a word or are
   * none.
   */
  readonly firstAnywhere: number;
  /** By state − firstOutput: the patterns that end there, longest first. */
  readonly outputs: readonly (readonly number[])[];
}

export const CLASS_SKIPPED = 1;
/** Rows of 32 classes, and of the 64 after them. */
export const NEAR_SHIFT = 5;
export const NEAR_CLASSES = 1 << NEAR_SHIFT;
export const FAR_SHIFT = 6;
const CLASSES_MAX = NEAR_CLASSES + (1 << FAR_SHIFT);
const STATES_MAX = 65_536;

/**
 * The keywords as a tree, in flat arrays: an object for each of some 30,000 states would be most of the time
 * that building takes.
 */
interface Trie {
  readonly size: number;
  /**
   * By state: its child of the lowest class, its parent's child of the next one (0: none), and the class that
   * leads to it.
   */
  readonly firstChild: Int32Array;
  readonly nextSibling: Int32Array;
  readonly reachedBy: Uint8Array;
  /** By state: the patterns that end there; `undefined` at most of them. */
  readonly outputs: (readonly number[] | undefined)[];
}

function classesFor(keywords: readonly string[]): { classOf: Uint8Array; width: number } {
  const counts = new Map<number, number>();
  for (const keyword of keywords) {
    for (let i = 0; i < keyword.length; i++) {
      const code = keyword.charCodeAt(i);
      counts.set(code, (counts.get(code) ?? 0) + 1);
    }
  }
  const width = counts.size + 2;
  if (width > CLASSES_MAX)
    throw new RangeError(`keywords use more than ${CLASSES_MAX - 2} distinct characters`);
  const frequent = [...counts].sort((a, b) => b[1] - a[1]);
  const byFolded = new Uint8Array(65536);
  frequent.forEach(([code], position) => {
    byFolded[code] = position + 2;
  });
  const classOf = new Uint8Array(65536);
  for (let code = 0; code < 65536; code++) {
    const folded = foldedCodes[code] as number;
    classOf[code] = folded === 0 && code !== 0 ? CLASS_SKIPPED : (byFolded[folded] as number);
  }
  return { classOf, width };
}

function buildTrie(keywords: readonly string[], classOf: Uint8Array): Trie {
  const sizeMax = keywords.reduce((sum, keyword) => sum + keyword.length, 1);
  const firstChild = new Int32Array(sizeMax);
  const nextSibling = new Int32Array(sizeMax);
  const reachedBy = new Uint8Array(sizeMax);
  const outputs: number[][] = [];
  let size = 1;
  keywords.forEach((keyword, pattern) => {
    if (keyword === "" || keyword.includes("  "))
      throw new RangeError(`bad keyword ${JSON.stringify(keyword)}`);
    let at = 0;
    for (let i = 0; i < keyword.length; i++) {
      const cls = classOf[keyword.charCodeAt(i)] as number;
      let before = 0;
      let child = firstChild[at] as number;
      while (child !== 0 && (reachedBy[child] as number) < cls) {
        before = child;
        child = nextSibling[child] as number;
      }
      if (child === 0 || reachedBy[child] !== cls) {
        const added = size++;
        reachedBy[added] = cls;
        nextSibling[added] = child;
        if (before === 0) firstChild[at] = added;
        else nextSibling[before] = added;
        child = added;
      }
      at = child;
    }
    outputs[at] = [...(outputs[at] ?? []), pattern];
  });
  return { size, firstChild, nextSibling, reachedBy, outputs };
}

/**
 * Keywords must be folded already (`foldText`). Pattern numbers are their positions in the list; `endsWord`
 * tells those that end with a word.
 */
export function buildAutomaton(
  keywords: readonly string[],
  endsWord: (pattern: number) => boolean,
): Automaton {
  const { classOf, width } = classesFor(keywords);
  const spaceClass = classOf[FOLD_SPACE] as number;
  const { size, firstChild, nextSibling, reachedBy, outputs } = buildTrie(keywords, classOf);
  if (size > STATES_MAX) throw new RangeError(`keywords need more than ${STATES_MAX} states`);
  /** A state's row begins as its fallback's, which is nearer to the root and therefore done. */
  const table = new Uint16Array(size * width);
  const fallbacks = new Uint16Array(size);
  const order: number[] = [0];
  for (let head = 0; head < order.length; head++) {
    const at = order[head] as number;
    const row = at * width;
    const fallback = fallbacks[at] as number;
    const fallbackRow = fallback * width;
    if (at !== 0) {
      for (let cls = 0; cls < width; cls++) table[row + cls] = table[fallbackRow + cls] as number;
      const inherited = outputs[fallback];
      if (inherited !== undefined) outputs[at] = [...(outputs[at] ?? []), ...inherited];
      if (reachedBy[at] === spaceClass) table[row + spaceClass] = at;
    }
    for (let child = firstChild[at] as number; child !== 0; child = nextSibling[child] as number) {
      const cls = reachedBy[child] as number;
      fallbacks[child] = at === 0 ? 0 : (table[fallbackRow + cls] as number);
      table[row + cls] = child;
      order.push(child);
    }
  }
  const silent: number[] = [];
  const atWordEnd: number[] = [];
  const anywhere: number[] = [];
  for (const at of order) {
    const ended = outputs[at];
    (ended === undefined ? silent : ended.every(endsWord) ? atWordEnd : anywhere).push(at);
  }
  if (silent[0] !== 0) throw new RangeError("the root must not have an output");
  const renumbered = new Uint16Array(size);
  const speaking = [...atWordEnd, ...anywhere];
  [...silent, ...speaking].forEach((at, position) => {
    renumbered[at] = position;
  });
  const near = new Uint16Array(size << NEAR_SHIFT);
  const far = new Uint16Array(size << FAR_SHIFT);
  for (let at = 0; at < size; at++) {
    const state = renumbered[at] as number;
    for (let cls = 0; cls < width; cls++) {
      const target = renumbered[table[at * width + cls] as number] as number;
      if (cls < NEAR_CLASSES) near[(state << NEAR_SHIFT) | cls] = target;
      else far[(state << FAR_SHIFT) | (cls - NEAR_CLASSES)] = target;
    }
  }
  return {
    classOf,
    near,
    far,
    firstOutput: silent.length,
    firstAnywhere: silent.length + atWordEnd.length,
    outputs: speaking.map((at) => outputs[at] as readonly number[]),
  };
}
