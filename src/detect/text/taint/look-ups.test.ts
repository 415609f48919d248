import { expect, test } from "bun:test";
import { eventAt } from "../../../../test/support/detector-harness.ts";
import { answered, isAnswerTo, type LookUp, nameTaken } from "./look-ups.ts";

const lookUp: LookUp = {
  value: "pencil set",
  tool: "search",
  callId: "c1",
  eventId: "e3",
  sequence: 3,
  answer: "",
};
const event = (sequence: number, tool_name: string, call_id?: string) =>
  eventAt(sequence, "tool_call", { tool_name, ...(call_id === undefined ? {} : { call_id }) });

test("an answer is told by the call's id, or is the tool's next where calls have none", () => {
  expect(isAnswerTo(lookUp, event(3, "search", "c1"), "search")).toBe(true);
  expect(isAnswerTo(lookUp, event(5, "search", "c1"), "search")).toBe(true);
  expect(isAnswerTo(lookUp, event(5, "search", "c2"), "search")).toBe(false);
  expect(isAnswerTo(lookUp, event(5, "other", "c1"), "other")).toBe(false);
  const nameless = { ...lookUp, callId: "" };
  expect(isAnswerTo(nameless, event(5, "search"), "search")).toBe(true);
  expect(isAnswerTo(answered(nameless, ["P020"]), event(7, "search"), "search")).toBe(false);
  expect(isAnswerTo(nameless, event(2, "search"), "search")).toBe(false);
});

test("a call takes a name of the answer where it gives it whole, with a digit in it", () => {
  const known = answered(lookUp, ["[{'id': 'P020', 'title': 'Pencil set', 'price': 12.50, 'stock': 88417}]"]);
  expect(nameTaken(known, { product_id: "p020" })).toBe("p020");
  expect(nameTaken(known, { ids: ["P001", "P020"] })).toBe("p020");
  expect(nameTaken(known, { number: 88417 })).toBe("88417");
  for (const args of [{ id: "P02" }, { id: "P0201" }, { name: "pencil" }, { amount: 12 }, {}, null, "P020"])
    expect(nameTaken(known, args)).toBeNull();
});

test("no more of an answer is kept than 4,096 characters", () => {
  expect(answered(lookUp, ["x".repeat(50_000)]).answer.length).toBeLessThanOrEqual(4_096);
});
