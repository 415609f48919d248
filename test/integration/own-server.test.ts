/**
 * A PostgreSQL of the operator's own: set up in its own way, behind a pooler, in another encoding, or taking
 * no writes for now.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import postgres, { type Sql } from "postgres";
import { connect, connectionFailure } from "../../src/store/database/connect.ts";
import { migrateDatabase } from "../../src/store/database/migrate.ts";
import { untilReachable } from "../../src/store/database/until-reachable.ts";
import { startLendingPooler } from "../support/lending-pooler.ts";
import { type PostgresServer, startPostgresServer } from "../support/postgres-server.ts";
import { startService } from "../support/service.ts";

/** What people set for their own sessions, a patience of a tenth of a second included. */
const SETTINGS = {
  datestyle: "SQL, DMY",
  timezone: "Asia/Kathmandu",
  intervalstyle: "iso_8601",
  bytea_output: "escape",
  standard_conforming_strings: "off",
  extra_float_digits: "-3",
  array_nulls: "off",
  default_transaction_isolation: "serializable",
  search_path: "elsewhere",
  statement_timeout: "100ms",
  transaction_timeout: "100ms",
  lock_timeout: "10ms",
  idle_session_timeout: "300ms",
};

let server: PostgresServer;
let admin: Sql;

beforeAll(async () => {
  server = await startPostgresServer();
  admin = postgres(server.url, { max: 1, onnotice: () => {} });
});

afterAll(async () => {
  await admin.end();
  await server.stop();
});

async function makeDatabase(name: string, options = ""): Promise<string> {
  await admin.unsafe(`create database ${name} template template0 ${options}`);
  return server.urlOf(name);
}

test("what the database is set to changes neither what is read nor how long is waited", async () => {
  const url = await makeDatabase("settings");
  const settable = await admin<{ name: string }[]>`select lower(name) as name from pg_settings`;
  const isKnown = (name: string) => settable.some((one) => one.name === name);
  for (const [name, value] of Object.entries(SETTINGS).filter(([name]) => isKnown(name)))
    await admin.unsafe(`alter database settings set ${name} = '${value}'`);
  const [before, after] = await Promise.all([migrateDatabase({ url }), migrateDatabase({ url })]);
  expect([before.ok, after.ok]).toEqual([true, true]);
  const sql = connect({ url, connectionsMax: 1, applicationName: "test", lockTimeoutMs: 1234 });
  const [row] = await sql`select '2026-03-04T05:06:07Z'::timestamptz as at, decode('ff00', 'hex') as bytes,
    '2026-03-04T22:06:07Z'::timestamptz::date::text as day, 0.1::float8 as number, (${["a", null]}::text[])[2] is null as absent,
    pg_sleep(0.2)::text as slept`;
  const read = { at: new Date("2026-03-04T05:06:07Z"), day: "2026-03-04", number: 0.1, absent: true };
  expect(row).toMatchObject(read);
  expect(row?.bytes).toEqual(Buffer.from([0xff, 0]));
  await Bun.sleep(500);
  const settings =
    await sql`select current_setting('lock_timeout') as lock, current_setting('transaction_isolation') as isolation,
    current_setting('jit') as jit`;
  expect(settings[0]).toEqual({ lock: "1234ms", isolation: "read committed", jit: "off" });
  await sql.end();
});

test("a URL is read as libpq reads it, and a session is known by the service's name", async () => {
  const url = new URL(await makeDatabase('"of café"'));
  const role = `user=${url.username}&password=${url.password}`;
  const where = `host=127.0.0.1&port=${server.port}&dbname=of%20caf%C3%A9`;
  const manner = "application_name=theirs&client_encoding=latin1&target_session_attrs=any&keepalives=1";
  for (const given of [
    `postgres://${url.username}:${url.password}@:${server.port}/of%20caf%C3%A9`,
    `postgresql:///?${role}&${where}`,
    `postgres://${url.username}:${url.password}@/?${where}&${manner}&options=-cgeqo%3Doff`,
  ]) {
    const sql = connect({ url: given, connectionsMax: 1, applicationName: "ats test" });
    const [session] = await sql`
      select current_database() as database, current_setting('application_name') as name, 'é' as text`;
    expect(session).toEqual({ database: "of café", name: "ats test", text: "é" });
    await sql.end();
  }
});

test("a server without TLS says so to whoever asks for it", async () => {
  const sql = connect({
    url: `${server.url}?sslmode=verify-full`,
    connectionsMax: 1,
    applicationName: "test",
  });
  const failure = await sql`select 1`.catch((error: unknown) => error);
  expect(connectionFailure(failure)).toBe("the server does not speak TLS");
  await sql.end({ timeout: 0 });
});

test("a pooler that shares sessions between clients is refused, with its name", async () => {
  const url = await makeDatabase("pooled");
  const pooler = await startLendingPooler(server.port);
  const through = new URL(url);
  through.port = String(pooler.port);
  try {
    const refused = await migrateDatabase({ url: through.href });
    expect(refused).toEqual({ ok: false, detail: expect.stringContaining("session mode") });
  } finally {
    await pooler.close();
  }
});

test("a database of another encoding is refused", async () => {
  const url = await makeDatabase("latin", "encoding 'LATIN1' locale 'C'");
  const refused = await migrateDatabase({ url });
  expect(refused).toEqual({ ok: false, detail: expect.stringMatching(/encoding LATIN1.*needs UTF8/) });
});

test("a start waits for a database that takes no writes, and says where answers may be lost", async () => {
  const url = await makeDatabase("closed");
  await admin`alter database closed set default_transaction_read_only = on`;
  await admin`alter database closed set synchronous_commit = off`;
  await admin`alter database closed connection limit 16`;
  const reasons: string[] = [];
  await untilReachable(() => migrateDatabase({ url }), {
    ...{ url, timeoutS: 60 },
    onRetry({ reason }) {
      reasons.push(reason);
      void admin`alter database closed set default_transaction_read_only = off`.execute();
    },
  });
  expect(reasons[0]).toBe("it is read-only (default_transaction_read_only)");
  const service = await startService({ databaseUrl: url, env: { DASHBOARD: "off" } });
  await service.stop();
  const told = service.logs();
  expect(told).toContainEqual(
    expect.objectContaining({
      msg: "PostgreSQL may lose what was answered as stored when it or its machine crashes",
      setting: "synchronous_commit=off",
    }),
  );
  expect(told).toContainEqual(expect.objectContaining({ allowed: 16, needed: 17 }));
});
