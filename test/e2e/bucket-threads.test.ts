import { expect, test } from "bun:test";
import { join } from "node:path";
import { TokenBuckets } from "../../src/ingest/token-bucket.ts";

/** The buckets under real threads: one SharedArrayBuffer, four workers that do nothing but take. */

const module = join(import.meta.dir, "../../src/ingest/token-bucket.ts");
const THREADS = 4;

interface Job {
  buffer: SharedArrayBuffer;
  gate: SharedArrayBuffer;
  projects: number[];
  policy: { burst: number; perSecond: number };
  runMs: number;
}

interface Report {
  slots: number[];
  admitted: number[];
  firstMs: number;
  lastMs: number;
}

/** All workers wait at a gate until every one of them is there, so that the claims really race. */
const script = `
import { TokenBuckets } from ${JSON.stringify(module)};
const clock = () => performance.timeOrigin + performance.now();
self.onmessage = ({ data: { buffer, gate, projects, policy, runMs } }) => {
  const buckets = new TokenBuckets(buffer);
  const barrier = new Int32Array(gate);
  Atomics.add(barrier, 0, 1);
  while (Atomics.load(barrier, 0) < ${THREADS}) {}
  const firstMs = clock();
  const slots = projects.map((projectNo) => buckets.slotOf(projectNo, policy, firstMs));
  const admitted = projects.map(() => 0);
  let nowMs = firstMs;
  while (nowMs - firstMs < runMs) {
    for (let i = 0; i < slots.length; i++) if (buckets.take(slots[i], nowMs).admitted) admitted[i]++;
    nowMs = clock();
  }
  self.postMessage({ slots, admitted, firstMs, lastMs: nowMs });
};
`;

async function race(job: Omit<Job, "gate">): Promise<Report[]> {
  const address = URL.createObjectURL(new Blob([script], { type: "application/typescript" }));
  const gate = new SharedArrayBuffer(4);
  const workers = Array.from({ length: THREADS }, () => new Worker(address));
  try {
    return await Promise.all(
      workers.map(
        (worker) =>
          new Promise<Report>((resolve, reject) => {
            worker.onmessage = (message: MessageEvent<Report>) => resolve(message.data);
            worker.onerror = (error) => reject(new Error(error.message));
            worker.postMessage({ ...job, gate });
          }),
      ),
    );
  } finally {
    for (const worker of workers) worker.terminate();
    URL.revokeObjectURL(address);
  }
}

test.each([
  { burst: 100, perSecond: 10 },
  { burst: 1, perSecond: 1 },
  { burst: 5_000, perSecond: 20_000 },
  { burst: 3, perSecond: 1_000_000 },
])("four threads never get more than capacity + refill × time: %p", async (policy) => {
  const buffer = TokenBuckets.allocate(8);
  const reports = await race({ buffer, projects: [7], policy, runMs: 1_000 });
  expect(new Set(reports.flatMap((report) => report.slots)).size).toBe(1);
  const admitted = reports.reduce((sum, report) => sum + report.admitted[0]!, 0);
  const spanMs =
    Math.max(...reports.map((report) => report.lastMs)) -
    Math.min(...reports.map((report) => report.firstMs));
  // The clock is read in whole milliseconds: one more may begin within the span.
  const bound = policy.burst + (policy.perSecond * (spanMs + 1)) / 1000;
  expect(admitted).toBeLessThanOrEqual(bound);
  // And it is no bucket that just refuses: the burst was there to take.
  expect(admitted).toBeGreaterThanOrEqual(policy.burst);
});

test("racing claims give one slot a project, the same for every thread, and no project another's", async () => {
  for (let round = 0; round < 5; round++) {
    const projects = Array.from({ length: 400 }, (_, index) => 1 + index * 7919 + round);
    const buffer = TokenBuckets.allocate(projects.length);
    const policy = { burst: 2, perSecond: 1 };
    const reports = await race({ buffer, projects, policy, runMs: 50 });
    for (const report of reports) expect(report.slots).toEqual(reports[0]!.slots);
    expect(new Set(reports[0]!.slots).size).toBe(projects.length);
    const spanMs =
      Math.max(...reports.map((report) => report.lastMs)) -
      Math.min(...reports.map((report) => report.firstMs));
    const bound = policy.burst + (policy.perSecond * (spanMs + 1)) / 1000;
    for (const index of projects.keys()) {
      const admitted = reports.reduce((sum, report) => sum + report.admitted[index]!, 0);
      expect(admitted).toBeWithin(policy.burst, bound + 1);
    }
  }
});
