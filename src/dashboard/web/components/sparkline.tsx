import { classes } from "./classes.ts";

export interface SparklineProps {
  /** Evenly spaced values, the oldest first. */
  values: readonly number[];
  /** In words, what it shows: "12 occurrences in the last 24 hours, most at 14:00". */
  label: string;
  /** Colour by a text class. */
  className?: string;
  width?: number;
  height?: number;
}

/** Bars without axes, for a row of a list. */
export function Sparkline({ values, label, className, width = 96, height = 24 }: SparklineProps) {
  const most = Math.max(1, ...values);
  const step = width / Math.max(1, values.length);
  const gap = step > 3 ? 1 : 0;
  return (
    <svg
      role="img"
      aria-label={label}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      className={classes("shrink-0", className ?? "text-series-1")}
    >
      <title>{label}</title>
      {values.map((value, index) => {
        const bar = value === 0 ? 1 : Math.max(2, (value / most) * height);
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place
            key={index}
            x={index * step}
            y={height - bar}
            width={Math.max(1, step - gap)}
            height={bar}
            rx={gap}
            className={value === 0 ? "fill-line-strong" : "fill-current"}
          />
        );
      })}
    </svg>
  );
}
