/** Identity of events: (project, execution_id, event_id), first one wins, whatever else differs. */
import { describe, expect, test } from "bun:test";
import { refusal } from "../support/client.ts";
import { eventBatch, eventBody, newExecution } from "../support/fixtures.ts";
import { eventually } from "../support/postgres-server.ts";
import { testSuite } from "../support/suite.ts";

const suite = testSuite();
const dayMs = 86_400_000;

function daysAgo(days: number, time = "T10:00:00.000Z"): string {
  return new Date(Date.now() - days * dayMs).toISOString().slice(0, 10) + time;
}

async function rowsOf(run: string) {
  return await suite.database.sql<{ event_id: string; payload: Record<string, unknown>; sequence: number }[]>`
    select event_id, payload::jsonb as payload, sequence from events
    where execution_id = ${run} and project_id = ${suite.project.projectId} order by sequence`;
}

describe("sent again", () => {
  test("a whole batch: all duplicates, nothing stored twice", async () => {
    const run = await newExecution(suite.client);
    const batch = eventBatch(run, 100);
    expect((await suite.client.sendEvents(batch)).json).toEqual({ accepted: 100, duplicates: 0 });
    const again = await suite.client.sendEvents(batch);
    expect(again.status).toBe(200);
    expect(again.json).toEqual({ accepted: 0, duplicates: 100 });
    expect((await rowsOf(run)).length).toBe(100);
  });

  test("half a batch: the new half is accepted", async () => {
    const run = await newExecution(suite.client);
    const batch = eventBatch(run, 20);
    await suite.client.sendEvents(batch.slice(0, 10));
    expect((await suite.client.sendEvents(batch)).json).toEqual({ accepted: 10, duplicates: 10 });
    expect((await rowsOf(run)).map((row) => row.event_id)).toEqual(batch.map((event) => event.event_id));
  });

  test("within one batch: counted, stored once, the first one wins", async () => {
    const run = await newExecution(suite.client);
    const event = eventBody(run, { payload: { version: 1 } });
    const batch = [event, { ...event, payload: { version: 2 } }, eventBody(run, { sequence: 2 }), event];
    expect((await suite.client.sendEvents(batch)).json).toEqual({ accepted: 2, duplicates: 2 });
    expect((await rowsOf(run))[0]?.payload).toEqual({ version: 1 });
  });

  test("a thousand times in one batch: one row", async () => {
    const run = await newExecution(suite.client);
    const event = eventBody(run);
    const reply = await suite.client.sendEvents(Array.from({ length: 1_000 }, () => event));
    expect(reply.json).toEqual({ accepted: 1, duplicates: 999 });
    expect((await rowsOf(run)).length).toBe(1);
  });

  const changes: [string, object][] = [
    ["another payload", { payload: { version: 2 } }],
    ["another type and sequence", { event_type: "checkpoint", sequence: 77 }],
    ["another time of the same day", { timestamp: daysAgo(0, "T00:00:00.000001Z") }],
    ["a timestamp of yesterday", { timestamp: daysAgo(1) }],
    ["a timestamp of tomorrow", { timestamp: daysAgo(-1) }],
    ["a timestamp years away", { timestamp: "2001-02-03T04:05:06Z" }],
    ["a timestamp far in the future", { timestamp: "2199-12-31T23:59:59Z" }],
  ];
  for (const [name, change] of changes) {
    test(`with ${name}: a duplicate, and the first one stays`, async () => {
      const run = await newExecution(suite.client);
      const event = eventBody(run, { payload: { version: 1 }, timestamp: daysAgo(0) });
      expect((await suite.client.sendEvents([event])).json).toEqual({ accepted: 1, duplicates: 0 });
      const again = await suite.client.sendEvents([{ ...event, ...change }]);
      expect(again.json).toEqual({ accepted: 0, duplicates: 1 });
      const rows = await rowsOf(run);
      expect(rows.length).toBe(1);
      expect(rows[0]).toMatchObject({ payload: { version: 1 }, sequence: 1 });
    });
  }
});

describe("across days", () => {
  test("an event stored under another day than the execution's first is known by its id on any day", async () => {
    const run = await newExecution(suite.client);
    await suite.client.sendEvents([eventBody(run, { timestamp: daysAgo(0) })]);
    const stray = eventBody(run, { timestamp: daysAgo(3), sequence: 2 });
    expect((await suite.client.sendEvents([stray])).json).toEqual({ accepted: 1, duplicates: 0 });
    for (const days of [3, 2, 0, -1, 4_000]) {
      const reply = await suite.client.sendEvents([{ ...stray, timestamp: daysAgo(days) }]);
      expect(reply.json).toEqual({ accepted: 0, duplicates: 1 });
    }
    expect((await rowsOf(run)).length).toBe(2);
  });

  test("the same id under two days in one batch is one event", async () => {
    const run = await newExecution(suite.client);
    const event = eventBody(run, { payload: { version: 1 }, timestamp: daysAgo(0) });
    const batch = [event, { ...event, timestamp: daysAgo(1), payload: { version: 2 } }];
    expect((await suite.client.sendEvents(batch)).json).toEqual({ accepted: 1, duplicates: 1 });
    expect((await rowsOf(run)).map((row) => row.payload)).toEqual([{ version: 1 }]);
  });

  test("one batch over many days is stored whole, and is all duplicates when sent again shifted by a day", async () => {
    const run = await newExecution(suite.client);
    const over = (shift: number) => (event: object, index: number) => ({
      ...event,
      timestamp: daysAgo((index % 10) - 3 + shift),
    });
    const batch = eventBatch(run, 100);
    expect((await suite.client.sendEvents(batch.map(over(0)))).json).toEqual({
      accepted: 100,
      duplicates: 0,
    });
    expect((await suite.client.sendEvents(batch.map(over(1)))).json).toEqual({
      accepted: 0,
      duplicates: 100,
    });
    expect((await rowsOf(run)).length).toBe(100);
  });

  test("the same id under ten days at once is one event", async () => {
    for (let round = 0; round < 5; round += 1) {
      const run = await newExecution(suite.client);
      const event = eventBody(run);
      const replies = await Promise.all(
        Array.from({ length: 10 }, (_, days) =>
          suite.client.sendEvents([{ ...event, timestamp: daysAgo(days) }]),
        ),
      );
      const accepted = replies.map((reply) => reply.json?.accepted).filter((count) => count === 1);
      expect(accepted.length).toBe(1);
      expect(replies.every((reply) => reply.status === 200)).toBe(true);
      expect((await rowsOf(run)).length).toBe(1);
    }
  });
});

