import { type ReactNode, useMemo } from "react";
import { Card } from "../../components/card.tsx";
import type { ChartSeries } from "../../components/chart-series.ts";
import { SEVERITIES } from "../../components/severity-badge.tsx";
import { TimeChart } from "../../components/time-chart.tsx";
import { formatCompact, formatCount } from "../../format/number.ts";
import { formatDuration } from "../../format/time.ts";
import type { OverviewSeries } from "./overview-queries.ts";
import {
  brushedRange,
  column,
  eventTypeColumns,
  ratesOf,
  rateUnitOf,
  sumOf,
  timesOf,
} from "./series-shape.ts";

const SYNC = "overview";
const HEIGHT = 190;

export interface OverviewChartProps {
  data: OverviewSeries;
  onRange: (ends: { from: string; to: string }) => void;
}

interface ChartCardProps extends OverviewChartProps {
  title: string;
  note: ReactNode;
  kind: "lines" | "areas" | "bars";
  series: readonly ChartSeries[];
  summary?: "latest" | "total" | "highest";
  format?: (value: number) => string;
}

function ChartCard({ title, note, kind, series, summary = "latest", format, data, onRange }: ChartCardProps) {
  const times = useMemo(() => timesOf(data), [data]);
  return (
    <Card title={title} note={note}>
      <TimeChart
        label={title}
        times={times}
        series={series}
        kind={kind}
        summary={summary}
        format={format ?? formatCompact}
        syncKey={SYNC}
        height={HEIGHT}
        from={data.from}
        to={data.to}
        onBrush={(ends) => onRange(brushedRange(ends))}
      />
    </Card>
  );
}

const STEP_NAMES: Readonly<Record<number, string>> = { 60: "minute", 3600: "hour", 86400: "day" };

/** "per 5 min": what one bar of a chart of counts stands for. */
function perStep({ step_seconds }: OverviewSeries): string {
  return `per ${STEP_NAMES[step_seconds] ?? formatDuration(step_seconds * 1000)}`;
}

export function ExecutionsChart(props: OverviewChartProps) {
  const { data } = props;
  const { unit, series } = useMemo(() => {
    const columns = (["started", "completed", "crashed"] as const).map((name) =>
      column(data, `executions.${name}`),
    );
    const unit = rateUnitOf(data, columns);
    const [started, completed, crashed] = columns.map((values) => ratesOf(data, values, unit));
    return {
      unit,
      series: [
        { name: "Started", values: started!, color: "series-1" },
        { name: "Completed", values: completed!, color: "ok" },
        { name: "Crashed", values: crashed!, color: "bad" },
      ] satisfies ChartSeries[],
    };
  }, [data]);
  return <ChartCard {...props} title="Executions" note={unit.name} kind="lines" series={series} />;
}

export function EventsChart(props: OverviewChartProps) {
  const { data } = props;
  const { unit, series } = useMemo(() => {
    const accepted: ChartSeries = {
      name: "All types",
      values: column(data, "outcomes.accepted"),
      color: "series-1",
    };
    const byType = eventTypeColumns(data);
    // Types are told by detection: without any, what was taken in is all there is to show.
    const columns = byType.length === 0 ? [accepted] : byType;
    const stack = data.at.map((_, step) => sumOf(columns.map(({ values }) => values[step] ?? 0)));
    const unit = rateUnitOf(data, [stack]);
    return {
      unit,
      series: columns.map((each) => ({ ...each, values: ratesOf(data, each.values as number[], unit) })),
    };
  }, [data]);
  const note = data.event_types_available
    ? `${unit.name}, by type`
    : `${unit.name}; detection is off, which tells the types`;
  return <ChartCard {...props} title="Events" note={note} kind="areas" series={series} />;
}

export function DetectionsChart(props: OverviewChartProps) {
  const { data } = props;
  const series = useMemo(
    () =>
      [...SEVERITIES].reverse().map(
        (severity): ChartSeries => ({
          name: severity.charAt(0).toUpperCase() + severity.slice(1),
          values: column(data, `detections.${severity}`),
          color: severity,
        }),
      ),
    [data],
  );
  return (
    <ChartCard
      {...props}
      title="Detections"
      note={perStep(data)}
      kind="bars"
      summary="total"
      format={formatCount}
      series={series}
    />
  );
}

export function TokensChart(props: OverviewChartProps) {
  const { data } = props;
  const series = useMemo<ChartSeries[]>(
    () => [
      { name: "In", values: column(data, "tokens.in"), color: "series-5" },
      { name: "Out", values: column(data, "tokens.out"), color: "series-7" },
    ],
    [data],
  );
  return (
    <ChartCard
      {...props}
      title="Tokens"
      note={`${perStep(data)}, as calls of models report them`}
      kind="bars"
      summary="total"
      series={series}
    />
  );
}

/** What did not become a stored event. What was stored is the chart of events. */
export function RefusalsChart(props: OverviewChartProps) {
  const { data } = props;
  const series = useMemo<ChartSeries[]>(
    () => [
      { name: "Duplicate", values: column(data, "outcomes.duplicate"), color: "idle" },
      { name: "Rejected", values: column(data, "outcomes.rejected"), color: "bad" },
      { name: "Limited", values: column(data, "outcomes.limited"), color: "warn" },
      { name: "Shed", values: column(data, "outcomes.shed"), color: "series-7" },
    ],
    [data],
  );
  return (
    <ChartCard
      {...props}
      title="Not stored"
      note={`events ${perStep(data)}`}
      kind="bars"
      summary="total"
      series={series}
    />
  );
}
