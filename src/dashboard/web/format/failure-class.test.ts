import { expect, test } from "bun:test";
import { formatRule } from "./failure-class.ts";

test("a rule loses the class that is known, and no other", () => {
  expect(formatRule("prompt_injection/override-weak", "prompt_injection")).toBe("override-weak");
  expect(formatRule("prompt_injection/override-weak", "injection_followed")).toBe(
    "prompt_injection/override-weak",
  );
});
