/**
 * A crash signature that tells nothing: the digest of no text, of an empty value or of a word that stands for
 * any error, or such a word in place of a digest. A client that found nothing to hash sends the same one for
 * every crash.
 */
const EMPTY_TEXTS = [
  "",
  " ",
  "\n",
  "null",
  "None",
  "nil",
  "undefined",
  "NaN",
  "{}",
  "[]",
  '""',
  "[object Object]",
  "false",
  "unknown",
  "Unknown",
  "error",
  "Error",
  "exception",
  "Exception",
  "crash",
  "crashed",
  "unknown error",
  "Unknown error",
  "Error: ",
  "0",
];
const SAYS_NOTHING =
  /^(?:sha256:)?(?:null|none|nil|undefined|unknown|n\/?a|error|empty|todo|test|(.)\1{0,200})?$/i;

const EMPTY_DIGESTS: ReadonlySet<string> = new Set(
  EMPTY_TEXTS.flatMap((text) => {
    const digest = new Bun.CryptoHasher("sha256").update(text).digest();
    const base64 = digest.toString("base64");
    return [digest.toString("hex"), base64, base64.replace(/={1,2}$/, ""), digest.toString("base64url")];
  }),
);

const HEX = /^[0-9A-F]{64}$/i;

export function tellsNothing(signature: string): boolean {
  if (SAYS_NOTHING.test(signature)) return true;
  const digest = signature.slice(signature.indexOf(":") + 1);
  return EMPTY_DIGESTS.has(HEX.test(digest) ? digest.toLowerCase() : digest);
}
