import type { TextOrigin } from "../event-views/fields.ts";

/**
 * Which texts said nothing to which detectors, so that a text that comes again is not judged again. Agents
 * send the whole chat with every model call, and a fleet the same system prompt with each: most of the
 * characters of such events were judged before.
 *
 *   text ──▶ short, or never seen: judged, nothing kept         (a fingerprint in `seenOnce` tells)
 *        └─▶ digest of salt, origin and text ──▶ one bit a detector: it found nothing in such a text
 *
 * The table holds passages too, each for one search.
 *
 * Only silence is kept: what fires is judged each time. A bit may be noted only for what a detector says of a
 * text and its origin by themselves, with the default thresholds. Fixed in size: a full bucket lets go of one
 * of its texts, which is then judged again. The digest is 64 bits of SHA-256 behind a salt that nobody
 * outside knows: nobody can make two texts with the same one on purpose, and by accident it happens once in
 * 10^13 texts.
 */

/** Shorter texts cost less to judge than to remember. */
const TEXT_MIN = 256;
const SLOTS = 1 << 19;
const WAYS = 4;
const SEEN_ONCE = 1 << 16;
const DETECTORS_MAX = 16;

export interface TextDigest {
  readonly low: number;
  readonly high: number;
}

let salt = newSalt();
const hashed = new Int32Array(8);
const hashedBytes = new Uint8Array(hashed.buffer);
const seenOnce = new Int32Array(SEEN_ONCE);

function newSalt(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("hex");
}

/** Every text is seen for the first time again: for measurements that play the same texts twice. */
export function forgetTexts(): void {
  salt = newSalt();
  seenOnce.fill(0);
}

/**
 * null: not worth one. `comesAgain`: a turn of a chat, which the next model call brings along; of other texts
 * only one that has been seen before is worth a digest.
 */
export function textDigest(origin: TextOrigin, text: string, comesAgain: boolean): TextDigest | null {
  return text.length < TEXT_MIN || !(comesAgain || wasSeen(text)) ? null : digestOf(origin, text);
}

/**
 * What is hashed is put together here, where it is bytes already: as one string it takes half as long again.
 */
const hashedText = Buffer.allocUnsafe(1 << 17);
const BYTES_A_CHAR_MAX = 3;
const PREFIX_CHARS_MAX = 64;

function digestOf(kind: string, text: string): TextDigest {
  const prefix = `${salt}${kind}:`;
  if ((text.length + PREFIX_CHARS_MAX) * BYTES_A_CHAR_MAX > hashedText.length) {
    Bun.SHA256.hash(prefix + text, hashedBytes);
  } else {
    const start = hashedText.write(prefix);
    Bun.SHA256.hash(hashedText.subarray(0, start + hashedText.write(text, start)), hashedBytes);
  }
  return { low: hashed[0] as number, high: hashed[1] as number };
}

function wasSeen(text: string): boolean {
  const fingerprint = Bun.hash.crc32(text) | 0;
  const at = fingerprint & (SEEN_ONCE - 1);
  if (seenOnce[at] === fingerprint) return true;
  seenOnce[at] = fingerprint;
  return false;
}

export class QuietTexts {
  readonly #digests: Int32Array;
  readonly #bits: Uint16Array;
  readonly #lastBucket: number;
  #turn = 0;

  /** `slots`: a power of two. */
  constructor(slots: number) {
    this.#digests = new Int32Array(slots * 2);
    this.#bits = new Uint16Array(slots);
    this.#lastBucket = slots / WAYS - 1;
  }

  /** The bits noted for a text; 0 for one that is not held. */
  bitsOf(digest: TextDigest): number {
    const slot = this.#slotOf(digest);
    return slot < 0 ? 0 : (this.#bits[slot] as number);
  }

  note(digest: TextDigest, bit: number): void {
    const held = this.#slotOf(digest);
    if (held >= 0) {
      this.#bits[held] = (this.#bits[held] as number) | bit;
      return;
    }
    const slot = this.#slotToFill(digest);
    this.#digests[slot * 2] = digest.low;
    this.#digests[slot * 2 + 1] = digest.high;
    this.#bits[slot] = bit;
  }

  #slotOf({ low, high }: TextDigest): number {
    const first = (low & this.#lastBucket) * WAYS;
    for (let slot = first; slot < first + WAYS; slot++) {
      if (this.#digests[slot * 2] === low && this.#digests[slot * 2 + 1] === high) return slot;
    }
    return -1;
  }

  /** A free one of the text's bucket, or each in turn. */
  #slotToFill({ low }: TextDigest): number {
    const first = (low & this.#lastBucket) * WAYS;
    for (let slot = first; slot < first + WAYS; slot++) if (this.#bits[slot] === 0) return slot;
    this.#turn = (this.#turn + 1) % WAYS;
    return first + this.#turn;
  }
}

export const quietTexts = new QuietTexts(SLOTS);

/** Of a shorter text every passage is judged: to tell that it is known costs as much as a few patterns. */
const TEXT_OF_PASSAGES_MIN = 2_048;

/**
 * Passages that showed nothing. A prompt that is a whole conversation grows with every call, so that it never
 * is the text before it, and yet all but its last passages come again.
 */
export class QuietPassages {
  readonly #kind: string;

  /** `kind`: what is looked for; no other search's and no origin of a text. */
  constructor(kind: string) {
    this.#kind = kind;
  }

  /**
   * What `judge` says of a stretch of a text; it must hang on the characters of the stretch alone, and null
   * says that they show nothing.
   */
  weigh(
    text: string,
    { start, end }: { readonly start: number; readonly end: number },
    judge: () => number | null,
  ): number | null {
    if (text.length < TEXT_OF_PASSAGES_MIN) return judge();
    const digest = digestOf(this.#kind, text.slice(start, end));
    if (quietTexts.bitsOf(digest) !== 0) return null;
    const weight = judge();
    if (weight === null) quietTexts.note(digest, 1);
    return weight;
  }
}

let bitsTaken = 0;

/** A bit of its own for a detector; taken once, when its module is loaded. */
export function takeQuietBit(): number {
  if (bitsTaken === DETECTORS_MAX) throw new Error("more detectors of texts than bits for them");
  return 1 << bitsTaken++;
}
