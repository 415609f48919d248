import { expect, test } from "bun:test";
import { engineWithoutStore } from "../../../test/support/detection-engine.ts";
import { eventTypeCode } from "../../ingest/wire/event-types.ts";
import { PackBuffer } from "../../store/telemetry/pack-buffer.ts";
import type { Detector } from "../detector.ts";
import { EventTally } from "../rows/event-tally.ts";
import { sliceRows } from "../rows/execution-slices.ts";
import { itemOf } from "./engine.ts";
import { viewAtStart } from "./execution-view.ts";

const VIEW = viewAtStart({ executionId: "x", startedMs: 0 });

/** Fires on every event, and says how many of the project's events the class has seen before. */
function counting(failureClass: string, eventTypes: Detector["eventTypes"]): Detector<null> {
  return {
    failureClass,
    version: 1,
    family: "behaviour",
    summary: "",
    defaultSeverity: "low",
    signature: [],
    taxonomy: {},
    thresholds: {},
    eventTypes,
    onStatus: false,
    onTick: false,
    createState: () => null,
    detect({ events, state, memory }) {
      const detections = events.map(({ eventId }) => {
        const seen = Number(memory.get("seen") ?? 0);
        memory.set("seen", seen + 1);
        return {
          signatureParts: [failureClass],
          severity: "low" as const,
          ruleIds: [],
          score: 1,
          excerpt: `${seen}`,
          eventId,
          evidenceEventIds: [],
        };
      });
      return { state, detections };
    },
  };
}

/** One round of executions with so many events each, tool calls and checkpoints in turn. */
function runRound(eventsByExecution: readonly number[], payload = "{}") {
  const detectors = [counting("every", ["tool_call", "checkpoint"]), counting("tools", ["tool_call"])];
  const { engine, plan, cache, stats } = engineWithoutStore(detectors, {
    executionsMax: 1_000,
    bytesMax: 1 << 24,
  });
  const packs = new PackBuffer(1 << 16);
  let total = 0;
  eventsByExecution.forEach((count, index) => {
    for (let n = 0; n < count; n++) {
      const typeCode = eventTypeCode(n % 2 === 0 ? "tool_call" : "checkpoint")!;
      const place = {
        projectNo: 1,
        executionNo: index + 1,
        homeDay: 20_216,
        sequence: n,
        seconds: 8e8,
        micros: n,
      };
      packs.append({ ...place, typeCode, eventId: `e${total++}`, payload }, 1.8e12, 1);
    }
  });
  const { slices } = sliceRows({
    rows: packs.finish(),
    counts: stats.counts,
    wantedMaskOf: () => plan.wantedMask,
    tally: new EventTally(),
  });
  const items = slices.map((slice) => itemOf(cache.add(slice.executionNo, 1, VIEW), plan, slice));
  return { detections: engine.run({ cause: "events", batchNo: 1, nowMs: 1, items }), stats, total };
}

for (const [name, eventsByExecution] of [
  ["many small executions", Array.from({ length: 230 }, () => 1)],
  ["executions that fill a block and executions that do not", [1, 98, 3, 99, 100, 60, 60, 2]],
  ["one execution", [7]],
] as const) {
  test(`${name}: every detector meets every event once, in order, whatever the blocks`, () => {
    const { detections, stats, total } = runRound(eventsByExecution);
    const tools = eventsByExecution.reduce((sum, count) => sum + Math.ceil(count / 2), 0);
    expect(detections.map((detection) => detection.class)).toEqual([
      ...Array<string>(total).fill("every"),
      ...Array<string>(tools).fill("tools"),
    ]);
    const seen = (from: number, to: number) =>
      detections.slice(from, to).map(({ excerpt }) => Number(excerpt));
    expect(seen(0, total)).toEqual([...Array(total).keys()]);
    expect(seen(total, total + tools)).toEqual([...Array(tools).keys()]);
    expect(detections.slice(0, total).map(({ eventId }) => eventId)).toEqual(
      Array.from({ length: total }, (_, n) => `e${n}`),
    );
    expect(stats.classes.map(({ calls, events }) => [calls, events])).toEqual([
      [eventsByExecution.length, total],
      [eventsByExecution.length, tools],
    ]);
  });
}

for (const [name, events, payload, calls] of [
  ["a thousand events", 1_000, "{}", 10],
  ["four megabytes of events", 80, `{"text":"${"x".repeat(50_000)}"}`, 80],
] as const) {
  test(`${name} of one execution are shown in parts, every event once and none cut off`, () => {
    const { detections, stats } = runRound([3, events], payload);
    const ids = detections.filter((detection) => detection.class === "every").map(({ eventId }) => eventId);
    expect(ids).toEqual(Array.from({ length: events + 3 }, (_, n) => `e${n}`));
    expect(stats.classes[0]).toMatchObject({ calls: calls + (events === 80 ? 3 : 1), events: events + 3 });
  });
}
