import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { databaseUrlFault, readDatabaseUrl } from "./database-url.ts";

const folder = mkdtempSync(join(tmpdir(), "ats-url-"));
const root = join(folder, "root.crt");
writeFileSync(root, "ROOT");
afterAll(() => rmSync(folder, { recursive: true }));

const BASE = "postgres://ats:p%40ss@db.example:5433/telemetry";
const tlsOf = (query: string) => readDatabaseUrl(`${BASE}?${query}`).ssl;

test("TLS is as libpq has it", () => {
  expect(readDatabaseUrl(BASE)).toEqual({ url: BASE });
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

test("nothing of it is left for the server, and what else is said is", () => {
  const read = readDatabaseUrl(`${BASE}?sslmode=require&sslrootcert=${root}&options=-cgeqo%3Doff`);
  expect(read.url).toBe(`${BASE}?options=-cgeqo%3Doff`);
});

test("a socket has no TLS, and an IPv6 address no brackets", () => {
  const socket = readDatabaseUrl("postgres://ats@localhost/telemetry?host=/run/pg&sslmode=require");
  expect(socket).toMatchObject({ host: "/run/pg", ssl: false });
  expect(readDatabaseUrl("postgres://ats@[::1]:5433/t")).toMatchObject({ host: ["::1"], port: [5433] });
  expect(readDatabaseUrl("postgres://ats@elsewhere/t?host=::1")).toMatchObject({ host: ["::1"] });
  expect(readDatabaseUrl("postgres://ats@[fd00::2]/t")).toMatchObject({ host: ["fd00::2"], port: [5432] });
});

test("what is wrong is said without the password", () => {
  expect(databaseUrlFault(BASE)).toBeNull();
  expect(databaseUrlFault(`${BASE}?sslmode=verify-ca&sslrootcert=${root}`)).toBeNull();
  const faults = [
    "mysql://ats:secret@db/t",
    "postgres://ats:secret%@db/t",
    "postgres://ats:secret@one:5432,two:5432/t",
    "postgres://ats:secret@db/t?sslmode=full",
    "postgres://ats:secret@db/t?sslrootcert=/nowhere/secret.crt",
  ].map(databaseUrlFault);
  expect(faults).toEqual([
    "expected postgres://user:password@host:port/database",
    expect.stringContaining("percent-encoded"),
    expect.stringContaining("one host"),
    expect.stringContaining("verify-full"),
    "the file of sslrootcert cannot be read",
  ]);
  expect(faults.join()).not.toContain("secret");
});
