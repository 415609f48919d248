/**
 * The ingest side of HTTP threads in this process, built as src/http-thread/ingest-parts.ts builds it, with
 * as many as a test wants on one database: they know of each other no more than threads and services do. What
 * they send to PostgreSQL can be made to fail.
 */
import { Availability } from "../../src/ingest/availability.ts";
import { BatchNumbers } from "../../src/ingest/commit/batch-numbers.ts";
import { GroupCommit } from "../../src/ingest/commit/group-commit.ts";
import { HeldIds } from "../../src/ingest/commit/held-ids.ts";
import { PackTurns } from "../../src/ingest/commit/pack-turns.ts";
import type { Caller } from "../../src/ingest/directory.ts";
import { EventIngest, type IngestResult } from "../../src/ingest/events.ts";
import { ExecutionRegistry } from "../../src/ingest/execution-registry.ts";
import { Executions } from "../../src/ingest/executions.ts";
import { INGEST_METRICS, observeGroupCommit } from "../../src/ingest/metrics.ts";
import { OUTCOME_METRICS, OUTCOME_SERIES, Outcomes } from "../../src/ingest/outcomes.ts";
import { MetricRegistry } from "../../src/metrics/registry.ts";
import { connect } from "../../src/store/database/connect.ts";
import { EventWriter } from "../../src/store/telemetry/event-writer.ts";
import { nextBatchBlock } from "../../src/store/telemetry/executions.ts";

/** What becomes of a call to PostgreSQL beside what PostgreSQL makes of it. */
export type Mishap =
  | undefined
  /** Never sent, and refused with an SQLSTATE. */
  | { readonly kind: "refused"; readonly code: string }
  /** Never sent, and nobody knows. */
  | { readonly kind: "lost" }
  /** Done, but the answer is lost. */
  | { readonly kind: "answer_lost" }
  /** Given up while it is under way; the server may still finish it. */
  | { readonly kind: "abandoned"; readonly afterMs: number };

export interface Hazards {
  /** Asked before each call. */
  mishap(): Mishap;
  /** Milliseconds by which a call is held back. */
  delayMs(): number;
}

class HazardousWriter extends EventWriter {
  readonly #hazards: Hazards;
  /**
   * What gives up a connection that is still being opened leaves the driver with a rejection that nobody
   * hears.
   */
  #open = false;

  constructor(url: string, name: string, hazards: Hazards) {
    super(url, name);
    this.#hazards = hazards;
  }

  override copy(flush: Parameters<EventWriter["copy"]>[0]) {
    return this.#through(() => super.copy(flush));
  }

  override insert(flush: Parameters<EventWriter["insert"]>[0]) {
    return this.#through(() => super.insert(flush));
  }

  override claimHomeDays(claims: Parameters<EventWriter["claimHomeDays"]>[0]) {
    return this.#through(() => super.claimHomeDays(claims));
  }

  override storedIds(requests: Parameters<EventWriter["storedIds"]>[0]) {
    return this.#through(() => super.storedIds(requests));
  }

