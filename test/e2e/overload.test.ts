/**
 * More bytes than the budget holds: refused before memory runs out, counted, and over when the bytes are
 * gone.
 */
import { expect, test } from "bun:test";
import { problemOf } from "../support/client.ts";
import { eventBatch, eventBody, newExecution } from "../support/fixtures.ts";
import { outcomesOf, scrape } from "../support/metrics.ts";
import { eventually } from "../support/postgres-server.ts";
import { openRaw, requestHead } from "../support/raw-http.ts";
import { testSuite } from "../support/suite.ts";

const BYTES_MAX = 1_048_576;
const suite = testSuite({
  env: { INGEST_BYTES_MAX: String(BYTES_MAX), MAX_BODY_BYTES: String(BYTES_MAX), DRAIN_TIMEOUT_S: "2" },
});

const metricsText = async () => (await suite.anonymous.request("GET", "/metrics")).text;
const batchOfBytes = (run: string, bytes: number) => [
  eventBody(run, { payload: { text: "x".repeat(bytes) } }),
];

test("a full budget answers 503 with Retry-After, counts what it sheds, stays alive and recovers", async () => {
  const run = await newExecution(suite.client);
  const before = outcomesOf(await scrape(suite.anonymous));
  // What is whole stays until it is stored, which nothing is while the table is locked.
  const lock = await suite.database.sql.reserve();
  await lock`begin`;
  await lock`lock table ats.batch in access exclusive mode`;
  const stored = Array.from({ length: 4 }, () =>
    suite.client.sendEvents(batchOfBytes(run, BYTES_MAX / 4 - 1_000)),
  );
  await eventually("all bodies are held", async () => {
    const held = Number(/^ats_http_body_bytes_held (\d+)$/m.exec(await metricsText())?.[1]);
    return held > BYTES_MAX - 4_000;
  });
  const refused = await suite.client.sendEvents(batchOfBytes(run, 4_000));
  expect(problemOf(refused)).toMatchObject({ status: 503, code: "overloaded" });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  for (let n = 0; n < 20; n++) expect((await suite.anonymous.request("GET", "/health")).status).toBe(200);
  const during = outcomesOf(await scrape(suite.anonymous));
  expect(during.shed! - before.shed!).toBe(1);
  await lock`rollback`;
  lock.release();
  expect((await Promise.all(stored)).map((reply) => reply.status)).toEqual([200, 200, 200, 200]);
  expect((await suite.client.sendEvents(eventBatch(run, 3))).status).toBe(200);
});

for (const [kind, headers] of [
  ["declared", { "content-length": BYTES_MAX / 4 }],
  ["chunked", { "transfer-encoding": "chunked" }],
] as const) {
  test(`bodies that do not come give way to others, and are told: ${kind}`, async () => {
    const run = await newExecution(suite.client);
    const slow = await Promise.all(Array.from({ length: 4 }, () => openRaw(suite.service.port)));
    for (const each of slow) {
      await each.write(requestHead("POST", "/events", suite.project.key, headers));
      // Of what is chunked, only what came counts.
      const size = BYTES_MAX / 4 - 10;
      await each.write(kind === "declared" ? "[" : `${size.toString(16)}\r\n${" ".repeat(size)}\r\n`);
    }
    await eventually("the budget is full", async () =>
      /^ats_http_body_bytes_held 10[45]\d{4}$/m.test(await metricsText()),
    );
    const wanted = batchOfBytes(run, BYTES_MAX / 2);
    await eventually(
      "others get through",
      async () => (await suite.client.sendEvents(wanted)).status === 200,
    );
    // The last two were not in anybody's way.
    expect(await Promise.all(slow.slice(0, 2).map((each) => each.status()))).toEqual([503, 503]);
    await Promise.all(slow.slice(0, 2).map((each) => each.closed()));
    for (const each of slow) each.destroy();
    await eventually("all is given back", async () =>
      /^ats_http_body_bytes_held 0$/m.test(await metricsText()),
    );
  });
}
