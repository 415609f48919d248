import { expect, test } from "bun:test";
import { MemoryBudget } from "./body.ts";
import { PROBLEM_CODES, problemResponse, statusOf } from "./problem.ts";
import { Turnstile } from "./turnstile.ts";

test.each(PROBLEM_CODES)(
  "%s is a whole problem document with the headers its status asks for",
  async (code) => {
    const response = problemResponse({ code, detail: "d" }, { "x-ratelimit-limit": "100" });
    const body = await response.json();
    expect(body).toMatchObject({ status: statusOf(code), code, detail: "d" });
    expect(response.status).toBe(statusOf(code));
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(response.headers.get("x-ratelimit-limit")).toBe("100");
    expect(response.headers.get("www-authenticate")).toBe(response.status === 401 ? "Bearer" : null);
    expect(response.headers.has("retry-after")).toBe([429, 503].includes(response.status));
  },
);

test("the budget never goes over its maximum and a refusal takes nothing", () => {
  const budget = new MemoryBudget(10);
  expect([budget.take(6), budget.take(5), budget.take(4), budget.take(1)]).toEqual([
    true,
    false,
    true,
    false,
  ]);
  budget.give(6);
  expect({ held: budget.held, again: budget.take(6) }).toEqual({ held: 4, again: true });
});

test("the turnstile lets all through, in order, and again when it stood idle", async () => {
  const turnstile = new Turnstile();
  const passed: number[] = [];
  await Promise.all(Array.from({ length: 50 }, (_, n) => turnstile.enter().then(() => passed.push(n))));
  expect(passed).toEqual(Array.from({ length: 50 }, (_, n) => n));
  await turnstile.enter();
});
