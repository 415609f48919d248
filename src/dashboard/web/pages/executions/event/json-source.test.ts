import { describe, expect, test } from "bun:test";
import { isContainer, type JsonNode, pathText, readJson } from "./json-source.ts";

function memberOf(node: JsonNode | null, key: string): JsonNode {
  if (node === null || !isContainer(node)) throw new Error("no container");
  const found = node.members.find((member) => member.key === key);
  if (found === undefined) throw new Error(`no ${key}`);
  return found.value;
}

describe("readJson", () => {
  test("keeps the digits of every number", () => {
    for (const digits of ["9223372036854775808", "1e400", "-0", "1.0", "0.10000000000000000001", "1E+2"]) {
      expect(memberOf(readJson(`{"n": ${digits} }`), "n")).toMatchObject({ kind: "number", text: digits });
    }
  });

  test("keeps keys that come twice, and keys that other readers fall for", () => {
    const node = readJson(`{"a":1,"a":2,"__proto__":{"x":1},"constructor":null}`);
    expect(node !== null && isContainer(node) && node.members.map((member) => member.key)).toEqual([
      "a",
      "a",
      "__proto__",
      "constructor",
    ]);
  });

  test("knows where each value stands", () => {
    const text = ` {"a" : [1, {"b": "x\\"y"} ] , "c": "\\ud83d\\ude00"} `;
    const a = memberOf(readJson(text), "a");
    expect(text.slice(a.start, a.end)).toBe(`[1, {"b": "x\\"y"} ]`);
    const c = memberOf(readJson(text), "c");
    expect(c).toMatchObject({ kind: "string", text: "\u{1f600}" });
    expect(text.slice(c.start, c.end)).toBe(`"\\ud83d\\ude00"`);
  });

  test("reads what JSON.parse reads, and refuses what it refuses", () => {
    for (const text of ["{}", "[]", "[[],{}]", '"\\u0000"', "null", " true ", "-1.5e-7", '{"":[null,false]}'])
      expect(readJson(text)).not.toBeNull();
    for (const text of [
      "",
      "{",
      "[1,]",
      "{a:1}",
      '{"a"}',
      "01",
      "1.",
      "tru",
      '"\\x"',
      "[1 2]",
      "{} {}",
      '"a',
    ])
      expect([text, readJson(text)]).toEqual([text, null]);
  });

  test("is not brought down by depth or by size", () => {
    const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;
    expect(readJson(nested(1_000))).not.toBeNull();
    expect(readJson(nested(100_000))).toBeNull();
    expect(readJson(`[${"0,".repeat(1_000_000)}0]`)).toBeNull();
  });
});

test("a path is written as a programmer writes it", () => {
  expect(pathText(["messages", 2, "content", "odd key", "ok"])).toBe('messages[2].content["odd key"].ok');
  expect(pathText([0, "a"])).toBe("[0].a");
});
