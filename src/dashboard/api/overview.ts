import { Elysia, status, t } from "elysia";
import {
  isProjectEmpty,
  readOpenGroups,
  readSeries,
  readTotals,
  type Series,
  type SlotRange,
} from "../../store/dashboard/overview.ts";
import {
  readDeliveryHealth,
  readDetectionHealth,
  readIngestHealth,
} from "../../store/dashboard/overview-health.ts";
import { isDetectionLed } from "../../store/detection/detection-session.ts";
import { type ApiServices, guard } from "./guard.ts";
import { pointsIn, slotRangeOf } from "./slot-range.ts";

/** One look at a project over a range: curves, totals, and how taking in, detecting and delivering go. */

const asked = t.Object({
  from: t.Optional(t.String({ maxLength: 40 })),
  to: t.Optional(t.String({ maxLength: 40 })),
});

/** In the order in which a chart stacks them. */
const ALWAYS_SHOWN = [
  "executions.started",
  "executions.completed",
  "executions.crashed",
  "tokens.in",
  "tokens.out",
  "outcomes.accepted",
  "outcomes.duplicate",
  "outcomes.rejected",
  "outcomes.limited",
  "outcomes.shed",
  "detections.low",
  "detections.medium",
  "detections.high",
  "detections.critical",
] as const;

export const overviewRoutes = ({ sql, ...services }: ApiServices) =>
  new Elysia()
    .use(guard({ sql, ...services }))
    .get(
      "/projects/:project_id/overview/series",
      async ({ projectNo, query }) => {
        const found = slotRangeOf(query, Date.now());
        if (!found.ok) return status(400, { code: "invalid_range", detail: found.detail });
        const [series, isTyped] = await Promise.all([
          readSeries(sql, projectNo, found.range),
          isDetectionLed(sql),
        ]);
        return { ...rangeOf(found.range), event_types_available: isTyped, ...columnsOf(found.range, series) };
      },
      { projectRole: "viewer", query: asked },
    )
    .get(
      "/projects/:project_id/overview/totals",
      async ({ projectNo, query }) => {
        const found = slotRangeOf(query, Date.now());
        if (!found.ok) return status(400, { code: "invalid_range", detail: found.detail });
        const [totals, groups, isEmpty] = await Promise.all([
          readTotals(sql, projectNo, found.range),
          readOpenGroups(sql, projectNo),
          isProjectEmpty(sql, projectNo),
        ]);
        return { ...rangeOf(found.range), ...totals, open_groups: groups, project_empty: isEmpty };
      },
      { projectRole: "viewer", query: asked },
    )
    .get(
      "/projects/:project_id/overview/health",
      async ({ projectNo, query }) => {
        const found = slotRangeOf(query, Date.now());
        if (!found.ok) return status(400, { code: "invalid_range", detail: found.detail });
        const [ingest, detection, deliveries] = await Promise.all([
          readIngestHealth(sql, projectNo, found.range),
          readDetectionHealth(sql, projectNo),
          readDeliveryHealth(sql, projectNo, found.range),
        ]);
        return {
          ...rangeOf(found.range),
          ingest: {
            ...ingest,
            last_event_at: isoOf(ingest.last_event_at),
            keys: ingest.keys.map((key) => ({
              ...key,
              revoked_at: isoOf(key.revoked_at),
              last_used_at: isoOf(key.last_used_at),
            })),
          },
          detection,
          deliveries,
        };
      },
      { projectRole: "viewer", query: asked },
    );

function rangeOf(range: SlotRange) {
  return {
    from: range.from.toISOString(),
    to: range.to.toISOString(),
    step_seconds: range.stepSeconds,
    /** The clock of the counts: how much of the last step is over. */
    now: new Date().toISOString(),
  };
}

/** Columns for a chart: the start of each step, and a number for each step of each series. */
function columnsOf(range: SlotRange, found: readonly Series[]) {
  const length = pointsIn(range);
  const series: Record<string, number[]> = {};
  const columnOf = (name: string) => {
    series[name] ??= new Array<number>(length).fill(0);
    return series[name];
  };
  for (const name of ALWAYS_SHOWN) columnOf(name);
  for (const { name, steps, values } of found) {
    const column = columnOf(name);
    for (const [place, step] of steps.entries()) {
      if (step >= 0 && step < length) column[step]! += values[place]!;
    }
  }
  const at = Array.from({ length }, (_, step) => range.from.getTime() / 1000 + step * range.stepSeconds);
  return { at, series };
}

const isoOf = (moment: Date | null) => moment?.toISOString() ?? null;
