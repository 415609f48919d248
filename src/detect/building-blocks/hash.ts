/**
 * Hashes that detectors keep in place of values. `hashText` and `hashValue` are fast 52-bit hashes for
 * comparing things within one execution: they are no secret-keeping and no proof against a crafted collision,
 * whose worst effect is one missed or one extra loop. `fingerprint` is SHA-256 and is what outlives the
 * execution.
 */

const NODES_MAX = 2000;
const TEXT_CHARS_MAX = 65_536;
const FEW_KEYS = 8;

/**
 * A 52-bit hash of a text: of the whole text up to 64 Ki characters, beyond that of its start, end and
 * length.
 */
export function hashText(text: string): number {
  if (text.length > TEXT_CHARS_MAX) {
    const half = TEXT_CHARS_MAX / 2;
    return mix(hashNative(text.slice(0, half) + text.slice(-half)), text.length);
  }
  return text.length > 48 ? hashNative(text) : hashShort(text);
}

/** The same for any JSON value; key order and number spelling do not matter. Looks at 2,000 nodes at most. */
export function hashValue(value: unknown): number {
  const budget = { nodes: NODES_MAX };
  return walk(value, budget);
}

/** 16 hex digits of SHA-256. */
export function fingerprint(text: string): string {
  return new Bun.CryptoHasher("sha256").update(text).digest("hex").slice(0, 16);
}

/** Order-dependent combination of two hashes. */
export function mix(a: number, b: number): number {
  const low = Math.imul((a >>> 0) ^ Math.imul((b >>> 0) + 0x9e3779b9, 0x85ebca6b), 0xc2b2ae35);
  const high = Math.imul((a / 4294967296) ^ (low >>> 15) ^ (b / 4294967296) ^ 0x27d4eb2f, 0x165667b1);
  return ((high >>> 0) & 0xfffff) * 4294967296 + ((low ^ (low >>> 13)) >>> 0);
}

/** Half as many digits do for what is compared within one run. */
export const halved = (hash: number): number => hash >>> 0;

const wide = new BigUint64Array(1);
const halves = new Uint32Array(wide.buffer);

/** The lower 52 bits, taken out by halves: arithmetic with BigInt makes two more of them. */
function hashNative(text: string): number {
  wide[0] = Bun.hash(text) as bigint;
  return (halves[1]! & 0xfffff) * 4294967296 + halves[0]!;
}

function hashShort(text: string): number {
  let low = 0xdeadbeef ^ text.length;
  let high = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    low = Math.imul(low ^ code, 2654435761);
    high = Math.imul(high ^ code, 1597334677);
  }
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  return ((high >>> 0) & 0xfffff) * 4294967296 + (low >>> 0);
}

/**
 * Arguments of calls have a few keys: too few for the fixed cost of a native sort. The same order: by UTF-16
 * units.
 */
function sortKeys(keys: string[]): void {
  if (keys.length > FEW_KEYS) {
    keys.sort();
    return;
  }
  for (let i = 1; i < keys.length; i++) {
    const key = keys[i]!;
    let at = i;
    while (at > 0 && keys[at - 1]! > key) {
      keys[at] = keys[at - 1]!;
      at--;
    }
    keys[at] = key;
  }
}

function walk(value: unknown, budget: { nodes: number }): number {
  if (budget.nodes-- <= 0) return 1;
  if (typeof value === "string") return mix(2, hashText(value));
  if (typeof value === "number") return mix(3, hashShort(String(value)));
  if (value === null || value === undefined) return 4;
  if (typeof value === "boolean") return value ? 5 : 6;
  if (Array.isArray(value)) {
    let hash = mix(7, value.length);
    for (const item of value) {
      if (budget.nodes <= 0) break;
      hash = mix(hash, walk(item, budget));
    }
    return hash;
  }
  if (typeof value !== "object") return 8;
  const entries = value as Record<string, unknown>;
  let keys = Object.keys(entries);
  let hash = mix(9, keys.length);
  // A huge object is told by its first keys; sorting all of them would take seconds.
  if (keys.length > NODES_MAX) keys = keys.slice(0, NODES_MAX);
  if (keys.length > 1) sortKeys(keys);
  for (const key of keys) {
    if (budget.nodes <= 0) break;
    hash = mix(mix(hash, hashText(key)), walk(entries[key], budget));
  }
  return hash;
}
