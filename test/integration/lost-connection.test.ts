/**
 * Whoever holds a connection that is closed by the server: its next statement fails, and the pool goes on.
 * The driver as it is published writes to the closed socket later, outside of any call: that ends a thread,
 * or leaves a pool that never answers.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { connect, type Sql, type Statements } from "../../src/store/database/connect.ts";
import { prune } from "../../src/store/upkeep/retention.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { DatabaseLine } from "../support/database-line.ts";
import { eventually } from "../support/postgres-server.ts";

let database: TestDatabase;
let sql: Sql;
/** Connections of `sql` whose end has been read. */
let closed = 0;

beforeAll(async () => {
  database = await cloneDatabase();
  sql = connect({
    url: database.url,
    connectionsMax: 1,
    applicationName: "lost",
    onClose: () => {
      closed += 1;
    },
  });
});

afterAll(async () => {
  await sql.end({ timeout: 5 });
  await database.drop();
});

async function terminate(holder: Statements): Promise<void> {
  const [row] = await holder<[{ pid: number }]>`select pg_backend_pid() as pid`;
  const before = closed;
  await database.sql`select pg_terminate_backend(${row.pid}, 30000)`;
  // The server is done with it; the client has still to read the end of the connection.
  await eventually("the end of the connection is read", () => closed > before);
}

async function expectAnswers(): Promise<void> {
  const rows = await sql<{ one: number }[]>`select 1 as one`;
  expect(rows[0]?.one).toBe(1);
}

describe("a connection closed by the server", () => {
  test("inside a transaction: the transaction fails and the pool answers", async () => {
    const transaction = sql.begin(async (tx) => {
      await terminate(tx);
      await tx`select 1`;
    });
    await expect(transaction).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
    await expectAnswers();
  });

  test("under a statement of a transaction: the roll-back that follows is no accident", async () => {
    const transaction = sql.begin(async (tx) => {
      await tx`select pg_terminate_backend(pg_backend_pid()), pg_sleep(60)`;
    });
    await expect(transaction).rejects.toThrow();
    await expectAnswers();
  });

  test("while it is reserved: its statements fail, and giving it back spoils nothing", async () => {
    const session = await sql.reserve();
    await terminate(session);
    await expect(session`select 1`.execute()).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
    session.release();
    await expectAnswers();
  });

  test("given back late, it is not taken from who has it now", async () => {
    const session = await sql.reserve();
    await terminate(session);
    const next = await sql.reserve();
    session.release();
    const [row] = await next<[{ one: number }]>`select 1 as one`;
    expect(row.one).toBe(1);
    next.release();
    await expectAnswers();
  });

  describe("and open again for others", () => {
    beforeAll(async () => {
      await database.sql`create table lost_notes (note text)`;
    });
    afterEach(async () => {
      await database.sql`truncate lost_notes`;
    });
    const notes = async () =>
      (await database.sql<{ note: string }[]>`select note from lost_notes order by note`).map(
        ({ note }) => note,
      );

    /** A transaction whose connection is gone while its function waits for something else. */
    function lostTransaction() {
      const goOn = Promise.withResolvers<void>();
      const outcome = Promise.withResolvers<unknown>();
      const lost = sql.begin(async (tx) => {
        await terminate(tx);
        await goOn.promise;
        await tx`insert into lost_notes values ('of the lost one')`.then(
          () => outcome.resolve("stored"),
          (error: unknown) => outcome.resolve(error),
        );
      });
      return { lost, goOn: goOn.resolve, outcome: outcome.promise };
    }

    test("what a transaction still says is refused, not said outside of any", async () => {
      const { lost, goOn, outcome } = lostTransaction();
      await expect(lost).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
      await expectAnswers();
      goOn();
      expect(await outcome).toMatchObject({ code: "CONNECTION_CLOSED" });
      await expectAnswers();
      expect(await notes()).toEqual([]);
    });

    test("it is not said in another's transaction, and takes no answer from it", async () => {
      const { lost, goOn, outcome } = lostTransaction();
      await expect(lost).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
      await sql.begin(async (tx) => {
        await tx`insert into lost_notes values ('of the next')`;
        goOn();
        expect(await outcome).toMatchObject({ code: "CONNECTION_CLOSED" });
        const [row] = await tx<[{ one: number }]>`select 1 as one`;
        expect(row.one).toBe(1);
      });
      expect(await notes()).toEqual(["of the next"]);
    });

    test("nor while the next session is being opened, whose first answer would be taken for its own", async () => {
      const { lost, goOn, outcome } = lostTransaction();
      await expect(lost).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
      const answer = sql<[{ one: number }]>`select 1 as one`.execute();
      // At every moment of the opening: the socket is there from some turn on, the session only much later.
      for (let turn = 0; turn < 30; turn++) await new Promise(setImmediate);
      goOn();
      expect(await outcome).toMatchObject({ code: "CONNECTION_CLOSED" });
      expect((await answer)[0].one).toBe(1);
      expect(await notes()).toEqual([]);
    });

    test("who had reserved it is refused as well", async () => {
      const session = await sql.reserve();
      await terminate(session);
      await expectAnswers();
      await expect(
        session`insert into lost_notes values ('of the lost one')`.execute(),
      ).rejects.toMatchObject({
        code: "CONNECTION_CLOSED",
      });
      session.release();
      await expectAnswers();
      expect(await notes()).toEqual([]);
    });

    test("statements that waited behind one with parameters are refused when it is lost, too", async () => {
      const session = await sql.reserve();
      const [{ pid }] = await session<[{ pid: number }]>`select pg_backend_pid() as pid`;
      const asked = [
        session`select pg_sleep(${60}::float8)`.execute(),
        session`select ${1}::int as one`.execute(),
        session`select 2 as two`.execute(),
      ];
      const told = Promise.allSettled(asked);
      await eventually("it sleeps", async () => {
        const [row] = await database.sql<[{ event: string | null }]>`
          select wait_event as event from pg_stat_activity where pid = ${pid}`;
        return row.event === "PgSleep";
      });
      await database.sql`select pg_terminate_backend(${pid}, 30000)`;
      for (const one of await told) expect(one).toMatchObject({ status: "rejected" });
      session.release();
      await expectAnswers();
    });
  });

  test("in the middle of its rows: the next session's answers begin with their first row", async () => {
    // The driver asks nothing of its own in this one's sessions: the first answer is ours.
    const plain = connect({
      url: database.url,
      connectionsMax: 1,
      applicationName: "lost rows",
      fetchTypes: false,
    });
    try {
      const rows = plain`
        select i, case when i = 5000 then pg_terminate_backend(pg_backend_pid()) end
        from generate_series(1, 100000) i`;
      await expect(rows.execute()).rejects.toThrow();
      const next = await plain<{ one: number }[]>`select 1 as one`;
      expect([...next]).toEqual([{ one: 1 }]);
    } finally {
      await plain.end({ timeout: 5 });
    }
  });

  test("a statement that fails in the middle of its rows leaves none of them to the next", async () => {
    await expect(sql`select 1 / (5000 - i) from generate_series(1, 10000) i`.execute()).rejects.toMatchObject(
      {
        code: "22012",
      },
    );
    const next = await sql<{ one: number }[]>`select 1 as one`;
    expect([...next]).toEqual([{ one: 1 }]);
  });

  test("under a round of the retention: the next round runs", async () => {
    await database.sql`insert into ats.project (project_id, name, retention_days) values ('proj_lost', 'lost', 1)`;
    const holder = await database.sql.reserve();
    try {
      await holder`begin`;
      await holder`lock table ats.project in access exclusive mode`;
      const failure = prune({ sql, nowMs: Date.now() }).then(
        () => null,
        (error: unknown) => error,
      );
      await eventually("the round waits", async () => {
        const waiting = await holder<{ pid: number }[]>`
          select pg_terminate_backend(pid) from pg_stat_activity
          where application_name = 'lost' and wait_event_type = 'Lock' and datname = current_database()`;
        return waiting.length === 1;
      });
      expect(await failure).toMatchObject({ code: "CONNECTION_CLOSED" });
    } finally {
      await holder`rollback`;
      holder.release();
    }
    expect((await prune({ sql, nowMs: Date.now() })).led).toBe(true);
  });
});

