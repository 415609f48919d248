import type { Detector } from "../../src/detect/detector.ts";
import {
  createBell,
  createHandover,
  HandoverConsumer,
  HandoverProducer,
  RowArena,
} from "../../src/detect/rows/handover.ts";
import { engineWithoutStore } from "../../test/support/detection-engine.ts";

/** An engine without a store and the ring before it: what the benches of detection measure. */
export function benchEngine(
  detectors: readonly Detector[],
  bounds: { readonly executionsMax: number; readonly bytesMax: number },
) {
  const ring = createHandover({ capacityBytes: 16 << 20, bell: createBell() });
  const producer = new HandoverProducer(ring);
  const consumer = new HandoverConsumer(ring);
  return { ...engineWithoutStore(detectors, bounds), producer, consumer, arena: new RowArena(2 << 20) };
}
