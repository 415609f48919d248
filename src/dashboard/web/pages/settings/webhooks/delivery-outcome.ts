/** What an attempt came to, in words (docs/WEBHOOKS.md). */

const MEANINGS: Readonly<Record<string, string>> = {
  status: "An answer, but not a 2xx.",
  redirect: "A redirect, which is not followed.",
  timeout: "No whole answer within 15 seconds.",
  dns: "The name could not be resolved.",
  connect: "No connection: refused, unreachable or reset.",
  tls: "The TLS handshake or the certificate failed.",
  address_refused: "The host has an address that may not be reached. WEBHOOK_ALLOWED_NETWORKS can allow it.",
  connection_lost: "The connection ended in the middle of the answer.",
  protocol: "The answer was not HTTP.",
  invalid_url: "The address is not an http or https URL.",
  interrupted: "The service ended in the middle of it; the next attempt followed by itself.",
};

const NAMES: Readonly<Record<string, string>> = {
  redirect: "redirect",
  timeout: "timed out",
  dns: "unknown host",
  connect: "no connection",
  tls: "TLS failed",
  address_refused: "address refused",
  connection_lost: "connection lost",
  protocol: "not HTTP",
  invalid_url: "bad address",
};

/** Null for an attempt that succeeded. */
export function meaningOf(errorClass: string | null): string | null {
  return errorClass === null ? null : (MEANINGS[errorClass] ?? errorClass);
}

/**
 * The `outcome` of an attempt, `last_outcome` of a delivery: an HTTP status, an error class, or nothing yet.
 */
export function outcomeText(outcome: string | null): string {
  if (outcome === null) return "–";
  return /^\d+$/.test(outcome) ? `HTTP ${outcome}` : (NAMES[outcome] ?? outcome.replaceAll("_", " "));
}
