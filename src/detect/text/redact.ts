import { createHmac } from "node:crypto";
import { excerptLine } from "../excerpt-line.ts";

/** What a detection may say of a text or of a secret in it. */

/** Characters around a match that are looked at, the match included. */
const AROUND_CHARS = 200;

/** Keys the fingerprint of secrets: it tells two values apart within the service and leads back to neither. */
const FINGERPRINT_KEY = "agent-telemetry-service/secret-fingerprint/v1";

/** 12 hex digits that stand for a secret value. */
export function fingerprint(value: string, key: string = FINGERPRINT_KEY): string {
  return createHmac("sha256", key).update(value).digest("hex").slice(0, 12);
}

/** The text around a match, masked, on one line. */
export function excerptOf(text: string, start: number, end: number): string {
  const room = Math.max(0, AROUND_CHARS - (end - start));
  let from = Math.max(0, start - Math.floor(room / 3));
  let to = Math.min(text.length, Math.min(end, start + AROUND_CHARS) + Math.floor((room * 2) / 3));
  if (splitsPair(text, from)) from++;
  if (splitsPair(text, to)) to--;
  return excerptLine(text.slice(from, to));
}

/** True inside a surrogate pair: a cut there would leave half a character. */
function splitsPair(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff;
}
