import { createHmac } from "node:crypto";

/**
 * What a receiver checks a request with. Two schemes over the same bytes:
 * - `X-Service-Signature`: `sha256=` and the hex HMAC-SHA256 of the body, keyed with the secret exactly as
 *   shown at creation (the whole `whsec_…` text).
 * - `webhook-signature` (Standard Webhooks): `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`, keyed
 *   with the bytes that the part after `whsec_` encodes. After a rotation it carries one signature per valid
 *   secret.
 */

const SECRET_PREFIX = "whsec_";

export interface SigningInput {
  deliveryId: string;
  /** Seconds since the Unix epoch. */
  timestampS: number;
  body: string;
  secret: string;
  /** The secret before the last rotation while it is still valid, else null. */
  previousSecret: string | null;
}

export function signatureHeaders(input: SigningInput): Record<string, string> {
  const secrets = input.previousSecret === null ? [input.secret] : [input.secret, input.previousSecret];
  return {
    "X-Service-Signature": `sha256=${createHmac("sha256", input.secret).update(input.body).digest("hex")}`,
    "webhook-id": input.deliveryId,
    "webhook-timestamp": String(input.timestampS),
    "webhook-signature": secrets.map((secret) => standardSignature(input, secret)).join(" "),
  };
}

function standardSignature(input: SigningInput, secret: string): string {
  const signed = `${input.deliveryId}.${input.timestampS}.${input.body}`;
  return `v1,${createHmac("sha256", standardKey(secret)).update(signed).digest("base64")}`;
}

/** A secret without the prefix is nothing this service made; its text then is its key. */
function standardKey(secret: string): Uint8Array {
  if (!secret.startsWith(SECRET_PREFIX)) return Buffer.from(secret, "utf8");
  return Buffer.from(secret.slice(SECRET_PREFIX.length), "base64");
}
