import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { signatureOf } from "./signature.ts";

describe("signatureOf", () => {
  test("is pinned: a change of recipe needs a new version", () => {
    expect(signatureOf("tool_loop", ["repeat", "search"])).toBe("v1:529f93a8e95eead1");
  });

  test("has its form and differs where class or parts differ", () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.array(fc.string()), (a, b) => {
        const one = signatureOf("c", a);
        expect(one).toMatch(/^v1:[0-9a-f]{16}$/);
        expect(signatureOf("c", [...a])).toBe(one);
        expect(signatureOf("d", a)).not.toBe(one);
        if (JSON.stringify(a) !== JSON.stringify(b)) expect(signatureOf("c", b)).not.toBe(one);
      }),
    );
    expect(signatureOf("c", ["ab", "c"])).not.toBe(signatureOf("c", ["a", "bc"]));
    expect(signatureOf("c", [])).not.toBe(signatureOf("c", [""]));
  });
});
