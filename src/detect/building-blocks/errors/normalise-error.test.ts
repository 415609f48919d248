import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { excerptLine } from "../excerpt.ts";
import { errorKind, normaliseMessage } from "./normalise-error.ts";
import { stackKey } from "./normalise-stack.ts";

describe("normaliseMessage", () => {
  test("masks what varies and keeps what says what happened", () => {
    const cases: [string, string][] = [
      ["No row 17 of 'users'", "No row <n> of <str>"],
      ['key "abc" not found', "key <str> not found"],
      ["GET https://a.example/x?y=1 failed: 503", "GET <url> failed: <n>"],
      ["user 3f2504e0-4f89-11d3-9a0c-0305e82c3301 unknown", "user <n> unknown"],
      ["bad pointer 0x7ffdeadbeef", "bad pointer <n>"],
      ["commit deadbeef12345678 missing", "commit <n> missing"],
      ["cannot open /srv/app/data/file.json", "cannot open <path>"],
      ["C:\\Users\\ann\\x.txt is locked", "<path> is locked"],
      ["mail to ann.b@example.com bounced", "mail to <email> bounced"],
      ["can't parse, don't retry", "can't parse, don't retry"],
      ["request req_9f8e7d6c5b4a failed", "request req_<n> failed"],
      ["took 1,234.5 ms at 12:30:01", "took <n> at <n>"],
    ];
    for (const [message, expected] of cases) expect(normaliseMessage(message)).toBe(expected);
  });

  test("whatever form a value has, its mask is the same", () => {
    const same: string[][] = [
      ["block blk_38 lost", "block blk_-38 lost", "block blk_3886504906 lost", "block blk_38f2e1 lost"],
      ["disk of rack_A8 failed", "disk of rack_B12 failed", "disk of rack_7 failed"],
      ["peer 10.0.0.7:443 is gone", "peer fe80::1c2:3ff is gone", "peer db-1.shop.example.com:443 is gone"],
      ["retry in 20s", "retry in 1m30s", "retry in 2.5 minutes", "retry in 300ms", "retry in 1 hour"],
      ["sent 12 bytes", "sent 1.2 KB", "sent 451 bytes (0.4 KB)", "sent 3GiB"],
      ["since Mon Jan 5 10:00:01 2026", "since 2026-01-05T10:00:01Z", "since 5 Jan 2026", "since 10:01 PM"],
      ["ids 1, 2, 3 unknown", "ids 4 unknown", "ids 7 and 8 unknown"],
      ["no answer to call_a1b2", "no answer to call_9f, call_77ab, call_3"],
      ["limit of org-Ab3dEf9hQwErTyUi reached", "limit of org-uQwErTyUnPoadaOnKJqu reached"],
      ["got flags=0x1f here", "got flags=31 here", "got flags=-1 here"],
      ["no file ./out/a.txt", "no file b.csv", "no file ~/c/d.json", "no file /srv/e/f.py"],
      ["closed user=ann tty=true", "closed user=bob tty=false"],
      ["key sk-ab****yz is wrong", "key sk-proj-cd*****12 is wrong"],
    ];
    for (const messages of same) expect(new Set(messages.map(normaliseMessage)).size).toBe(1);
  });

  test("codes and names of code are what happened", () => {
    const kept: [string, string][] = [
      ["Request failed with status code 404", "Request failed with status code 404"],
      ["[Errno 13] Permission denied: '/x/y'", "[Errno 13] Permission denied: <str>"],
      ["Process exited with code 137 after 12s", "Process exited with code 137 after <n>"],
      ["HTTP/1.1 503 of 10.0.0.1", "HTTP/1.1 503 of <n>"],
      ["SQLSTATE[42S02]: no table 'x'", "SQLSTATE[42S02]: no table <str>"],
      ["code 481923 is wrong", "code <n> is wrong"],
      ["'NoneType' object has no attribute 'rows'", "'NoneType' object has no attribute 'rows'"],
      [
        "Cannot read properties of undefined (reading 'id')",
        "Cannot read properties of undefined (reading 'id')",
      ],
      ['column "total" does not exist', 'column "total" does not exist'],
      ["User 'total' does not exist", "User <str> does not exist"],
      ["no attribute 'row_48213'", "no attribute <str>"],
      ["read failed, errno=ECONNRESET user=ann", "read failed, errno=ECONNRESET user=<str>"],
    ];
    for (const [message, expected] of kept) expect(normaliseMessage(message)).toBe(expected);
  });

  test("of a body its type, its code and its words count, not its fields", () => {
    const refused = (code: number, body: string) => normaliseMessage(`Error code: ${code} - ${body}`);
    const limit = (org: string, used: number, wait: string) =>
      `{'error': {'message': 'Limit of requests for org-${org}: used ${used}, wait ${wait}.', 'type': 'requests', 'code': 'rate_limited'}}`;
    expect(refused(429, limit("Ab3dEf9h", 12, "2.5s"))).toBe(
      "Error code: 429 - <json> requests rate_limited: Limit of requests for org-<n>: used <n>, wait <n>.",
    );
    expect(refused(429, limit("Zz8yXw7v", 48_000, "1m2s"))).toBe(refused(429, limit("Ab3dEf9h", 12, "2.5s")));
    const busy = '{"type":"error","error":{"type":"busy_error","message":"Busy"}';
    expect(refused(529, `${busy},"request_id":"req_01x9"}`)).toBe(refused(529, `${busy}}`));
    expect(refused(529, `${busy}}`)).not.toBe(refused(529, busy.replace("busy_error", "auth_error")));
    // A body in a body.
    const inner = (type: string, id: string) =>
      JSON.stringify({
        error: { code: 400, message: JSON.stringify({ type, message: "call 7 has no answer", id }) },
      });
    expect(normaliseMessage(inner("bad_call", "req_1a"))).toBe(
      "<json> code 400 bad_call: call <n> has no answer",
    );
    expect(normaliseMessage(inner("bad_call", "req_2b9"))).toBe(
      normaliseMessage(inner("bad_call", "req_1a")),
    );
    // Cut off, nested in a list, and a brace that opens no object.
    expect(normaliseMessage('sent {"a": "b')).toBe("sent <json>");
    expect(normaliseMessage('sent [{"a": 1}, {"a": 2, "b": {}}] to x')).toBe("sent [<json>] to x");
    expect(normaliseMessage("expected { but got }")).toBe("expected { but got }");
  });

  test("colours and line ends leave nothing behind", () => {
    expect(normaliseMessage("\u001b[31mno\u001b[0m row\r\n 17")).toBe("no row <n>");
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
    // What a long body says at its end counts as much.
    const body = (text: string, code: string) => `429 {"error": {"message": "${text}", "code": "${code}"}}`;
    expect(errorKind(body("x".repeat(250), "slow_down"))).toBe(errorKind(body("x".repeat(20), "slow_down")));
  });
});

describe("hostile texts", () => {
  /**
   * Inputs that make a backtracking regex explode: if one did, these would take minutes and the test time
   * out.
   */
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
