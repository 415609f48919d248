/**
 * A database that is put back to an earlier state under a running service: what the service knew of what was
 * lost counts no more.
 */
import { expect, test } from "bun:test";
import postgres from "postgres";
import { clientOf } from "../support/client.ts";
import { eventually, startPostgresServer } from "../support/postgres-server.ts";
import { mintProject } from "../support/projects.ts";
import { startService } from "../support/service.ts";

const TEST_MS_MAX = 120_000;

const eventsOf = (run: string, ...ids: string[]) =>
  ids.map((event_id) => ({
    ...{ event_id, execution_id: run, event_type: "llm_call", sequence: 1 },
    ...{ timestamp: "2026-11-20T10:00:00Z", payload: { model: `of ${run}` } },
  }));

test(
  "an execution that was lost is unknown, and its events do not come to stand in another",
  async () => {
    const server = await startPostgresServer();
    const admin = postgres(server.url, { max: 1, onnotice: () => {} });
    await admin`create database live template template0`;
    const service = await startService({ databaseUrl: server.urlOf("live"), env: { DASHBOARD: "off" } });
    const setUp = postgres(server.urlOf("live"), { max: 1, onnotice: () => {} });
    const client = clientOf(service.url, (await mintProject(setUp)).key);
    await setUp.end({ timeout: 5 });
    const create = async (id: string) =>
      (await client.createExecution({ execution_id: id, status: "started" })).status;
    /**
     * As clients do: sent again while the answer is to come back later, as each writer's connection was
     * ended.
     */
    const send = async (run: string, ...ids: string[]) => {
      let status = 503;
      await eventually("it is answered", async () => {
        status = (await client.sendEvents(eventsOf(run, ...ids))).status;
        return status !== 503;
      });
      return status;
    };
    const isBack = () => eventually("it goes on", async () => (await client.sendEvents([])).status === 200);
    /** Nobody is let in while `work` goes on. */
    const alone = async (work: () => Promise<unknown>) => {
      await admin`alter database live with allow_connections false`;
      // A session that is just being opened is not listed yet.
      await eventually("nobody is there", async () => {
        await admin`select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = 'live'`;
        return await work().then(
          () => true,
          () => false,
        );
      });
      await admin`update pg_database set datallowconn = true`;
    };
    await eventually("the key is known", async () => (await client.sendEvents([])).status === 200);
    expect([await create("kept"), await send("kept", "1")]).toEqual([201, 200]);
    await alone(() => admin`create database backup template live`);
    await isBack();
    await eventually("it is written again", async () => (await create("lost")) < 300);
    expect(await send("lost", "1", "2")).toBe(200);
    expect(await send("kept", "2")).toBe(200);

    await alone(() => admin`alter database live rename to gone`);
    await admin`alter database backup rename to live`;
    const another = () =>
      service.logs().some(({ msg }) => String(msg).startsWith("the database is another than before"));
    await eventually("it was noticed", another);
    await isBack();
    // The number of the lost one is given out again.
    await eventually("it is written again", async () => (await create("next")) < 300);
    expect(await send("next", "1")).toBe(200);
    expect(await send("lost", "3")).toBe(404);
    expect(await send("kept", "1", "2")).toBe(200);
    const sql = postgres(server.urlOf("live"), { max: 1, onnotice: () => {} });
    const stored = await sql<{ told: string }[]>`
      select execution_id || ' ' || event_id || ' ' || (payload->>'model') as told from events order by 1`;
    expect(stored.map(({ told }) => told)).toEqual(["kept 1 of kept", "kept 2 of kept", "next 1 of next"]);
    await sql.end({ timeout: 5 });
    await service.stop();
    await admin.end({ timeout: 5 });
    await server.stop();
  },
  TEST_MS_MAX,
);
