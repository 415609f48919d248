import type { RuleMatch } from "../scan/chain-rules.ts";
import { holdsAny } from "../scan/class-set.ts";
import type { TextScan } from "../scan/scan-text.ts";

/**
 * What a server's error demands before it goes on: the content of a file that holds keys, handed to its own
 * tool. An honest error says that a file is missing or wrong, and leaves its content where it is.
 */
const AROUND = 240;
const KEY_FILE =
  /(?:~|\/home\/[\w.-]{1,40}|\/root|\$HOME)\/\.(?:ssh|aws|gnupg|kube|npmrc|netrc|docker|config|git-credentials|pgpass)[\w./-]{0,80}(?<!\.pub)|\bid_(?:rsa|ed25519|ecdsa)\b(?!\.pub)|\/etc\/shadow|\.env\b/i;
const CONTENT =
  /\b(?:contents?|full text|whole text|text of|body of|output of|what it holds|inhalt|contenu|contenido|contenuto|conte(?:\u00fa|u)do|inhoud|zawarto\w{1,4})\b|\u5185\u5bb9|\u4e2d\u8eab/iu;
const HANDED =
  /\b(?:call(?:ing)?|again|retry|pass|set to|argument|parameter|field|attach|include|supply|provide|submit|send)\b|`\w{2,40}`/i;

const holdsPath = holdsAny("sensitivePath");

export function answerDemands({ text, ...scan }: Pick<TextScan, "text" | "low" | "high">): RuleMatch | null {
  if (!holdsPath(scan)) return null;
  const file = KEY_FILE.exec(text);
  if (file === null) return null;
  const start = Math.max(0, file.index - AROUND);
  const end = Math.min(text.length, file.index + file[0].length + AROUND);
  const around = text.slice(start, end);
  return CONTENT.test(around) && HANDED.test(around)
    ? { id: "error-demands-keys", weight: 0.85, start: file.index, end: file.index + file[0].length }
    : null;
}
