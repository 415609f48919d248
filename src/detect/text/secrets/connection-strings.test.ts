import { describe, expect, test } from "bun:test";
import { scanText } from "../scan/scan-text.ts";
import { findSecrets } from "./find-secrets.ts";

/** Put together here, so that scanners of this repository find nothing. */
const strong = ["Xk9#vQ2m", "Lp7wZt"].join("");
const plain = ["a7f3k2m9", "q1x8"].join("");
const found = (text: string): string[] => findSecrets(scanText(text)).map(({ rule }) => rule.id);

/** Connection strings of several programs, with a password to be put in. */
const STRINGS: Readonly<Record<string, (password: string) => string>> = {
  "ADO.NET": (p) => `Server=tcp:orders-sql.database.windows.net,1433;User ID=app;Password=${p};Encrypt=True;`,
  "the password first": (p) => `Password=${p};Data Source=sql-7;Initial Catalog=orders;User ID=app`,
  ODBC: (p) => `DRIVER={SQL Server};SERVER=sql-7;UID=app;PWD=${p}`,
  "in JSON": (p) =>
    JSON.stringify({ ConnectionString: `Host=pg-3;Database=orders;Username=app;Password=${p}` }),
  "JDBC, in its query": (p) => `jdbc:mysql://db-4.internal:3306/orders?user=app&password=${p}&useSSL=true`,
  "JDBC, behind semicolons": (p) => `jdbc:sqlserver://sql-7:1433;databaseName=orders;user=app;password=${p};`,
  libpq: (p) => `psql "host=pg-3 dbname=orders user=app password=${p}"`,
  "libpq, in quotes": (p) => `host=pg-3 user=app password='${p}'`,
  "an address with a query": (p) => `postgresql://pg-3/orders?user=app&password=${p}`,
  "a pgpass": (p) => `# orders\npg-3.internal:5432:orders:app:${p}\n`,
};

describe.each(Object.entries(STRINGS))("%s", (_name, written) => {
  test.each([strong, plain])("with %s", (password) => {
    expect(found(written(password))).toHaveLength(1);
  });
  test.each([
    "password",
    "changeme",
    "********",
    "<password>",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a place for a variable.
    "${DB_PASSWORD}",
    "$DB_PASSWORD",
    "%DB_PASSWORD%",
    "{{ db.password }}",
    "P@55w0rd123!",
    "yourStrong!Pass1",
    "mynewcreds",
    "hunter22",
    "kiel_2024",
  ])("not with %s", (password) => {
    expect(found(written(password))).toEqual([]);
  });
});

test("the addresses of queues and caches", () => {
  expect(found(`amqp://app:${strong}@mq-2.internal:5672/orders`)).toEqual(["url-credentials"]);
  expect(found(`redis://:${strong}@cache-1.internal:6379/0`)).toEqual(["url-credentials"]);
});

test.each([
  ["a form of a page", `POST /login username=ann&password=${strong}`],
  ["a line of a program", `password=cfg.next2Value(3); server=x; user=y`],
  ["a password without a place", `password=${strong}`],
  ["fields of other lines", `host=pg-3\nuser=app\n\n\npassword=${strong}`],
  ["ports of a container", `ports: ["127.0.0.1:5432:5432"]\ncontainer 0f3a:5432:tcp:Up4Hours2Min:ok`],
])("%s is none", (_name, text) => expect(found(text)).toEqual([]));