describe("a connection lost before anybody has it", () => {
  /** Of the question that the driver asks first of all in a new session. */
  const FIRST_QUESTION = "pg_catalog.pg_type";
  let line: DatabaseLine;
  let pool: Sql;

  beforeEach(async () => {
    line = new DatabaseLine(database.url);
    await line.open();
    pool = connect({ url: line.url, connectionsMax: 1, applicationName: "lost early" });
  });

  afterEach(async () => {
    await pool.end({ timeout: 5 });
    line.cut();
  });

  test("who waits to reserve it is given the next one", async () => {
    line.cutOnceAt(FIRST_QUESTION);
    const session = await pool.reserve();
    expect(line.isCutAwaited).toBe(false);
    const [row] = await session<[{ one: number }]>`select 1 as one`;
    expect(row.one).toBe(1);
    session.release();
  });

  test("who waits for an answer has it from the next one", async () => {
    line.cutOnceAt(FIRST_QUESTION);
    const [row] = await pool<[{ one: number }]>`select 1 as one`;
    expect(line.isCutAwaited).toBe(false);
    expect(row.one).toBe(1);
  });

  test("who was told that there is none does not keep a later one", async () => {
    line.cut();
    await expect(pool.reserve()).rejects.toMatchObject({ code: "ECONNREFUSED" });
    await line.open();
    const session = await pool.reserve();
    session.release();
    const [row] = await pool<[{ one: number }]>`select 1 as one`;
    expect(row.one).toBe(1);
  });
});

test("a pool that is ended while its connection waits to be opened anew opens none", async () => {
  const left = Promise.withResolvers<unknown>();
  const pool: Sql = connect({
    url: database.url,
    connectionsMax: 1,
    applicationName: "lost and ended",
    onClose: () => {
      const statement = pool`select 1`.catch((error: unknown) => error);
      left.resolve(pool.end({ timeout: 0 }).then(() => statement));
    },
  });
  const [row] = await pool<[{ pid: number }]>`select pg_backend_pid() as pid`;
  await database.sql`select pg_terminate_backend(${row.pid}, 30000)`;
  expect(await left.promise).toMatchObject({ code: "CONNECTION_DESTROYED" });
  // Ten times what a connection waits before it is opened anew.
  await Bun.sleep(500);
  const sessions = await database.sql`select from pg_stat_activity where application_name = 'lost and ended'`;
  expect(sessions).toHaveLength(0);
});
