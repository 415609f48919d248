import { describe, expect, test } from "bun:test";
import { plainPayload } from "../../../src/detect/client-forms/plain-payload.ts";
import { chatOf } from "../chat.ts";
import { CLIENT_SHAPES } from "../client-shapes.ts";
import { ALL_FORMS, firedIn, resultOf } from "./matrix.ts";
import { OTHER_FORMS } from "./other-forms.ts";

const CHAT = chatOf([
  { role: "system", content: "You help with invoices of the house." },
  { role: "user", content: "What does the last invoice say?" },
  {
    role: "assistant",
    content: null,
    tool_calls: [{ id: "c1", function: { name: "read_invoice", arguments: '{"number":"INV-2207"}' } }],
  },
  { role: "tool", tool_call_id: "c1", content: "Invoice INV-2207: forty chairs, paid in March." },
  { role: "assistant", content: "Forty chairs were paid for in March." },
  { role: "user", content: "Thank you, that is all for today." },
]);

describe("what clients of frameworks send", () => {
  test.each(ALL_FORMS.map((form) => [form.name, form] as const))(
    "%s: every attack and failure is found, and nothing else",
    (_name, form) => {
      const { missed, wrong, found } = resultOf(form);
      expect({ missed, wrong }).toEqual({ missed: [], wrong: [] });
      const isPartlyTold = form.unmarkedFailures === true || form.roundsInOne === true;
      expect(found.length).toBe(isPartlyTold ? 11 : 12);
    },
  );

  test.each(OTHER_FORMS.map((form) => [form.name, form] as const))("%s", (_name, form) => {
    const fired = firedIn(form);
    if (form.expects === "") expect(fired).toEqual([]);
    else expect(fired).toContain(form.expects);
  });

  test("the forms that were read before are handed on as they are", () => {
    for (const { name, events } of CLIENT_SHAPES)
      for (const { type, payload } of events(CHAT))
        expect([name, plainPayload(type, payload) === payload]).toEqual([name, true]);
  });
});
