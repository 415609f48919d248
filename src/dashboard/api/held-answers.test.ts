import { describe, expect, test } from "bun:test";
import { heldAnswers } from "./held-answers.ts";

function harness(keysMax = 10) {
  let nowMs = 1_000;
  const reads: string[] = [];
  const held = heldAnswers<string, string>({ heldMs: 100, keysMax, now: () => nowMs });
  return {
    reads,
    pass(ms: number) {
      nowMs += ms;
    },
    ask: (key: string, answer = Promise.resolve(`${key} ${reads.length}`)) =>
      held(key, () => {
        reads.push(key);
        return answer;
      }),
  };
}

describe("held answers", () => {
  test("all who ask while it is read, and for a while after, get one read", async () => {
    const { ask, reads, pass } = harness();
    const slow = Promise.withResolvers<string>();
    const both = Promise.all([ask("a", slow.promise), ask("a")]);
    pass(99);
    slow.resolve("read once");
    expect(await both).toEqual(["read once", "read once"]);
    expect(await ask("a")).toBe("read once");
    expect(reads).toEqual(["a"]);
  });

  test("an answer is as old as the beginning of its read, and no older than told", async () => {
    const { ask, reads, pass } = harness();
    await ask("a");
    pass(100);
    await ask("a");
    expect(reads).toEqual(["a", "a"]);
  });

  test("keys do not share", async () => {
    const { ask } = harness();
    expect(await Promise.all([ask("a"), ask("b")])).toEqual(["a 0", "b 1"]);
  });

  test("a failure is told to who waits, and read again for the next", async () => {
    const { ask, reads } = harness();
    const failing = ask("a", Promise.reject(new Error("away")));
    expect(ask("a")).rejects.toThrow("away");
    expect(failing).rejects.toThrow("away");
    await Promise.allSettled([failing]);
    expect(await ask("a")).toBe("a 1");
    expect(reads).toEqual(["a", "a"]);
  });

  test("holds no more than it may: the oldest is read anew", async () => {
    const { ask, reads } = harness(2);
    for (const key of ["a", "b", "c", "b", "c", "a"]) await ask(key);
    expect(reads).toEqual(["a", "b", "c", "a"]);
  });
});
