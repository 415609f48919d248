import postgres from "postgres";
import { startDetection } from "../../src/detect/thread/detection-threads.ts";
import { Telemetry } from "../../test/detect/support/telemetry.ts";
import { startPostgresServer } from "../../test/support/postgres-server.ts";
import {
  prepareTestDatabases,
  SERVER_URL_VARIABLE,
  TEMPLATE_VARIABLE,
  withDatabase,
} from "../../test/support/template.ts";

/**
 * `bun bench/detection-cost/open-runs.ts [runs] [found] [seconds] [silent | missing] [packs]`: after a start
 * with so many runs under way of which the thread knows nothing, how long until those that are silent, or
 * that miss an event, have fired, and how long new events wait meanwhile.
 */

const [runs = 100_000, stalled = 1_000, seconds = 600, , packs = 1] = process.argv.slice(2).map(Number);
const isOfGaps = process.argv[5] === "missing";
const EVENTS_EACH = 10;
const PROBE_EVERY_MS = 200;

const server = await startPostgresServer();
const databases = await prepareTestDatabases(server.url);
const name = databases.environment[TEMPLATE_VARIABLE]!;
const url = withDatabase(databases.environment[SERVER_URL_VARIABLE]!, name);
const sql = postgres(url, { max: 2, onnotice: () => {} });

const silence = { stalled_execution: { thresholds: { silenceMinutes: isOfGaps ? 600 : 0.1 } } };
const [project] = await sql<[{ no: number }]>`
  insert into ats.project (project_id, name, detector_settings) values ('p', 'p', ${sql.json(silence)}) returning project_no as no`;
await sql`select ats.ensure_event_partition((now() at time zone 'UTC')::date)`;
await sql`
  insert into ats.execution (project_no, execution_id, started_at, home_day)
  select ${project.no}, 'run-' || n, now() - interval '30 minutes' + n * interval '1 millisecond', (now() at time zone 'UTC')::date
  from generate_series(1, ${runs}::int) n`;
// The others have only just been heard of, as of a moment that does not pass while this runs.
await sql`
  insert into ats.event_pack
  select project_no, execution_no, pack_no, false, date_trunc('day', now()), heard, 1000000 + execution_no / 40,
    array(select 'event-' || pack_no || '-' || e from generate_series(1, ${EVENTS_EACH}::int) e), array_fill(2::smallint, array[${EVENTS_EACH}::int]),
    array(
      select pack_no * ${EVENTS_EACH}::int + e + case when found and ${isOfGaps} and e > 5 and pack_no = ${packs}::int - 1 then 1 else 0 end
      from generate_series(1, ${EVENTS_EACH}::int) e), array_fill(date_trunc('day', now()), array[${EVENTS_EACH}::int]),
    array_fill('{"tool_name":"search","arguments":{"q":"the price of tea in 1840"},"result":"eleven shillings"}'::text, array[${EVENTS_EACH}::int])
  from (
    select *, case when found then now() - interval '20 minutes' else now() + interval '1 hour' end as heard
    from (select *, execution_no % (${runs}::int / ${stalled}::int) = 0 as found from ats.execution) x
    cross join generate_series(0, ${packs}::int - 1) as pack_no
  ) x`;
await sql`
  insert into ats.batch (project_no, batch_no, event_count, execution_nos, first_timestamp, last_timestamp, stored_at, detected_at)
  select project_no, batch_no, sum(cardinality(event_ids)), array_agg(execution_no), min(first_timestamp), max(first_timestamp), now(),
    now() - interval '1 hour' + batch_no * interval '1 microsecond'
  from ats.event_pack group by 1, 2`;
await sql.unsafe("vacuum analyze");

const telemetry = new Telemetry({ sql, url, name, drop: async () => {} }, project.no);
await telemetry.store([{ execution: "probe", id: "first", type: "checkpoint" }]);
const say = (fields: object, message: string) => console.log(message, JSON.stringify(fields));
const detection = startDetection({
  databaseUrl: url,
  appUrl: "https://app.example",
  ingestThreads: 1,
  handoverBytes: 32 << 20,
  log: { info: () => {}, warn: say, error: say },
  reportEveryMs: 100,
});
const startedMs = performance.now();
const cpuBefore = process.cpuUsage();
let told = 0;
let probes = 0;
for (let found = 0; found < stalled && performance.now() - startedMs < seconds * 1000; ) {
  await telemetry.store([{ execution: "probe", id: `p${probes++}`, type: "checkpoint" }]);
  await Bun.sleep(PROBE_EVERY_MS);
  const [row] = await sql<[{ n: number }]>`select count(*)::int as n from ats.detection
    where class = ${isOfGaps ? "sequence_anomaly" : "stalled_execution"}`;
  found = row.n;
  if (performance.now() - told < 10_000 && found < stalled) continue;
  told = performance.now();
  const { counts, executionsHeld, executionsPacked, packedStateBytes } = detection.metrics();
  const [lag] = await sql<[{ worst: number; mean: number }]>`
    select (extract(epoch from max(detected_at - stored_at)) * 1000)::int as worst,
      (extract(epoch from avg(detected_at - stored_at)) * 1000)::int as mean from ats.batch where batch_no < 1000000 and batch_no > 1`;
  const { user, system } = process.cpuUsage(cpuBefore);
  console.log(
    `${Math.round((performance.now() - startedMs) / 1000)} s: ${found} fired, ${counts.rebuilds} rebuilt, ${counts.ticks} ticks, ` +
      `held ${executionsHeld}, packed ${executionsPacked} (${packedStateBytes >> 20} MiB), probes waited ${lag.mean} ms, ${lag.worst} at most, ` +
      `CPU ${Math.round((user + system) / 1e6)} s, ${process.memoryUsage.rss() >> 20} MiB`,
  );
}
await detection.stop();
await telemetry.end();
await sql.end();
await databases.stop();
await server.stop();
