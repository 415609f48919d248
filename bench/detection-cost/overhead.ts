import type { Detector } from "../../src/detect/detector.ts";
import { itemOf } from "../../src/detect/engine/engine.ts";
import { viewAtStart } from "../../src/detect/engine/execution-view.ts";
import { EventTally, LLM_CALL_BIT } from "../../src/detect/rows/event-tally.ts";
import { sliceRows } from "../../src/detect/rows/execution-slices.ts";
import { PackBuffer } from "../../src/store/telemetry/pack-buffer.ts";
import { benchEngine } from "./bench-engine.ts";

/**
 * `bun bench/detection-cost/overhead.ts`: what the engine costs an event beside the detectors, from the ring
 * to their answers, without the database. Flushes of 2,000 events of about 200 bytes, 40 executions each.
 */

const FLUSH_EVENTS = 2_000;
const PARTS = [{ projectNo: 1, eventCount: FLUSH_EVENTS }];
const EXECUTIONS = 40;
const ROUNDS = 400;
/** Of all events here: days since 1970. */
const HOME_DAY = 20_216;

const base: Omit<Detector, "failureClass" | "detect"> = {
  version: 1,
  family: "behaviour",
  summary: "costs nothing",
  defaultSeverity: "low",
  signature: [],
  taxonomy: {},
  thresholds: {},
  eventTypes: ["llm_call"],
  onStatus: false,
  onTick: false,
  createState: () => null,
};
const NOTHING = { state: null, detections: [] };

function detectors(
  count: number,
  touch: (payload: () => unknown) => void,
  type: "llm_call" | "egress",
): Detector[] {
  return Array.from({ length: count }, (_, n) => ({
    ...base,
    eventTypes: [type],
    failureClass: `class_${n}`,
    detect({ events }) {
      for (const event of events) touch(() => event.payload);
      return NOTHING;
    },
  }));
}

function measure(name: string, list: readonly Detector[]): void {
  const { engine, plan, cache, stats, producer, consumer, arena } = benchEngine(list, {
    executionsMax: 10_000,
    bytesMax: 1 << 27,
  });
  const packs = new PackBuffer(1 << 20);
  const payload = JSON.stringify({
    model: "model-a",
    tokens_in: 412,
    tokens_out: 96,
    output: "x".repeat(60),
  });
  for (let n = 0; n < FLUSH_EVENTS; n++) {
    const row = {
      projectNo: 1,
      executionNo: 1 + Math.floor((n * EXECUTIONS) / FLUSH_EVENTS),
      homeDay: HOME_DAY,
      eventId: `event-${n}`,
    };
    packs.append({ ...row, typeCode: 1, sequence: n, seconds: 8e8, micros: n, payload }, 1.8e12, 1);
  }
  const bytes = packs.finish();
  const view = viewAtStart({ executionId: "x", startedMs: 0 });
  let offerMs = 0;
  let takeMs = 0;
  for (let round = 0; round < ROUNDS; round++) {
    if (round === ROUNDS / 4) offerMs = takeMs = 0;
    const start = performance.now();
    if (!producer.offer(round, PARTS, bytes)) throw new Error("the ring is full");
    const offered = performance.now();
    arena.clear();
    const tally = new EventTally();
    const { slices } = sliceRows({
      rows: consumer.take(arena)!.rows,
      counts: stats.counts,
      wantedMaskOf: () => plan.wantedMask | LLM_CALL_BIT,
      tally,
    });
    const items = slices.map((slice) =>
      itemOf(cache.touch(slice.executionNo) ?? cache.add(slice.executionNo, 1, view), plan, slice),
    );
    engine.run({ cause: "events", batchNo: round, nowMs: round, items });
    for (const slice of slices) tally.countTokens(slice);
    offerMs += offered - start;
    takeMs += performance.now() - offered;
  }
  const events = (ROUNDS * FLUSH_EVENTS * 3) / 4;
  const us = (ms: number) => ((ms * 1000) / events).toFixed(3);
  console.log(`${name.padEnd(44)} offer ${us(offerMs)} µs/event   engine ${us(takeMs)} µs/event`);
}

measure(
  "30 detectors, none interested",
  detectors(30, () => {}, "egress"),
);
measure(
  "1 detector, payload left alone",
  detectors(1, () => {}, "llm_call"),
);
measure(
  "30 detectors, payload left alone",
  detectors(30, () => {}, "llm_call"),
);
measure(
  "1 detector, payload parsed",
  detectors(1, (payload) => payload(), "llm_call"),
);
measure(
  "30 detectors, payload parsed",
  detectors(30, (payload) => payload(), "llm_call"),
);
