import { foldedCodes, wordUnits } from "../scan/char-classes.ts";

/**
 * Which words an execution's trusted texts held: a small hash table that turns into a Bloom filter when it
 * grows, so that it never exceeds 8 KiB. It may say yes wrongly (about 2 % at 5,000 words), never no. Adding
 * the same words again changes nothing.
 */
export interface WordMemory {
  table: Int32Array | null;
  count: number;
  bloom: Int32Array | null;
}

const TABLE_MIN = 64;
const TABLE_MAX = 1_024;
const BLOOM_WORDS = 2_048;
const BLOOM_MASK = BLOOM_WORDS * 32 - 1;

/**
 * Folded code of a unit that is part of a word, marked so that none is 0; 0 for any other unit: one read for
 * both.
 */
const wordCodes = new Int32Array(65_536);
const WORD_MARK = 0x10000;
for (let unit = 0; unit < 65_536; unit++) {
  if (wordUnits[unit] === 1) wordCodes[unit] = WORD_MARK | (foldedCodes[unit] as number);
}

export function createWordMemory(): WordMemory {
  return { table: null, count: 0, bloom: null };
}

function setBloom(bloom: Int32Array, hash: number): void {
  const first = hash & BLOOM_MASK;
  const second = (Math.imul(hash, 0x9e3779b1) >>> 7) & BLOOM_MASK;
  bloom[first >> 5] = (bloom[first >> 5] as number) | (1 << (first & 31));
  bloom[second >> 5] = (bloom[second >> 5] as number) | (1 << (second & 31));
}

function grow(memory: WordMemory): void {
  const old = memory.table as Int32Array;
  if (old.length >= TABLE_MAX) {
    const bloom = new Int32Array(BLOOM_WORDS);
    for (const hash of old) if (hash !== 0) setBloom(bloom, hash);
    memory.bloom = bloom;
    memory.table = null;
    return;
  }
  const table = new Int32Array(old.length * 2);
  for (const hash of old) if (hash !== 0) table[slotOf(table, hash)] = hash;
  memory.table = table;
}

/** The slot that holds the hash, or the free one where it belongs. */
function slotOf(table: Int32Array, hash: number): number {
  const mask = table.length - 1;
  let slot = (hash ^ (hash >>> 15)) & mask;
  while (table[slot] !== 0 && table[slot] !== hash) slot = (slot + 1) & mask;
  return slot;
}

function addHash(memory: WordMemory, hash: number): void {
  if (memory.bloom !== null) {
    setBloom(memory.bloom, hash);
    return;
  }
  if (memory.table === null) memory.table = new Int32Array(TABLE_MIN);
  const { table } = memory;
  const slot = slotOf(table, hash);
  if (table[slot] === hash) return;
  table[slot] = hash;
  memory.count++;
  if (memory.count * 2 > table.length) grow(memory);
}

function hasHash(memory: WordMemory, hash: number): boolean {
  const { bloom, table } = memory;
  if (bloom !== null) {
    const first = hash & BLOOM_MASK;
    const second = (Math.imul(hash, 0x9e3779b1) >>> 7) & BLOOM_MASK;
    return (
      ((bloom[first >> 5] as number) & (1 << (first & 31))) !== 0 &&
      ((bloom[second >> 5] as number) & (1 << (second & 31))) !== 0
    );
  }
  return table !== null && table[slotOf(table, hash)] === hash;
}

/** What joins two words in the name of a host, a mailbox, a file or a product. */
const joiners = new Uint8Array(65_536);
for (const char of ".@-_+/") joiners[char.charCodeAt(0)] = wordCodes[char.charCodeAt(0)] === 0 ? 1 : 0;

const pairOf = (first: number, second: number): number =>
  Math.imul(first ^ (second >>> 16) ^ (second << 16), 0x9e3779b1) | 1;

const wordHash = (word: string): number =>
  [...word].reduce((hash, char) => (Math.imul(hash, 31) + (wordCodes[char.charCodeAt(0)] as number)) | 0, 0);
/** Written or left out at will before a host. */
const WWW = wordHash("www");

/**
 * Adds every word of the text, and each two that a hyphen, a dot and the like join: the words of a name are
 * ordinary ones, and only which stands beside which is its own. No parameter with a default may give the loop
 * its first position: JavaScriptCore then takes 13 ns a character instead of 4.
 */
export function addWords(memory: WordMemory, text: string): void {
  let hash = 0;
  let joinedTo = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    const code = wordCodes[unit] as number;
    if (code !== 0) {
      hash = (Math.imul(hash, 31) + code) | 0;
    } else if (hash !== 0) {
      addHash(memory, hash);
      if (joinedTo !== 0) addHash(memory, pairOf(joinedTo, hash));
      joinedTo = joiners[unit] === 1 && hash !== WWW ? hash : 0;
      hash = 0;
    } else joinedTo = 0;
  }
  if (hash === 0) return;
  addHash(memory, hash);
  if (joinedTo !== 0) addHash(memory, pairOf(joinedTo, hash));
}

/** True if every word of the value is known, and every two that it joins. */
export function hasWords(memory: WordMemory, value: string): boolean {
  let hash = 0;
  let joinedTo = 0;
  for (let i = 0; i <= value.length; i++) {
    const unit = i < value.length ? value.charCodeAt(i) : 32;
    const code = wordCodes[unit] as number;
    if (code !== 0) {
      hash = (Math.imul(hash, 31) + code) | 0;
    } else if (hash !== 0) {
      if (!hasHash(memory, hash)) return false;
      if (joinedTo !== 0 && !hasHash(memory, pairOf(joinedTo, hash))) return false;
      joinedTo = joiners[unit] === 1 && hash !== WWW ? hash : 0;
      hash = 0;
    } else joinedTo = 0;
  }
  return true;
}
