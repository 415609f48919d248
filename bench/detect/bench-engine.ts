import type { Detector } from "../../src/detect/detector.ts";
import { Engine } from "../../src/detect/engine/engine.ts";
import { Progress } from "../../src/detect/engine/progress.ts";
import { ProjectMemories } from "../../src/detect/engine/project-memories.ts";
import { detectorTable, planProject } from "../../src/detect/engine/project-plan.ts";
import { StateCache } from "../../src/detect/engine/state-cache.ts";
import { EngineStats } from "../../src/detect/engine/stats.ts";
import {
  createBell,
  createHandover,
  HandoverConsumer,
  HandoverProducer,
  RowArena,
} from "../../src/detect/rows/handover.ts";

/** An engine for one project with no settings, the ring before it, and no database: what the benches of detection measure. */
export function benchEngine(
  detectors: readonly Detector[],
  bounds: { readonly executionsMax: number; readonly bytesMax: number },
) {
  const table = detectorTable(detectors);
  const cache = new StateCache(bounds);
  cache.reset(0);
  const memories = new ProjectMemories();
  memories.load(1, []);
  const stats = new EngineStats(detectors, () => {});
  const engine = new Engine({
    table,
    cache,
    memories,
    stats,
    progress: new Progress(Progress.createMemory()),
    budget: { baseMs: 1e9, perEventUs: 1e9 },
    isSkipped: () => false,
  });
  const plan = planProject(table, { projectNo: 1, projectId: "p", detectorSettings: {} });
  const ring = createHandover({ capacityBytes: 16 << 20, bell: createBell() });
  const producer = new HandoverProducer(ring);
  const consumer = new HandoverConsumer(ring);
  return { engine, plan, cache, memories, stats, producer, consumer, arena: new RowArena(2 << 20) };
}
