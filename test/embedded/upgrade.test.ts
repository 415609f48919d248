/** A database of an earlier build, with rows in it, after a start of this one. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import type { Sql } from "postgres";
import { type ExecutionFilter, listExecutions } from "../../src/store/dashboard/executions.ts";
import { connect } from "../../src/store/database/connect.ts";
import { readMigrationState } from "../../src/store/database/migrate.ts";
import { clientOf } from "../support/client.ts";
import { emptyDatabase, type TestDatabase } from "../support/database.ts";
import { mintProject } from "../support/projects.ts";
import { startService } from "../support/service.ts";

const MIGRATIONS = join(import.meta.dir, "../../drizzle");
const DAY = { from: "2026-03-01T00:00:00Z", to: "2026-03-02T00:00:00Z" };

let database: TestDatabase;
beforeEach(async () => {
  database = await emptyDatabase();
});
afterEach(async () => {
  await database.drop();
});

/** As the build left it whose last migration was this one. */
async function migrateUpTo(url: string, tag: string): Promise<void> {
  // Of its own: Drizzle changes how the connections that it is given write a time.
  const sql = connect({ url, connectionsMax: 1, applicationName: "test" });
  const folder = mkdtempSync(join(tmpdir(), "ats-migrations-"));
  try {
    const journal: { entries: { tag: string }[] } = JSON.parse(
      readFileSync(join(MIGRATIONS, "meta/_journal.json"), "utf8"),
    );
    const last = journal.entries.findIndex((entry) => entry.tag === tag);
    if (last === -1) throw new Error(`there is no migration ${tag}`);
    const entries = journal.entries.slice(0, last + 1);
    mkdirSync(join(folder, "meta"));
    writeFileSync(join(folder, "meta/_journal.json"), JSON.stringify({ ...journal, entries }));
    for (const entry of entries)
      copyFileSync(join(MIGRATIONS, `${entry.tag}.sql`), join(folder, `${entry.tag}.sql`));
    await migrate(drizzle(sql), { migrationsFolder: folder });
  } finally {
    await sql.end({ timeout: 5 });
    rmSync(folder, { recursive: true, force: true });
  }
}

async function indexesOf(sql: Sql, table: string): Promise<Record<string, string>> {
  const rows = await sql<{ name: string; columns: string }[]>`
    select indexname as name, regexp_replace(indexdef, '^.* USING btree ', '') as columns from pg_indexes
    where schemaname = 'ats' and tablename = ${table}`;
  return Object.fromEntries(rows.map(({ name, columns }) => [name, columns]));
}

async function fill(sql: Sql, projectNo: number): Promise<void> {
  // Many begin at the same moment: the number is the second part of the order.
  await sql`
    insert into ats.execution (project_no, execution_id, started_at, status, environment)
    select ${projectNo}, 'run-' || n, timestamptz '2026-03-01 10:00:00+00' + n / 7 * interval '1 second',
      case when n % 3 = 0 then 'crashed' else 'completed' end, '{"mode": "live"}'
    from generate_series(1, 300) n`;
  await sql`
    insert into ats.detection (project_no, execution_no, class, dedup_key, detection_id, signature, severity, rule_ids, score,
      excerpt, evidence_event_ids, detector_version, detected_at)
    select project_no, execution_no, 'tool_loop', 'key', 'det_' || execution_no, 'signature', 'high', '{r/1}', 0.5, 'excerpt', '{}',
      1, started_at
    from ats.execution where execution_no % 5 = 0`;
  await sql`
    insert into ats.webhook (project_no, webhook_id, url, secret) values (${projectNo}, 'wh_one', 'http://localhost', 'secret')`;
  await sql`
    insert into ats.delivery (project_no, delivery_id, webhook_id, event, body, status, created_at, due_at, finished_at)
    select ${projectNo}, 'dlv_' || n, 'wh_one', 'first_occurrence', '{}',
      (array['delivered', 'failed', 'cancelled'])[1 + n % 3], timestamptz '2026-03-01 10:00:00+00' + n * interval '1 minute',
      now(), now()
    from generate_series(1, 100) n`;
}

/** Every page of the list, newest and oldest first, of all and of a class, and the counts of deliveries. */
async function shown(sql: Sql, projectNo: number) {
  const pages = [];
  for (const failureClass of [null, "tool_loop"]) {
    for (const newestFirst of [true, false]) {
      const filter: ExecutionFilter = {
        statuses: null,
        ...DAY,
        sdkLanguage: null,
        sdkVersion: null,
        environment: null,
        failureClass,
        text: null,
      };
      let after = null;
      do {
        const page = await listExecutions(sql, { projectNo, filter, newestFirst, after, limit: 40 });
        pages.push(page);
        after = page.next;
      } while (after !== null);
    }
  }
  // Written out: the dashboard's own statement also asks for columns of later migrations.
  const [deliveries] = await sql`
    select count(*) filter (where status = 'delivered')::int as delivered,
      count(*) filter (where status = 'failed')::int as failed,
      count(*) filter (where status = 'cancelled')::int as cancelled
    from ats.delivery
    where project_no = ${projectNo} and created_at >= ${new Date(DAY.from)} and created_at < ${new Date(DAY.to)}`;
  return { pages, deliveries };
}

