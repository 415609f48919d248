/**
 * Every event once, whoever writes it: threads that know nothing of each other get the same events at the
 * same time, forget what they knew, lose connections and are refused, and at the end PostgreSQL holds what
 * was acknowledged, once, under pack numbers without a gap. The traffic of a run comes from its seed; how the
 * threads interleave does not. EXACTLY_ONCE_SEED and EXACTLY_ONCE_SEEDS choose the first seed and how many
 * there are.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { IngestResult } from "../../src/ingest/events.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import {
  type Hazards,
  type IngestThread,
  type Mishap,
  startIngestThread,
} from "../support/ingest-threads.ts";
import { eventually } from "../support/postgres-server.ts";

const PROJECT_NOS = [7, 8];
const DAY_MS = 86_400_000;
/** In partitions of their own, and in the default partition. */
const DAYS_MS = [0, 1, 2, 400].map((days) => Date.UTC(2026, 0, 1) + days * DAY_MS);
const RECEIVED_MS = Date.UTC(2026, 0, 5);
const SEEDS_FIRST = Number(process.env.EXACTLY_ONCE_SEED ?? 1);
const SEEDS = Number(process.env.EXACTLY_ONCE_SEEDS ?? 3);

let database: TestDatabase;

beforeAll(async () => {
  database = await cloneDatabase();
  for (const projectNo of PROJECT_NOS) {
    await database.sql`
      insert into ats.project (project_no, project_id, name) overriding system value
      values (${projectNo}, ${`p${projectNo}`}, 'p')`;
  }
  for (const dayMs of DAYS_MS.slice(0, 3))
    await database.sql`select ats.ensure_event_partition(${new Date(dayMs).toISOString().slice(0, 10)}::date)`;
  // A row that PostgreSQL refuses, whatever validation lets through.
  await database.sql.unsafe(`
    create function test_refuse() returns trigger language plpgsql as $$ begin raise 'refused by the test'; end $$;
    create trigger test_refuse before insert on ats.event_pack for each row
      when (array_to_string(new.payloads, '') like '%poison%') execute function test_refuse()`);
});
afterAll(async () => {
  await database.drop();
});

/** Mulberry32. */
class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  roll(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  below(limit: number): number {
    return Math.floor(this.roll() * limit);
  }

  chance(probability: number): boolean {
    return this.roll() < probability;
  }

  oneOf<T>(values: readonly T[]): T {
    return values[this.below(values.length)]!;
  }
}

interface SentExecution {
  readonly projectNo: number;
  readonly executionId: string;
  /** Ids that were made up so far. */
  ids: number;
}

interface SentEvent {
  readonly projectNo: number;
  readonly executionId: string;
  readonly eventId: string;
  readonly good: boolean;
  readonly poison: boolean;
}

interface Answer {
  readonly events: readonly SentEvent[];
  readonly result: IngestResult;
}

interface Weather {
  /** Of a call to PostgreSQL. */
  readonly mishaps: number;
  /** Of a connection, at each request. */
  readonly kills: number;
  readonly poison: number;
}

const WEATHERS: Record<string, Weather> = {
  calm: { mishaps: 0, kills: 0, poison: 0 },
  refusals: { mishaps: 0, kills: 0, poison: 0.01 },
  "lost answers": { mishaps: 0.05, kills: 0, poison: 0.005 },
  "killed connections": { mishaps: 0.03, kills: 0.04, poison: 0.005 },
};

