import { createHmac } from "node:crypto";

/**
 * Keys the fingerprint of secrets: it tells two values apart within the service and leads back to neither.
 */
const FINGERPRINT_KEY = "agent-telemetry-service/secret-fingerprint/v1";

/** 12 hex digits that stand for a secret value. */
export function secretFingerprint(value: string): string {
  return createHmac("sha256", FINGERPRINT_KEY).update(value).digest("hex").slice(0, 12);
}
