import { DETECTORS } from "../detect/registry.ts";
import { done, type Noun } from "./command.ts";
import { table } from "./table.ts";

export const noun: Noun = {
  name: "detector",
  commands: [
    {
      verb: "list",
      summary: "List the detectors of this build with their thresholds",
      async run() {
        const entries = DETECTORS.map((detector) => ({
          class: detector.failureClass,
          family: detector.family,
          severity: detector.defaultSeverity,
          version: detector.version,
          summary: detector.summary,
          event_types: detector.eventTypes,
          on_status: detector.onStatus,
          on_tick: detector.onTick,
          signature: detector.signature,
          taxonomy: detector.taxonomy,
          thresholds: detector.thresholds,
        }));
        const columns = ["CLASS", "FAMILY", "SEVERITY", "VERSION", "SUMMARY"];
        const rows = entries.map((e) => [e.class, e.family, e.severity, e.version, e.summary]);
        return done(entries, table({ columns, rows, empty: "This build has no detectors." }));
      },
    },
  ],
};