async function run(seed: number, weather: Weather): Promise<void> {
  const dice = new Dice(seed);
  const { sql } = database;
  await sql`truncate ats.event_pack, ats.batch`;
  await sql`delete from ats.execution`;

  const slowness = dice.oneOf([0.1, 0.3, 0.8]);
  const hazards: Hazards = {
    delayMs: () => (dice.chance(slowness) ? dice.below(8) : 0),
    mishap(): Mishap {
      if (!dice.chance(weather.mishaps)) return undefined;
      // Beside kills nothing is given up: it might be a connection that is being opened again.
      switch (dice.below(weather.kills > 0 ? 3 : 4)) {
        case 0:
          return { kind: "refused", code: dice.oneOf(["40P01", "53100", "23505"]) };
        case 1:
          return { kind: "lost" };
        case 2:
          return { kind: "answer_lost" };
        default:
          return { kind: "abandoned", afterMs: dice.below(4) };
      }
    },
  };
  const executionCount = 2 + dice.below(8);
  const executionsMax = dice.chance(0.5) ? 1_000 : 1 + dice.below(executionCount);
  const idBytesMax = dice.oneOf([0, 300, 2_000, 1_000_000]);
  const threads: IngestThread[] = [];
  for (let count = dice.oneOf([1, 2, 2, 3, 3, 4]); count > 0; count--) {
    threads.push(
      await startIngestThread({
        databaseUrl: database.url,
        hazards,
        executionsMax,
        idBytesMax,
        flushConnections: 1 + dice.below(3),
        flushEventsMin: dice.oneOf([1, 10, 50]),
        flushEventsMax: dice.oneOf([5, 20, 200]),
        flushDelayMsMax: dice.below(5),
      }),
    );
  }

  const executions: SentExecution[] = [];
  const newExecution = async () => {
    const executionId = `${seed}-${executions.length}`;
    const projectNo = dice.chance(0.8) ? PROJECT_NOS[0]! : PROJECT_NOS[1]!;
    await sql`
      insert into ats.execution (project_no, execution_id, started_at) values (${projectNo}, ${executionId}, now())`;
    executions.push({ projectNo, executionId, ids: 0 });
  };

  const answers: Answer[] = [];
  const under = new Set<Promise<void>>();
  let sends = 0;
  const send = (thread: IngestThread, projectNo: number, lenient: boolean, events: readonly SentEvent[]) => {
    const sent = ++sends;
    const bodies = events.map(({ executionId, eventId, good, poison }) => ({
      execution_id: executionId,
      event_id: eventId,
      event_type: good ? "tool_call" : "no_such_type",
      sequence: sent,
      timestamp: new Date(dice.oneOf(DAYS_MS) + dice.below(DAY_MS)).toISOString(),
      payload: {
        sent,
        ...(poison ? { poison } : {}),
        pad: "x".repeat(dice.chance(0.1) ? 5_000 : dice.below(300)),
      },
    }));
    const caller = { projectNo, projectId: "", keyId: "k", bucket: undefined };
    const answered = thread
      .post(caller, bodies, { lenient, receivedMs: RECEIVED_MS + sent })
      .then((result) => {
        answers.push({ events, result });
        under.delete(answered);
      });
    under.add(answered);
  };

  const requests = 150 + dice.below(150);
  for (let request = 0; request < requests; request++) {
    // New executions come during the run, so that first events race all the time.
    while (executions.length <= (executionCount * request) / requests) await newExecution();
    const { projectNo } = dice.oneOf(executions);
    const own = executions.filter((execution) => execution.projectNo === projectNo);
    const mixed = dice.chance(0.4);
    let execution = dice.oneOf(own.slice(-3));
    const events = Array.from({ length: 1 + dice.below(dice.chance(0.1) ? 60 : 8) }, (): SentEvent => {
      if (mixed) execution = dice.oneOf(own);
      const { ids } = execution;
      const fresh = ids === 0 || dice.chance(0.6);
      const id = fresh ? execution.ids++ : Math.max(0, ids - 1 - dice.below(30));
      return {
        projectNo,
        executionId: dice.chance(0.005) ? "absent" : execution.executionId,
        eventId: `e${id}`,
        good: !dice.chance(0.004),
        poison: dice.chance(weather.poison),
      };
    });
    const lenient = dice.chance(0.5);
    send(dice.oneOf(threads), projectNo, lenient, events);
    while (dice.chance(0.35)) {
      if (dice.chance(0.3)) await Bun.sleep(dice.below(5));
      send(dice.oneOf(threads), projectNo, lenient, dice.chance(0.5) ? events : events.toReversed());
    }
    if (dice.chance(weather.kills)) {
      await sql`
        select pg_terminate_backend(pid) from (
          select pid from pg_stat_activity where datname = current_database() and application_name like 'ats %flush'
            and backend_start < now() - interval '100 ms'
          order by md5(pid::text || ${request}::text) limit 1
        ) p`;
    }
    if (dice.chance(0.2)) await Bun.sleep(dice.below(8));
    while (under.size > 40) await Promise.race(under);
  }
  await Promise.all(under);
  await Promise.all(threads.map((thread) => thread.drained()));
  await Promise.all(threads.map((thread) => thread.end()));
  await eventually("what was given up has ended", async () => {
    const [busy] = await sql`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and application_name like 'ats %' and state <> 'idle'`;
    return busy!.count === 0;
  });
  // The driver opens a connection again that it lost just before its pool was ended.
  await sql`
    select pg_terminate_backend(pid, 1000) from pg_stat_activity
    where datname = current_database() and application_name like 'ats %'`;
  for (const thread of threads) expect(thread.refusals).not.toContain("none");
  await expectExactlyOnce(answers, threads);
}

