import { afterAll, beforeAll } from "bun:test";
import { connect, type Sql } from "../../../src/store/database/connect.ts";
import { cloneDatabase, type TestDatabase } from "../../support/database.ts";
import { mintProject } from "../../support/projects.ts";

/**
 * A database of the file's own with a project, and one connection to it, for what a session remembers or
 * counts.
 */
export interface OneConnection {
  readonly sql: Sql;
  readonly projectNo: number;
}

/** Call at the top of a test file, before its own hooks: it sets some. */
export function oneConnection(): OneConnection {
  let database: TestDatabase;
  let sql: Sql;
  let projectNo: number;
  beforeAll(async () => {
    database = await cloneDatabase();
    sql = connect({ url: database.url, connectionsMax: 1, applicationName: "test" });
    projectNo = (await mintProject(sql)).projectNo;
  });
  afterAll(async () => {
    await sql.end({ timeout: 5 });
    await database.drop();
  });
  return {
    get sql() {
      return sql;
    },
    get projectNo() {
      return projectNo;
    },
  };
}
