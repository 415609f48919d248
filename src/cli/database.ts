import { describeDatabase } from "../store/database/database-url.ts";
import { done, type Noun } from "./command.ts";
import { record } from "./table.ts";

export const noun: Noun = {
  name: "database",
  commands: [
    {
      verb: "url",
      summary: "Print the URL of the database, password included, for psql and other clients",
      async run({ database, databaseUrl }) {
        await database()`select 1`;
        const url = databaseUrl();
        return done({ url }, url);
      },
    },
    {
      verb: "migrate",
      summary: "Apply the migrations of this build (the service does so at its start)",
      async run({ databaseUrl }) {
        const { migrateDatabase } = await import("../store/database/migrate.ts");
        const result = await migrateDatabase({ url: databaseUrl() });
        if (!result.ok) return { ok: false, kind: "failed", message: result.detail };
        const { before, after } = result;
        const said = before === after ? "Nothing to migrate" : `Migrated from ${before} to ${after}`;
        return done({ before, after }, `${said}: ${after} migrations applied.`);
      },
    },
    {
      verb: "status",
      summary: "Show server, schema and size",
      async run({ database, databaseUrl, config }) {
        const { readDatabaseStatus } = await import("../store/database/status.ts");
        const status = {
          source: config.databaseUrl === null ? "embedded" : "DATABASE_URL",
          database: describeDatabase(databaseUrl()),
          ...(await readDatabaseStatus(database())),
        };
        const { migrations, ...rest } = status;
        const human = {
          ...rest,
          migrations: `${migrations.applied} applied, ${migrations.embedded} in this build`,
        };
        return done(status, record(human));
      },
    },
  ],
};
