import { byName } from "./by-name.ts";

/**
 * Tokens that a model reads at most, for families whose makers state it (their model pages, November 2025);
 * null where it is not known, or where one name stands for several sizes.
 */
interface Window {
  readonly least: number;
  readonly most: number;
}

/** `least` and `most`: a maker's thousands are 1,000 or 1,024. */
const WINDOWS: readonly (readonly [RegExp, Window])[] = [
  [/gpt-?4\.1/i, { least: 1_000_000, most: 1_048_576 }],
  [/gpt-?5/i, { least: 272_000, most: 272_000 }],
  [/gpt-?4o|gpt-?4-(?:turbo|1106|0125)|gpt-oss|\bo1-(?:mini|preview)/i, { least: 128_000, most: 131_072 }],
  [/gpt-?3\.5/i, { least: 16_000, most: 16_385 }],
  [/\bo[134](?:-(?:mini|pro))?(?![\w.])/i, { least: 200_000, most: 200_000 }],
  [/claude/i, { least: 200_000, most: 200_000 }],
  [/gemini-(?:1\.5-flash|2|3)/i, { least: 1_000_000, most: 1_048_576 }],
  [
    /llama-?3\.[123]|mistral-(?:large|medium|small)|deepseek|command-r|qwen-?(?:2\.5|3)|grok-[23]/i,
    { least: 128_000, most: 131_072 },
  ],
];

export const windowOf = byName(
  (model): Window | null => WINDOWS.find(([family]) => family.test(model))?.[1] ?? null,
);
