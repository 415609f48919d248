/**
 * Seeded traffic for the end-to-end suites: batches that are sent until they are answered for good.
 *
 * Invariant of `sendUntilStored`: it returns only when the service acknowledged every event of the batch. A
 * batch is sent again as it is after anything else — no answer, 503 — which is what an SDK does.
 */
import type { Client, Reply } from "./client.ts";
import { type EventBody, eventBatch } from "./fixtures.ts";
import { runningMs } from "./running-time.ts";

export interface Acknowledged {
  accepted: number;
  duplicates: number;
  attempts: number;
}

/** One try; undefined when no answer came. */
export async function tryBatch(client: Client, batch: readonly EventBody[]): Promise<Reply | undefined> {
  try {
    return await client.sendEvents(batch);
  } catch {
    return undefined;
  }
}

export async function sendUntilStored(
  clientNow: () => Client,
  batch: readonly EventBody[],
  deadlineMs = 60_000,
): Promise<Acknowledged> {
  const end = runningMs() + deadlineMs;
  for (let attempts = 1; ; attempts += 1) {
    const reply = await tryBatch(clientNow(), batch);
    if (reply?.status === 200) {
      const { accepted, duplicates } = reply.json as { accepted: number; duplicates: number };
      return { accepted, duplicates, attempts };
    }
    if (reply !== undefined && reply.status !== 503) {
      throw new Error(`a good batch was refused: ${reply.status} ${reply.text.slice(0, 300)}`);
    }
    if (runningMs() > end)
      throw new Error(`not stored after ${attempts} tries: ${reply?.text ?? "no answer"}`);
    await Bun.sleep(30);
  }
}

/** Every event id of the batches, for comparison with what is stored. */
export function idsOf(batches: readonly (readonly EventBody[])[]): string[] {
  return batches.flatMap((batch) => batch.map((event) => event.event_id)).sort();
}

export function batchesOf(run: string, count: number, size: number): EventBody[][] {
  return Array.from({ length: count }, () => eventBatch(run, size));
}

/** Runs the jobs from `workers` at once, each taking the next. */
export async function inParallel<T>(
  workers: number,
  jobs: readonly T[],
  work: (job: T) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < jobs.length) {
      const job = jobs[next]!;
      next += 1;
      await work(job);
    }
  };
  await Promise.all(Array.from({ length: workers }, worker));
}
