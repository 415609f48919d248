import { Table2 } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import uPlot from "uplot";
import { formatCompact } from "../format/number.ts";
import { formatDateTime } from "../format/time.ts";
import { useTheme } from "../theme.ts";
import { chartData, chartOptions, chartVariable } from "./chart-options.ts";
import { classes } from "./classes.ts";
import { IconButton } from "./icon-button.tsx";
import { TimeChartTable } from "./time-chart-table.tsx";

export type ChartColor =
  | "series-1"
  | "series-2"
  | "series-3"
  | "series-4"
  | "series-5"
  | "series-6"
  | "series-7"
  | "series-8"
  | "ok"
  | "info"
  | "warn"
  | "bad"
  | "idle"
  | "low"
  | "medium"
  | "high"
  | "critical"
  | "accent";

export interface ChartSeries {
  name: string;
  /** One for each time; null is a gap. */
  values: readonly (number | null)[];
  /** A colour of theme.css; default: series-1, series-2, … */
  color?: ChartColor;
}

export interface TimeChartProps {
  /** What it shows, read out and heading its table: "Events a second". */
  label: string;
  /** Start of each bucket, ascending: ISO 8601. */
  times: readonly string[];
  series: readonly ChartSeries[];
  /** lines, or stacked: areas or bars (counts in buckets). Default: lines. */
  kind?: "lines" | "areas" | "bars";
  /** Values in legend, axis and table. Default: formatCompact. */
  format?: (value: number) => string;
  /** The legend's number while nothing is pointed at. Default: latest. */
  summary?: "latest" | "total" | "highest" | "none";
  /** A range was selected with the mouse: usually useTimeRange().setEnds. */
  onBrush?: (ends: { from: string; to: string }) => void;
  /** Charts with the same word share their cursor. */
  syncKey?: string;
  height?: number;
  /** The whole range asked for, where it is wider than the data. */
  from?: string;
  to?: string;
}

/** Values over time, drawn by uPlot: stacked or lines, with gaps, legend, cursor and brush. */
export function TimeChart({
  label,
  times,
  series,
  kind = "lines",
  format = formatCompact,
  summary = "latest",
  onBrush,
  syncKey,
  height = 180,
  from,
  to,
}: TimeChartProps) {
  const holder = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const brush = useRef(onBrush);
  brush.current = onBrush;
  const theme = useTheme();
  const [pointed, setPointed] = useState<number | null>(null);
  const [off, setOff] = useState<ReadonlySet<string>>(new Set());
  const [tabular, setTabular] = useState(false);

  const shown = useMemo(
    () =>
      series
        .map((each, index) => ({ ...each, color: colorOf(each, index) }))
        .filter(({ name }) => !off.has(name)),
    [series, off],
  );
  const data = useMemo(() => chartData(times, shown, kind !== "lines"), [times, shown, kind]);
  const dataNow = useRef(data);
  dataNow.current = data;
  // A new plot only where its shape changes; new values go into the one that is there.
  const shape = shown.map(({ name, color }) => `${name}\u0000${color}`).join("\u0001");

  // biome-ignore lint/correctness/useExhaustiveDependencies: theme and shape stand for what the options read
  useEffect(() => {
    const element = holder.current;
    if (element === null) return;
    const options = chartOptions({
      width: Math.max(120, element.clientWidth),
      height,
      series: shown,
      kind,
      format,
      syncKey,
      brushable: brush.current !== undefined,
      range: from !== undefined && to !== undefined ? [seconds(from), seconds(to)] : undefined,
      onPoint: setPointed,
      onBrush: (start, end) =>
        brush.current?.({
          from: new Date(start * 1000).toISOString(),
          to: new Date(end * 1000).toISOString(),
        }),
    });
    const drawn = new uPlot(options, dataNow.current, element);
    plot.current = drawn;
    const observer = new ResizeObserver(() => {
      const width = element.clientWidth;
      if (width > 0 && width !== drawn.width) drawn.setSize({ width, height });
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      drawn.destroy();
      plot.current = null;
    };
  }, [shape, kind, height, theme, format, syncKey, from, to, onBrush === undefined]);

  useEffect(() => {
    if (plot.current !== null && plot.current.data !== data) plot.current.setData(data);
  }, [data]);

  const at = pointed !== null && pointed < times.length ? pointed : null;
  return (
    <figure aria-label={label} className="flex min-w-0 flex-col gap-1.5">
      <div ref={holder} aria-hidden className="min-w-0 overflow-hidden" style={{ height }} />
      <figcaption className="flex items-start justify-between gap-2">
        <ul className="flex min-w-0 flex-wrap gap-x-1 gap-y-0.5 text-xs">
          {series.map((each, index) => (
            <li key={each.name}>
              <button
                type="button"
                aria-pressed={!off.has(each.name)}
                title={off.has(each.name) ? "Show" : "Hide"}
                onClick={() => setOff(toggled(off, each.name))}
                className={classes(
                  "flex min-h-6 items-center gap-1.5 rounded px-1.5 hover:bg-hover",
                  off.has(each.name) && "text-faint line-through",
                )}
              >
                <span
                  aria-hidden
                  className="size-2 rounded-xs"
                  style={{ background: `var(--${chartVariable(colorOf(each, index))})` }}
                />
                <span className="text-muted">{each.name}</span>
                <span className="font-medium">{legendValue(each.values, at, summary, format)}</span>
              </button>
            </li>
          ))}
          {at === null ? null : (
            <li className="flex min-h-6 items-center px-1.5 text-faint" aria-hidden>
              {formatDateTime(times[at] ?? 0)}
            </li>
          )}
        </ul>
        <IconButton
          label={tabular ? "Hide the table" : "Show as a table"}
          size="small"
          aria-pressed={tabular}
          icon={<Table2 aria-hidden />}
          onClick={() => setTabular(!tabular)}
        />
      </figcaption>
      {tabular ? <TimeChartTable label={label} times={times} series={series} format={format} /> : null}
    </figure>
  );
}

function colorOf({ color }: ChartSeries, index: number): ChartColor {
  return color ?? (`series-${(index % 8) + 1}` as ChartColor);
}

function seconds(time: string): number {
  return new Date(time).getTime() / 1000;
}

function toggled(names: ReadonlySet<string>, name: string): ReadonlySet<string> {
  const next = new Set(names);
  if (!next.delete(name)) next.add(name);
  return next;
}

function legendValue(
  values: readonly (number | null)[],
  at: number | null,
  summary: NonNullable<TimeChartProps["summary"]>,
  format: (value: number) => string,
): string {
  if (at !== null) {
    const value = values[at];
    return value === null || value === undefined ? "–" : format(value);
  }
  const known = values.filter((value) => value !== null);
  if (summary === "none" || known.length === 0) return "";
  if (summary === "total") return format(known.reduce((sum, value) => sum + value, 0));
  if (summary === "highest") return format(Math.max(...known));
  return format(known.at(-1) ?? 0);
}
