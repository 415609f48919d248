import postgres, { type Sql } from "postgres";
import { HandoverRouter } from "../../../src/detect/rows/handover-router.ts";
import {
  type Detection,
  type DetectionOptions,
  startDetection,
} from "../../../src/detect/thread/detection-threads.ts";
import { type EventType, eventTypeCode } from "../../../src/ingest/wire/event-types.ts";
import { copyEvents, type FlushPart } from "../../../src/store/telemetry/event-copy.ts";
import { createExecutions, finishExecutions } from "../../../src/store/telemetry/executions.ts";
import { PackBuffer } from "../../../src/store/telemetry/pack-buffer.ts";
import type { TestDatabase } from "../../support/database.ts";

/** Stores telemetry the way the ingest side does, for tests of what detection makes of it. */

const MS_2000 = 946_684_800_000;
const DAY_MS = 86_400_000;

export interface TestEvent {
  readonly execution: string;
  readonly id: string;
  readonly type: EventType;
  readonly payload?: Record<string, unknown>;
  readonly sequence?: number;
  readonly timestampMs?: number;
  readonly receivedMs?: number;
}

export interface StoredFlush {
  readonly batchNo: number;
  readonly parts: readonly FlushPart[];
  readonly rows: Uint8Array;
}

let nextBatchNo = 1;

interface TestExecution {
  readonly executionNo: number;
  readonly homeDay: number;
  packCount: number;
}

export class Telemetry {
  readonly projectNo: number;
  readonly #sql: Sql;
  readonly #copySql: Sql;
  readonly #executions = new Map<string, TestExecution>();

  constructor(database: TestDatabase, projectNo: number) {
    this.projectNo = projectNo;
    this.#sql = database.sql;
    this.#copySql = postgres(database.url, { max: 1, onnotice: () => {} });
  }

  async end(): Promise<void> {
    await this.#copySql.end();
  }

