import uPlot from "uplot";
import type { ChartColor, ChartSeries } from "./chart-series.ts";
import { timeLabels } from "./time-labels.ts";

/** uPlot's options and data from a TimeChart's props. */

interface DrawnSeries extends ChartSeries {
  color: ChartColor;
}

export interface ChartOptions {
  readonly width: number;
  readonly height: number;
  readonly series: readonly DrawnSeries[];
  readonly kind: "lines" | "areas" | "bars";
  readonly format: (value: number) => string;
  readonly syncKey: string | undefined;
  readonly brushable: boolean;
  /** In seconds. */
  readonly range: readonly [number, number] | undefined;
  readonly onPoint: (index: number | null) => void;
  readonly onBrush: (from: number, to: number) => void;
  /** Its places are known now, or others than before. */
  readonly onDraw: (plot: uPlot) => void;
}

/**
 * A stack is drawn from its whole height down, each series over the one above it: so the columns are sums, in
 * reverse order. A bucket without any value stays a gap.
 */
export function chartData(
  times: readonly string[],
  series: readonly ChartSeries[],
  stacked: boolean,
): uPlot.AlignedData {
  const seconds = times.map((time) => new Date(time).getTime() / 1000);
  if (!stacked) return [seconds, ...series.map(({ values }) => [...values])];
  const sums = seconds.map(() => 0);
  const known = seconds.map((_, index) => series.some(({ values }) => typeof values[index] === "number"));
  const columns = series.map(({ values }) =>
    seconds.map((_, index) => {
      const sum = (sums[index] ?? 0) + (values[index] ?? 0);
      sums[index] = sum;
      return known[index] ? sum : null;
    }),
  );
  return [seconds, ...columns.reverse()];
}

/**
 * The variable of theme.css that an area in this colour is filled with: those of states and severities are
 * softer than their text.
 */
export function chartVariable(color: ChartColor): string {
  return color.startsWith("series-") || color === "accent" ? color : `fill-${color}`;
}

export function chartOptions(options: ChartOptions): uPlot.Options {
  const { kind, format } = options;
  const style = getComputedStyle(document.documentElement);
  const color = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const font = `11px ${getComputedStyle(document.body).fontFamily}`;
  const axis = {
    stroke: color("faint"),
    font,
    ticks: { show: false },
    grid: { stroke: color("line"), width: 1 },
  } satisfies uPlot.Axis;
  const drawn = kind === "lines" ? options.series : [...options.series].reverse();

  return {
    width: options.width,
    height: options.height,
    padding: [8, 18, 0, 0],
    legend: { show: false },
    focus: { alpha: 1 },
    scales: {
      x: { time: true, ...xRange(options) },
      y: { range: (_, __, highest) => [0, highest > 0 ? highest * 1.08 : 1] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        space: 70,
        size: 26,
        values: (_, splits, __, ___, increment) => timeLabels(splits, increment),
      },
      {
        ...axis,
        size: (plot, labels) => widest(plot, labels, font) + 14,
        space: 34,
        values: (_, splits) => splits.map(format),
        // Bars are counts: no line between two whole numbers.
        ...(kind === "bars" ? { incrs: wholeSteps } : {}),
      },
    ],
    cursor: {
      points: { show: kind === "lines", size: 6 },
      y: false,
      drag: { x: options.brushable, y: false, setScale: false },
      ...(options.syncKey === undefined ? {} : { sync: { key: options.syncKey, setSeries: false } }),
    },
    select: { show: options.brushable, left: 0, top: 0, width: 0, height: 0 },
    series: [
      {},
      ...drawn.map((each) => seriesOptions(each, color(chartVariable(each.color)), kind, color("surface"))),
    ],
    hooks: {
      draw: [options.onDraw],
      setCursor: [(plot) => options.onPoint(plot.cursor.idx ?? null)],
      setSelect: [
        (plot) => {
          const { left, width } = plot.select;
          // A click is a selection of nothing.
          if (width < 5) return;
          const [from, to] = [plot.posToVal(left, "x"), plot.posToVal(left + width, "x")];
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          options.onBrush(from, to);
        },
      ],
    },
  };
}

function xRange({ range, kind }: ChartOptions): Pick<uPlot.Scale, "range"> {
  if (range !== undefined) return { range: [range[0], range[1]] };
  if (kind !== "bars") return {};
  // A bar stands to the right of its bucket's start: room for the last one.
  return {
    range: (plot, first, last) => [
      first,
      last + (last - first) / Math.max(1, (plot.data[0]?.length ?? 2) - 1),
    ],
  };
}

function seriesOptions(
  series: DrawnSeries,
  color: string,
  kind: ChartOptions["kind"],
  surface: string,
): uPlot.Series {
  const base: uPlot.Series = { label: series.name, stroke: color, points: { show: false }, spanGaps: false };
  if (kind === "bars") {
    const paths = uPlot.paths.bars?.({ size: [0.8, 40], align: 1 });
    return { ...base, fill: color, width: 0, ...(paths === undefined ? {} : { paths }) };
  }
  // Opaque, or a stack would show through: the series' colour on the card's.
  if (kind === "areas") return { ...base, width: 1.5, fill: `color-mix(in srgb, ${color} 32%, ${surface})` };
  return { ...base, width: 1.5 };
}

const wholeSteps = Array.from({ length: 15 }, (_, power) =>
  [1, 2, 5].map((step) => step * 10 ** power),
).flat();

function widest(plot: uPlot, labels: readonly string[] | null, font: string): number {
  if (labels === null) return 24;
  plot.ctx.save();
  plot.ctx.font = font;
  const width = Math.max(...labels.map((label) => plot.ctx.measureText(label).width));
  plot.ctx.restore();
  return Math.ceil(width);
}
