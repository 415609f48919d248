import type { ReactNode } from "react";
import { formatCompact, formatCount, formatPercent } from "../../format/number.ts";
import type { OverviewSeries, OverviewTotals } from "./overview-queries.ts";
import { column, sumOf } from "./series-shape.ts";
import { StatTile } from "./stat-tile.tsx";

interface HeadlineTilesProps {
  totals: OverviewTotals;
  /** The same of the range before. */
  before: OverviewTotals | undefined;
  series: OverviewSeries | undefined;
  /** What it is compared with: "previous 24h". */
  previous: string;
}

/** The numbers of the range that are looked at first. */
export function HeadlineTiles({ totals, before, series, previous }: HeadlineTilesProps) {
  const trendOf = (...names: string[]) =>
    series === undefined
      ? {}
      : { trend: series.at.map((_, step) => sumOf(names.map((name) => column(series, name)[step] ?? 0))) };
  const detected = (of: OverviewTotals) => sumOf(of.detections.map(({ count }) => count));
  const used = (of: OverviewTotals) => of.tokens.in + of.tokens.out;
  const severe = sumOf(
    totals.detections
      .filter(({ severity }) => severity === "critical" || severity === "high")
      .map(({ count }) => count),
  );
  const crashed = crashShare(totals);
  return (
    <div className="grid grid-cols-2 gap-4 md:grid-cols-3 xl:grid-cols-5">
      <StatTile
        name="Executions"
        value={formatCompact(totals.executions.started)}
        {...trendOf("executions.started")}
        note={
          <Change previous={previous} now={totals.executions.started} before={before?.executions.started} />
        }
      />
      <StatTile
        name="Crashed"
        value={crashed === null ? "–" : formatPercent(crashed)}
        {...trendOf("executions.crashed")}
        trendColor="text-fill-bad"
        note={
          crashed === null
            ? "none has ended"
            : `${formatCount(totals.executions.crashed)} of ${formatCount(totals.executions.completed + totals.executions.crashed)} ended`
        }
      />
      <StatTile
        name="Events"
        value={formatCompact(totals.events.total)}
        {...trendOf("outcomes.accepted")}
        trendColor="text-series-2"
        note={<Change previous={previous} now={totals.events.total} before={before?.events.total} />}
      />
      <StatTile
        name="Tokens"
        value={formatCompact(used(totals))}
        {...trendOf("tokens.in", "tokens.out")}
        trendColor="text-series-5"
        note={`${formatCompact(totals.tokens.in)} in, ${formatCompact(totals.tokens.out)} out`}
      />
      <StatTile
        name="Detections"
        value={formatCompact(detected(totals))}
        {...trendOf(...["low", "medium", "high", "critical"].map((severity) => `detections.${severity}`))}
        trendColor="text-fill-high"
        note={
          severe === 0 ? (
            <Change
              previous={previous}
              now={detected(totals)}
              before={before === undefined ? undefined : detected(before)}
            />
          ) : (
            `${formatCount(severe)} high or critical`
          )
        }
        className="max-xl:col-span-2"
      />
    </div>
  );
}

/** Of those that ended; null when none has. */
function crashShare({ executions }: OverviewTotals): number | null {
  const ended = executions.completed + executions.crashed;
  return ended === 0 ? null : executions.crashed / ended;
}

/** Ten times as much and more is a jump, whatever the percentage. */
const JUMP = 10;

interface ChangeProps {
  now: number;
  before: number | undefined;
  previous: string;
}

function Change({ now, before, previous }: ChangeProps): ReactNode {
  if (before === undefined) return null;
  if (before === 0) return now === 0 ? null : `none in the ${previous}`;
  const change = now / before;
  if (now === before) return `as in the ${previous}`;
  const words =
    change >= JUMP
      ? `${formatCompact(Math.round(change))} times`
      : `${change > 1 ? "+" : "−"}${formatPercent(Math.abs(change - 1))}`;
  return `${words} vs. ${previous}`;
}
