import type { BucketReading } from "../ingest/token-bucket.ts";
import { PROJECT_DEFAULTS } from "../store/projects/project-bounds.ts";

/** What is shown where there is no project: the default policy, its bucket full. */
const DEFAULT_READING: BucketReading = {
  admitted: true,
  limit: PROJECT_DEFAULTS.rateBurst,
  remaining: PROJECT_DEFAULTS.rateBurst,
  fullInMs: 0,
  perSecond: PROJECT_DEFAULTS.ratePerSecond,
};

/**
 * The rate-limit headers of every response: the interface's three, and the IETF draft's `RateLimit-Policy`
 * and `RateLimit` (draft-ietf-httpapi-ratelimit-headers). `reading` is undefined where there is no project.
 */
export function rateLimitHeaders(reading: BucketReading | undefined, nowMs: number): Record<string, string> {
  const { limit, remaining, fullInMs, perSecond } = reading ?? DEFAULT_READING;
  const windowS = Math.max(1, Math.ceil(limit / perSecond));
  return {
    "x-ratelimit-limit": String(limit),
    "x-ratelimit-remaining": String(remaining),
    "x-ratelimit-reset": String(Math.ceil((nowMs + fullInMs) / 1000)),
    "ratelimit-policy": `"default";q=${limit};w=${windowS}`,
    ratelimit: `"default";r=${remaining};t=${Math.ceil(fullInMs / 1000)}`,
  };
}
