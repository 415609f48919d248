import { expect, test } from "bun:test";
import type { EventType } from "../../ingest/wire/event-types.ts";
import { plainPayload } from "./plain-payload.ts";

/**
 * How often a value's fields are looked at, all the way down: what reading costs, on a machine of any speed.
 */
function counted(value: Record<string, unknown>): { payload: Record<string, unknown>; looks: () => number } {
  const known = new WeakMap<object, object>();
  let looks = 0;
  const wrapped = (inner: unknown): unknown => {
    if (typeof inner !== "object" || inner === null) return inner;
    const before = known.get(inner);
    if (before !== undefined) return before;
    const proxy = new Proxy(inner, {
      get(target, key) {
        looks++;
        return wrapped(Reflect.get(target, key));
      },
      has(target, key) {
        looks++;
        return Reflect.has(target, key);
      },
      ownKeys(target) {
        const keys = Reflect.ownKeys(target);
        looks += keys.length;
        return keys;
      },
      getOwnPropertyDescriptor(target, key) {
        looks++;
        return Reflect.getOwnPropertyDescriptor(target, key);
      },
    });
    known.set(inner, proxy);
    return proxy;
  };
  return { payload: wrapped(value) as Record<string, unknown>, looks: () => looks };
}

const asked = { role: "user", content: "hello there" };
const many = <Value>(count: number, make: (at: number) => Value): Value[] =>
  Array.from({ length: count }, (_unused, at) => make(at));
const fields = (count: number, make: (at: number) => unknown) =>
  Object.fromEntries(many(count, (at) => [`field${at}`, make(at)]));
const nested = (depth: number, make: (inner: unknown) => unknown, leaf: unknown) =>
  many(depth, () => 0).reduce(make, leaf);
const step = (at: number) => ({ action: { tool: `t${at}`, tool_input: { at } }, observation: `gave ${at}` });

const SHAPES: readonly (readonly [string, EventType, (count: number) => Record<string, unknown>])[] = [
  [
    "chats beside the call's",
    "llm_call",
    (count) => ({
      input: [asked],
      output: "fine",
      ...fields(count, (at) => ({ messages: [{ role: "user", content: `text ${at}` }] })),
    }),
  ],
  [
    "a chat in a chat in a chat",
    "llm_call",
    (count) => ({
      input: [asked],
      output: "fine",
      inner: nested(count, (inner) => ({ messages: [asked], inner }), {}),
    }),
  ],
  [
    "settings in settings",
    "llm_call",
    (count) => ({
      request: { prompt: "hello there" },
      agent: nested(count, (agent) => ({ instructions: "be good", agent }), {}),
    }),
  ],
  ["steps", "llm_call", (count) => ({ question: "hello there", text: "fine", taken: many(count, step) })],
  [
    "lists of steps",
    "llm_call",
    (count) => ({ question: "hello there", text: "fine", ...fields(count, (at) => [step(at)]) }),
  ],
  [
    "wrappers without a call",
    "tool_call",
    (count) => fields(count, (at) => ({ inner: { inner: { inner: { at } } } })),
  ],
  [
    "a call in wrappers",
    "tool_call",
    (count) => ({ inner: nested(count, (inner) => ({ inner, status: 500 }), { name: "t", args: {} }) }),
  ],
  [
    "words that a chat says again",
    "llm_call",
    (count) => ({
      inputs: fields(count, (at) => `text ${at}`),
      process_data: { prompts: many(count, (at) => ({ role: "user", text: `text ${at}` })) },
      outputs: { text: "fine" },
    }),
  ],
  [
    "copies of the answer",
    "llm_call",
    (count) => ({
      input: [asked],
      output: "fine",
      attributes: nested(count, (data) => ({ data, "output.value": "other words" }), {}),
    }),
  ],
  [
    "calls that the provider answers",
    "llm_call",
    (count) => ({
      messages: [asked],
      response: {
        role: "assistant",
        content: many(count, (at) =>
          at % 2 === 0
            ? { type: "mcp_tool_use", id: "c", name: "t", input: { at } }
            : { type: "mcp_tool_result", tool_use_id: "c", content: "words" },
        ),
      },
    }),
  ],
  [
    "counts",
    "llm_call",
    (count) => ({
      question: "hello there",
      metrics: many(count, () => ({ metric: "x", value: { inner: {} } })),
    }),
  ],
  [
    "decisions about nothing",
    "human_intervention",
    (count) => ({ action: "reject", ...fields(count, (at) => ({ inner: { at } })) }),
  ],
];

test.each(SHAPES)("%s cost no more than they are long", (_name, type, make) => {
  const looksAt = (count: number) => {
    const { payload, looks } = counted(make(count));
    plainPayload(type, payload);
    return looks();
  };
  const [once, twice] = [looksAt(1_000), looksAt(2_000)];
  expect(twice).toBeLessThan(once * 2.2 + 1_000);
  expect(once).toBeLessThan(400 * 1_000);
});
