import { expect, test } from "bun:test";
import { chatMessages } from "./chat-messages.ts";
import { readJson } from "./json-source.ts";

const of = (payload: unknown) => {
  const text = typeof payload === "string" ? payload : JSON.stringify(payload);
  return chatMessages(readJson(text)!, text)?.map(({ role, text: said, calls, isOutput }) => [
    role,
    said,
    calls.map((call) => `${call.name}(${call.arguments})`).join(),
    isOutput,
  ]);
};

test("reads what was given to a model and what it answered", () => {
  expect(
    of({
      system: "Be brief.",
      input: [
        { role: "user", content: [{ type: "text", text: "Hello" }, { text: "there" }] },
        { role: "assistant", tool_calls: [{ function: { name: "f", arguments: '{"a":1}' } }] },
        { role: "tool", content: { rows: 3 } },
      ],
      output: "Hi",
    }),
  ).toEqual([
    ["system", "Be brief.", "", false],
    ["user", "Hello\nthere", "", false],
    ["assistant", "", 'f({"a":1})', false],
    ["tool", '{"rows":3}', "", false],
    ["assistant", "Hi", "", true],
  ]);
});

test("a prompt is one, a payload without a conversation is none", () => {
  expect(of({ prompt: "Why?", error: "overloaded" })).toEqual([
    ["user", "Why?", "", false],
    ["error", "overloaded", "", true],
  ]);
  expect(of({ model: "m", tokens_in: 1, output: null })).toBeUndefined();
  expect(of([])).toBeUndefined();
});

test("keeps what it does not know as it was sent", () => {
  expect(of(`{"input":[{"role":7,"content":[1,{"n":1e400}]}],"output":{"x":9223372036854775808}}`)).toEqual([
    ["user", `[1,{"n":1e400}]`, "", false],
    ["assistant", `{"x":9223372036854775808}`, "", true],
  ]);
});
