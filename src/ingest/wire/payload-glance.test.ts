import { expect, test } from "bun:test";
import fc from "fast-check";
import { BatchScan, FIELD } from "./batch-scan.ts";
import { EVENT_TYPES, type EventType, eventTypeCode } from "./event-types.ts";
import { judgePayload } from "./event-validation.ts";
import { isPayloadRight } from "./payload-glance.ts";

const scan = new BatchScan(1);

/**
 * What is seen at a glance of a payload that came in a batch; undefined if the scan leaves the batch to the
 * parsed road.
 */
function glance(type: EventType, payload: string): boolean | undefined {
  const head = `[{"event_id":"e","execution_id":"x","event_type":"${type}","sequence":1,"timestamp":"2026-01-02T03:04:05Z"`;
  const bytes = Buffer.from(`${head},"payload":${payload}}]`);
  return scan.scan(bytes)
    ? isPayloadRight(eventTypeCode(type)!, bytes, scan.fields[FIELD.payload]!)
    : undefined;
}

const named = ["model", "tokens_in", "tokens_out", "destination", "protocol", "tool_name", "bytes_out"];
const key = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...named, "note", "mode", "declared_by") },
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc.constantFrom("", "mode ", "Model", "modèle", "__proto__"),
);
/** As another writer may spell it: any character may be an escape. */
const spelled = fc.tuple(key, fc.nat({ max: 9 })).map(([name, place]) => {
  const quoted = JSON.stringify(name);
  const code = quoted.charCodeAt(place);
  return place > 0 && place < quoted.length - 1 && /[a-z_]/.test(quoted[place]!) && !quoted.includes("\\")
    ? `${quoted.slice(0, place)}\\u${code.toString(16).padStart(4, "0")}${quoted.slice(place + 1)}`
    : quoted;
});
const value = fc.oneof(
  fc.constantFrom("0", "7", "-0", "-3", "1.0", "1.5", "123456789012345", "null", "true", "[]", "{}", '""'),
  fc.constantFrom(
    '"api.example.com"',
    '"api.example.com:443"',
    '"[::1]:80"',
    '"http://a/b"',
    '"a..b"',
    '"a b"',
  ),
  fc.constantFrom('"live"', '"\\u0061"', '"é"', `"${"m".repeat(256)}"`, `"${"m".repeat(257)}"`),
  fc.json({ maxDepth: 2 }),
);
const space = fc.constantFrom("", " ", "\n\t");
const payloadText = fc
  .array(
    fc.tuple(
      fc.oneof(
        spelled,
        key.map((name) => JSON.stringify(name)),
      ),
      space,
      value,
      space,
    ),
    { maxLength: 6 },
  )
  .map(
    (entries) =>
      `{${entries.map(([name, before, text, after]) => `${before}${name}${after}:${before}${text}${after}`).join(",")}}`,
  );

test("what looks right at a glance is judged right", () => {
  let right = 0;
  fc.assert(
    fc.property(fc.constantFrom(...EVENT_TYPES), payloadText, (type, text) => {
      if (glance(type, text) !== true) return;
      expect(judgePayload(type, JSON.parse(text))).toBeUndefined();
      right++;
    }),
    { numRuns: 5_000 },
  );
  expect(right).toBeGreaterThan(1_000);
});

test("payloads as they mostly come need no second look", () => {
  const plain: [EventType, object][] = [
    [
      "llm_call",
      { model: "m-1", tokens_in: 0, tokens_out: 41, output: "wörter \u{1f600}", ok: true, n: 1.5 },
    ],
    ["llm_call", {}],
    [
      "egress",
      { protocol: "https", destination: "api.example.com:443", bytes_out: 12, extra: [1, { a: null }] },
    ],
    ["environment_declaration", { mode: "simulation", declared_by: "harness", note: "größer" }],
    ["tool_call", { destination: 7 }],
  ];
  for (const [type, payload] of plain) {
    expect(glance(type, JSON.stringify(payload))).toBe(true);
    expect(glance(type, JSON.stringify(payload, undefined, 1))).toBe(true);
  }
});

test("what is missing, wrong or unusual is left to be judged", () => {
  const others: [EventType, string][] = [
    ["egress", "{}"],
    ["egress", '{"destination":"https://api.example.com/"}'],
    ["egress", '{"destination":"api.example.com","destination":7}'],
    ["egress", '{"destin\\u0061tion":"api.example.com"}'],
    ["environment_declaration", '{"mode":""}'],
    ["environment_declaration", '{"mode":"größer"}'],
    ["llm_call", '{"tokens_in":-1}'],
    ["llm_call", '{"tokens_in":1.0}'],
    ["llm_call", '{"mod\\u0065l":7}'],
  ];
  for (const [type, text] of others) expect([text, glance(type, text)]).toEqual([text, false]);
});