describe("at once", () => {
  test("the same batch from twenty clients: every event accepted once", async () => {
    const run = await newExecution(suite.client);
    const batch = eventBatch(run, 50);
    const replies = await Promise.all(Array.from({ length: 20 }, () => suite.client.sendEvents(batch)));
    const total = (member: string) => replies.reduce((sum, reply) => sum + Number(reply.json?.[member]), 0);
    expect(replies.map((reply) => reply.status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect({ accepted: total("accepted"), duplicates: total("duplicates") }).toEqual({
      accepted: 50,
      duplicates: 950,
    });
    expect((await rowsOf(run)).length).toBe(50);
  });

  test("overlapping batches in opposite orders do not lock each other out", async () => {
    const run = await newExecution(suite.client);
    const events = eventBatch(run, 200);
    const replies = await Promise.all(
      Array.from({ length: 16 }, (_, index) => {
        const part = events.slice(index * 10, index * 10 + 50);
        return suite.client.sendEvents(index % 2 === 0 ? part : part.reverse());
      }),
    );
    expect(replies.every((reply) => reply.status === 200)).toBe(true);
    const accepted = replies.reduce((sum, reply) => sum + Number(reply.json?.accepted), 0);
    expect(accepted).toBe(200);
    expect((await rowsOf(run)).length).toBe(200);
  });
});

describe("apart", () => {
  test("the same event id on another execution is another event", async () => {
    const [one, two] = [await newExecution(suite.client), await newExecution(suite.client)];
    const event = eventBody(one);
    const reply = await suite.client.sendEvents([event, { ...event, execution_id: two }]);
    expect(reply.json).toEqual({ accepted: 2, duplicates: 0 });
  });

  test("ids that differ only in case, spaces or Unicode form are different events", async () => {
    const run = await newExecution(suite.client);
    const ids = [
      "a",
      "A",
      " a",
      "a ",
      "\u00e9",
      "e\u0301",
      "ß",
      "ss",
      "1",
      "01",
      "a%00",
      "a\\",
      "a\\\\",
      "\\N",
      "\\.",
    ];
    const batch = ids.map((event_id, index) => eventBody(run, { event_id, sequence: index }));
    expect((await suite.client.sendEvents(batch)).json).toEqual({ accepted: ids.length, duplicates: 0 });
    expect((await rowsOf(run)).map((row) => row.event_id)).toEqual(ids);
  });

  test("an execution of the same id created later in another project gets none of them", async () => {
    const run = await newExecution(suite.client);
    await suite.client.sendEvents(eventBatch(run, 3));
    const rows = await suite.database.sql`
      select 1 from events where execution_id = ${run} and project_id = ${suite.stranger.projectId}`;
    expect(rows.length).toBe(0);
  });
});

describe("an unknown execution", () => {
  test("alone: 404 execution_not_found", async () => {
    expect(refusal(await suite.client.sendEvents([eventBody("never-created")]))).toBe(
      "404 execution_not_found",
    );
  });

  test("in the middle of good events: 404 and nothing stored", async () => {
    const run = await newExecution(suite.client);
    const batch = [...eventBatch(run, 5), eventBody("never-created"), ...eventBatch(run, 5)];
    expect(refusal(await suite.client.sendEvents(batch))).toBe("404 execution_not_found");
    expect((await rowsOf(run)).length).toBe(0);
  });

  test("becomes known the moment it is created", async () => {
    const event = eventBody("created-after-a-refusal");
    expect((await suite.client.sendEvents([event])).status).toBe(404);
    await newExecution(suite.client, { execution_id: "created-after-a-refusal" });
    expect((await suite.client.sendEvents([event])).json).toEqual({ accepted: 1, duplicates: 0 });
  });
});

describe("a connection lost", () => {
  test("while a flush claims its executions' home day: the events are stored all the same", async () => {
    const run = await newExecution(suite.client);
    const batch = eventBatch(run, 5);
    const { sql } = suite.database;
    const answer = await sql.begin(async (lock) => {
      await lock`select 1 from ats.execution where execution_id = ${run} for update`;
      const sent = suite.client.sendEvents(batch);
      await eventually("the claim that waits is cut off", async () => {
        const ended = await sql`
          select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like '%home_day%'`;
        return ended.length > 0;
      });
      return { sent };
    });
    expect((await answer.sent).json).toEqual({ accepted: 5, duplicates: 0 });
    expect((await rowsOf(run)).length).toBe(5);
  });
});
