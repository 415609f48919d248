import { expect, test } from "bun:test";
import fc from "fast-check";
import { rateLimitHeaders } from "./rate-limit-headers.ts";

const NOW_MS = 1_700_000_000_000;

test("the headers of a bucket that has given some of its tokens", () => {
  const reading = { admitted: true, limit: 200, remaining: 150, fullInMs: 2_001, perSecond: 25 };
  expect(rateLimitHeaders(reading, NOW_MS)).toEqual({
    "x-ratelimit-limit": "200",
    "x-ratelimit-remaining": "150",
    "x-ratelimit-reset": "1700000003",
    "ratelimit-policy": '"default";q=200;w=8',
    ratelimit: '"default";r=150;t=3',
  });
});

test("without a project: the default policy with a full bucket, which is full now", () => {
  expect(rateLimitHeaders(undefined, NOW_MS)).toEqual({
    "x-ratelimit-limit": "100",
    "x-ratelimit-remaining": "100",
    "x-ratelimit-reset": "1700000000",
    "ratelimit-policy": '"default";q=100;w=10',
    ratelimit: '"default";r=100;t=0',
  });
});

test("a full bucket's reset is now, rounded up to a whole second", () => {
  const reading = { admitted: true, limit: 10, remaining: 10, fullInMs: 0, perSecond: 10 };
  expect(rateLimitHeaders(reading, NOW_MS)["x-ratelimit-reset"]).toBe("1700000000");
  expect(rateLimitHeaders(reading, NOW_MS + 1)["x-ratelimit-reset"]).toBe("1700000001");
});

test("whatever the policy and the reading: whole numbers, and a client that waits for them finds it full", () => {
  const tokens = fc.integer({ min: 1, max: 1_000_000 });
  fc.assert(
    fc.property(tokens, tokens, fc.nat({ max: 1_000_000_000 }), (limit, perSecond, fullInMs) => {
      const reading = { admitted: false, limit, remaining: 0, fullInMs, perSecond };
      const headers = rateLimitHeaders(reading, NOW_MS);
      const windowS = Number(/^"default";q=\d+;w=([1-9]\d*)$/.exec(headers["ratelimit-policy"]!)![1]);
      const waitS = Number(/^"default";r=0;t=(\d+)$/.exec(headers.ratelimit!)![1]);
      expect(windowS * perSecond).toBeGreaterThanOrEqual(limit);
      expect(waitS * 1_000).toBeGreaterThanOrEqual(fullInMs);
      expect(Number(headers["x-ratelimit-reset"]) * 1_000).toBeGreaterThanOrEqual(NOW_MS + fullInMs);
    }),
  );
});
