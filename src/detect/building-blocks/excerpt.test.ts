import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { excerptLine, shortName } from "./excerpt.ts";

describe("excerptLine", () => {
  test("masks what could be a secret or a person, and keeps the rest", () => {
    const cases: [string, string][] = [
      [
        "tool get_reservation_details_for_customer failed",
        "tool get_reservation_details_for_customer failed",
      ],
      ["key sk-ABCDEFGHIJ0123456789abcdefghij used", "key [masked] used"],
      ["password: hunter2, please", "password: [masked], please"],
      ["api_key='x1' rejected", "api_key='[masked]' rejected"],
      ["Authorization: Bearer abc", "Authorization: [masked]"],
      ["postgres://ann:pw@db.example/x is down", "postgres://[login]@db.example/x is down"],
      ["mail ann@example.com", "mail [email]"],
      ["card 4111 1111 1111 1111", "card [number]"],
      ["line\u0000 one\nline\u202e two", "line one line two"],
      ["17 of 20 calls", "17 of 20 calls"],
    ];
    for (const [text, expected] of cases) expect(excerptLine(text)).toBe(expected);
  });

  test("is one well-formed line of at most 240 characters, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 2000 }), (text) => {
        const line = excerptLine(text);
        expect(line.length).toBeLessThanOrEqual(240);
        expect(line.isWellFormed()).toBe(true);
        expect(line).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
      }),
    );
    expect(excerptLine("😀".repeat(500)).isWellFormed()).toBe(true);
  });
});

describe("shortName", () => {
  test("is the name, cut, or the fallback", () => {
    expect(shortName(" search ")).toBe("search");
    expect(shortName("x".repeat(500))).toHaveLength(80);
    expect(`${shortName("😀".repeat(100))}`.isWellFormed()).toBe(true);
    for (const none of [undefined, null, 7, "", "  ", {}]) expect(shortName(none)).toBe("unnamed");
  });
});
