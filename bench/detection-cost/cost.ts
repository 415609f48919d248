import { parseArgs } from "node:util";
import type { ExecutionView } from "../../src/detect/detector.ts";
import type { CheckedDetection } from "../../src/detect/engine/checked-detection.ts";
import { itemOf } from "../../src/detect/engine/engine.ts";
import { viewAtStart } from "../../src/detect/engine/execution-view.ts";
import { DETECTORS } from "../../src/detect/registry.ts";
import { EventTally, LLM_CALL_BIT } from "../../src/detect/rows/event-tally.ts";
import { sliceRows } from "../../src/detect/rows/execution-slices.ts";
import { forgetTexts } from "../../src/detect/text/quiet-texts.ts";
import { scanEvent } from "../../src/detect/text/scan-event.ts";
import { eventTypeCode } from "../../src/ingest/wire/event-types.ts";
import { PackBuffer } from "../../src/store/telemetry/pack-buffer.ts";
import { COPY_HEADER_BYTES, PACK_AT, TRAILER_BYTES } from "../../src/store/telemetry/pack-format.ts";
import { makeBatch } from "../ingest/request-templates.ts";
import { benchEngine } from "./bench-engine.ts";

/**
 * `bun --smol bench/detection-cost/cost.ts`: what detection costs an event with the detectors of the service
 * and the payloads of the ingest bench, from the ring to the detections, without the database. Flushes as
 * that bench makes them: 15 executions with 100 events each, ten batches an execution. Two runs: one as the
 * service does it, one taken apart, where payloads and texts are read before the detectors ask. Times are
 * lower quartiles of rounds of 60,000 events; the digest of all detections tells whether two versions find
 * the same.
 */

const EXECUTIONS_ACTIVE = 60;
const BATCHES_PER_EXECUTION = 10;
const EVENTS_PER_BATCH = 100;
/** Of all events here: days since 1970. */
const HOME_DAY = 20_794;
const BATCHES_PER_FLUSH = 15;
const PARTS = [{ projectNo: 1, eventCount: BATCHES_PER_FLUSH * EVENTS_PER_BATCH }];
const PROJECTS = new Set([1]);
const FLUSHES_PER_COMMIT = 2;
const WARM_UP_ROUNDS = 4;
const START_MS = 1_800_000_000_000;
const FLUSH_EVERY_MS = 12;

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "24" }, "payload-bytes": { type: "string", default: "200" } },
});
const rounds = Number(values.rounds) + WARM_UP_ROUNDS;

/** The batches of one round: every execution from its first event to its last. */
function makeFlushes(payloadBytes: number): Buffer[] {
  const plan = {
    seed: 1,
    ids: "ulid",
    run: "run_00000000000000000",
    payloadBytes,
    badPercent: 0,
    eventsPerBatch: EVENTS_PER_BATCH,
    batchesPerExecution: BATCHES_PER_EXECUTION,
    executionsActive: EXECUTIONS_ACTIVE,
  } as const;
  const batches = EXECUTIONS_ACTIVE * BATCHES_PER_EXECUTION;
  const flushes: Buffer[] = [];
  for (let first = 0; first < batches; first += BATCHES_PER_FLUSH) {
    const packs = new PackBuffer(1 << 20);
    for (let batchNo = first; batchNo < first + BATCHES_PER_FLUSH; batchNo++) {
      for (const event of makeBatch(plan, batchNo, START_MS)) {
        const place = {
          projectNo: 1,
          executionNo: 1 + (batchNo % EXECUTIONS_ACTIVE),
          homeDay: HOME_DAY,
          typeCode: eventTypeCode(event.eventType)!,
          sequence: event.sequence,
          seconds: 8.5e8,
          micros: event.sequence,
        };
        const receivedMs = START_MS + flushes.length * FLUSH_EVERY_MS;
        packs.append({ ...place, eventId: event.eventId, payload: event.payload }, receivedMs, batchNo);
      }
      packs.closePack();
    }
    flushes.push(Buffer.from(packs.finish()));
  }
  return flushes;
}

/** Gives the packs to the next executions, as the round after would hold them. */
function shiftExecutions(rows: Buffer): void {
  for (let at = COPY_HEADER_BYTES; at < rows.length - TRAILER_BYTES; ) {
    const executionNo = at + PACK_AT.executionNo;
    rows.writeBigInt64BE(rows.readBigInt64BE(executionNo) + BigInt(EXECUTIONS_ACTIVE), executionNo);
    at += PACK_AT.arrays;
    for (let array = 0; array < 5; array++) at += 4 + rows.readInt32BE(at);
  }
}

const viewOf = (executionNo: number): ExecutionView => ({
  ...viewAtStart({ executionId: `execution-${executionNo}`, startedMs: START_MS }),
  environmentMode: "live",
});

/** Milliseconds by part, one entry a round. */
class Clock {
  readonly rounds: Map<string, number>[] = [];
  #last = 0;

  startRound(): void {
    this.rounds.push(new Map());
    this.#last = performance.now();
  }

