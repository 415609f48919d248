import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { databaseUrlFault, describeDatabase, readDatabaseUrl } from "./database-url.ts";

const folder = mkdtempSync(join(tmpdir(), "ats-url-"));
const root = join(folder, "root.crt");
writeFileSync(root, "ROOT");
afterAll(() => rmSync(folder, { recursive: true }));

const BASE = "postgres://ats:p%40ss@db.example:5433/telemetry";
const tlsOf = (query: string) => readDatabaseUrl(`${BASE}?${query}`).ssl;

test("TLS is as libpq has it", () => {
  expect(readDatabaseUrl(BASE)).not.toHaveProperty("ssl");
  expect(tlsOf("sslmode=disable")).toBe(false);
  expect(tlsOf("sslmode=prefer")).toBe("prefer");
  expect(tlsOf("sslmode=require")).toBe("require");
  expect(tlsOf("sslmode=verify-full")).toEqual({});
  expect(tlsOf("sslmode=verify-full&sslrootcert=system")).toEqual({});
  expect(tlsOf(`sslmode=verify-full&sslrootcert=${root}`)).toEqual({ ca: "ROOT" });
  expect(tlsOf(`sslrootcert=${root}`)).toEqual({ ca: "ROOT" });
  expect(tlsOf(`sslmode=disable&sslrootcert=${root}`)).toBe(false);
  expect(tlsOf(`sslmode=require&sslcert=${root}&sslkey=${root}`)).toEqual({
    cert: "ROOT",
    key: "ROOT",
    rejectUnauthorized: false,
  });
  for (const mode of ["verify-ca", "require"])
    expect(tlsOf(`sslmode=${mode}&sslrootcert=${root}`)).toEqual({
      ca: "ROOT",
      checkServerIdentity: expect.any(Function),
    });
});

test("a channel is bound where that is asked for", () => {
  const bindingOf = (query: string) => readDatabaseUrl(`${BASE}?${query}`).channel_binding;
  expect(bindingOf("sslmode=require")).toBeUndefined();
  expect(bindingOf("sslmode=require&channel_binding=disable")).toBeUndefined();
  expect(bindingOf("sslmode=require&channel_binding=prefer")).toBe("prefer");
  expect(bindingOf("sslmode=require&channel_binding=require")).toBe("require");
  expect(databaseUrlFault(`${BASE}?sslmode=require&channel_binding=require`)).toBeNull();
});

test("nothing of it is left for the server, and what else is said is", () => {
  const read = readDatabaseUrl(
    `${BASE}?sslmode=require&channel_binding=require&sslrootcert=${root}&options=-cgeqo%3Doff`,
  );
  expect(read.url).toBe(`${BASE}?options=-cgeqo%3Doff`);
});

test("a socket has no TLS, and an IPv6 address no brackets", () => {
  const socket = readDatabaseUrl("postgres://ats@localhost/telemetry?host=/run/pg&sslmode=require");
  expect(socket).toMatchObject({ host: "/run/pg", ssl: false });
  expect(readDatabaseUrl("postgres://ats@[::1]:5433/t")).toMatchObject({ host: ["::1"], port: [5433] });
  expect(readDatabaseUrl("postgres://ats@elsewhere/t?host=::1")).toMatchObject({ host: ["::1"] });
  expect(readDatabaseUrl("postgres://ats@[fd00::2]/t")).toMatchObject({ host: ["fd00::2"], port: [5432] });
});

test("host, port, user, password and database stand in any of the places that libpq knows", () => {
  const socket = { host: "/run/pg", port: 5433, database: "my db" };
  for (const url of [
    "postgres://ats:pw@:5433/my%20db?host=/run/pg",
    "postgres://ats:pw@%2Frun%2Fpg:5433/my%20db",
    "postgresql://ats:pw@/?host=/run/pg&port=5433&dbname=my%20db",
    "postgresql://ats:pw@elsewhere:1/another?host=/run/pg&port=5433&dbname=my%20db",
  ])
    expect(readDatabaseUrl(url)).toMatchObject(socket);
  expect(readDatabaseUrl("postgres:///t?host=::1&user=a&password=b+c%2Bd")).toEqual({
    url: "postgres:///t",
    ...{ host: ["::1"], port: [5432], user: "a", password: "b+c+d", database: "t" },
  });
  expect(readDatabaseUrl("postgres://ats@/t?host=/cloudsql/a:b:c")).toMatchObject({
    host: "/cloudsql/a:b:c",
  });
  expect(readDatabaseUrl("postgres://:p@w:@db/t")).toMatchObject({
    ...{ url: "postgres://:p%40w%3A@db/t", host: "db", database: "t" },
  });
  expect(readDatabaseUrl("postgres:///")).toEqual({ url: "postgres:///" });
});

test("what is shown of it is where it is", () => {
  const shown = [
    BASE,
    "postgres://ats:secret@/t?host=/run/pg&password=secret",
    "postgres://[::1]",
    "postgres:///t",
    "postgres://ats:secret@one:5432,two:5432/t",
  ].map(describeDatabase);
  expect(shown).toEqual([
    "db.example:5433/telemetry",
    "/run/pg:5432/t",
    "[::1]:5432",
    "localhost:5432/t",
    "the database",
  ]);
});

test("what is wrong is said without the password", () => {
  expect(databaseUrlFault(BASE)).toBeNull();
  expect(databaseUrlFault(`${BASE}?sslmode=verify-ca&sslrootcert=${root}`)).toBeNull();
  const faults = [
    "mysql://ats:secret@db/t",
    "postgres://ats:secret%@db/t",
    "postgres://ats:secret@one:5432,two:5432/t",
    "postgres://ats:secret@one,two/t",
    "postgres://ats:secret@one/t?host=one,two",
    "postgres://ats:secret@db/t?port=secret",
    "postgres://ats:secret@db/t?sslmode=full",
    "postgres://ats:secret@db/t?sslmode=require&channel_binding=secret",
    "postgres://ats:secret@db/t?channel_binding=require",
    "postgres://ats:secret@db/t?sslrootcert=/nowhere/secret.crt",
  ].map(databaseUrlFault);
  expect(faults).toEqual([
    "expected postgres://user:password@host:port/database",
    expect.stringContaining("percent-encoded"),
    expect.stringContaining("one host"),
    "expected one host",
    "expected one host",
    "expected a port from 1 to 65535",
    expect.stringContaining("verify-full"),
    "expected a channel_binding of disable, prefer, require",
    "channel_binding=require needs TLS: give an sslmode",
    "the file of sslrootcert cannot be read",
  ]);
  expect(faults.join()).not.toContain("secret");
});