async function expectExactlyOnce(
  answers: readonly Answer[],
  threads: readonly IngestThread[],
): Promise<void> {
  const { sql } = database;
  const stored = await sql`
    select x.project_no, x.execution_id, e.event_id, e.payload::json as payload, e.sequence,
      (extract(epoch from e.received_at) * 1000)::float8 as received_ms
    from ats.event e join ats.execution x using (project_no, execution_no)`;
  const keys = stored.map((row) => `${row.project_no}/${row.execution_id}/${row.event_id}`);
  const once = new Set(keys);
  expect(keys.length - once.size, "events stored twice").toBe(0);

  const missing = new Set<string>();
  let toldAccepted = 0;
  let unsure = 0;
  for (const { events, result } of answers) {
    if (result.kind === "database_unavailable") unsure += events.length;
    if (result.kind !== "stored") continue;
    toldAccepted += result.accepted;
    const bad = new Set(result.bad.map(({ index }) => index));
    expect(result.accepted + result.duplicates + bad.size).toBe(events.length);
    for (const [index, event] of events.entries()) {
      const key = `${event.projectNo}/${event.executionId}/${event.eventId}`;
      if (!bad.has(index) && !once.has(key)) missing.add(key);
    }
  }
  expect([...missing], "acknowledged and not stored").toEqual([]);
  let accepted = 0;
  for (const thread of threads) accepted += thread.outcomes().accepted ?? 0;
  expect(toldAccepted).toBeLessThanOrEqual(accepted);
  expect(stored.length, "rows, at least what was counted as accepted").toBeGreaterThanOrEqual(accepted);
  expect(stored.length, "rows, at most what was counted as accepted and of unknown fate").toBeLessThanOrEqual(
    accepted + unsure,
  );

  for (const row of stored) {
    // The events of a pack are of one request.
    expect(row.payload.sent).toBe(row.sequence);
    expect(row.received_ms).toBe(RECEIVED_MS + row.sequence);
    expect(row.payload.poison).toBeUndefined();
  }

  const gaps = await sql`
    select x.execution_id, count(*)::int as packs, min(p.pack_no) as first, max(p.pack_no) as last
    from ats.event_pack p join ats.execution x using (project_no, execution_no)
    where not p.away and (p.first_timestamp at time zone 'UTC')::date = x.home_day
    group by x.execution_id
    having min(p.pack_no) <> 0 or max(p.pack_no) <> count(*) - 1`;
  expect([...gaps], "pack numbers count from 0").toEqual([]);
  const [strays] = await sql`
    select
      count(*) filter (where (p.first_timestamp at time zone 'UTC')::date <> x.home_day and not p.away)::int as not_at_home,
      count(*) filter (where (p.first_timestamp at time zone 'UTC')::date = x.home_day and p.away)::int as not_away,
      count(*) filter (where p.away and not exists (
        select from ats.event_pack s where s.project_no = p.project_no and s.execution_no = p.execution_no
          and s.pack_no = p.pack_no and not s.away and s.event_ids = p.event_ids and s.batch_no = p.batch_no
          and s.event_types = '{}' and s.sequences = '{}' and s.timestamps = array[p.first_timestamp] and s.payloads = '{}'
          and s.first_timestamp = x.home_day::timestamp at time zone 'UTC'))::int as without_stand_in,
      count(*) filter (where p.event_types = '{}' and not exists (
        select from ats.event_pack a where a.project_no = p.project_no and a.execution_no = p.execution_no
          and a.pack_no = p.pack_no and a.away))::int as stands_for_none,
      count(*) filter (where cardinality(p.event_ids) = 0)::int as empty
    from ats.event_pack p join ats.execution x using (project_no, execution_no)`;
  expect(strays!).toEqual({ not_at_home: 0, not_away: 0, without_stand_in: 0, stands_for_none: 0, empty: 0 });
  const miscounted = await sql`
    select project_no, batch_no, b.event_count, e.events
    from ats.batch b full join (
      select project_no, batch_no, count(*)::int as events from ats.event group by 1, 2
    ) e using (project_no, batch_no)
    where b.event_count is distinct from e.events`;
  expect([...miscounted], "batches that miscount their events").toEqual([]);
}

describe.each(Object.entries(WEATHERS))("%s", (_, weather) => {
  test.each(Array.from({ length: SEEDS }, (_, nth) => SEEDS_FIRST + nth))("seed %i", (seed) =>
    run(seed, weather),
  );
});