  /** Counts the time since the last call for the part; null leaves it out. */
  lap(part: string | null): void {
    const now = performance.now();
    if (part !== null) this.add(part, now - this.#last);
    this.#last = now;
  }

  add(part: string, ms: number): void {
    const round = this.rounds.at(-1)!;
    round.set(part, (round.get(part) ?? 0) + ms);
  }
}

function run(flushes: readonly Buffer[], isTakenApart: boolean) {
  const { engine, plan, cache, memories, stats, producer, consumer, arena } = benchEngine(DETECTORS, {
    executionsMax: 20_000,
    bytesMax: 48 << 20,
  });
  const clock = new Clock();
  const digest = new Bun.CryptoHasher("sha256");
  const cpuMs: number[] = [];
  let detectionCount = 0;
  let nowMs = START_MS;
  for (let round = 0; round < rounds; round++) {
    const owned = flushes.map((rows) => Buffer.from(rows));
    for (let past = 0; past < round; past++) for (const rows of owned) shiftExecutions(rows);
    const before = stats.classes.map(({ tookMs }) => tookMs);
    let spentUs = 0;
    forgetTexts();
    clock.startRound();
    for (let flush = 0; flush < owned.length; flush++) {
      if (!producer.offer(flush, PARTS, owned[flush]!)) throw new Error("the ring is full");
      const startUs = process.cpuUsage();
      clock.lap(null);
      const { rows } = consumer.take(arena)!;
      clock.lap("ring");
      const tally = new EventTally();
      const { slices } = sliceRows({
        rows,
        counts: stats.counts,
        wantedMaskOf: () => plan.wantedMask | LLM_CALL_BIT,
        tally,
      });
      const items = slices.map((slice) =>
        itemOf(
          cache.touch(slice.executionNo) ?? cache.add(slice.executionNo, 1, viewOf(slice.executionNo)),
          plan,
          slice,
        ),
      );
      clock.lap("rows to slices");
      if (isTakenApart) {
        for (const { events } of slices) for (const event of events) event.payload;
        clock.lap("payloads read");
        for (const { events } of slices) for (const event of events) scanEvent(event);
        clock.lap("texts scanned");
      }
      const detections: CheckedDetection[] = engine.run({ cause: "events", batchNo: flush, nowMs, items });
      clock.lap("engine and detectors");
      for (const slice of slices) tally.countTokens(slice);
      tally.counts();
      clock.lap("counts");
      if (flush % FLUSHES_PER_COMMIT === 0) {
        memories.changes(PROJECTS);
        memories.committed(PROJECTS);
        arena.clear();
        cache.trim();
      }
      clock.lap("memory and trim");
      const { user, system } = process.cpuUsage(startUs);
      spentUs += user + system;
      nowMs += FLUSH_EVERY_MS;
      detectionCount += detections.length;
      digest.update(JSON.stringify(detections));
    }
    cpuMs.push(spentUs / 1000);
    DETECTORS.forEach(({ failureClass }, index) => {
      clock.add(failureClass, stats.classes[index]!.tookMs - before[index]!);
    });
  }
  return { clock, cpuMs, detectionCount, digest: digest.digest("hex").slice(0, 16) };
}

/** The faster quarter: what other work on the machine adds is left out. */
function typical(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 2]!;
}

const flushes = makeFlushes(Number(values["payload-bytes"]));
const events = EXECUTIONS_ACTIVE * BATCHES_PER_EXECUTION * EVENTS_PER_BATCH;
const us = (ms: number) => ((ms * 1000) / events).toFixed(3).padStart(7);
const PIPELINE = [
  "ring",
  "rows to slices",
  "payloads read",
  "texts scanned",
  "engine and detectors",
  "counts",
  "memory and trim",
];

function report(title: string, isTakenApart: boolean): void {
  const { clock, cpuMs, detectionCount, digest } = run(flushes, isTakenApart);
  const timed = clock.rounds.slice(WARM_UP_ROUNDS);
  const of = (part: string) => typical(timed.map((round) => round.get(part) ?? 0));
  console.log(`${title}: ${detectionCount} detections, digest ${digest}`);
  const parts = PIPELINE.filter((part) => timed[0]!.has(part));
  for (const part of parts) console.log(`${us(of(part))}  ${part}`);
  const whole = timed.map((round) => parts.reduce((sum, part) => sum + round.get(part)!, 0));
  console.log(
    `${us(typical(whole))}  µs an event in all, ${us(typical(cpuMs.slice(WARM_UP_ROUNDS))).trim()} of CPU`,
  );
  if (!isTakenApart) return;
  const classes = DETECTORS.map(({ failureClass }) => failureClass).toSorted((a, b) => of(b) - of(a));
  for (const failureClass of classes) console.log(`${us(of(failureClass))}    ${failureClass}`);
  console.log(`${us(of("engine and detectors") - classes.reduce((sum, one) => sum + of(one), 0))}    engine`);
}

report("as in the service", false);
report("taken apart", true);
