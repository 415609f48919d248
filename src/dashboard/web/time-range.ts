import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import { useNow } from "./components/relative-time.tsx";

/**
 * The range of time in a page's address: `?range=24h`, or `?from=…&to=…` for one that was picked or brushed.
 */

export const RANGE_NAMES = ["1h", "6h", "24h", "7d", "30d"] as const;
export type RangeName = (typeof RANGE_NAMES)[number];

export const RANGE_LABELS: Record<RangeName, string> = {
  "1h": "Last hour",
  "6h": "Last 6 hours",
  "24h": "Last 24 hours",
  "7d": "Last 7 days",
  "30d": "Last 30 days",
};

const minute = 60_000;
/**
 * How long a range is, and how far its end moves at a time: data asked for twice within that comes from the
 * cache.
 */
const lengths: Record<RangeName, { readonly length: number; readonly step: number }> = {
  "1h": { length: 60 * minute, step: minute },
  "6h": { length: 360 * minute, step: minute },
  "24h": { length: 1440 * minute, step: 5 * minute },
  "7d": { length: 7 * 1440 * minute, step: 15 * minute },
  "30d": { length: 30 * 1440 * minute, step: 60 * minute },
};

/** The part of a page's search params that is about time; spread it into the page's own type. */
export interface TimeRangeSearch {
  range?: RangeName;
  from?: string;
  to?: string;
}

/** For a route's `validateSearch`: keeps what makes sense, drops the rest. */
export function validateTimeRange(search: Record<string, unknown>): TimeRangeSearch {
  const from = validTime(search.from);
  const to = validTime(search.to);
  if (from !== undefined && to !== undefined && from < to) return { from, to };
  const range = RANGE_NAMES.find((name) => name === search.range);
  return range === undefined ? {} : { range };
}

function validTime(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const time = new Date(value);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

export interface TimeRange {
  /** ISO 8601. For a named range they move on with the time. */
  readonly from: string;
  readonly to: string;
  /** Null for a range with fixed ends, which needs no refetching. */
  readonly name: RangeName | null;
}

export interface TimeRangeControl extends TimeRange {
  readonly setName: (name: RangeName) => void;
  /** Also what a chart's `onBrush` wants. */
  readonly setEnds: (ends: { readonly from: string; readonly to: string }) => void;
}

/**
 * The page's range, from its address. The route's validateSearch must let `range`, `from` and `to` through.
 */
export function useTimeRange(standard: RangeName = "24h"): TimeRangeControl {
  const search: TimeRangeSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const now = useNow();
  const { from, to } = search;
  const name = from !== undefined && to !== undefined ? null : (search.range ?? standard);

  const step = name === null ? 0 : lengths[name].step;
  const end = name === null ? 0 : Math.ceil(now / step) * step;
  const range = useMemo<TimeRange>(() => {
    if (name === null) return { from: from ?? "", to: to ?? "", name };
    return {
      from: new Date(end - lengths[name].length).toISOString(),
      to: new Date(end).toISOString(),
      name,
    };
  }, [name, from, to, end]);

  const set = useCallback(
    (next: TimeRangeSearch) =>
      navigate({
        to: ".",
        search: (current: Record<string, unknown>) => ({
          ...current,
          range: undefined,
          from: undefined,
          to: undefined,
          cursor: undefined,
          ...next,
        }),
      }),
    [navigate],
  );
  return useMemo(
    () => ({
      ...range,
      setName: (next) => void set({ range: next }),
      setEnds: (ends) => void set({ from: ends.from, to: ends.to }),
    }),
    [range, set],
  );
}
