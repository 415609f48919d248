import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { excerptLine } from "./excerpt.ts";
import { errorKind, normaliseMessage } from "./normalise-error.ts";
import { parseStack, stackKey } from "./normalise-stack.ts";

describe("normaliseMessage", () => {
  test("masks what varies and keeps what says what happened", () => {
    const cases: [string, string][] = [
      ["No row 17 of 'users'", "No row <n> of <str>"],
      ['key "abc" not found', "key <str> not found"],
      ["GET https://a.example/x?y=1 failed: 503", "GET <url> failed: <n>"],
      ["user 3f2504e0-4f89-11d3-9a0c-0305e82c3301 unknown", "user <uuid> unknown"],
      ["bad pointer 0x7ffdeadbeef", "bad pointer <hex>"],
      ["commit deadbeef12345678 missing", "commit <hex> missing"],
      ["cannot open /srv/app/data/file.json", "cannot open <path>"],
      ["C:\\Users\\ann\\x.txt is locked", "<path> is locked"],
      ["mail to ann.b@example.com bounced", "mail to <email> bounced"],
      ["can't parse, don't retry", "can't parse, don't retry"],
      ["request req_9f8e7d6c5b4a failed", "request <id> failed"],
      ["took 1,234.5 ms at 12:30:01", "took <n> ms at <n>"],
    ];
    for (const [message, expected] of cases) expect(normaliseMessage(message)).toBe(expected);
  });

  test("a second pass changes nothing, and the result is bounded", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 3000 }), (message) => {
        expect(normaliseMessage(message).length).toBeLessThanOrEqual(300);
      }),
    );
    const once = normaliseMessage("order 17 of 'ann' at /a/b/c failed");
    expect(normaliseMessage(once)).toBe(once);
  });

  test("errorKind is the named class, else the masked beginning", () => {
    expect(errorKind("ValueError: No row 17")).toBe("ValueError");
    expect(errorKind("openai.RateLimitError: slow down")).toBe("openai.RateLimitError");
    expect(errorKind("Order 17 not found")).toBe("Order <n> not found");
    expect(errorKind("")).toBe("error");
  });
});

describe("parseStack", () => {
  const names = (stack: string) => parseStack(stack).map((frame) => `${frame.file}:${frame.name}`);

  test("reads the frames of many runtimes, the one that threw first", () => {
    expect(
      names(
        'Traceback (most recent call last):\n  File "/a/run.py", line 3, in main\n    f()\n  File "/a/b.py", line 9, in f\nKeyError: 1',
      ),
    ).toEqual(["b.py:f", "run.py:main"]);
    expect(
      names(
        "TypeError: x\n    at step (/app/src/agent.ts:10:5)\n    at async run (file:///app/src/run.ts:3:1)\n    at /app/x.js:1:1",
      ),
    ).toEqual(["agent.ts:step", "run.ts:run", "x.js:<anonymous>"]);
    expect(
      names("step@https://a.example/app.3f9a2b1c.js:1:200\nrun@https://a.example/app.3f9a2b1c.js:1:9"),
    ).toEqual(["app.js:step", "app.js:run"]);
    expect(
      names(
        "java.lang.NullPointerException\n\tat com.acme.Agent.step(Agent.java:42)\n\tat com.acme.Main.main(Main.java:7)",
      ),
    ).toEqual(["Agent.java:com.acme.Agent.step", "Main.java:com.acme.Main.main"]);
    expect(
      names(
        "panic: x\n\ngoroutine 1 [running]:\nmain.step(0x1, 0x2)\n\t/app/agent.go:12 +0x1d\nmain.main()\n\t/app/main.go:3 +0x2",
      ),
    ).toEqual(["agent.go:main.step", "main.go:main.main"]);
    expect(names("   at Acme.Agent.Step(Int32 n) in C:\\src\\Agent.cs:line 12")).toEqual([
      "Agent.cs:Acme.Agent.Step",
    ]);
    expect(names("agent.rb:12:in `step'\n\tfrom run.rb:3:in `main'")).toEqual([
      "agent.rb:step",
      "run.rb:main",
    ]);
  });

  test("groups by own frames where there are any, folds recursion, ignores line numbers and folders", () => {
    const own =
      "Error: x\n at f (/app/a.ts:1:1)\n at g (/app/node_modules/lib/i.js:2:2)\n at node:internal/x:1:1\n at h (/app/b.ts:3:3)";
    expect(stackKey(own)).toBe("a.ts:f|b.ts:h");
    expect(stackKey("Error\n at g (/x/node_modules/lib/i.js:2:2)")).toBe("i.js:g");
    expect(stackKey(`Error\n${" at f (/app/a.ts:1:1)\n".repeat(50)}`)).toBe("a.ts:f");
    expect(stackKey(own.replaceAll("/app/", "/other/build-77/").replaceAll(":1:1", ":9:9"))).toBe(
      stackKey(own),
    );
    expect(stackKey("no frames here")).toBe("");
  });

  test("of chained Python errors the one that escaped counts, of Java's the outer one", () => {
    const python = `Traceback (most recent call last):
  File "/a/inner.py", line 1, in inner
ValueError: 1

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/a/outer.py", line 1, in outer
RuntimeError: 2`;
    expect(stackKey(python)).toBe("outer.py:outer");
    expect(stackKey("E\n at a.B.c(B.java:1)\nCaused by: F\n at x.Y.z(Y.java:1)")).toBe("B.java:a.B.c");
  });
});

describe("hostile texts", () => {
  /** Inputs that make a backtracking regex explode: if one did, these would take minutes and the test time out. */
  const hostile = [
    "'".repeat(100_000),
    `"${"a".repeat(100_000)}`,
    "/a".repeat(50_000),
    "a".repeat(100_000),
    "0".repeat(100_000),
    "a@".repeat(50_000),
    "a-".repeat(50_000),
    "abcdef".repeat(20_000),
    "at ".repeat(50_000),
    `at ${"(".repeat(100_000)}`,
    `${"f(".repeat(50_000)}${")".repeat(50_000)}`,
    "1.".repeat(50_000),
    `https://${"a".repeat(100_000)}`,
    "\n".repeat(100_000),
    `${"x".repeat(390)}\n`.repeat(1000),
    "main.f(".repeat(20_000),
  ];

  test("end in bounded results", () => {
    for (const text of hostile) {
      for (let round = 0; round < 20; round++) {
        expect(normaliseMessage(text).length).toBeLessThanOrEqual(300);
        expect(excerptLine(text).length).toBeLessThanOrEqual(240);
        expect(stackKey(text).length).toBeLessThanOrEqual(2000);
        expect(errorKind(text).length).toBeLessThanOrEqual(100);
      }
    }
  });
});
