import type { Detector } from "../../src/detect/detector.ts";
import { Engine } from "../../src/detect/engine/engine.ts";
import { ProjectMemories } from "../../src/detect/engine/project-memories.ts";
import { detectorTable, planProject } from "../../src/detect/engine/project-plan.ts";
import { Pulse } from "../../src/detect/engine/pulse.ts";
import { StateCache } from "../../src/detect/engine/state-cache.ts";
import { EngineStats } from "../../src/detect/engine/stats.ts";

/** An engine for one project with no settings, no time limits and no database. */
export function engineWithoutStore(
  detectors: readonly Detector[],
  bounds: { readonly executionsMax: number; readonly bytesMax: number; readonly packedBytesMax?: number },
) {
  const table = detectorTable(detectors);
  const stats = new EngineStats(detectors, () => {});
  const cache = new StateCache({ packedBytesMax: 0, nextTickMs: () => null, stats, ...bounds });
  cache.reset(0);
  const memories = new ProjectMemories();
  memories.load(1, []);
  const engine = new Engine({
    table,
    cache,
    memories,
    stats,
    pulse: new Pulse(Pulse.createMemory()),
    budget: { baseMs: 1e9, perEventUs: 1e9 },
    isSkipped: () => false,
  });
  const plan = planProject(table, { projectNo: 1, projectId: "p", detectorSettings: {} });
  return { engine, plan, cache, memories, stats };
}
