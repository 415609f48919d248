/** A pool whose connections are reserved, in transactions and shared by plain statements, all at once. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect, type Sql } from "../../src/store/database/connect.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";

const ROUNDS = 130;

let database: TestDatabase;

beforeAll(async () => {
  database = await cloneDatabase();
});

afterAll(async () => {
  await database.drop();
});

describe.each([true, false])("array types asked for: %p", (fetchTypes) => {
  let sql: Sql;

  beforeAll(() => {
    sql = connect({ url: database.url, connectionsMax: 3, applicationName: "reservations", fetchTypes });
  });

  afterAll(async () => {
    await sql.end({ timeout: 5 });
  });

  // The driver as it is published never hands it out when it asks nothing of its own first.
  test("a connection that is opened for a reservation is handed out", async () => {
    const session = await sql.reserve();
    const [row] = await session<[{ one: number }]>`select 1 as one`;
    expect(row.one).toBe(1);
    session.release();
  });

  test("everyone has their own answers, and what is rolled back is not stored", async () => {
    await sql`create table reservation_notes (round int)`;
    const reserved = async (round: number) => {
      const session = await sql.reserve();
      try {
        const [row] = await session<[{ round: number }]>`select ${round}::int as round`;
        expect(row.round).toBe(round);
      } finally {
        session.release();
      }
    };
    const transaction = async (round: number) => {
      const isKept = round % 3 !== 0;
      const done = sql.begin(async (tx) => {
        await tx`insert into reservation_notes values (${round})`;
        if (round % 2 === 0) await Bun.sleep(1);
        if (!isKept) throw new Error("taken back");
      });
      if (isKept) await done;
      else await expect(done).rejects.toThrow("taken back");
    };
    const plain = async (round: number) => {
      const [row] = await sql<[{ round: number }]>`select ${round}::int as round`;
      expect(row.round).toBe(round);
    };
    const rounds = Array.from({ length: ROUNDS }, (_, round) => round);
    await Promise.all(rounds.flatMap((round) => [transaction(round), plain(round), reserved(round)]));
    const stored = await sql<{ round: number }[]>`select round from reservation_notes order by round`;
    expect(stored.map(({ round }) => round)).toEqual(rounds.filter((round) => round % 3 !== 0));
    await sql`drop table reservation_notes`;
  });
});