test("from before the indexes of the lists: a start makes them, and the lists are what they were", async () => {
  const { sql } = database;
  await migrateUpTo(database.url, "0009_rollup_steps");
  const { projectNo } = await mintProject(sql);
  await fill(sql, projectNo);
  const { embedded, applied } = await readMigrationState(sql);
  expect(applied).toBe(10);
  expect(await indexesOf(sql, "execution")).toHaveProperty("execution_started_at");
  const before = await shown(sql, projectNo);
  expect(before.pages.flatMap((page) => page.items)).toHaveLength(2 * (300 + 60));
  expect(before.deliveries).toMatchObject({ delivered: 33, failed: 34, cancelled: 33 });

  const service = await startService({ databaseUrl: database.url, env: { DETECTION: "off" } });
  try {
    expect(await readMigrationState(sql)).toEqual({ embedded, applied: embedded });
    const executions = await indexesOf(sql, "execution");
    expect(executions).not.toHaveProperty("execution_started_at");
    expect(executions.execution_in_time).toBe("(project_no, started_at, execution_no)");
    expect((await indexesOf(sql, "detection")).detection_of_class).toBe("(project_no, class, execution_no)");
    expect((await indexesOf(sql, "delivery")).delivery_created).toBe("(project_no, created_at, status)");
    expect(await shown(sql, projectNo)).toEqual(before);
  } finally {
    await service.stop();
  }
});

const ODD_TEXTS = [
  "plain",
  "NULL",
  "null",
  " blanks ",
  'a "quoted" one',
  "it's",
  "back\\slash\\",
  "{in,braces}",
  "a,b",
  "{}",
  "\u{1f600} \u{10348}",
  "ä\tö\nü",
  "$1 %s \\\\ \\N",
];
/** With the build of before, only these days had a partition. */
const PARTITIONED = ["2026-03-01", "2026-03-02", "2026-03-03"];

/**
 * An execution's events, by day: in batches of `batchSize`, ids and payloads with odd characters, several of
 * the same sequence.
 */
interface Before {
  readonly id: string;
  readonly homeDay: string;
  readonly days: readonly string[];
  readonly events: number;
  readonly batchSize: number;
  readonly payload?: (place: number) => string;
}

const oddPayload = (place: number) =>
  JSON.stringify({ place, text: ODD_TEXTS[place % ODD_TEXTS.length], list: ODD_TEXTS.slice(0, place % 5) });
/** Of ever other bytes, so that compressing them does not make them short. */
const longText = (place: number, bytes: number) =>
  Array.from({ length: Math.ceil(bytes / 64) }, (_, n) =>
    new Bun.CryptoHasher("sha256").update(`${place}/${n}`).digest("hex"),
  ).join("");
const LONG_BYTES = [40, 900, 2_100, 3_900, 6_000, 90_000, 300];

const BEFORE: readonly Before[] = [
  { id: "plain", homeDay: "2026-03-01", days: ["2026-03-01"], events: 400, batchSize: 90 },
  {
    id: "across days",
    homeDay: "2026-03-02",
    days: ["2026-03-02", "2026-03-03", "2026-03-01"],
    events: 90,
    batchSize: 20,
  },
  {
    id: "stray",
    homeDay: "2026-03-01",
    days: ["2026-03-01", "1999-01-01", "2150-12-31"],
    events: 60,
    batchSize: 25,
  },
  {
    id: "no partition",
    homeDay: "1998-05-01",
    days: ["1998-05-01", "1999-01-01", "2026-03-03"],
    events: 60,
    batchSize: 7,
  },
  {
    id: "long",
    homeDay: "2026-03-03",
    days: ["2026-03-03", "2026-03-02"],
    events: 50,
    batchSize: 50,
    payload: (place) => `{"text": "${longText(place, LONG_BYTES[place % LONG_BYTES.length]!)}"}`,
  },
  { id: "none", homeDay: "2026-03-01", days: [], events: 0, batchSize: 1 },
];

/**
 * As the build of before stored them, a row each: a claim on the home day for each event that lies in another
 * partition.
 */
