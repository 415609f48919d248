import type { ReactNode } from "react";
import { classes } from "../../components/classes.ts";
import { Skeleton } from "../../components/skeleton.tsx";
import { Sparkline } from "../../components/sparkline.tsx";
import { binned } from "./series-shape.ts";

const BARS = 32;

export interface StatTileProps {
  name: string;
  value: ReactNode;
  /** Under the value, one line or two. */
  note?: ReactNode;
  /** The values behind it, over the range. */
  trend?: readonly number[];
  trendLabel?: string;
  /** A text class for the trend's colour. */
  trendColor?: string;
  /** A text class where the value is not plain. */
  valueColor?: string;
  className?: string;
}

/** One number of a dashboard, with what led to it. */
export function StatTile({
  name,
  value,
  note,
  trend,
  trendLabel,
  trendColor,
  valueColor,
  className,
}: StatTileProps) {
  return (
    <div
      className={classes(
        "@container flex min-w-0 flex-col rounded-lg border bg-surface px-4 pt-3 pb-3 shadow-card",
        className,
      )}
    >
      <p className="truncate text-xs font-medium text-muted">{name}</p>
      <div className="mt-1 flex items-end justify-between gap-x-3">
        <div className={classes("truncate text-2xl leading-8 font-semibold tracking-tight", valueColor)}>
          {value}
        </div>
        {/* Shown where the widest value, "999.9M", fits beside it. */}
        {trend === undefined || trend.length < 2 ? null : (
          <Sparkline
            values={binned(trend, BARS)}
            label={trendLabel ?? `${name} over the range`}
            width={64}
            className={classes("mb-1 hidden @min-[10.875rem]:block", trendColor ?? "text-series-1")}
          />
        )}
      </div>
      {note === undefined ? null : <div className="mt-0.5 min-h-4 text-xs text-faint">{note}</div>}
    </div>
  );
}

export function SkeletonTile() {
  return (
    <div className="rounded-lg border bg-surface px-4 pt-3 pb-3 shadow-card">
      <Skeleton className="h-4 w-20" />
      <Skeleton className="mt-2 h-7 w-28" />
      <Skeleton className="mt-2 h-3.5 w-24" />
    </div>
  );
}

export interface ShareBarProps {
  /** In words, what the parts add up to. */
  label: string;
  parts: readonly { readonly name: string; readonly count: number; readonly color: string }[];
}

/** One bar, cut into the shares of a whole. The numbers stand beside it, not in it. */
export function ShareBar({ label, parts }: ShareBarProps) {
  const total = parts.reduce((sum, { count }) => sum + count, 0);
  return (
    <div role="img" aria-label={label} className="flex h-2.5 gap-px overflow-hidden rounded-full bg-hover">
      {parts
        .filter(({ count }) => count > 0)
        .map(({ name, count, color }) => (
          <div
            key={name}
            className={classes("min-w-0.5", color)}
            style={{ width: `${(count / total) * 100}%` }}
          />
        ))}
    </div>
  );
}
