/** The environment as the process reads it: every mistake in one message, limits that hold. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { type Client, clientOf, refusal } from "../support/client.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { eventBatch, newExecution } from "../support/fixtures.ts";
import { mintProject } from "../support/projects.ts";
import { type Service, startService } from "../support/service.ts";

async function startedWith(env: Record<string, string>): Promise<{ code: number; output: string }> {
  const child = Bun.spawn([process.execPath, "src/main.ts"], {
    cwd: join(import.meta.dir, "../.."),
    env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "/", PORT: "0", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), 50_000);
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  const code = await child.exited;
  clearTimeout(timer);
  return { code, output: stdout + stderr };
}

test("every mistake is named in one message, and a password in none", async () => {
  const { code, output } = await startedWith({
    PORT: "99999",
    HTTP_THREADS: "zero",
    LOG_LEVEL: "loud",
    DRAIN_TIMEOUT_S: "-1",
    DATABASE_URL: "mysql://user:hunter2@host/db",
    WEBHOOK_ALLOWED_NETWORKS: "10.0.0.0/99",
    MAX_BATCH_EVENTS: "1.5",
  });
  expect(code).toBeWithin(1, 128);
  for (const name of [
    "PORT",
    "HTTP_THREADS",
    "LOG_LEVEL",
    "DRAIN_TIMEOUT_S",
    "DATABASE_URL",
    "MAX_BATCH_EVENTS",
  ]) {
    expect(output).toContain(name);
  }
  expect(output).toContain("WEBHOOK_ALLOWED_NETWORKS");
  expect(output).not.toContain("hunter2");
});

describe("limits are configurable", () => {
  let database: TestDatabase;
  let service: Service;
  let client: Client;

  beforeAll(async () => {
    database = await cloneDatabase();
    const project = await mintProject(database.sql);
    service = await startService({
      databaseUrl: database.url,
      env: { MAX_BATCH_EVENTS: "3", MAX_BODY_BYTES: "2048" },
    });
    client = clientOf(service.url, project.key);
  });

  afterAll(async () => {
    await service?.stop();
    await database?.drop();
  });

  test("MAX_BATCH_EVENTS", async () => {
    const run = await newExecution(client);
    expect((await client.sendEvents(eventBatch(run, 3))).json).toEqual({ accepted: 3, duplicates: 0 });
    expect(refusal(await client.sendEvents(eventBatch(run, 4)))).toBe("413 batch_too_large");
  });

  test("MAX_BODY_BYTES", async () => {
    expect((await client.sendEvents(`[]${" ".repeat(2_046)}`)).status).toBe(200);
    expect(refusal(await client.sendEvents(`[]${" ".repeat(2_047)}`))).toBe("413 body_too_large");
  });
});
