import { useSyncExternalStore } from "react";
import { formatDateTime, formatRelative, formatUtc } from "../format/time.ts";
import { Tooltip } from "./tooltip.tsx";

// One clock for all of them: a list of a hundred times is drawn anew in one go.
let now = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of listeners) each();
  }, 10_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The time now, to ten seconds; renders again as it goes on. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}

export interface RelativeTimeProps {
  /** ISO 8601; null shows a dash, or `none`. */
  time: string | null;
  none?: string;
  /** Of what is still to come, which is due "now" from a few seconds before on. */
  isAhead?: boolean;
}

const DUE_MS = 5_000;

/** "3 min ago", with the full time here and in UTC as a tooltip. */
export function RelativeTime({ time, none = "–", isAhead = false }: RelativeTimeProps) {
  const current = Math.max(useNow(), Date.now());
  if (time === null) return <span className="text-faint">{none}</span>;
  return (
    <Tooltip
      text={
        <>
          {formatDateTime(time)}
          <br />
          {formatUtc(time)}
        </>
      }
    >
      <time dateTime={time} className="whitespace-nowrap">
        {isAhead && new Date(time).getTime() - current < DUE_MS ? "now" : formatRelative(time, current)}
      </time>
    </Tooltip>
  );
}
