import { Table2 } from "lucide-react";
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import uPlot from "uplot";
import { formatCompact } from "../format/number.ts";
import { formatDateTime } from "../format/time.ts";
import { useTheme } from "../theme.ts";
import { chartData, chartOptions, chartVariable } from "./chart-options.ts";
import { type ChartPlace, chartKey, placeWithin, selectByTouch, showPlace } from "./chart-selection.ts";
import type { ChartColor, ChartSeries } from "./chart-series.ts";
import { classes } from "./classes.ts";
import { IconButton } from "./icon-button.tsx";
import { TimeChartTable } from "./time-chart-table.tsx";

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
  /** A range was selected, with mouse, finger or keys: usually useTimeRange().setEnds. */
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
  const place = useRef<ChartPlace | null>(null);
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
    const brushable = brush.current !== undefined;
    const onSelected = (start: number, end: number) =>
      brush.current?.({ from: isoTime(start), to: isoTime(end) });
    const options = chartOptions({
      width: Math.max(120, element.clientWidth),
      height,
      series: shown,
      kind,
      format,
      syncKey,
      brushable,
      range: from !== undefined && to !== undefined ? [seconds(from), seconds(to)] : undefined,
      onPoint: setPointed,
      onBrush: onSelected,
      // New values, another width or another theme must not take away what the keyboard has selected.
      onDraw: (drawn) => {
        if (place.current === null) return;
        place.current = placeWithin(place.current, drawn.data[0].length);
        showPlace(drawn, place.current);
      },
    });
    const drawn = new uPlot(options, dataNow.current, element);
    selectByTouch(drawn, { brushable, onBrush: onSelected });
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

  const goTo = (next: ChartPlace | null) => {
    place.current = next;
    if (plot.current !== null) showPlace(plot.current, next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const shiftKey = event.shiftKey && onBrush !== undefined;
    const done = chartKey({ key: event.key, shiftKey }, place.current, times.length);
    if (done === null) return;
    event.preventDefault();
    // A dialog or a list around it does not mean this key.
    event.stopPropagation();
    goTo(done.kind === "move" ? done.place : null);
    if (done.kind === "select") onBrush?.({ from: times[done.from] ?? "", to: times[done.to] ?? "" });
  };

  const at = pointed !== null && pointed < times.length ? pointed : null;
  const read = at ?? times.length - 1;
  return (
    <figure aria-label={label} className="flex min-w-0 flex-col gap-1.5">
      <div className="relative min-w-0">
        <div
          ref={holder}
          role="slider"
          tabIndex={times.length === 0 ? -1 : 0}
          aria-label={`${label}, point in time`}
          aria-valuemin={0}
          aria-valuemax={Math.max(0, times.length - 1)}
          aria-valuenow={Math.max(0, read)}
          aria-valuetext={valueText(times[read], shown, read, format)}
          onKeyDown={onKeyDown}
          onBlur={() => place.current !== null && goTo(null)}
          className="peer min-w-0 overflow-hidden rounded-sm"
          style={{ height }}
        />
        <p
          aria-hidden
          className="pointer-events-none absolute top-1 right-2 hidden rounded border bg-surface px-1.5 py-0.5 text-xs text-muted peer-focus-visible:block"
        >
          ← → move{onBrush === undefined ? "" : " · Shift selects · Enter zooms in"}
        </p>
      </div>
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
          {at === null && summary === "none" ? null : (
            <li className="flex min-h-6 items-center px-1.5 text-faint" aria-hidden>
              {at === null ? summaryNames[summary] : formatDateTime(times[at] ?? 0)}
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

/** What the numbers of the legend are while nothing is pointed at. */
const summaryNames = { latest: "latest", total: "in all", highest: "at most", none: "" } as const;

function colorOf({ color }: ChartSeries, index: number): ChartColor {
  return color ?? (`series-${(index % 8) + 1}` as ChartColor);
}

function seconds(time: string): number {
  return new Date(time).getTime() / 1000;
}

function isoTime(secondsOfEpoch: number): string {
  return new Date(secondsOfEpoch * 1000).toISOString();
}

/** What is read out at a time: "21 Nov 2026, 14:00:00: Started 12, Crashed 1". */
function valueText(
  time: string | undefined,
  series: readonly ChartSeries[],
  at: number,
  format: (value: number) => string,
): string {
  if (time === undefined) return "no values";
  const values = series.map(({ name, values }) => `${name} ${legendValue(values, at, "none", format)}`);
  return `${formatDateTime(time)}: ${values.join(", ")}`;
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
