import { ARABIC, HINDI, INDONESIAN, THAI, TURKISH, VIETNAMESE } from "./asian.ts";
import { CHINESE_SIMPLIFIED, CHINESE_TRADITIONAL, JAPANESE, KOREAN } from "./east-asian.ts";
import { FURTHER } from "./further.ts";
import type { LanguageSamples } from "./sample-kinds.ts";
import { POLISH, RUSSIAN, UKRAINIAN } from "./slavic.ts";
import { DUTCH, FRENCH, GERMAN, ITALIAN, PORTUGUESE, SPANISH } from "./west-european.ts";

export type SampleKind = keyof LanguageSamples;

export interface LanguageSample {
  readonly language: string;
  readonly kind: SampleKind;
  readonly text: string;
  /** Of the half that was not looked at while rules were written. */
  readonly sealed: boolean;
}

const SAMPLES: Readonly<Record<string, LanguageSamples>> = {
  "zh-CN": CHINESE_SIMPLIFIED,
  "zh-TW": CHINESE_TRADITIONAL,
  ja: JAPANESE,
  ko: KOREAN,
  ru: RUSSIAN,
  uk: UKRAINIAN,
  pl: POLISH,
  nl: DUTCH,
  tr: TURKISH,
  ar: ARABIC,
  hi: HINDI,
  th: THAI,
  vi: VIETNAMESE,
  id: INDONESIAN,
  pt: PORTUGUESE,
  es: SPANISH,
  fr: FRENCH,
  it: ITALIAN,
  de: GERMAN,
};

function isSealed(text: string): boolean {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return ((hash >>> 16) & 1) === 1;
}

export function languageSamples(): readonly LanguageSample[] {
  const samples: LanguageSample[] = [];
  const add = (language: string, kind: SampleKind, text: string): void => {
    samples.push({ language, kind, text, sealed: isSealed(text) });
  };
  for (const [language, kinds] of Object.entries(SAMPLES)) {
    for (const kind of Object.keys(kinds) as SampleKind[])
      for (const text of kinds[kind]) add(language, kind, text);
    for (const [kind, text] of FURTHER[language] ?? []) add(language, kind, text);
  }
  return samples;
}
