/**
 * The words of scanners for data loss: what became of a finding, and what kind of thing a named entity is.
 *
 * A finding that was masked, taken out or held back before it went on is no exposure: the scanner did its
 * work. One that was let through, only reported, or that a trial run would have stopped is one. What says
 * neither counts.
 */
export type EntityKind = "secret" | "personal" | "other";

const CHARS_MAX = 200;

const HELD_BACK =
  /redact|mask|masqu|mascar|mascher|bloc{1,2}k|bloqu|blokk|geblock|blokad|zablok|anonym|anonim|pseudon|remov|rimoss|eliminat|elimin[ao]|strip|scrub|saniti[sz]|tokeni[sz]|encrypt|\bhash|replac|reemplaz|remplac|\bdrop|delet|quarantin|den(?:y|ied)|reject|prevent|obfuscat|suppress|supprim|suprim|withh[eo]ld|withheld|censor|purg(?:e|ed)|truncat|geschwarzt|schwarz|entfern|ersetz|gesperrt|sperr|verschlussel|unkenntlich|ocult|tachad|caviard|chiffr|cifrad|cifrat|oscurat|removid|verwijder|versleutel|intervened|脱敏|屏蔽|拦截|阻止|掩码|マスク|ブロック|遮断|削除|마스킹|차단/;
/** Said of it, nothing was held back, or not all, or not yet. */
const NOT_DONE =
  /\b(?:not|no|non|never|nicht|kein|keine|sin|sans|senza|sem|niet|fail|failed|failure|error|would|should|could|can|cannot|may|recommend|recommended|suggest|suggested|proposed|dry|simulated?|simulation|shadow|partial|partially|attempted|pending|skipped|bypass|bypassed|overrid(?:e|den)|fehlgeschlagen|teilweise)\b|\bun(?:mask|redact|block)|\b0 of\b|未脱敏|未拦截/;

/** Whether what became of a finding says that it went no further. */
export function isHeldBack(said: unknown): boolean {
  if (Array.isArray(said))
    return said.length > 0 && said.length <= 20 && said.some(isHeldBack) && !said.some(isLetThrough);
  if (typeof said !== "string") return false;
  const text = worded(said);
  return HELD_BACK.test(text) && !NOT_DONE.test(text);
}

/** Said of a finding that somebody knows to be none. */
export const isDismissed = (said: unknown): boolean =>
  typeof said === "string" &&
  /\b(?:allow|white) ?listed?\b|\bfalse positive|\bdismissed\b/.test(worded(said));

const isLetThrough = (said: unknown): boolean =>
  typeof said === "string" && /\b(?:allow|pass|permit|released?|sent)/.test(worded(said));

const worded = (said: string): string =>
  said
    .slice(0, CHARS_MAX)
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[_\-.:/]{1,9}/g, " ");

/** Keys that anybody may read, or of a table. */
const OPEN_KEY = /\b(?:public|publishable|primary|foreign|sort|partition) keys?\b/;
/** A person's, not a server's. */
const CIVIL = /\b(?:birth|death|marriage) certificates?\b/;
const SECRET =
  /secret|credential|passw|passcode|passphrase|\bpwd\b|\bapi ?keys?\b|\bkeys?\b(?!words?)|\btokens?\b|\bbearer\b|\bjwt\b|json web token|\boauth|\bauth(?:entication|orization|orisation)?\b|\baws |\bcertificates?\b|\bpem\b|connection ?strings?|\bdsn\b|kubeconfig|high entropy|webhook url|session cookie|\bpat\b|\blogins?\b|seed phrase|mnemonic|recovery phrase|zugangsdaten|passwort|kennwort|geheimnis|schlussel|contrasena|credencial|\bclaves? |\bclaves?$|mots? de passe|\bidentifiants\b|\bcles?\b|\bsenhas?\b|\bchaves?\b|credenziali|\bchiav[ei]\b|wachtwoord|\bsleutel|\bhasl[ao]|haseł|парол|ключ|токен|密码|密钥|口令|令牌|パスワード|秘密鍵|認証情報|비밀번호|비밀 ?키/;
/** Services of which a scanner of secrets names nothing but the service. */
const SERVICE =
  /^(?:aws|gcp|azure|github|gitlab|bitbucket|slack|stripe|openai|anthropic|twilio|sendgrid|mailgun|npm|pypi|docker(?:hub)?|heroku|datadog|shopify|discord|telegram|hugging ?face|databricks|digital ?ocean|cloudflare|postgres|mongodb|redis|square|okta|jira|new ?relic)(?: \d{1,9})?$/;
/** What says nothing of anybody. */
const OTHER =
  /^(?:urls?|uris?|links?|web ?(?:site|page|address)s?|(?:domain|host)(?: ?names?)?|date(?: ?time)?s?|times?|timestamps?|org(?:ani[sz]ation)?s?|compan(?:y|ies)|languages?|currenc(?:y|ies)|money|amounts?|prices?|products?|events?|quantit(?:y|ies)|numbers?|percent(?:age)?s?|ordinal|cardinal|file ?(?:names?|paths?)|paths?|uuids?|guids?|keywords?|code|source ?code|versions?|colou?rs?|units?|profanity|toxicity|hate|competitors?|titles?|none|clean|null|misc|unknown|o|nothing|safe|fecha|hora|datum|uhrzeit)$/;

export function kindOfEntity(name: string): EntityKind {
  const text = worded(name).trim();
  if (OTHER.test(text) || OPEN_KEY.test(text)) return "other";
  if (SERVICE.test(text)) return "secret";
  return SECRET.test(text) && !CIVIL.test(text) ? "secret" : "personal";
}
