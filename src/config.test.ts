import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { type ConfigResult, configNames, describeMistakes, readConfig } from "./config.ts";

const values = (result: ConfigResult) => {
  if (!result.ok) throw new Error(describeMistakes(result.mistakes));
  return result.config;
};
const mistakes = (result: ConfigResult) => (result.ok ? [] : result.mistakes);

describe("readConfig", () => {
  test("an empty environment is a whole configuration", () => {
    const config = values(readConfig({}));
    expect(config).toMatchObject({
      port: 8080,
      host: "0.0.0.0",
      databaseUrl: null,
      drainTimeoutS: 25,
      maxBatchEvents: 1000,
      maxBodyBytes: 5_242_880,
      ingestBytesMax: 67_108_864,
      detection: true,
      appUrl: "http://localhost:8080",
    });
    expect(config.dataDir.endsWith("/.data")).toBe(true);
    expect(Object.isFrozen(config)).toBe(true);
  });

  test("every mistake is named at once, with its value", () => {
    const found = mistakes(
      readConfig({
        PORT: "65536",
        HTTP_THREADS: "two",
        LOG_LEVEL: "loud",
        DETECTION: "yes",
        APP_URL: "ftp://example.org",
        WEBHOOK_ALLOWED_NETWORKS: "10.0.0.0/8, 10.0.0.0/33",
        MAX_BODY_BYTES: "-1",
      }),
    );
    expect(found).toHaveLength(7);
    for (const named of [
      "PORT",
      "HTTP_THREADS",
      "LOG_LEVEL",
      "DETECTION",
      "APP_URL",
      "10.0.0.0/33",
      "MAX_BODY_BYTES",
    ]) {
      expect(found.join("\n")).toContain(named);
    }
    expect(describeMistakes(found)).toStartWith("7 mistakes in the configuration:\n");
  });

  test.each(["mysql://u:hunter2@h/db", "hunter2", "postgres//u:hunter2@h"])(
    "a bad DATABASE_URL is refused without repeating it: %s",
    (url) => {
      const found = mistakes(readConfig({ DATABASE_URL: url }));
      expect(found).toHaveLength(1);
      expect(found[0]).toContain("DATABASE_URL");
      expect(found[0]).not.toContain("hunter2");
    },
  );

  test.each(["1.5", "1e3", "0x10", " ", "99999999999999999999", "+1"])(
    "PORT=%j is an integer or nothing",
    (port) => {
      expect(mistakes(readConfig({ PORT: port }))).toHaveLength(port.trim() === "" ? 0 : 1);
    },
  );

  test.each(["http://h/?a=b", "http://h/#top", "http://h?", "https://u:p@h"])(
    "APP_URL=%j makes no links",
    (url) => {
      expect(mistakes(readConfig({ APP_URL: url }))).toHaveLength(1);
    },
  );

  test("a body larger than the ingest buffer could never be taken", () => {
    expect(mistakes(readConfig({ MAX_BODY_BYTES: "9000000", INGEST_BYTES_MAX: "8000000" }))).toHaveLength(1);
  });

  test("nobody is a trusted proxy unless named", () => {
    expect(values(readConfig({})).trustedProxies).toEqual([]);
    const named = values(readConfig({ TRUSTED_PROXIES: "10.0.0.0/8, fd00::/8" })).trustedProxies;
    expect(named).toEqual(["10.0.0.0/8", "fd00::/8"]);
    for (const wrong of ["10.0.0.1", "10.0.0.0/33", "proxy.internal", "::/129"])
      expect(mistakes(readConfig({ TRUSTED_PROXIES: wrong }))).toHaveLength(1);
  });

  test("webhooks reach loopback by default on the embedded database only", () => {
    expect(values(readConfig({})).webhookAllowedNetworks).toContain("127.0.0.0/8");
    expect(values(readConfig({ DATABASE_URL: "postgres://h/db" })).webhookAllowedNetworks).toEqual([]);
    expect(values(readConfig({ WEBHOOK_ALLOWED_NETWORKS: "10.1.0.0/16" })).webhookAllowedNetworks).toEqual([
      "10.1.0.0/16",
    ]);
  });
});

test(".env.example lists every name once, with its default and an explanation", () => {
  const lines = readFileSync(new URL("../.env.example", import.meta.url), "utf8").split("\n");
  const listed = lines.filter((line) => /^[A-Z_]+=/.test(line));
  expect(listed.map((line) => line.split("=")[0] ?? "")).toEqual([...configNames]);
  for (const line of listed) {
    expect(lines[lines.indexOf(line) - 1]).toMatch(/^# \S+/);
  }
  const env = Object.fromEntries(
    listed.map((line) => [line.split("=")[0], line.slice(line.indexOf("=") + 1)]),
  );
  expect(values(readConfig(env))).toEqual(values(readConfig({})));
});

const UNITS = { MiB: 2 ** 20, GiB: 2 ** 30 };
const numberOf = (text: string) => {
  const [digits, unit] = text.split(" ");
  return Number(digits) * (UNITS[unit as keyof typeof UNITS] ?? 1);
};

test("the README's table names every setting, in the same order, with the range that is taken", () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const table = readme.slice(readme.indexOf("\n## Configuration\n"), readme.indexOf("\n## How fast\n"));
  const rows = [...table.matchAll(/^\| `([A-Z_]+)` +\|([^|]*)\|([^|]*)\|/gm)].map((row) => ({
    name: row[1]!,
    fallback: row[2]!.trim(),
    range: row[3]!.trim(),
  }));
  expect(rows.map(({ name }) => name)).toEqual([...configNames]);
  const isTaken = (name: string, value: number | string) =>
    mistakes(readConfig({ [name]: `${value}` })).length === 0;
  const ranges = rows.filter(({ range }) => range.includes("–"));
  expect(ranges.length).toBeGreaterThan(10);
  for (const { name, fallback, range } of ranges) {
    const [min, max] = range.split("–").map(numberOf) as [number, number];
    // A body must fit into what may be in flight, so the largest wants more room than there is by default.
    const largest = name === "MAX_BODY_BYTES" ? { INGEST_BYTES_MAX: `${max}` } : { MAX_BODY_BYTES: "1024" };
    const taken = [min - 1, min, max, max + 1].map(
      (value) => mistakes(readConfig({ ...largest, [name]: `${value}` })).length === 0,
    );
    expect({ name, taken }).toEqual({ name, taken: [false, true, true, false] });
    expect(values(readConfig({ [name]: fallback }))).toEqual(values(readConfig({})));
  }
  for (const { name, range } of rows.filter(({ range }) => /^\w+, \w+$/.test(range))) {
    for (const word of range.split(", ")) expect(isTaken(name, word)).toBe(true);
    expect(isTaken(name, "neither")).toBe(false);
  }
});
