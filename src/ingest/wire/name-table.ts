/** Finds which of a few names stands in a text of bytes, without making a string of it. */
export class NameTable<T> {
  /** Names by their length and first letter, which together leave few. */
  readonly #byKey: { readonly name: Uint8Array; readonly value: T }[][] = [];

  /** Names are of ASCII and not empty. */
  constructor(values: Iterable<readonly [name: string, value: T]>) {
    for (const [name, value] of values) {
      const bytes = Buffer.from(name);
      const key = keyOf(bytes, 0, bytes.length);
      this.#byKey[key] ??= [];
      this.#byKey[key].push({ name: bytes, value });
    }
  }

  /** The value of the name that stands in `bytes` from `start` to `end`. */
  find(bytes: Uint8Array, start: number, end: number): T | undefined {
    const candidates = this.#byKey[keyOf(bytes, start, end)];
    if (candidates === undefined) return undefined;
    for (let index = 0; index < candidates.length; index++) {
      const candidate = candidates[index]!;
      if (startsWith(bytes, start, candidate.name)) return candidate.value;
    }
    return undefined;
  }
}

/** True if `expected` stands in `bytes` at `start`. */
export function startsWith(bytes: Uint8Array, start: number, expected: Uint8Array): boolean {
  for (let index = 0; index < expected.length; index++) {
    if (bytes[start + index] !== expected[index]) return false;
  }
  return true;
}

function keyOf(bytes: Uint8Array, start: number, end: number): number {
  return (end - start) * 32 + (bytes[start]! & 31);
}
