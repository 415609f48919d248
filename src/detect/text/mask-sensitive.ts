/**
 * The one masker of excerpts: whatever could be a secret or personal data is taken out of a text before it is stored
 * or sent. Masking errs on the side of too much; what a reader needs and nobody hides stays: names in code, hosts,
 * IPv4 addresses, fractions. Linear: every quantifier is bounded, and none shares its characters with the next one.
 */

const PRIVATE_BLOCK = /-----BEGIN[ A-Z]{0,40}-----[\s\S]{0,2000}/g;
const URL_LOGIN = /:\/\/[^\s/@]{1,200}@/g;
/** What stands assigned to a word that announces a secret, however short it is. */
const ASSIGNED =
  /((?:pass(?:word|wd|wort)?|secret|token|api[ _-]?key|authorization|bearer|credential)s?["'`]?\s{0,3}[:=]\s{0,3}["'`]?(?:bearer )?)[^\s"'`,;]{1,200}/gi;
/** What merely follows such a word: a sentence goes on (`token expired`), a secret has digits. */
const FOLLOWING =
  /((?:secret|token|api[ _-]?key|authorization|credential|pass)s?["'`]?\s{1,3}["'`]?)(?=[^\s"'`,;]{0,199}\d)[^\s"'`,;]{6,200}/gi;
const FOLLOWING_PASSWORD = /((?:passw(?:ord|d|ort)|bearer)s?["'`]?\s{1,3}["'`]?)[^\s"'`,;]{6,200}/gi;
const EMAIL = /[^\s@<>"'(),;:]{1,64}@[\w.-]{1,255}/g;
const ACCOUNT = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]){10,32}/gi;
const ACCOUNT_DIGITS_MIN = 8;
const TOKEN = /[\w+/=.~-]{20,2000}/g;
/** A part of a host or of a name in code, between its dots. */
const NAME_PART = /^(?:[a-z0-9_-]{0,19}|[A-Za-z_-]{1,60})$/;
/** Kept: an IPv4 address, a fraction. Masked: seven digits and more, however they are set apart. */
const NUMBER =
  /(?<![\d.])((?:\d{1,3}\.){3}\d{1,3}(?!\.?\d)|[01]\.\d{1,20}(?![\d.]))|\+?\d(?:[ .()-]{0,2}\d){6,200}/g;

export function maskSensitive(text: string): string {
  return (
    text
      .replace(PRIVATE_BLOCK, "[private key]")
      // The blank keeps the host from being read as the rest of a mail address.
      .replace(URL_LOGIN, "://[login] ")
      .replace(ASSIGNED, "$1[masked]")
      .replace(FOLLOWING_PASSWORD, "$1[masked]")
      .replace(FOLLOWING, "$1[masked]")
      .replace(EMAIL, "[email]")
      .replace(ACCOUNT, maskAccount)
      .replace(TOKEN, maskToken)
      .replace(NUMBER, (_match, kept: string | undefined) => kept ?? "[number]")
  );
}

/** Words can begin like an account number (`id42 was called`); they do not go on in digits. */
function maskAccount(match: string): string {
  return match.replace(/\D/g, "").length >= ACCOUNT_DIGITS_MIN ? "[account]" : match;
}

/** Letters and digits mixed are a token, up to its last part that is no name: the host behind it stays readable. */
function maskToken(run: string): string {
  if (!/\d/.test(run) || !/[A-Za-z]/.test(run)) return run;
  const parts = run.split(".");
  const last = parts.findLastIndex((part) => !NAME_PART.test(part));
  return last < 0 && parts.length > 1 ? run : ["[masked]", ...parts.slice(last + 1)].join(".");
}
