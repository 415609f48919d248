import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { canonicalJson } from "./canonical-json.ts";
import { hashText, hashValue, mix } from "./hash.ts";

describe("hashes", () => {
  test("equal values hash alike whatever their key order, others differently", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.jsonValue({ maxDepth: 4 }), (a, b) => {
        const copy: unknown = JSON.parse(canonicalJson(a));
        expect(hashValue(copy)).toBe(hashValue(a));
        if (canonicalJson(a) !== canonicalJson(b)) expect(hashValue(a)).not.toBe(hashValue(b));
      }),
      { numRuns: 2000 },
    );
  });

  test("are whole numbers that JSON keeps, and do not collide over many short texts", () => {
    const seen = new Set<number>();
    for (let i = 0; i < 200_000; i++) seen.add(hashText(`key-${i}`));
    expect(seen.size).toBe(200_000);
    for (const hash of [...seen].slice(0, 1000)) expect(Number.isSafeInteger(hash)).toBe(true);
    const mixed = new Set<number>();
    for (let a = 0; a < 400; a++)
      for (let b = 0; b < 400; b++) mixed.add(mix(hashText(`${a}`), hashText(`${b}`)));
    expect(mixed.size).toBe(160_000);
  });

  test("long texts and deep, wide values are hashed within a bound", () => {
    const long = "a".repeat(1_000_000);
    expect(hashText(long)).not.toBe(hashText(`${long}a`));
    expect(hashText(`b${long}`)).not.toBe(hashText(`c${long}`));
    const wide = Array.from({ length: 1_000_000 }, (_, i) => i);
    expect(Number.isSafeInteger(hashValue(wide))).toBe(true);
    let deep: unknown = 1;
    for (let i = 0; i < 64; i++) deep = { deep };
    expect(Number.isSafeInteger(hashValue(deep))).toBe(true);
  });
});