async function storeAsBefore(sql: Sql, projectNo: number, firstBatchNo: number): Promise<void> {
  let batchNo = firstBatchNo;
  for (const { id, homeDay, days, events, batchSize, payload = oddPayload } of BEFORE) {
    const [{ no }] = await sql<[{ no: string }]>`
      insert into ats.execution (project_no, execution_id, started_at, home_day)
      values (${projectNo}, ${id}, ${homeDay}, ${homeDay}) returning execution_no as no`;
    for (let place = 0; place < events; place++) {
      if (place % batchSize === 0) batchNo += 1;
      const day = days[place % days.length]!;
      const eventId = `${ODD_TEXTS[place % ODD_TEXTS.length]}/${place}`;
      const at = ["00:00:00", "12:30:00.000001", "23:59:59.999999"][place % 3];
      const receivedAt = `2026-03-03 10:00:00.5+00`;
      await sql`
        insert into ats.event values (${projectNo}, ${no}, ${eventId}, ${1 + (place % 16)}, ${Math.floor(place / 2) * 1_000_003},
          ${`${day} ${at}+00`}::text::timestamptz, ${payload(place)}, ${receivedAt}::text::timestamptz, ${batchNo})`;
      const partitionOf = (one: string) => (PARTITIONED.includes(one) ? one : "default");
      if (partitionOf(day) !== partitionOf(homeDay)) {
        await sql`
          insert into ats.event values (${projectNo}, ${no}, ${eventId}, 0, 0, ${`${homeDay} 00:00:00+00`}::text::timestamptz, '{}',
            ${receivedAt}::text::timestamptz, ${batchNo})`;
      }
    }
  }
}

/** Every event with all that was told of it, by the table's own words and by the public view's. */
async function everyEvent(sql: Sql) {
  const stored = await sql`
    select project_no, execution_no, event_id, event_type, sequence, "timestamp"::text, payload, received_at::text, batch_no::text
    from ats.event where event_type > 0 order by project_no, execution_no, event_id collate "C"`;
  const told = await sql`
    select project_id, execution_id, event_id, event_type, sequence, "timestamp"::text, payload::text, received_at::text
    from events order by project_id, execution_id, event_id collate "C"`;
  return { stored: [...stored], told: [...told] };
}

test("from before the packs: a start packs what is stored, and it says what it said", async () => {
  const { sql } = database;
  await migrateUpTo(database.url, "0010_list_indexes");
  for (const day of PARTITIONED) await sql`select ats.ensure_event_partition(${day}::text::date)`;
  const project = await mintProject(sql);
  await storeAsBefore(sql, project.projectNo, 70_000);
  await storeAsBefore(sql, (await mintProject(sql)).projectNo, 70_000);
  // What a retention of before left: the claim of an event that is no longer there.
  await sql`
    insert into ats.event select project_no, execution_no, 'claim of what is gone', 0, 0, '2026-03-01', '{}', '2026-03-01', 70000
    from ats.execution where execution_id = 'plain'`;
  const before = await everyEvent(sql);
  expect(before.stored).toHaveLength(2 * BEFORE.reduce((sum, { events }) => sum + events, 0));
  expect(before.told).toHaveLength(before.stored.length);

  const service = await startService({ databaseUrl: database.url, env: { DETECTION: "off" } });
  try {
    expect(await everyEvent(sql)).toEqual(before);

    const unlike = await sql`
      select p.project_no, p.execution_no, p.pack_no, p.away from ats.event_pack p
      join ats.execution x using (project_no, execution_no)
      left join ats.event_pack s on p.away and s.project_no = p.project_no and s.execution_no = p.execution_no
        and s.pack_no = p.pack_no and not s.away
      where case when p.event_types <> '{}' then
          p.away <> ((p.first_timestamp at time zone 'UTC')::date <> x.home_day)
          or (select count(distinct (t at time zone 'UTC')::date) > 1 or min(t) <> p.first_timestamp from unnest(p.timestamps) t)
          or (cardinality(p.event_types) > 1 and pg_column_size(p.*) > 4080)
          or (p.away and (s.event_ids is distinct from p.event_ids or s.event_types <> '{}' or s.batch_no <> p.batch_no
            or s.received_at <> p.received_at or s.timestamps <> array[p.first_timestamp]))
        else
          p.away or p.first_timestamp <> x.home_day::timestamp at time zone 'UTC'
          or p.sequences <> '{}' or p.payloads <> '{}'
          or not exists (select from ats.event_pack a where a.project_no = p.project_no and a.execution_no = p.execution_no
            and a.pack_no = p.pack_no and a.away)
        end`;
    expect([...unlike]).toEqual([]);
    const numbers = await sql<{ id: string; places: number[]; aways: number; stand_ins: number }[]>`
      select x.execution_id as id, array_agg(p.pack_no order by p.pack_no) filter (where not p.away) as places,
        (count(*) filter (where p.away))::int as aways,
        (count(*) filter (where p.event_types = '{}'))::int as stand_ins
      from ats.execution x join ats.event_pack p using (project_no, execution_no) group by x.project_no, 1 order by 1`;
    expect(numbers).toHaveLength(2 * BEFORE.filter(({ events }) => events > 0).length);
    for (const { id, places, aways, stand_ins } of numbers) {
      expect({ id, places }).toEqual({ id, places: places.map((_, place) => place) });
      expect({ id, aways }).toEqual({ id, aways: stand_ins });
      expect({ id, isAway: aways > 0 }).toEqual({ id, isAway: id !== "plain" });
    }

    const partitions = await sql<{ name: string; options: string[]; index: string }[]>`
      select c.relname as name, c.reloptions as options, i.indexdef as index from pg_class c
      left join pg_indexes i on i.schemaname = 'ats' and i.tablename = c.relname
      where c.oid in (select inhrelid from pg_inherits where inhparent = 'ats.event_pack'::regclass) order by 1`;
    expect(partitions.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        ...PARTITIONED.map((day) => `event_pack_${day.replaceAll("-", "")}`),
        "event_pack_default",
      ]),
    );
    for (const { name, options, index } of partitions) {
      expect({ name, options }).toEqual({ name, options: ["toast_tuple_target=4080"] });
      expect(index).toContain(`UNIQUE INDEX ${name}_number`);
      expect(index).toEndWith("(project_no, execution_no, pack_no, away)");
    }
    const [left] = await sql`
      select count(*)::int as n from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'ats' and c.relkind in ('r', 'p') and c.relname ~ '^event_(before|default|[0-9]+)'`;
    expect(left!.n).toBe(0);

    // What was stored before is known, on the home day and off it, and what is new takes the next number.
    const client = clientOf(service.url, project.key);
    const again = [0, 1, 2, 3].map((place) => ({
      event_id: `${ODD_TEXTS[place]}/${place}`,
      execution_id: "across days",
      event_type: "tool_call",
      sequence: 1,
      timestamp: "2026-03-02T10:00:00Z",
      payload: {},
    }));
    expect((await client.sendEvents(again)).json).toEqual({ accepted: 0, duplicates: 4 });
    const fresh = { ...again[0], event_id: "fresh" };
    expect((await client.sendEvents([fresh])).json).toEqual({ accepted: 1, duplicates: 0 });
    const [last] = await sql<[{ places: number[]; newest: string }]>`
      select array_agg(p.pack_no order by p.pack_no) as places, (array_agg(array_to_string(p.event_ids, ' ') order by p.pack_no desc))[1] as newest
      from ats.event_pack p join ats.execution x using (project_no, execution_no)
      where x.execution_id = 'across days' and p.project_no = ${project.projectNo} and not p.away`;
    expect(last.places).toEqual(last.places.map((_, place) => place));
    expect(last.newest).toBe("fresh");
  } finally {
    await service.stop();
  }
}, 180_000);

