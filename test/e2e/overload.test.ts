/** More bytes than the budget holds: refused before memory runs out, counted, and over when the bytes are gone. */
import { expect, test } from "bun:test";
import { problemOf } from "../support/client.ts";
import { eventBatch, newExecution } from "../support/fixtures.ts";
import { outcomesOf, scrape } from "../support/metrics.ts";
import { eventually } from "../support/postgres-server.ts";
import { openRaw, requestHead } from "../support/raw-http.ts";
import { testSuite } from "../support/suite.ts";

const BYTES_MAX = 1_048_576;
const suite = testSuite({
  env: { INGEST_BYTES_MAX: String(BYTES_MAX), MAX_BODY_BYTES: String(BYTES_MAX), DRAIN_TIMEOUT_S: "2" },
});

test("a full budget answers 503 with Retry-After, counts what it sheds, stays alive and recovers", async () => {
  const run = await newExecution(suite.client);
  const before = outcomesOf(await scrape(suite.anonymous));
  // A body of ordinary size of which the end does not come holds all that it declared.
  const holders = await Promise.all(Array.from({ length: 4 }, () => openRaw(suite.service.port)));
  for (const holder of holders) {
    await holder.write(
      `${requestHead("POST", "/events", suite.project.key, { "content-length": BYTES_MAX / 4 })}[`,
    );
  }
  // Only when all four are in: a request that came between would take the room of one.
  const held = async () => (await suite.anonymous.request("GET", "/metrics")).text;
  await eventually("all bodies are held", async () =>
    (await held()).includes(`ats_http_body_bytes_held ${BYTES_MAX}\n`),
  );
  const batch = eventBatch(run, 5);
  await eventually("the budget is full", async () => (await suite.client.sendEvents(batch)).status === 503);
  const refused = await suite.client.sendEvents(eventBatch(run, 7));
  expect(problemOf(refused)).toMatchObject({ status: 503, code: "overloaded" });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  for (let n = 0; n < 20; n++) expect((await suite.anonymous.request("GET", "/health")).status).toBe(200);
  const during = outcomesOf(await scrape(suite.anonymous));
  expect(during.shed! - before.shed!).toBe(12);
  for (const holder of holders) holder.destroy();
  const next = eventBatch(run, 3);
  await eventually("the service recovers", async () => (await suite.client.sendEvents(next)).status === 200);
});
