/** `Prefer: handling=lenient`: the good events are stored, the bad ones named. */
import { describe, expect, test } from "bun:test";
import { type Reply, refusal } from "../support/client.ts";
import { eventBatch, eventBody, newExecution } from "../support/fixtures.ts";
import { testSuite } from "../support/suite.ts";

const suite = testSuite();
const lenient = { prefer: "handling=lenient" };

interface Rejected {
  index: number;
  event_id: string | null;
  code: string;
  detail: string;
}

function rejectedOf(reply: Reply): Rejected[] {
  return (reply.json?.rejected ?? []) as Rejected[];
}

async function storedIds(run: string): Promise<string[]> {
  const rows = await suite.database.sql<{ event_id: string }[]>`
    select event_id from events where execution_id = ${run} order by sequence`;
  return rows.map((row) => row.event_id);
}

test("some bad: 207, Preference-Applied, the good ones stored, each bad one named once", async () => {
  const run = await newExecution(suite.client);
  const good = eventBatch(run, 6);
  const batch = [
    good[0],
    { ...eventBody(run), sequence: -1, event_id: "bad-sequence" },
    good[1],
    eventBody("never-created", { event_id: "no-run" }),
    good[2],
    {},
    good[3],
    null,
    good[4],
    eventBody(run, { event_id: "bad-two", timestamp: "x", payload: 1 }),
    good[5],
  ];
  const reply = await suite.client.sendEvents(batch, lenient);
  expect(reply.status).toBe(207);
  expect(reply.headers.get("preference-applied")).toBe("handling=lenient");
  expect(reply.headers.get("content-type")).toMatch(/^application\/json\b/);
  expect(reply.json).toMatchObject({ accepted: 6, duplicates: 0 });
  const rejected = rejectedOf(reply).toSorted((a, b) => a.index - b.index);
  expect(rejected.map((each) => each.index)).toEqual([1, 3, 5, 7, 9]);
  expect(rejected.map((each) => each.event_id ?? null)).toEqual([
    "bad-sequence",
    "no-run",
    null,
    null,
    "bad-two",
  ]);
  for (const each of rejected) {
    expect(each.code).toMatch(/^[a-z_]+$/);
    expect(each.detail.length).toBeGreaterThan(0);
  }
  expect(rejected[1]?.code).toBe("execution_not_found");
  expect(await storedIds(run)).toEqual(good.map((event) => event.event_id));
});

test("an event_id of 128 characters of two UTF-16 units names the event that was left out", async () => {
  const bad = eventBody("never-created", { event_id: "🜁".repeat(128), sequence: -1 });
  const reply = await suite.client.sendEvents([bad], lenient);
  expect(rejectedOf(reply).map((each) => each.event_id)).toEqual([bad.event_id]);
});

test("none bad: 200 and the plain body", async () => {
  const run = await newExecution(suite.client);
  const reply = await suite.client.sendEvents(eventBatch(run, 3), lenient);
  expect(reply.status).toBe(200);
  expect(reply.json).toMatchObject({ accepted: 3, duplicates: 0 });
});

test("all bad: 207 and nothing stored", async () => {
  const reply = await suite.client.sendEvents([{}, eventBody("never-created")], lenient);
  expect(reply.status).toBe(207);
  expect(reply.json).toMatchObject({ accepted: 0, duplicates: 0 });
  expect(rejectedOf(reply).length).toBe(2);
});

test("accepted, duplicate and rejected add up to what was sent, and a repetition accepts nothing", async () => {
  const run = await newExecution(suite.client);
  const known = eventBatch(run, 4);
  await suite.client.sendEvents(known);
  const batch = [...known, ...eventBatch(run, 3), { ...eventBody(run), sequence: "1" }];
  batch.push(batch[4]!);
  const first = await suite.client.sendEvents(batch, lenient);
  expect(first.json).toMatchObject({ accepted: 3, duplicates: 5 });
  expect(rejectedOf(first).map((each) => each.index)).toEqual([7]);
  const again = await suite.client.sendEvents(batch, lenient);
  expect(again.json).toMatchObject({ accepted: 0, duplicates: 8 });
});

test("a bad first event does not take the identity of a good second one", async () => {
  const run = await newExecution(suite.client);
  const event = eventBody(run);
  const reply = await suite.client.sendEvents([{ ...event, payload: [] }, event], lenient);
  expect(reply.json).toMatchObject({ accepted: 1, duplicates: 0 });
  expect(rejectedOf(reply).map((each) => each.index)).toEqual([0]);
});

test("a bad destination is not echoed", async () => {
  const run = await newExecution(suite.client);
  const bad = eventBody(run, {
    event_type: "egress",
    payload: { destination: "https://user:hunter2@evil.example/path?q=secret" },
  });
  const reply = await suite.client.sendEvents([bad, eventBody(run)], lenient);
  expect(reply.status).toBe(207);
  expect(reply.text).not.toMatch(/hunter2|evil\.example|secret/);
});

describe("what lenient does not soften", () => {
  test("a foreign project_id: 403, nothing stored", async () => {
    const run = await newExecution(suite.client);
    const batch = [eventBody(run), { ...eventBody(run), project_id: suite.stranger.projectId }];
    expect(refusal(await suite.client.sendEvents(batch, lenient))).toBe("403 project_mismatch");
    expect(await storedIds(run)).toEqual([]);
  });
  test("bad JSON: 400 invalid_json", async () => {
    expect(refusal(await suite.client.sendEvents("[{]", lenient))).toBe("400 invalid_json");
  });
  test("an object in place of the batch: 400 invalid_request", async () => {
    expect(refusal(await suite.client.sendEvents({}, lenient))).toBe("400 invalid_request");
  });
  test("a batch too large: 413", async () => {
    const run = await newExecution(suite.client);
    const reply = await suite.client.sendEvents(eventBatch(run, 1_001), lenient);
    expect(refusal(reply)).toBe("413 batch_too_large");
  });
});

describe("the Prefer header as RFC 7240 writes it", () => {
  const asLenient = [
    "handling=lenient",
    "handling = lenient",
    `handling = ${" ".repeat(14_000)}lenient`,
    'handling="lenient"',
    "Handling=lenient",
    "respond-async, handling=lenient",
    "handling=lenient, wait=10",
    "return=minimal, handling=lenient; foo=1",
    "handling=lenient, handling=strict",
  ];
  for (const prefer of asLenient) {
    test(`${prefer.slice(0, 60)}: lenient`, async () => {
      const run = await newExecution(suite.client);
      const reply = await suite.client.sendEvents([eventBody(run), {}], { prefer });
      expect(reply.status).toBe(207);
      expect(reply.headers.get("preference-applied")).toContain("handling=lenient");
    });
  }
  for (const prefer of [
    "handling=strict",
    "handling",
    "lenient",
    "return=minimal",
    "xhandling=lenient",
    "handling=lenientish",
    "handling=strict, handling=lenient",
    'handling="lenient"ish',
    // Nine minutes, were all ways tried to divide the blanks.
    `handling=${" ".repeat(14_000)}"lenient"ish`,
    "",
  ]) {
    test(`${JSON.stringify(prefer).slice(0, 60)}: strict`, async () => {
      const run = await newExecution(suite.client);
      const reply = await suite.client.sendEvents([eventBody(run), {}], { prefer });
      expect(refusal(reply)).toBe("400 invalid_request");
      expect(await storedIds(run)).toEqual([]);
    });
  }
});
