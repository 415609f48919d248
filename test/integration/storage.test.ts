/** What SQL users see, and where rows lie. */
import { describe, expect, test } from "bun:test";
import {
  eventBatch,
  eventBody,
  eventOfType,
  interfaceEventTypes,
  newExecution,
} from "../support/fixtures.ts";
import { testSuite } from "../support/suite.ts";

const suite = testSuite();
const dayMs = 86_400_000;
/** Of the whole file: a midnight that comes between two tests moves no day. */
const now = Date.now();

function dayOf(offset: number): string {
  return new Date(now + offset * dayMs).toISOString().slice(0, 10);
}

async function columnsOf(relation: string): Promise<string[]> {
  const rows = await suite.database.sql<{ name: string }[]>`
    select attname as name from pg_attribute where attrelid = ${relation}::regclass and attnum > 0 and not attisdropped`;
  return rows.map((row) => row.name);
}

/** The partitions that hold an event, by its timestamp's day. */
async function partitionsOf(eventId: string): Promise<string[]> {
  const rows = await suite.database.sql<{ name: string }[]>`
    select tableoid::regclass::text as name from ats.event_pack where ${eventId} = any(event_ids) and event_types <> '{}'`;
  return rows.map((row) => row.name);
}

describe("relations", () => {
  test("executions has the interface's columns", async () => {
    expect(await columnsOf("executions")).toEqual(
      expect.arrayContaining([
        "project_id",
        "execution_id",
        "status",
        "sdk_language",
        "sdk_version",
        "duration_ms",
        "total_tokens_in",
        "total_tokens_out",
        "crash_signature",
      ]),
    );
  });

  test("events has the interface's columns", async () => {
    expect(await columnsOf("events")).toEqual(
      expect.arrayContaining([
        "project_id",
        "execution_id",
        "event_id",
        "event_type",
        "sequence",
        "timestamp",
        "payload",
        "received_at",
      ]),
    );
  });

  test("a row of events tells the whole event, and payload is castable to jsonb in every row", async () => {
    const run = await newExecution(suite.client);
    const sentAt = Date.now();
    const batch = interfaceEventTypes.map((type, index) =>
      eventOfType(type, { execution_id: run, sequence: index + 1 }),
    );
    await suite.client.sendEvents(batch);
    const rows = await suite.database.sql`
      select project_id, execution_id, event_id, event_type, sequence, timestamp, payload::jsonb as payload, received_at
      from events where execution_id = ${run} order by sequence`;
    expect(rows.length).toBe(16);
    for (const [index, row] of rows.entries()) {
      const { received_at, timestamp, ...rest } = row;
      const { timestamp: sent, ...event } = batch[index]!;
      expect(rest).toEqual({ project_id: suite.project.projectId, ...event });
      expect(timestamp.toISOString()).toBe(sent);
      expect(Math.abs(received_at.getTime() - sentAt)).toBeLessThan(60_000);
    }
  });

  test("count(*) of events counts events and nothing else", async () => {
    const before = await suite.database.sql`select count(*)::int as count from events`;
    const run = await newExecution(suite.client);
    const stray = eventBatch(run, 30).map((event, index) => ({
      ...event,
      timestamp: `${dayOf((index % 6) - 3)}T10:00:00Z`,
    }));
    expect((await suite.client.sendEvents(stray)).json).toEqual({ accepted: 30, duplicates: 0 });
    await suite.client.sendEvents(stray);
    const after = await suite.database.sql`select count(*)::int as count from events`;
    expect(after[0]?.count - before[0]?.count).toBe(30);
  });
});