test("from before the ranks of deliveries: what is new goes ahead of what had failed or was queued again", async () => {
  const { sql } = database;
  await migrateUpTo(database.url, "0013_webhook_failures");
  const { projectNo } = await mintProject(sql);
  await sql`
    insert into ats.webhook (project_no, webhook_id, url, secret) values (${projectNo}, 'wh_one', 'http://127.0.0.1:9', 'secret')`;
  const owe = (id: string, status: string, failures: number, dueInDays: number, finished: boolean) => sql`
    insert into ats.delivery (project_no, delivery_id, webhook_id, event, body, status, failure_count, created_at, due_at, finished_at)
    values (${projectNo}, ${id}, 'wh_one', 'first_occurrence', '{}', ${status}, ${failures}, now() + interval '1 day',
      now() + ${dueInDays} * interval '1 day', case when ${finished}::boolean then now() end)`;
  await owe("under way", "delivering", 0, 1.1, false);
  await owe("failed before", "pending", 3, 1.1, false);
  await owe("queued again", "pending", 0, 40, false);
  await owe("done", "failed", 8, 1.1, true);
  await sql`
    insert into ats.delivery (project_no, delivery_id, webhook_id, event, body, created_at, due_at)
    values (${projectNo}, 'new', 'wh_one', 'first_occurrence', '{}', now() + interval '1 day', now() + interval '1 day')`;

  const service = await startService({ databaseUrl: database.url, env: { DETECTION: "off" } });
  try {
    const ranks = await sql<{ id: string; rank: number }[]>`select delivery_id as id, rank from ats.delivery`;
    expect(Object.fromEntries(ranks.map(({ id, rank }) => [id, rank]))).toEqual({
      new: 0,
      "under way": 0,
      "failed before": 1,
      "queued again": 1,
      done: 0,
    });
    expect((await indexesOf(sql, "delivery")).delivery_owed).toBe(
      "(project_no, webhook_id, rank, due_at) WHERE (finished_at IS NULL)",
    );
  } finally {
    await service.stop();
  }
});