  async #through<T extends object>(call: () => Promise<T>) {
    await Bun.sleep(this.#hazards.delayMs());
    let mishap = this.#hazards.mishap();
    if (mishap?.kind === "abandoned" && !this.#open) mishap = undefined;
    const lost = { kind: "unknown" as const, error: new Error("lost by the test") };
    switch (mishap?.kind) {
      case undefined: {
        const result = await call();
        this.#open = !isUnknown(result);
        return result;
      }
      case "refused":
        return { kind: "refused" as const, error: { code: mishap.code } };
      case "lost":
        return lost;
      case "answer_lost":
        await call();
        return lost;
      case "abandoned": {
        const timer = setTimeout(() => this.abandon(), mishap.afterMs);
        const result = await call();
        clearTimeout(timer);
        this.#open = !isUnknown(result);
        return result;
      }
    }
  }
}

function isUnknown(result: object): boolean {
  return "kind" in result && result.kind === "unknown";
}

export interface IngestThreadOptions {
  readonly databaseUrl: string;
  readonly hazards: Hazards;
  readonly executionsMax: number;
  readonly idBytesMax: number;
  readonly flushConnections: number;
  readonly flushEventsMin: number;
  readonly flushEventsMax: number;
  readonly flushDelayMsMax: number;
}

export interface IngestThread {
  readonly turns: PackTurns;
  readonly registry: ExecutionRegistry;
  readonly executions: Executions;
  /** SQLSTATEs of what was refused; "none" for an error that is not of the database. */
  readonly refusals: string[];
  /** Events by outcome, as they are counted for /metrics. */
  outcomes(): Record<string, number>;
  /** A request to POST /events, from its body on. */
  post(
    caller: Caller,
    events: readonly unknown[],
    options: { lenient: boolean; receivedMs: number },
  ): Promise<IngestResult>;
  /** Tells requests that wait for a writer to come back. */
  giveUpWaiting(): void;
  /** Until all is answered and written. */
  drained(): Promise<void>;
  end(): Promise<void>;
}

export async function startIngestThread(options: IngestThreadOptions): Promise<IngestThread> {
  const { databaseUrl, hazards } = options;
  const queries = connect({ url: databaseUrl, connectionsMax: 2, applicationName: "ats ingest" });
  const probes = connect({ url: databaseUrl, connectionsMax: 1, applicationName: "ats probe" });
  const writers = (count: number, name: string) =>
    Array.from({ length: count }, () => new HazardousWriter(databaseUrl, name, hazards));
  const fastWriters = writers(options.flushConnections, "ats flush");
  const carefulWriters = writers(1, "ats careful flush");
  const counts: Record<string, number> = {};
  const metrics = new MetricRegistry([...OUTCOME_METRICS, ...INGEST_METRICS], { threads: 1, thread: 0 });
  const outcomes = new Outcomes(metrics, {
    add(_, series, events) {
      const { outcome } = OUTCOME_SERIES[series]!;
      counts[outcome] = (counts[outcome] ?? 0) + events;
    },
  });
  const availability = new Availability({
    probe: async () => {
      await probes`select 1`;
    },
    onChange: () => {},
  });
  const numbers = new BatchNumbers(() => nextBatchBlock(queries));
  await numbers.start();
  const registry = new ExecutionRegistry(options.executionsMax);
  const executions = new Executions({
    sql: queries,
    registry,
    numbers,
    availability,
    onFinished: () => {},
    onError: () => {},
  });
  const ids = new HeldIds({
    bytesMax: options.idBytesMax,
    bytesIdleMax: options.idBytesMax / 2,
    idleMsMax: 20,
  });
  const turns = new PackTurns(ids);
  const refusals: string[] = [];
  const groupCommit = new GroupCommit({
    fastWriters,
    carefulWriters,
    numbers,
    turns,
    availability,
    observer: observeGroupCommit({
      metrics,
      outcomes,
      committed: () => {},
      onRefused: (_, code) => refusals.push(code),
    }),
    flushEventsMin: options.flushEventsMin,
    flushEventsMax: options.flushEventsMax,
    flushDelayMsMax: options.flushDelayMsMax,
  });
  const ingest = new EventIngest({
    registry,
    executions,
    groupCommit,
    availability,
    outcomes,
    batchEventsMax: 1_000,
  });
  return {
    turns,
    registry,
    executions,
    refusals,
    outcomes: () => counts,
    async post(caller, events, { lenient, receivedMs }) {
      const body = JSON.stringify(events);
      const bytes = Buffer.from(body);
      const recognised = ingest.recognise(bytes)
        ? ingest.ingestRecognised(caller, bytes, receivedMs)
        : undefined;
      return await (recognised ?? ingest.ingest(caller, JSON.parse(body), body, { lenient, receivedMs }));
    },
    giveUpWaiting: () => groupCommit.giveUpWaiting(),
    drained: () => groupCommit.drained(),
    async end() {
      availability.stop();
      await Promise.all([
        queries.end({ timeout: 2 }),
        probes.end({ timeout: 2 }),
        ...[...fastWriters, ...carefulWriters].map((writer) => writer.end()),
      ]);
    },
  };
}
