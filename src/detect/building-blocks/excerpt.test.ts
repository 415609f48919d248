import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { excerptBefore, excerptLine, excerptOf, shortName } from "./excerpt.ts";
import { maskSensitive } from "./mask-sensitive.ts";

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

describe("excerptOf", () => {
  const words = (count: number) => Array.from({ length: count }, (_, at) => `word${"abcdefghij"[at % 10]}`);
  const long = [...words(60), "MATCH", ...words(60)].join(" ");

  test("begins and ends at a word where one is near", () => {
    for (let shift = 0; shift < 8; shift++) {
      const text = "x".repeat(shift) + long;
      const at = text.indexOf("MATCH");
      const shown = excerptOf(text, at, at + 5);
      for (const word of shown.split(" ")) expect(long.split(" ")).toContain(word);
      expect(shown).toContain("MATCH");
      expect(shown.length).toBeGreaterThan(150);
      for (const word of excerptBefore(text, at, 61 + shift).split(" "))
        expect(long.split(" ")).toContain(word);
    }
    const unbroken = "\u5b57".repeat(300);
    expect(excerptOf(unbroken, 150, 155)).toBe(unbroken.slice(85, 285));
  });

  test("masks a short secret wherever the passage is cut: in it, before it, in the word that announces it", () => {
    for (const secret of [
      "password: hunter2",
      "my password is not here, token = 'hunter2'",
      "Bearer hunter2",
    ])
      for (let shift = 0; shift < 60; shift++) {
        const text = `${"w ".repeat(60)}${secret} ${"w ".repeat(30)}${"x".repeat(shift)} MATCH and more`;
        const start = text.indexOf("MATCH");
        for (const shown of [excerptOf(text, start, start + 5), excerptBefore(text, start, 40 + shift * 2)])
          expect(shown).not.toMatch(/unter2|nter2|ter2|er2/);
      }
  });

  test("leaves the match and every mask, and shows nothing that the whole passage would not", () => {
    const secret = `${"w ".repeat(40)}password: hunter2 MATCH ${"w ".repeat(100)}password: hunter2`;
    const start = secret.indexOf("MATCH");
    expect(excerptOf(secret, start, start + 5)).toContain("password: [masked] MATCH");
    expect(excerptOf(secret, start, start + 5)).not.toContain("hunter2");
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 400 }),
        fc.nat(400),
        fc.nat(40),
        (any, at, size) => {
          const begin = Math.min(at, any.length);
          const end = Math.min(any.length, begin + size);
          const room = 200 - (end - begin);
          const passage = any.slice(
            Math.max(0, begin - Math.floor(room / 3)),
            end + Math.floor((room * 2) / 3),
          );
          const whole = maskSensitive(passage, "passage").replaceAll("\ufffd", "");
          expect(whole).toContain(
            excerptOf(any, begin, end)
              .replace(/\u2026$/, "")
              .replaceAll("\ufffd", ""),
          );
        },
      ),
    );
  });
});

test("a secret that the end of a passage cuts is masked to its beginning", () => {
  const secret = "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3gH6";
  for (let lead = 100; lead < 200; lead++) {
    const shown = excerptOf(`MATCH ${"w".repeat(lead)}?key=${secret}`, 0, 5);
    expect(shown).not.toContain(secret.slice(0, 4));
  }
});

describe("shortName", () => {
  test("is the name, cut, or the fallback", () => {
    expect(shortName(" search ")).toBe("search");
    expect(shortName("x".repeat(500))).toHaveLength(80);
    expect(`${shortName("😀".repeat(100))}`.isWellFormed()).toBe(true);
    for (const none of [undefined, null, 7, "", "  ", {}]) expect(shortName(none)).toBe("unnamed");
  });
});