describe("partitions", () => {
  test("an event lies in the partition of its UTC day, to the last microsecond", async () => {
    const run = await newExecution(suite.client);
    const last = eventBody(run, { timestamp: `${dayOf(0)}T23:59:59.999999Z` });
    const first = eventBody(run, { timestamp: `${dayOf(1)}T00:00:00Z` });
    const offset = eventBody(run, { timestamp: `${dayOf(1)}T01:00:00+02:00` });
    await suite.client.sendEvents([last, first, offset]);
    const name = (day: string) => [`ats.event_pack_${day.replaceAll("-", "")}`];
    expect(await partitionsOf(last.event_id)).toEqual(name(dayOf(0)));
    expect(await partitionsOf(first.event_id)).toEqual(name(dayOf(1)));
    expect(await partitionsOf(offset.event_id)).toEqual(name(dayOf(0)));
  });

  test("seven days ahead are made", async () => {
    for (let ahead = 0; ahead <= 7; ahead += 1) {
      const rows = await suite.database.sql`
        select to_regclass(${`ats.event_pack_${dayOf(ahead).replaceAll("-", "")}`}) is not null as there`;
      expect({ ahead, there: rows[0]?.there }).toEqual({ ahead, there: true });
    }
  });

  test("stray clocks end in the default partition and stay readable", async () => {
    const run = await newExecution(suite.client);
    const strays = ["1970-01-01T00:00:00Z", "2199-06-01T00:00:00Z"].map((timestamp) =>
      eventBody(run, { timestamp }),
    );
    expect((await suite.client.sendEvents(strays)).json).toEqual({ accepted: 2, duplicates: 0 });
    for (const stray of strays)
      expect(await partitionsOf(stray.event_id)).toEqual(["ats.event_pack_default"]);
    const rows = await suite.database.sql`select 1 from events where execution_id = ${run}`;
    expect(rows.length).toBe(2);
  });

  test("a stray event is still a duplicate after its day got a partition of its own", async () => {
    const run = await newExecution(suite.client);
    const stray = eventBody(run, { timestamp: "2150-01-01T12:00:00Z" });
    await suite.client.sendEvents([stray]);
    await suite.database.sql`select ats.ensure_event_partition(date '2150-01-01')`;
    expect(await partitionsOf(stray.event_id)).toEqual(["ats.event_pack_21500101"]);
    expect((await suite.client.sendEvents([stray])).json).toEqual({ accepted: 0, duplicates: 1 });
    const other = { ...stray, timestamp: "2150-01-02T12:00:00Z" };
    expect((await suite.client.sendEvents([other])).json).toEqual({ accepted: 0, duplicates: 1 });
  });
});

describe("what detection owes", () => {
  test("the batch rows of a project account for every stored event", async () => {
    const run = await newExecution(suite.client);
    await Promise.all([1, 2, 3].map(() => suite.client.sendEvents(eventBatch(run, 20))));
    const rows = await suite.database.sql`
      select sum(b.event_count)::int as owed, (select count(*)::int from events where project_id = p.project_id) as stored
      from ats.batch b join ats.project p using (project_no)
      where p.project_id = ${suite.project.projectId} group by p.project_id`;
    expect(rows[0]?.owed).toBe(rows[0]?.stored);
    expect(rows[0]?.stored).toBeGreaterThanOrEqual(60);
  });

  test("every event's batch exists, names its execution and counts it", async () => {
    const rows = await suite.database.sql`
      select b.batch_no from ats.event e
      full join ats.batch b on b.project_no = e.project_no and b.batch_no = e.batch_no
      group by b.project_no, b.batch_no, b.event_count, b.execution_nos
      having b.batch_no is null or count(e.event_id) <> b.event_count
        or not b.execution_nos @> coalesce(array_agg(e.execution_no) filter (where e.event_id is not null), '{}')`;
    expect(rows.length).toBe(0);
  });

  test("a finished execution leaves a batch of no events that names it", async () => {
    const run = await newExecution(suite.client);
    await suite.client.patchExecution(run, { status: "crashed" });
    const rows = await suite.database.sql`
      select b.event_count from ats.batch b join ats.execution x on x.execution_id = ${run}
      where x.project_no = b.project_no and x.execution_no = any (b.execution_nos)`;
    expect([...rows]).toEqual([{ event_count: 0 }]);
  });
});
