/** What every response carries about the bucket, read strictly: a missing or malformed header throws. */
import type { Reply } from "./client.ts";

export interface RateHeaders {
  readonly limit: number;
  readonly remaining: number;
  readonly reset: number;
}

function integerHeader(reply: Reply, name: string): number {
  const value = reply.headers.get(name);
  if (value === null || !/^\d+$/.test(value)) {
    throw new Error(`${name} is ${JSON.stringify(value)} on ${reply.status} ${reply.text.slice(0, 200)}`);
  }
  return Number(value);
}

/** The three headers of the interface and the draft's two, which must agree with them. */
export function rateHeadersOf(reply: Reply): RateHeaders {
  const headers = {
    limit: integerHeader(reply, "x-ratelimit-limit"),
    remaining: integerHeader(reply, "x-ratelimit-remaining"),
    reset: integerHeader(reply, "x-ratelimit-reset"),
  };
  const policy = reply.headers.get("ratelimit-policy") ?? "";
  const state = reply.headers.get("ratelimit") ?? "";
  if (!new RegExp(`^"[^"]+";.*\\bq=${headers.limit}\\b`).test(policy)) {
    throw new Error(`RateLimit-Policy ${JSON.stringify(policy)} does not say q=${headers.limit}`);
  }
  if (!new RegExp(`^"[^"]+";.*\\br=${headers.remaining}\\b`).test(state)) {
    throw new Error(`RateLimit ${JSON.stringify(state)} does not say r=${headers.remaining}`);
  }
  return headers;
}
