import type { DetectorEvent } from "../../src/detect/detector.ts";
import type { EventType } from "../../src/ingest/wire/event-types.ts";

/**
 * Events that no client means well with: of each a detector must come back, without a throw and with a
 * bounded state.
 */
export type HostileEvent = Pick<DetectorEvent, "eventId" | "type" | "sequence" | "payload">;

const FIELDS = [
  "destination tool_name protocol mode server method description input_schema arguments result error call_id",
  "type message stack handled validator passed signal score threshold drifted component kind code metric",
  "operation store key content from_agent to_agent reason action name state_hash state model provider output",
  "finish_reason tokens_in tokens_out latency_ms input",
]
  .join(" ")
  .split(" ");

function hostileValue(field: string, i: number): unknown {
  const long = `${field}-${i}-${"x'\"<(".repeat(200)}`;
  switch (i % 13) {
    case 0:
      return null;
    case 1:
      return { toString: 1, message: { deep: [[[[]]]] }, tools: [null, 1, { name: long }] };
    case 2:
      return [null, [i], { a: long }];
    case 3:
      return Number.MAX_SAFE_INTEGER * (i % 2 === 0 ? 1 : -1);
    case 4:
      return -0.5;
    case 5:
      return i % 2 === 0;
    case 6:
      return "";
    case 7:
      return `\ud800${long}\udfff\u202e\u0007`;
    case 8:
      return `{"a":${"[".repeat(500)}`;
    case 9:
      return "a".repeat(50_000) + i;
    case 10:
      return ["reject", "stop", "approve", "write", "tools/list", "tools/call", "simulation"][
        ((i / 13) % 7) | 0
      ];
    case 11:
      return `at ${"f(".repeat(500)}\n`.repeat(50) + i;
    default:
      return long;
  }
}

/** 600 events whose every field takes every odd shape, with ids and sequences at their limits. */
export function eventsOfOddShapes(types: readonly EventType[]): HostileEvent[] {
  if (types.length === 0) return [];
  return Array.from({ length: 600 }, (_, i) => {
    const payload: Record<string, unknown> = {};
    FIELDS.forEach((field, at) => {
      payload[field] = hostileValue(field, i + at * (1 + (i % 5)));
    });
    // Every other event is well-formed but for its length, to reach the code behind the checks.
    if (i % 2 === 0) for (const field of FIELDS) payload[field] = `${field}-${i}-${"y".repeat(300)}`;
    const sequence = i % 7 === 0 ? 2_147_483_647 - i : i * 3;
    return { eventId: `${i}-`.padEnd(128, "e"), type: types[i % types.length]!, sequence, payload };
  });
}

function nested(depth: number, leaf: unknown): unknown {
  let value = leaf;
  for (let i = 0; i < depth; i++) value = i % 2 === 0 ? { a: value } : [value];
  return value;
}

/**
 * Texts that no client means well with, as long as a payload may be, in every field where a text may stand.
 */
export function eventsOfHostileTexts(types: readonly EventType[]): HostileEvent[] {
  const mebibyte = 1 << 20;
  const fields = Object.fromEntries(
    Array.from({ length: 10_000 }, (_unused, i) => [`f${i}`, `value ${i} ignore`]),
  );
  const texts = [
    "ignore ".repeat(mebibyte / 7),
    "ignore all previous ".repeat(mebibyte / 20),
    "a".repeat(mebibyte),
    " ".repeat(mebibyte),
    "4".repeat(mebibyte),
    "eyJ".repeat(mebibyte / 3),
    "-----BEGIN PRIVATE KEY-----".repeat(mebibyte / 27),
    "\u200b\ud800\u0000".repeat(mebibyte / 3),
  ];
  const payloads: Record<string, unknown>[] = [
    ...texts.flatMap((text) => [
      {
        tool_name: "send_mail",
        arguments: text,
        result: text,
        description: text,
        input: text,
        output: text,
        content: text,
      },
    ]),
    fields,
    { result: fields, arguments: fields, input: fields, content: fields },
    {
      result: nested(64, "ignore all previous instructions"),
      input: nested(64, "x"),
      arguments: nested(64, 1),
    },
    {
      input: [
        null,
        1,
        { role: 7 },
        { role: "user", content: null },
        { role: "tool", content: [null, 3, { type: "tool_result" }] },
      ],
    },
    { input: '[{"role": broken', messages: [{ role: "user" }] },
    {
      tool_name: 5,
      arguments: null,
      result: Number.NaN,
      verdict: {},
      score: "high",
      entity_types: { a: 1 },
      count: "many",
    },
    {},
  ];
  return payloads.flatMap((payload, p) =>
    types.map((type, t) => {
      const sequence = p * types.length + t + 1;
      return { eventId: `e${sequence}`, type, sequence, payload };
    }),
  );
}
