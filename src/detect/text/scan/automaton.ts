import { FOLD_SPACE, foldedCodes } from "./char-classes.ts";

/**
 * An Aho-Corasick automaton over folded characters: every keyword of every rule is looked for in one pass, whose cost
 * does not depend on how many keywords there are. States with output are numbered last, so the inner loop asks one
 * comparison a character. What a step costs is the memory it touches: the 30 most frequent characters have a table of their
 * own, whose rows are a cache line each, and states near the root stand together.
 *
 *   text ──charCodeAt──▶ classOf[65536] ──▶ class < NEAR_CLASSES ? near[state << NEAR_SHIFT | class]
 *                                                             : far[state << FAR_SHIFT | class]
 *                                       ──▶ state ≥ firstOutput ? patterns end here
 *
 * A space in a keyword stands for any run of white space. Built once at import; broken keywords throw there.
 */
export interface Automaton {
  /** Code unit → class; 0 is a character that no keyword holds, 1 an invisible one (skipped). */
  readonly classOf: Uint8Array;
  /** The next state by state and class: the frequent classes, and all of them. */
  readonly near: Uint16Array;
  readonly far: Uint16Array;
  readonly firstOutput: number;
  /** From here on states have an output that may stand inside a word; those before it end with a word or are none. */
  readonly firstAnywhere: number;
  /** By state − firstOutput: the patterns that end there, longest first. */
  readonly outputs: readonly (readonly number[])[];
}

export const CLASS_SKIPPED = 1;
/** Rows of 32 classes, and of 128. */
export const NEAR_SHIFT = 5;
export const NEAR_CLASSES = 1 << NEAR_SHIFT;
export const FAR_SHIFT = 7;
const FAR_CLASSES = 1 << FAR_SHIFT;
const STATES_MAX = 65_536;

interface Node {
  readonly children: Map<number, number>;
  readonly outputs: number[];
  fail: number;
  endsInSpace: boolean;
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
  if (width > FAR_CLASSES)
    throw new RangeError(`keywords use more than ${FAR_CLASSES - 2} distinct characters`);
  const frequent = [...counts].sort((a, b) => b[1] - a[1]);
  const byCode = new Map(frequent.map(([code], position) => [code, position + 2]));
  const classOf = new Uint8Array(65536);
  for (let code = 0; code < 65536; code++) {
    const folded = foldedCodes[code] as number;
    classOf[code] = folded === 0 && code !== 0 ? CLASS_SKIPPED : (byCode.get(folded) ?? 0);
  }
  return { classOf, width };
}

function buildTrie(keywords: readonly string[], classOf: Uint8Array): Node[] {
  const nodes: Node[] = [{ children: new Map(), outputs: [], fail: 0, endsInSpace: false }];
  keywords.forEach((keyword, pattern) => {
    if (keyword === "" || keyword.includes("  "))
      throw new RangeError(`bad keyword ${JSON.stringify(keyword)}`);
    let at = 0;
    for (let i = 0; i < keyword.length; i++) {
      const cls = classOf[keyword.charCodeAt(i)] as number;
      let child = nodes[at]?.children.get(cls);
      if (child === undefined) {
        child = nodes.length;
        nodes.push({
          children: new Map(),
          outputs: [],
          fail: 0,
          endsInSpace: keyword.charCodeAt(i) === FOLD_SPACE,
        });
        nodes[at]?.children.set(cls, child);
      }
      at = child;
    }
    nodes[at]?.outputs.push(pattern);
  });
  return nodes;
}

/** Keywords must be folded already (`foldText`). Pattern numbers are their positions in the list; `endsWord` tells those that end with a word. */
export function buildAutomaton(
  keywords: readonly string[],
  endsWord: (pattern: number) => boolean,
): Automaton {
  const { classOf, width } = classesFor(keywords);
  const spaceClass = classOf[FOLD_SPACE] as number;
  const nodes = buildTrie(keywords, classOf);
  const table = new Int32Array(nodes.length * width);
  const order: number[] = [];
  for (let head = -1; head < order.length; head++) {
    const at = head < 0 ? 0 : (order[head] as number);
    const node = nodes[at] as Node;
    const failed = node.fail;
    if (at !== 0) node.outputs.push(...(nodes[failed] as Node).outputs);
    for (let cls = 0; cls < width; cls++) {
      const child = node.children.get(cls);
      const fallback = at === 0 ? 0 : (table[failed * width + cls] as number);
      if (child === undefined) {
        table[at * width + cls] = cls === spaceClass && node.endsInSpace ? at : fallback;
      } else {
        (nodes[child] as Node).fail = fallback;
        table[at * width + cls] = child;
        order.push(child);
      }
    }
  }
  const silent: number[] = [];
  const atWordEnd: number[] = [];
  const anywhere: number[] = [];
  for (const at of [0, ...order]) {
    const { outputs } = nodes[at] as Node;
    (outputs.length === 0 ? silent : outputs.every(endsWord) ? atWordEnd : anywhere).push(at);
  }
  if (silent[0] !== 0) throw new RangeError("the root must not have an output");
  if (nodes.length > STATES_MAX) throw new RangeError(`keywords need more than ${STATES_MAX} states`);
  const renumbered = new Uint16Array(nodes.length);
  const speaking = [...atWordEnd, ...anywhere];
  [...silent, ...speaking].forEach((at, position) => {
    renumbered[at] = position;
  });
  const near = new Uint16Array(nodes.length << NEAR_SHIFT);
  const far = new Uint16Array(nodes.length << FAR_SHIFT);
  for (let at = 0; at < nodes.length; at++) {
    const state = renumbered[at] as number;
    for (let cls = 0; cls < width; cls++) {
      const target = renumbered[table[at * width + cls] as number] as number;
      if (cls < NEAR_CLASSES) near[(state << NEAR_SHIFT) | cls] = target;
      far[(state << FAR_SHIFT) | cls] = target;
    }
  }
  return {
    classOf,
    near,
    far,
    firstOutput: silent.length,
    firstAnywhere: silent.length + atWordEnd.length,
    outputs: speaking.map((at) => (nodes[at] as Node).outputs),
  };
}
