import { describe, expect, test } from "bun:test";
import { plainPayload } from "./plain-payload.ts";

const SAID = "the model's words";
const ASKED = "a person's words";

describe("the answer of a model", () => {
  test.each(["text", "content", "result", "reply", "generation", "outputPreview", "response_preview"])(
    "is %s where something was asked",
    (key) => {
      expect(plainPayload("llm_call", { model: "m", prompt: ASKED, [key]: SAID })).toEqual({
        model: "m",
        input: ASKED,
        output: SAID,
      });
      expect(plainPayload("llm_call", { model: "m", [key]: SAID })).not.toHaveProperty("output");
    },
  );

  test("is none of another field where it is known", () => {
    const payload = { prompt: ASKED, output: SAID, content: "a page", result: "a row" };
    expect(plainPayload("llm_call", payload)).toMatchObject({
      output: SAID,
      content: "a page",
      result: "a row",
    });
  });

  test("may be an object of the client's own, as JSON too", () => {
    const own = { summary: SAID, sure: true };
    expect(plainPayload("llm_call", { prompt: ASKED, response: own }).output).toEqual([
      { role: "assistant", content: own },
    ]);
    const printed = JSON.stringify(own);
    expect(plainPayload("llm_call", { prompt: ASKED, response: printed }).output).toBe(printed);
  });

  test("a preview of a prompt is the prompt", () => {
    expect(plainPayload("llm_call", { promptPreview: ASKED, responsePreview: SAID })).toEqual({
      input: ASKED,
      output: SAID,
    });
  });
});