  /** Stores the events as one flush, in the order given. */
  async store(events: readonly TestEvent[], options: { payloadText?: string } = {}): Promise<StoredFlush> {
    const names = [...new Set(events.map((event) => event.execution))];
    const receivedMs = Date.now();
    const unknown = names.filter((name) => !this.#executions.has(name));
    if (unknown.length > 0) {
      const answers = await createExecutions(
        this.#sql,
        unknown.map((executionId) => ({
          projectNo: this.projectNo,
          executionId,
          sdkLanguage: null,
          sdkVersion: null,
          receivedMs,
        })),
      );
      const homeDay = Math.floor(receivedMs / DAY_MS);
      for (const { record } of answers) {
        this.#executions.set(record.executionId, { executionNo: record.executionNo, homeDay, packCount: 0 });
      }
      await this.#sql`
        update ats.execution set home_day = date '1970-01-01' + ${homeDay}::int
        where project_no = ${this.projectNo} and home_day is null`;
    }
    const batchNo = nextBatchNo++;
    const packs = new PackBuffer(1024);
    let lastReceivedMs = receivedMs;
    let firstMs = Number.POSITIVE_INFINITY;
    let lastMs = Number.NEGATIVE_INFINITY;
    for (const event of events) {
      const timestampMs = event.timestampMs ?? receivedMs;
      firstMs = Math.min(firstMs, timestampMs);
      lastMs = Math.max(lastMs, timestampMs);
      const since2000 = timestampMs - MS_2000;
      const seconds = Math.floor(since2000 / 1000);
      const eventReceivedMs = event.receivedMs ?? receivedMs;
      // One request's events share a time of receipt, and only they share a pack.
      if (eventReceivedMs !== lastReceivedMs) packs.closePack();
      lastReceivedMs = eventReceivedMs;
      const { executionNo, homeDay } = this.#executions.get(event.execution)!;
      packs.append(
        {
          projectNo: this.projectNo,
          executionNo,
          homeDay,
          eventId: event.id,
          typeCode: eventTypeCode(event.type)!,
          sequence: event.sequence ?? 1,
          seconds,
          micros: (since2000 - seconds * 1000) * 1000,
          payload: options.payloadText ?? JSON.stringify(event.payload ?? {}),
        },
        eventReceivedMs,
        batchNo,
      );
    }
    packs.closePack();
    const executions = [...this.#executions.values()];
    const next = packs.numberPacks(new Map(executions.map((one) => [one.executionNo, one.packCount])));
    for (const one of executions) one.packCount = next.get(one.executionNo)!;
    const bytes = Buffer.from(packs.finish());
    const result = await copyEvents(this.#copySql, {
      batchNo,
      rows: bytes,
      copyEnds: packs.copyEnds,
      batches: [
        {
          projectNo: this.projectNo,
          eventCount: events.length,
          executionNos: names.map((name) => this.#executions.get(name)!.executionNo),
          firstTimestampS: Math.floor(firstMs / 1000),
          lastTimestampS: Math.floor(lastMs / 1000) + 1,
        },
      ],
      environments: events
        .filter((event) => event.type === "environment_declaration")
        .map((event) => ({
          projectNo: this.projectNo,
          executionNo: this.#executions.get(event.execution)!.executionNo,
          environment: JSON.stringify(event.payload ?? {}),
        })),
    });
    if (result.kind !== "committed") throw new Error(`the flush was not stored: ${String(result.error)}`);
    return { batchNo, parts: [{ projectNo: this.projectNo, eventCount: events.length }], rows: bytes };
  }

  async finish(
    execution: string,
    durationMs: number,
    end: { status?: "completed" | "crashed"; receivedMs?: number } = {},
  ): Promise<StoredFlush> {
    const batchNo = nextBatchNo++;
    const finished = {
      projectNo: this.projectNo,
      executionId: execution,
      status: end.status ?? "completed",
      durationMs,
      totalTokensIn: null,
      totalTokensOut: null,
      crashSignature: null,
      receivedMs: end.receivedMs ?? Date.now(),
    };
    await finishExecutions(this.#sql, [finished], batchNo);
    return { batchNo, parts: [{ projectNo: this.projectNo, eventCount: 0 }], rows: new Uint8Array(0) };
  }
}

export const quietLog = { info() {}, warn() {}, error() {} };

/** Small detectors that say what they saw. */
export const detectorsModule = new URL("./detectors.ts", import.meta.url).href;
/** Those of the service. */
export const registryModule = new URL("../../../src/detect/registry.ts", import.meta.url).href;

export const validatorCheck = (
  execution: string,
  id: string,
  passed: boolean,
  sequence: number,
  text = "",
): TestEvent => ({
  execution,
  id,
  type: "validator_result",
  sequence,
  payload: { validator: "schema", passed, text },
});

/**
 * Has PostgreSQL store no detection of the class "echo", for a reason that is not the data's; answers with
 * what ends that.
 */
export async function refuseEcho(sql: Sql): Promise<() => Promise<void>> {
  await sql.unsafe(`
    create function ats.refuse_echo() returns trigger language plpgsql as $$
    begin raise exception 'no room' using errcode = '53100'; end $$;
    create trigger refuse_echo before insert on ats.detection for each row when (new.class = 'echo')
    execute function ats.refuse_echo()`);
  return async () => {
    await sql.unsafe("drop function ats.refuse_echo cascade");
  };
}

export function startTestDetection(
  database: TestDatabase,
  options: Partial<DetectionOptions> = {},
): Detection {
  return startDetection({
    databaseUrl: database.url,
    appUrl: "https://app.example",
    ingestThreads: 1,
    handoverBytes: 1 << 20,
    log: quietLog,
    detectorsModule,
    reportEveryMs: 50,
    ...options,
  });
}

export function producerOf(detection: Detection): HandoverRouter {
  return new HandoverRouter(detection.handovers[0]!);
}

export interface StoredDetection {
  class: string;
  event_id: string | null;
  excerpt: string;
  execution_id: string;
  dedup_key: string;
}

export async function detectionsOf(
  database: TestDatabase,
  projectNo: number,
  failureClass: string,
): Promise<StoredDetection[]> {
  return await database.sql<StoredDetection[]>`
    select d.class, d.event_id, d.excerpt, x.execution_id, d.dedup_key from ats.detection d
    join ats.execution x using (project_no, execution_no)
    where d.project_no = ${projectNo} and d.class = ${failureClass}
    order by x.execution_id, d.event_id`;
}
