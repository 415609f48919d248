/**
 * Clients as an SDK should be: whatever is not answered for good is sent again as it is, to whichever service
 * is up. Some requests are cut off on purpose, some are sent twice although they were answered, and some
 * twice at the same time.
 */
import { type Client, clientOf, type Reply } from "../../test/support/client.ts";
import type { SeededRandom } from "../ingest/random.ts";
import { type PlannedEvent, type PlannedRun, planRun } from "./planned-run.ts";
import type { Site } from "./site.ts";

const RETRY_MS = 100;
/** A request that hangs as long is given up and sent again. */
const PATIENCE_MS = 20_000;

export interface FleetCounts {
  /** Requests sent, the ones of them that were no success, and those cut off by the client itself. */
  requests: number;
  refused: number;
  unanswered: number;
  cutOff: number;
}

export class Fleet {
  /** Runs of which everything was answered for good. */
  readonly finished: PlannedRun[] = [];
  /** Answers that no client should ever get here. */
  readonly strange: string[] = [];
  readonly counts: FleetCounts = { requests: 0, refused: 0, unanswered: 0, cutOff: 0 };
  private readonly underWay = new Set<Promise<void>>();
  private begun = 0;
  private isOver = false;

  constructor(
    private readonly site: Site,
    private readonly random: SeededRandom,
  ) {}

  get runsBegun(): number {
    return this.begun;
  }

  get runsUnderWay(): number {
    return this.underWay.size;
  }

  begin(): void {
    const run = planRun(`run-${String(this.begun++).padStart(6, "0")}`, this.random);
    const going = this.send(run).then(() => {
      this.underWay.delete(going);
    });
    this.underWay.add(going);
  }

  /** Nothing more is tried; what is under way stays unfinished. */
  giveUp(): void {
    this.isOver = true;
  }

  private async send(run: PlannedRun): Promise<void> {
    const { random } = this;
    const create = { execution_id: run.executionId, status: "started" };
    let isDone = await this.until([200, 201], (client, signal) =>
      client.request("POST", "/executions", { body: create, signal }),
    );
    for (const batch of run.batches) {
      if (!isDone) return;
      isDone = await this.sendBatch(batch);
      await Bun.sleep(random.below(200));
    }
    const { end, executionId } = run;
    if (end !== undefined && isDone) {
      isDone = await this.until([200], (client, signal) =>
        client.request("PATCH", `/executions/${executionId}`, { body: end, signal }),
      );
    }
    if (isDone) this.finished.push(run);
  }

  private async sendBatch(batch: readonly PlannedEvent[]): Promise<boolean> {
    const stored = (reply: Reply) => {
      const { accepted, duplicates } = (reply.json ?? {}) as { accepted?: number; duplicates?: number };
      if ((accepted ?? 0) + (duplicates ?? 0) !== batch.length) this.note(reply);
    };
    const post = () =>
      this.until(
        [200],
        (client, signal) => client.request("POST", "/events", { body: batch, signal }),
        stored,
      );
    const chance = this.random.below(100);
    if (chance < 4) return (await Promise.all([post(), post()])).every(Boolean);
    if (chance < 8) return (await post()) && (await post());
    return post();
  }

  /** Sends until the answer is one of `good`; false when it was given up. */
  private async until(
    good: readonly number[],
    ask: (client: Client, signal: AbortSignal) => Promise<Reply>,
    look: (reply: Reply) => void = () => {},
  ): Promise<boolean> {
    const { random, counts } = this;
    while (!this.isOver) {
      const { urls, project } = this.site;
      if (urls.length === 0) {
        await Bun.sleep(RETRY_MS);
        continue;
      }
      const isCutOff = random.below(100) < 4;
      const patience = AbortSignal.timeout(isCutOff ? random.below(20) : PATIENCE_MS);
      counts.requests++;
      const reply = await ask(clientOf(random.pick(urls), project.key), patience).catch(() => undefined);
      if (reply !== undefined && good.includes(reply.status)) {
        look(reply);
        return true;
      }
      if (isCutOff) counts.cutOff++;
      else if (reply === undefined) counts.unanswered++;
      else counts.refused++;
      if (reply !== undefined && reply.status !== 503) this.note(reply);
      await Bun.sleep(RETRY_MS + random.below(RETRY_MS));
    }
    return false;
  }

  private note(reply: Reply): void {
    if (this.strange.length < 50) this.strange.push(`${reply.status} ${reply.text.slice(0, 300)}`);
  }
}
