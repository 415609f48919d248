/**
 * Fills a database with a project of any size, straight into the service's own tables: `generate_series`
 * inside PostgreSQL, two connections at once. The roll-ups are counted from what was stored, so that the
 * pages show what is there.
 */
import { connect, type Sql } from "../../src/store/database/connect.ts";
import type { Progress } from "../ingest/progress.ts";
import { fillDetections } from "./fill-detections.ts";
import * as piece from "./fill-fragments.ts";
import { BIG_EXECUTION_EVENTS, BLOCK_EXECUTIONS, DAYS, type FillPlan, plannedEvents } from "./fill-plan.ts";

const CONNECTIONS = 2;
/** Events stored by one statement: enough that its start costs nothing, few enough that progress shows. */
const CHUNK_EVENTS = 200_000;
/** Events of a pack: some 3,300 bytes, as the service cuts them. */
const PACK_EVENTS = 12;
/** Batch numbers below the first that the service takes. */
const BATCHES_MAX = 65_000;

/** The keys of the project that share its events, by `execution_no % 4`. */
const KEY_NAMES = ["production", "staging", "batch jobs", "evaluation"] as const;

export async function fillDatabase(
  url: string,
  projectId: string,
  plan: FillPlan,
  progress: Progress,
): Promise<void> {
  if (plan.blocks > BATCHES_MAX) throw new Error(`at most ${BATCHES_MAX * BLOCK_EXECUTIONS} executions`);
  const sql = connect({ url, connectionsMax: CONNECTIONS, applicationName: "bench fill" });
  try {
    const [project] = await sql<{ projectNo: number }[]>`
      select project_no as "projectNo" from ats.project where project_id = ${projectId}`;
    if (project === undefined) throw new Error("the project to fill is gone");
    const { projectNo } = project;
    await sql`drop table if exists public.bench_tally`;
    await sql`
      create unlogged table public.bench_tally (slot_at timestamptz, key_place int, event_type smallint, events bigint,
        tokens_in numeric, tokens_out numeric)`;
    await ensureDays(sql, plan);
    progress.note(`filling: ${plan.executions.toLocaleString("en")} executions`);
    await fillExecutions(sql, projectNo, plan);
    await fillEvents(sql, projectNo, plan, progress);
    progress.note("filling: batches, keys, counts");
    await Promise.all([fillBatches(sql, projectNo, plan), fillCounts(sql, projectNo, plan)]);
    progress.note("filling: detections, failure groups, deliveries");
    await sql`analyze ats.execution`;
    await fillDetections(sql, projectNo, plan);
    await sql`drop table public.bench_tally`;
    progress.note("filling: vacuum and analyze");
    await settle(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

async function ensureDays(sql: Sql, plan: FillPlan): Promise<void> {
  for (let day = 0; day <= DAYS; day++) {
    const date = new Date(plan.fromMs + day * 86_400_000).toISOString().slice(0, 10);
    await sql`select ats.ensure_event_partition(${date}::date)`;
  }
}

async function fillExecutions(sql: Sql, projectNo: number, plan: FillPlan): Promise<void> {
  const start = piece.startOf(plan, "no");
  const status = (end: string) => `case when ${end} > ${piece.endOf(plan)} or no % 611 = 7 then 'started'
    when no % 16 = 3 then 'crashed' else 'completed' end`;
  const insert = (source: string) => `
    insert into ats.execution (project_no, execution_no, execution_id, status, sdk_language, sdk_version, duration_ms,
      total_tokens_in, total_tokens_out, crash_signature, environment, home_day, started_at, finished_at)
    select ${projectNo}, no, 'run_' || to_char(start, 'YYYYMMDDHH24MISSMS') || '_' || left(md5(no::text), 10), status,
      case when no % 50000 = 9 then 'rust' when no % 10 < 5 then 'typescript' when no % 10 < 9 then 'python' else 'go' end,
      case when no % 50000 = 9 then '0.1.0' else (array['1.4.2', '1.5.0', '2.0.0-rc.1', '1.3.9'])[1 + (no / 7 % 4)::int] end,
      case when status <> 'started' then length * 1700 end,
      case when status <> 'started' then length * 480 end, case when status <> 'started' then length * 96 end,
      case when status = 'crashed' then 'sha256:' || encode(sha256((no / 16 % 200)::text::bytea), 'hex') end,
      case when no % 20 < 11 then '{"mode":"production","declared_by":"deploy"}'::json
        when no % 20 < 16 then '{"mode":"staging"}'::json
        when no % 1000 = 18 then '{"mode":"sandbox","note":"a trial"}'::json end,
      (start at time zone 'UTC')::date, start, case when status <> 'started' then finish end
    from (
      select *, ${status("finish")} as status from (
        select *, start + length * interval '1.7 s' as finish from (${source}) s
      ) s
    ) s`;
  const usual = `select no::bigint as no, ${start} as start, ${piece.lengthOf(plan, piece.blockOf("no"))} as length
    from generate_series(1, ${plan.executions}) no`;
  const big = `select ${plan.bigExecutionNo}::bigint as no, ${piece.startOf(plan, bigPlace(plan))} as start,
    ${BIG_EXECUTION_EVENTS} as length`;
  await sql.unsafe(insert(usual));
  await sql.unsafe(insert(big));
  await sql.unsafe(`select setval('ats.execution_execution_no_seq', ${plan.bigExecutionNo})`);
}

/** The big execution begins with this one: some hours ago, so that it is over. */
const bigPlace = (plan: FillPlan) => String(Math.floor(plan.executions * 0.93));

async function fillEvents(sql: Sql, projectNo: number, plan: FillPlan, progress: Progress): Promise<void> {
  const total = plannedEvents(plan);
  const perBlock = (total - BIG_EXECUTION_EVENTS) / plan.blocks;
  const step = Math.max(1, Math.floor(CHUNK_EVENTS / perBlock));
  let next = 0;
  let done = 0;
  const insert = async (source: string) => {
    await sql.unsafe(`
      with stored as (
        insert into ats.event_pack
        select ${projectNo}, no, pack_no, false, first, last + ${piece.RECEIVED_AFTER}, batch_no, ids, types, sequences, times, payloads
        from (${source}) s
        cross join lateral (
          select min(time) as first, max(time) as last, array_agg(${piece.eventIdOf("no", "seq")}) as ids,
            array_agg(type::smallint) as types, array_agg(seq) as sequences, array_agg(time) as times,
            array_agg(${piece.payloadOf("type", "no", "seq")}) as payloads
          from (
            select seq, ${piece.typeOf("no", "seq")} as type, ${piece.eventTimeOf("start", "seq")} as time
            from generate_series(pack_no * ${PACK_EVENTS}, least(length, (pack_no + 1) * ${PACK_EVENTS}) - 1) seq
            offset 0
          ) e
        ) p
        returning execution_no, sequences, event_types, received_at
      )
      insert into public.bench_tally
      select date_trunc('minute', received_at), (execution_no % 4)::int, event_type, count(*),
        sum(case when ${piece.isModelCall("event_type")} then ${piece.tokensInOf("execution_no", "sequence")} end),
        sum(case when ${piece.isModelCall("event_type")} then ${piece.tokensOutOf("execution_no", "sequence")} end)
      from stored cross join lateral unnest(event_types, sequences) e (event_type, sequence) group by 1, 2, 3`);
  };
  const packsOf = (length: string) => `generate_series(0, (${length} - 1) / ${PACK_EVENTS}) pack_no`;
  const work = async () => {
    while (next < plan.blocks) {
      const low = next;
      next = Math.min(plan.blocks, low + step);
      const high = next - 1;
      await insert(`
        select block * ${BLOCK_EXECUTIONS} + place as no, pack_no, length, block + 1 as batch_no,
          ${piece.startOf(plan, `(block * ${BLOCK_EXECUTIONS} + place)`)} as start
        from generate_series(${low}::bigint, ${high}::bigint) block
        cross join lateral (select ${piece.lengthOf(plan, "block")} as length) l
        cross join lateral ${packsOf("length")}
        cross join lateral generate_series(1, ${BLOCK_EXECUTIONS}) place`);
      done += (high - low + 1) * perBlock;
      progress.update("filling", Math.round(done), total, "events");
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  await insert(`
    select ${plan.bigExecutionNo}::bigint as no, pack_no, ${BIG_EXECUTION_EVENTS} as length, ${plan.blocks + 1} as batch_no,
      ${piece.startOf(plan, bigPlace(plan))} as start
    from ${packsOf(String(BIG_EXECUTION_EVENTS))}`);
}

async function fillBatches(sql: Sql, projectNo: number, plan: FillPlan): Promise<void> {
  const first = (block: string) => piece.startOf(plan, `(${block} * ${BLOCK_EXECUTIONS} + 1)`);
  const last = (block: string) =>
    `(${piece.startOf(plan, `((${block} + 1) * ${BLOCK_EXECUTIONS})`)} + length * interval '1.7 s')`;
  await sql.unsafe(`
    insert into ats.batch (project_no, batch_no, event_count, execution_nos, first_timestamp, last_timestamp, stored_at, detected_at)
    select ${projectNo}, block + 1, length * ${BLOCK_EXECUTIONS},
      array(select block * ${BLOCK_EXECUTIONS} + place from generate_series(1, ${BLOCK_EXECUTIONS}) place),
      ${first("block")}, ${last("block")}, ${last("block")} + ${piece.RECEIVED_AFTER}, ${last("block")} + interval '300 ms'
    from (
      select block, ${piece.lengthOf(plan, "block")} as length from generate_series(0::bigint, ${plan.blocks - 1}::bigint) block
    ) b`);
}

async function fillCounts(sql: Sql, projectNo: number, plan: FillPlan): Promise<void> {
  const keys = KEY_NAMES.map((name) => `'${name}'`).join(",");
  const steps = (time: string) => piece.stepsAt(plan, time);
  await sql.unsafe(`
    insert into ats.api_key (project_no, key_id, key_hash, hint, name, created_at, last_used_at)
    select ${projectNo}, ${piece.idOf("key", `'${projectNo}' || name`)}, sha256(('${projectNo}' || name)::bytea), left(md5(name), 4),
      name, now() - interval '90 days', now() - interval '1 minute'
    from unnest(array[${keys}]) as name`);
  await sql.unsafe(`
    insert into ats.event_rollup (project_no, step, slot_at, event_type, event_count, tokens_in, tokens_out)
    select ${projectNo}, step, ${piece.slotOf("slot_at")}, event_type, sum(events), sum(coalesce(tokens_in, 0)),
      sum(coalesce(tokens_out, 0))
    from public.bench_tally cross join lateral ${steps("slot_at")} s group by 2, 3, 4`);
  await sql.unsafe(`
    insert into ats.outcome_rollup (project_no, step, slot_at, key_id, outcome, reason, event_count, last_at)
    select ${projectNo}, step, slot_at, ${piece.idOf("key", `'${projectNo}' || name`)}, outcome, reason, events, slot_at + interval '58 s'
    from (
      select step, ${piece.slotOf("slot_at")} as slot_at, (array[${keys}])[key_place + 1] as name, sum(events) as sent
      from public.bench_tally cross join lateral ${steps("slot_at")} s group by 1, 2, 3
    ) s
    cross join lateral (values ('accepted', '', sent), ('duplicate', '', sent / 60), ('limited', '', sent / 700),
      ('shed', 'store_away', sent / 9000), ('rejected', 'invalid_event', sent / 400),
      ('rejected', 'unknown_execution', sent / 900)) o (outcome, reason, share)
    cross join lateral (select floor(share)::bigint as events) e
    where events > 0`);
  const ended = (status: string) => `(count(*) filter (where status = '${status}'))`;
  await sql.unsafe(`
    insert into ats.execution_rollup (project_no, step, slot_at, started, completed, crashed, started_completed, started_crashed,
      tokens_in, tokens_out)
    select ${projectNo}, step, slot_at, sum(started), sum(completed), sum(crashed), sum(started_completed), sum(started_crashed),
      sum(tokens_in), sum(tokens_out)
    from (
      select step, ${piece.slotOf("started_at")} as slot_at, count(*) as started, 0 as completed, 0 as crashed,
        ${ended("completed")} as started_completed, ${ended("crashed")} as started_crashed, 0 as tokens_in, 0 as tokens_out
      from ats.execution cross join lateral ${steps("started_at")} s where project_no = ${projectNo} group by 1, 2
      union all
      select step, ${piece.slotOf("finished_at")}, 0, ${ended("completed")}, ${ended("crashed")}, 0, 0,
        coalesce(sum(total_tokens_in), 0), coalesce(sum(total_tokens_out), 0)
      from ats.execution cross join lateral ${steps("finished_at")} s
      where project_no = ${projectNo} and finished_at is not null group by 1, 2
    ) s group by step, slot_at`);
}

/** Leaves nothing for autovacuum to do while something is measured. */
async function settle(sql: Sql): Promise<void> {
  const tables = await sql<{ name: string }[]>`
    select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'ats' and c.relkind = 'r' order by pg_relation_size(c.oid) desc`;
  const left = tables.map(({ name }) => name);
  const work = async () => {
    for (let name = left.shift(); name !== undefined; name = left.shift())
      await sql.unsafe(`vacuum (analyze) ${name}`);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  await sql`analyze ats.event_pack`;
  await sql`checkpoint`;
}
