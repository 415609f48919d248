import { describe, expect, test } from "bun:test";
import { EVENT_TYPES } from "../../src/ingest/wire/event-types.ts";
import { type IdKind, runPart } from "./batch-plan.ts";
import { SeededRandom } from "./random.ts";
import { type BatchOptions, bodyOf, makeBatch, RequestTemplates } from "./request-templates.ts";

const batch: BatchOptions = {
  eventsPerBatch: 100,
  batchesPerExecution: 3,
  executionsActive: 4,
  seed: 7,
  ids: "ulid",
  run: runPart("ulid", 1_700_000_000_000, new SeededRandom(1)),
  payloadBytes: 200,
  badPercent: 0,
};
const http = { path: "/events", host: "127.0.0.1:1", key: "service_sk_x", lenient: false };

interface SentEvent {
  event_id: string;
  execution_id: string;
  event_type: string;
  sequence: number;
  timestamp: string;
  payload: Record<string, unknown>;
}

function headOf(request: Uint8Array): string {
  return Buffer.from(request.subarray(0, request.length - bodyOf(request).length)).toString("latin1");
}

function eventsOf(request: Uint8Array): SentEvent[] {
  return JSON.parse(Buffer.from(bodyOf(request)).toString("utf8"));
}

function built(options: BatchOptions, batches: number, templatesMax: number): RequestTemplates {
  const templates = new RequestTemplates(options, http, { batches, templatesMax });
  while (templates.build(5) < templates.count);
  return templates;
}

describe("bodies", () => {
  const templates = built(batch, 120, 120);
  const requests = Array.from({ length: 120 }, (_, batchNo) => new Uint8Array(templates.request(batchNo)));
  const all = requests.flatMap(eventsOf);

  test("Content-Length is the body's", () => {
    for (const request of requests) {
      expect(/Content-Length: (\d+)\r\n\r\n$/.exec(headOf(request))?.[1]).toBe(
        String(bodyOf(request).length),
      );
    }
  });

  test("are what the interface asks for", () => {
    for (const event of all) {
      expect(Object.keys(event)).toEqual([
        "event_id",
        "execution_id",
        "event_type",
        "sequence",
        "timestamp",
        "payload",
      ]);
      expect(event.event_id).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
      expect(event.execution_id).toMatch(/^[\x21-\x7e]{31}$/);
      expect(event.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
      expect(Number.isNaN(Date.parse(event.timestamp))).toBe(false);
      expect(Number.isInteger(event.sequence)).toBe(true);
    }
    for (const { payload } of all.filter((event) => event.event_type === "llm_call")) {
      expect(typeof payload.model).toBe("string");
      expect(Number.isInteger(payload.tokens_in) && Number.isInteger(payload.tokens_out)).toBe(true);
    }
    for (const { payload } of all.filter((event) => event.event_type === "egress")) {
      expect(payload.destination).toMatch(/^[a-z.]+(:\d+)?$/);
    }
    for (const { payload } of all.filter((event) => event.event_type === "environment_declaration")) {
      expect(payload.mode).toBe("live");
    }
  });

  test("hold all 16 types, each execution opened by its declaration", () => {
    expect([...new Set(all.map((event) => event.event_type))].sort()).toEqual([...EVENT_TYPES].sort());
    for (const event of all)
      expect(event.event_type === "environment_declaration").toBe(event.sequence === 1);
  });

  test("carry payloads of about the size asked for", () => {
    const mean = all.reduce((sum, event) => sum + JSON.stringify(event.payload).length, 0) / all.length;
    expect(mean).toBeGreaterThan(180);
    expect(mean).toBeLessThan(220);
  });

  test("number each execution's events from 1 without a gap, one execution a batch", () => {
    const sequences = new Map<string, number[]>();
    for (const request of requests) {
      const events = eventsOf(request);
      expect(new Set(events.map((event) => event.execution_id)).size).toBe(1);
      for (const { execution_id, sequence } of events) {
        sequences.set(execution_id, [...(sequences.get(execution_id) ?? []), sequence]);
      }
    }
    expect(sequences.size).toBe(40);
    const expected = Array.from({ length: 300 }, (_, index) => index + 1);
    for (const found of sequences.values()) expect(found).toEqual(expected);
  });

  test("are the same for the same seed, and others for another", () => {
    expect(makeBatch(batch, 5, 1e12)).toEqual(makeBatch(batch, 5, 1e12));
    expect(makeBatch({ ...batch, seed: 8 }, 5, 1e12)[0]?.payload).not.toBe(
      makeBatch(batch, 5, 1e12)[0]?.payload,
    );
  });
});

test.each<IdKind>(["ulid", "uuid"])(
  "a template used again is another batch of the same shape: new %ss, new execution, same payloads",
  (ids) => {
    const run = runPart(ids, 1_700_000_000_000, new SeededRandom(1));
    const templates = built({ ...batch, ids, run }, 24, 12);
    expect(templates.count).toBe(12);
    const requests = Array.from({ length: 48 }, (_, batchNo) => new Uint8Array(templates.request(batchNo)));
    const eventIds = requests.flatMap(eventsOf).map((event) => event.event_id);
    expect(new Set(eventIds).size).toBe(4800);
    expect(new Set(requests.flatMap(eventsOf).map((event) => event.execution_id)).size).toBe(16);
    const [first, again] = [eventsOf(requests[1]!), eventsOf(requests[13]!)];
    expect(again.map((event) => event.payload)).toEqual(first.map((event) => event.payload));
    expect(again.map((event) => event.sequence)).toEqual(first.map((event) => event.sequence));
    for (const { timestamp } of again) expect(Number.isNaN(Date.parse(timestamp))).toBe(false);
  },
);

test("a batch asked for again is the same to the byte: a retry is a true resend", () => {
  const templates = built(batch, 12, 12);
  templates.request(15);
  const first = new Uint8Array(templates.request(15));
  templates.request(16);
  expect(new Uint8Array(templates.request(15))).toEqual(first);
});

test("gzip bodies hold the same events", () => {
  const templates = built(batch, 12, 12);
  templates.prepare(3, true);
  const packed = templates.request(3);
  expect(headOf(packed)).toContain("Content-Encoding: gzip\r\n");
  const body = Buffer.from(Bun.gunzipSync(new Uint8Array(bodyOf(packed)))).toString("utf8");
  templates.prepare(3, false);
  expect(JSON.parse(body)).toEqual(eventsOf(templates.request(3)));
});

test("the share of bad events is what was asked for", () => {
  const events = Array.from({ length: 50 }, (_, batchNo) =>
    makeBatch({ ...batch, badPercent: 10 }, batchNo, 1e12),
  ).flat();
  const bad = events.filter((event) => event.eventType === "validator_check").length;
  expect(bad).toBeGreaterThan(400);
  expect(bad).toBeLessThan(600);
});
