/**
 * Counts the elements of a top-level JSON array from its bytes, in pieces and without keeping them: how many
 * events a request held that is refused before its body is parsed, or because it cannot be. Exact for valid
 * JSON, none where that is no array; for anything else a number that harms nobody.
 */
export class ElementCounter {
  #depth = 0;
  #inString = false;
  #escaped = false;
  #commas = 0;
  #any = false;
  #isArray: boolean | undefined;

  push(bytes: Uint8Array): void {
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes[i]!;
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false;
        else if (byte === 0x5c) this.#escaped = true;
        else if (byte === 0x22) this.#inString = false;
        continue;
      }
      switch (byte) {
        case 0x22:
          this.#inString = true;
          break;
        case 0x5b:
        case 0x7b:
          this.#depth++;
          if (this.#depth === 1) {
            this.#isArray ??= byte === 0x5b;
            continue;
          }
          break;
        case 0x5d:
        case 0x7d:
          this.#depth--;
          continue;
        case 0x2c:
          if (this.#depth === 1) this.#commas++;
          continue;
        case 0x20:
        case 0x09:
        case 0x0a:
        case 0x0d:
          continue;
      }
      if (this.#depth >= 1) this.#any = true;
    }
  }

  get count(): number {
    return this.#any && this.#isArray ? this.#commas + 1 : 0;
  }
}
