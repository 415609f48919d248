import postgres from "postgres";
import { HandoverRouter } from "../../src/detect/rows/handover-router.ts";
import { type Detection, startDetection } from "../../src/detect/thread/detection-threads.ts";
import { type StoredFlush, Telemetry, type TestEvent } from "../../test/detect/support/telemetry.ts";
import { startPostgresServer } from "../../test/support/postgres-server.ts";
import {
  prepareTestDatabases,
  SERVER_URL_VARIABLE,
  TEMPLATE_VARIABLE,
  withDatabase,
} from "../../test/support/template.ts";
import { nextType, payloadJson } from "../ingest/payloads.ts";
import { readMemory } from "../ingest/process-stat.ts";
import { SeededRandom } from "../ingest/random.ts";

/**
 * `bun --smol bench/detection-cost/threads.ts [threads] [rounds] [flushes] [projects] [payload bytes]`: how
 * fast so many detection threads take what is handed over to them, against one, in turn on the same load.
 * Nothing else is busy, so it shows what further threads give where there are cores for them: one thread uses
 * more than one core, as its garbage is collected by others.
 */

const [threads = 2, rounds = 3, flushes = 200, projects = 8, payloadBytes = 200] = process.argv
  .slice(2)
  .map(Number);
const FLUSH_EVENTS = 2_000;
const EXECUTIONS = 40;
const MIB = 1024 * 1024;

const server = await startPostgresServer();
const databases = await prepareTestDatabases(server.url);
const name = databases.environment[TEMPLATE_VARIABLE]!;
const url = withDatabase(databases.environment[SERVER_URL_VARIABLE]!, name);
const sql = postgres(url, { max: 2, onnotice: () => {} });

await sql`select ats.ensure_event_partition((now() at time zone 'UTC')::date)`;
// Only by the rings: a sweep finds none old enough.
await sql.unsafe("alter table ats.batch alter stored_at set default clock_timestamp() + interval '1 hour'");
const projectNos = await Promise.all(
  Array.from({ length: projects }, async (_, n) => {
    const [row] = await sql<[{ no: number }]>`
      insert into ats.project (project_id, name) values (${`p${n}`}, 'p') returning project_no as no`;
    return row.no;
  }),
);
console.log(`${flushes * FLUSH_EVENTS} events of ${projects} projects, ${payloadBytes} bytes each`);

const until = async (isSo: () => boolean) => {
  while (!isSo()) await Bun.sleep(2);
};

/** Of executions that are new, as those are which somebody loads a service with. */
async function store(turn: number): Promise<readonly StoredFlush[]> {
  const random = new SeededRandom(7);
  const telemetries = projectNos.map((no) => new Telemetry({ sql, url, name, drop: async () => {} }, no));
  const stored: StoredFlush[] = [];
  for (let flush = 0; flush < flushes; flush++) {
    const events = Array.from({ length: FLUSH_EVENTS }, (_, n): TestEvent => {
      const type = nextType(random);
      return {
        execution: `x${turn}-${Math.floor(flush / projects) >> 3}-${n % EXECUTIONS}`,
        id: `${turn}-${flush}-${n}`,
        type,
        sequence: (flush >> 3) * FLUSH_EVENTS + n,
        payload: JSON.parse(payloadJson(type, random, payloadBytes)),
      };
    });
    stored.push(await telemetries[flush % projects]!.store(events));
  }
  for (const telemetry of telemetries) await telemetry.end();
  return stored;
}

async function handAll(detection: Detection, stored: readonly StoredFlush[]): Promise<void> {
  const router = new HandoverRouter(detection.handovers[0]!);
  for (const { batchNo, parts, rows } of stored)
    while (!router.offer(batchNo, parts, rows)) await Bun.sleep(1);
  await until(() => detection.metrics().counts.batches >= stored.length);
}

let turns = 0;

async function turn(count: number): Promise<number> {
  const detection = startDetection({
    databaseUrl: url,
    appUrl: "https://app.example",
    ingestThreads: 1,
    threads: count,
    handoverBytes: 32 << 20,
    log: { info: () => {}, warn: console.log, error: console.log },
    reportEveryMs: 10,
  });
  await until(() => detection.metrics().ledShare === 1);
  const stored = await store(turns++);
  const [before] = await sql<[{ detections: number }]>`
    select count(*)::int as detections from ats.detection`;
  const startedMs = performance.now();
  const cpuBefore = process.cpuUsage();
  await handAll(detection, stored);
  const seconds = (performance.now() - startedMs) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  const residentMib = (readMemory(process.pid)?.residentBytes ?? 0) / MIB;
  const [found] = await sql<[{ detections: number }]>`
    select count(*)::int as detections from ats.detection`;
  await detection.stop();
  console.log(
    `${count} threads: ${Math.round((flushes * FLUSH_EVENTS) / seconds).toLocaleString("en")} events/s, ` +
      `${((user + system) / 1e6 / seconds).toFixed(2)} cores, ${residentMib.toFixed(0)} MiB resident, ${found.detections - before.detections} detections`,
  );
  return seconds;
}

await turn(1);
const ratios: number[] = [];
for (let round = 0; round < rounds; round++) {
  const one = await turn(1);
  ratios.push(one / (await turn(threads)));
}
console.log(`${threads} ÷ 1: ${ratios.map((ratio) => ratio.toFixed(2)).join(", ")}`);
await sql.end();
await databases.stop();
await server.stop();
