import { useEffect, useState } from "react";
import { useNow } from "../../components/relative-time.tsx";
import { type TimeRange, type TimeRangeControl, useTimeRange } from "../../time-range.ts";

/** The page's range, moving on with the time unless somebody holds it to look closer. */

const SECOND = 1000;
const DAY = 86_400 * SECOND;

export interface LiveRange {
  readonly control: TimeRangeControl;
  /** What to show. */
  readonly range: TimeRange;
  /** The range ends now, so there is something to wait for. */
  readonly canFollow: boolean;
  readonly following: boolean;
  readonly setFollowing: (following: boolean) => void;
  /** Milliseconds between two looks, or false. */
  readonly again: number | false;
}

export function useLiveRange(): LiveRange {
  const control = useTimeRange();
  const now = useNow();
  const [held, setHeld] = useState<TimeRange | null>(null);
  const { name, from, to } = control;
  // Another range is another look.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a range that moves on by itself stays held
  useEffect(() => setHeld(null), [name, name === null ? `${from} ${to}` : null]);

  const canFollow = name !== null || Date.parse(to) > now;
  const following = canFollow && held === null;
  const range = following || held === null ? { from, to, name } : held;
  const isLong = Date.parse(range.to) - Date.parse(range.from) > 2 * DAY;
  return {
    control,
    range,
    canFollow,
    following,
    setFollowing: (follow) => setHeld(follow ? null : { from, to, name }),
    again: following ? (isLong ? 15 : 5) * SECOND : false,
  };
}
