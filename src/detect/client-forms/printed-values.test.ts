import { expect, test } from "bun:test";
import { looksPrinted, printedValue } from "./printed-values.ts";

test.each([
  ["{'to': 'x', 'n': 3, 'ok': True, 'no': None}", { to: "x", n: 3, ok: true, no: null }],
  [`[{'role': 'user', 'content': "it's \\"fine\\""}]`, [{ role: "user", content: `it's "fine"` }]],
  [
    "[HumanMessage(content='a\\nb', additional_kwargs={}), AIMessage(content='c')]",
    [
      { type: "HumanMessage", content: "a\nb", additional_kwargs: {} },
      { type: "AIMessage", content: "c" },
    ],
  ],
  ["content='text' name='tool' tool_call_id='c1'", { content: "text", name: "tool", tool_call_id: "c1" }],
  [
    "Call(id='1', function=Function(name='f', arguments='{}'), type='function')",
    { id: "1", function: { name: "f", arguments: "{}", type: "Function" }, type: "function" },
  ],
  ["ToolException('it broke')", "it broke"],
  ["{'role': <MessageRole.USER: 'user'>}", { role: "user" }],
  ["('a', 2)", ["a", 2]],
  ["{'x': '\\u00e9\\x41'}", { x: "\u00e9A" }],
  [JSON.stringify(JSON.stringify([{ a: 1 }])), [{ a: 1 }]],
  [JSON.stringify({ a: "{'b': 1}" }), { a: "{'b': 1}" }],
  ['[[[[[{"a":1}]]]]]', [[[[[{ a: 1 }]]]]]],
])("%s is read", (text, value) => {
  expect(printedValue(text)).toEqual(value);
});

test.each([
  "What is the weather in Ulm?",
  "print(x) is how Python prints",
  "Summary: all is well",
  "a=1 is no value of ours",
  "{'to': 'x'} and then some words",
  "{'to': 'never closed",
  "[see below] for the rest",
  "",
  "(see above)",
  `${"[".repeat(70)}${"]".repeat(70)}`,
])("%s stays a text", (text) => {
  expect(printedValue(text)).toBeUndefined();
});

test("a name that every object knows is a name", () => {
  expect(printedValue("{'to': toString, 'by': constructor}")).toEqual({ to: "toString", by: "constructor" });
});

test("ordinary prose does not even look like a print", () => {
  for (const text of ["The rent is due.", "hello", "x", "über allem (fast)", "  indented text"])
    expect(looksPrinted(text)).toBe(false);
});

test("hostile prints end", () => {
  const size = 1 << 18;
  const texts = ["[", "{'a':", "A(b=", "('", "{'a': <", "\\", "a="].map(
    (one) => `{'x': ${one.repeat(size / one.length)}`,
  );
  for (const text of texts) expect(printedValue(text)).toBeUndefined();
  expect(printedValue(`[${"'a', ".repeat(size / 5)}]`)).toBeUndefined();
  expect(Object.keys(printedValue(`{${"'a', ".repeat(15_000)}}`) as object)).toHaveLength(15_000);
  expect((printedValue("{'__proto__': {'polluted': True}, 'a': 1}") as { a: number }).a).toBe(1);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});
