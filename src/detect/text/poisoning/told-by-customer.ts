import { wordsOfName } from "../../building-blocks/calls/tool-class.ts";
import type { Heard } from "../provenance/heard-texts.ts";
import { shareIn, tellingWords } from "../provenance/kept-words.ts";
import { wordsIn } from "../request/request-words.ts";
import type { RuleMatch } from "../scan/chain-rules.ts";
import { weightOfSigns } from "./sign-weights.ts";
import { isDoubted, keepingIn, standingIn } from "./standing-words.ts";
import type { KeptText } from "./told-to-keep.ts";

/**
 * Somebody whom the agent serves, and does not work for, has a rule written down by which all others are
 * served from then on: a customer, a guest, anybody in a chat. It lowers a guard, its words are those of that
 * person's prompt, and the memory is everybody's. Told by who is served (the operator's instructions, the
 * source that the client gives) as what employees keep reads the same.
 */
const SHARE_MIN = 0.55;
const WORDS_MIN = 4;
const TEXT_MAX = 2_000;

const WEIGHTS = {
  lowers: 0.5,
  forAll: 0.35,
  shared: 0.3,
  stranger: 0.35,
  asked: 0.2,
  standing: 0.2,
} as const;

const SHARED = wordsIn(
  "global shared all policy policies rule rules regras regeln regles reglas regole company kb knowledge everyone public team org house shop store faq playbook",
);
const STRANGER =
  /anonym|visitor|guest|customer|client|caller|public|unverified|unauthenticated|end[-_ ]?user/i;
/** Of an operator's instructions: it is customers who speak. */
const SERVES =
  /\b(?:customers?|visitors?|guests?|shoppers?|callers?|patients?|passengers?|travell?ers|support (?:agent|assistant|bot)|help ?desk|service (?:agent|assistant|bot)|(?:shop|store|hotel|bank|airline) (?:assistant|agent|bot))\b|kund|client|cliente|h[oó]spede|gast|loja|tienda|boutique|negozio|klient|клиент|müşteri|顧客|お客|客户|고객|عملاء/i;

export interface KeptFrom extends KeptText {
  /** What the client says of who wrote it and for whom it is kept; "" if nothing. */
  readonly from: string;
}

/** null: no rule of a customer's. */
export function toldByCustomer({ said }: Heard, kept: KeptFrom): RuleMatch | null {
  if (said.length === 0) return null;
  const stranger = STRANGER.test(kept.from);
  if (!stranger && !said.some(({ origin, text }) => origin === "system" && SERVES.test(text))) return null;
  const text = kept.text.slice(0, TEXT_MAX);
  const { lowers, forAll, changes, general } = standingIn(text);
  if (!lowers || isDoubted(text)) return null;
  const words = tellingWords(text);
  const prompts = said.filter(({ origin }) => origin === "user");
  const told = prompts.filter((one) => shareIn(words, [tellingWords(one.text)]) >= SHARE_MIN);
  if (words.size < WORDS_MIN || told.length === 0) return null;
  const signs = {
    lowers,
    forAll,
    shared: wordsOfName(`${kept.place} ${kept.from}`).some((word) => SHARED.has(word)),
    stranger,
    asked: told.some((one) => {
      const { memory, note } = keepingIn(one.text);
      return memory || note;
    }),
    standing: changes || general,
  };
  return {
    id: "told-by-customer",
    weight: weightOfSigns(signs, WEIGHTS),
    start: 0,
    end: Math.min(text.length, 300),
  };
}
