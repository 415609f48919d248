/**
 * What the rest of the process fails to tell an HTTP thread: the request is answered all the same, and the
 * log says why.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { readConfig } from "../../src/config.ts";
import {
  type HttpThread,
  type HttpThreadOptions,
  startHttpThread,
  THREAD_METRICS,
} from "../../src/http-thread/http-thread.ts";
import { startHttpWorker } from "../../src/http-thread/http-worker-handle.ts";
import { TokenBuckets } from "../../src/ingest/token-bucket.ts";
import { MetricRegistry } from "../../src/metrics/registry.ts";
import { clientOf, refusal } from "../support/client.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.drop());

interface Started {
  readonly metrics: MetricRegistry;
  readonly lines: Record<string, unknown>[];
  readonly options: HttpThreadOptions;
}

/** What it takes to start a thread of a process that can tell nothing of its other threads. */
function unableProcess(): Started {
  const read = readConfig({ PORT: "0", HOST: "127.0.0.1", LOG_LEVEL: "silent" });
  if (!read.ok) throw new Error(read.mistakes.join());
  const metrics = new MetricRegistry(THREAD_METRICS, { threads: 1, thread: 0 });
  const lines: Record<string, unknown>[] = [];
  const options: HttpThreadOptions = {
    config: read.config,
    databaseUrl: database.url,
    version: "1.0.0",
    log: pino({ base: null }, { write: (line) => lines.push(JSON.parse(line)) }),
    shared: { buckets: TokenBuckets.allocate(8), metrics: metrics.buffer, handovers: [] },
    thread: 0,
    port: 0,
    exposeMetrics: () => Promise.reject(new Error("the notifier tells nothing")),
    onSilenceOver: () => {},
    dashboard: {
      socketPath: join(tmpdir(), "ats-nobody-listens-here.sock"),
      ready: () => Promise.reject(new Error("no thread can be started")),
    },
  };
  return { metrics, lines, options };
}

async function withThread(
  start: (options: HttpThreadOptions) => Promise<HttpThread>,
  { options }: Started,
  act: (url: string) => Promise<void>,
): Promise<void> {
  const thread = await start(options);
  try {
    await act(`http://127.0.0.1:${thread.port}`);
  } finally {
    await thread.drain();
  }
}

test("metrics that cannot be had: 500, counted, and a line in the log with the reason", async () => {
  const started = unableProcess();
  await withThread(startHttpThread, started, async (url) => {
    const reply = await clientOf(url, undefined).request("GET", "/metrics");
    expect(refusal(reply)).toBe("500 internal_error");
    expect(reply.text).not.toContain("notifier");
  });
  expect(started.lines.filter((line) => line.msg === "a request failed")).toEqual([
    expect.objectContaining({ level: 50, error: expect.stringContaining("the notifier tells nothing") }),
  ]);
  const counted = { route: "other", code: "internal_error" };
  expect(started.metrics.total("ats_http_requests_total", counted)).toBe(1);
});

test.each([
  ["on the main thread", startHttpThread],
  ["in a worker", startHttpWorker],
])("%s both questions end in an answer", async (_, start) => {
  await withThread(start, unableProcess(), async (url) => {
    const anonymous = clientOf(url, undefined);
    expect(refusal(await anonymous.request("GET", "/metrics"))).toBe("500 internal_error");
    expect(refusal(await anonymous.request("GET", "/app/api/session"))).toBe("503 dashboard_unavailable");
    expect((await anonymous.request("GET", "/health")).status).toBe(200);
  });
});
