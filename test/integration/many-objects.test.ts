/** Bodies that are small on the wire and become millions of objects: one by one, their memory comes back. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { refusal } from "../support/client.ts";
import { eventBody, newExecution } from "../support/fixtures.ts";
import { testSuite } from "../support/suite.ts";

const suite = testSuite();
const BYTES = 5_200_000;

/** Highest resident memory so far of the service; Linux only, 0 elsewhere. */
function peakMemoryMiB(): number {
  try {
    const status = readFileSync(`/proc/${suite.service.pid}/status`, "utf8");
    return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
  } catch {
    return 0;
  }
}

test("many bodies of nothing but brackets take hardly more memory than one", async () => {
  const send = (text: string) => suite.client.sendEvents(gzipSync(text), { "content-encoding": "gzip" });
  const wide = `[${"[],".repeat(BYTES / 3)}[]]`;
  const open = "[".repeat(BYTES);
  for (const [body, answer] of [
    [wide, "413 batch_too_large"],
    [open, "400 invalid_json"],
  ] as const) {
    expect(refusal(await send(body))).toBe(answer);
    const before = peakMemoryMiB();
    const replies = await Promise.all(Array.from({ length: 12 }, () => send(body)));
    expect(replies.map(refusal)).toEqual(replies.map(() => answer));
    expect(peakMemoryMiB() - before).toBeLessThan(300);
  }
  const run = await newExecution(suite.client);
  expect((await suite.client.sendEvents([eventBody(run)])).status).toBe(200);
});
