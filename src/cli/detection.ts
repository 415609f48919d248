import { listDetections } from "../store/detection/detections.ts";
import { findProjectNo, notFound } from "../store/projects/projects.ts";
import { done, type Noun, refused } from "./command.ts";
import { table } from "./table.ts";

const LIMIT_DEFAULT = 100;
const LIMIT_MAX = 100_000;

export const noun: Noun = {
  name: "detection",
  commands: [
    {
      verb: "list",
      summary: "List detections, the latest first",
      flags: {
        project: { kind: "text", placeholder: "ID", summary: "The project to look at", required: true },
        class: { kind: "text", placeholder: "CLASS", summary: "Only of this class" },
        severity: { kind: "text", placeholder: "LEVEL", summary: "Only low, medium, high or critical ones" },
        execution: { kind: "text", placeholder: "ID", summary: "Only of this execution" },
        limit: { kind: "integer", placeholder: "N", summary: `At most that many (${LIMIT_DEFAULT})` },
      },
      async run({ database, flags }) {
        const id = flags.text("project") ?? "";
        const projectNo = await findProjectNo(database(), id);
        if (projectNo === null) return refused(notFound("project", id));
        const detections = await listDetections(database(), projectNo, {
          class: flags.text("class"),
          severity: flags.text("severity"),
          executionId: flags.text("execution"),
          limit: Math.max(1, Math.min(LIMIT_MAX, flags.integer("limit") ?? LIMIT_DEFAULT)),
        });
        const columns = [
          "CLASS",
          "SEVERITY",
          "EXECUTION",
          "EVENT",
          "SIGNATURE",
          "RULES",
          "SCORE",
          "DETECTED",
        ];
        const rows = detections.map((d) => [
          d.class,
          d.severity,
          d.execution_id,
          d.event_id,
          d.signature,
          d.rule_ids.join(" "),
          d.score,
          d.detected_at,
        ]);
        return done(detections, table({ columns, rows, empty: "Nothing was detected." }));
      },
    },
  ],
};
