import type { SecretRule } from "./secret-rule.ts";

/** What may not stand before and behind a token with a prefix. */
const FRONT = "(?<![A-Za-z0-9])";
const BACK = "(?![A-Za-z0-9])";

/** In small letters, as the source of a pattern. */
export const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";

export function format(
  id: string,
  keyword: string | readonly string[],
  body: string,
  entropyMin = 2.5,
): SecretRule {
  const keywords = typeof keyword === "string" ? [keyword] : keyword;
  return {
    id,
    keywords,
    pattern: new RegExp(`${FRONT}(${body})${BACK}`, "y"),
    entropyMin,
    anchored: true,
    kind: "prefix",
  };
}

/** A format whose keyword stands inside the value. */
export function formatAround(id: string, keyword: string, body: string, entropyMin: number): SecretRule {
  return {
    ...format(id, keyword, body, entropyMin),
    pattern: new RegExp(`${FRONT}(${body})${BACK}`, "g"),
    anchored: false,
  };
}
