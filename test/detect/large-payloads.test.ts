/** Payloads that are small as text and large once read: a round holds one of them at a time, a rebuild too. */

import { fullGC, heapSize } from "bun:jsc";
import { expect, test } from "bun:test";
import { itemOf } from "../../src/detect/engine/engine.ts";
import { viewAtStart } from "../../src/detect/engine/execution-view.ts";
import { DETECTORS } from "../../src/detect/registry.ts";
import { EventTally } from "../../src/detect/rows/event-tally.ts";
import { sliceRows } from "../../src/detect/rows/execution-slices.ts";
import { eventTypeCode } from "../../src/ingest/wire/event-types.ts";
import { PackBuffer } from "../../src/store/telemetry/pack-buffer.ts";
import { engineWithoutStore } from "../support/detection-engine.ts";

const START_MS = Date.UTC(2026, 0, 5, 12, 0, 0);
const EVENTS = 10;
/** 3 MiB as text; some 100 MiB as objects. */
const payload = `{"a":[${"[],".repeat(1_000_000)}[]]}`;

function heapMiB(): number {
  fullGC();
  return heapSize() / 1_048_576;
}

/** An engine, and one execution with events of nothing but brackets. */
function prepared() {
  const parts = engineWithoutStore(DETECTORS, { executionsMax: 10, bytesMax: 48 << 20 });
  const packs = new PackBuffer(1 << 20);
  for (let sequence = 1; sequence <= EVENTS; sequence++) {
    const at = { projectNo: 1, executionNo: 1, homeDay: 20_794, seconds: 8.2e8, micros: sequence };
    const typeCode = eventTypeCode("checkpoint")!;
    packs.append({ ...at, typeCode, sequence, eventId: `e${sequence}`, payload }, START_MS, 1);
  }
  packs.closePack();
  const { slices } = sliceRows({
    rows: Buffer.from(packs.finish()),
    counts: parts.stats.counts,
    wantedMaskOf: () => parts.plan.wantedMask,
    tally: new EventTally(),
  });
  const view = viewAtStart({ executionId: "execution-1", startedMs: START_MS });
  return { ...parts, slice: slices[0]!, view, held: parts.cache.add(1, 1, view) };
}

test("after a round nothing is held of payloads that are large once read", () => {
  const { engine, plan, slice, held } = prepared();
  const before = heapMiB();
  engine.run({ cause: "events", batchNo: 1, nowMs: START_MS, items: [itemOf(held, plan, slice)] });
  expect(slice.events).toHaveLength(EVENTS);
  expect(heapMiB() - before).toBeLessThan(300);
});

test("nor after states were brought to where they were", () => {
  const { engine, plan, slice, view, held } = prepared();
  const before = heapMiB();
  const events = [...slice.events];
  engine.replay(held, plan, { nowMs: START_MS, view, events });
  expect(events).toHaveLength(EVENTS);
  expect(heapMiB() - before).toBeLessThan(300);
});
