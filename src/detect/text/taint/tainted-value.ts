import { addressNamedIn, WEB_ADDRESS } from "../../building-blocks/hosts/web-addresses.ts";
import type { Call } from "./followed-state.ts";
import { bareNumber, spellingIn } from "./number-spellings.ts";
import { isTrusted, isTrustedNumber, type TrustedTexts } from "./trusted-texts.ts";

/**
 * The value of a call that stands in a passage's text and in nothing trusted, as the passage spells it; null:
 * there is none.
 */
export function taintedValue(
  { values, sequence, clean = "" }: Pick<Call, "values" | "sequence" | "clean">,
  text: string,
  trusted: TrustedTexts,
): string | null {
  for (const one of values) {
    if (clean.includes(one)) continue;
    if (text.includes(one)) {
      if (!isTrusted(trusted, one, sequence)) return one;
      continue;
    }
    const address = WEB_ADDRESS.test(one) ? addressNamedIn(text, one) : null;
    if (address !== null && !isTrusted(trusted, address, sequence)) return address;
    const bare = bareNumber(one);
    const spelt = bare === null ? "" : spellingIn(text, bare);
    if (spelt === "" || isTrusted(trusted, one, sequence)) continue;
    if (!isTrustedNumber(trusted, bare as string, spelt, sequence)) return spelt;
  }
  return null;
}
