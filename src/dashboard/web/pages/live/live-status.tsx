import { Gauge, Info, X } from "lucide-react";
import { useEffect, useState } from "react";
import { Badge } from "../../components/badge.tsx";
import { IconButton } from "../../components/icon-button.tsx";
import { Sparkline } from "../../components/sparkline.tsx";
import { formatCompact, formatCount } from "../../format/number.ts";
import { type LiveView, RATES_MAX } from "./live-feed.ts";

/** Whether what is on the page is what happens now. */
export function ConnectionBadge({ connection, hold, isStoreAway }: LiveView) {
  switch (connection.kind) {
    case "connecting":
      return <Badge dot="pulse">Connecting</Badge>;
    case "waiting":
      return <Reconnecting untilMs={connection.untilMs} />;
    case "refused":
      return <Badge tone="bad">Not connected</Badge>;
    case "open":
      if (isStoreAway) return <Badge tone="warn">The database does not answer</Badge>;
      return hold === null ? (
        <Badge tone="ok" dot>
          Live
        </Badge>
      ) : (
        <Badge tone="info">{hold === "paused" ? "Paused" : "Held while you scroll"}</Badge>
      );
  }
}

function Reconnecting({ untilMs }: { untilMs: number }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.ceil(Math.max(0, untilMs - now) / 1_000);
  return (
    <Badge tone="warn" dot>
      Connection lost; again in {seconds} s
    </Badge>
  );
}

/** How much is stored in the project, whatever the filter. */
export function RateMeter({ rates }: { rates: readonly number[] }) {
  // Over a few seconds: batches come when clients send them.
  const latest = rates.slice(-5);
  const rate = latest.reduce((sum, one) => sum + one, 0) / Math.max(1, latest.length);
  const most = Math.max(0, ...rates);
  const padded = [...Array<number>(RATES_MAX - rates.length).fill(0), ...rates];
  return (
    <div className="flex items-center gap-2 text-xs text-muted">
      <Gauge className="size-4 text-faint" aria-hidden />
      <span className="whitespace-nowrap">
        <span className="font-semibold text-ink">{formatCompact(Math.round(rate * 10) / 10)}</span> events/s
      </span>
      <Sparkline
        values={padded}
        label={`Events stored a second over the last minute, ${formatCompact(Math.round(most))} at most`}
        width={120}
        height={20}
        className="text-series-1 max-sm:hidden"
      />
    </div>
  );
}

export interface LiveNoticesProps {
  view: LiveView;
  onAcknowledge: () => void;
}

/** What happened and is not on the page. */
export function LiveNotices({ view: { dropped, skipped }, onAcknowledge }: LiveNoticesProps) {
  if (dropped === 0 && skipped === 0) return null;
  return (
    <div
      role="status"
      className="flex items-start gap-2 border-b bg-warn/8 py-1 pr-1 pl-3 text-xs text-muted sm:items-center"
    >
      <Info className="mt-1 size-4 shrink-0 text-warn sm:mt-0" aria-hidden />
      <p className="min-w-0 flex-1 py-1">
        {skipped === 0 ? null : (
          <>
            <strong className="font-semibold text-ink">{formatCount(skipped)} events</strong> were stored
            faster than a tail shows them; narrow it down to an execution to see all of it.{" "}
          </>
        )}
        {dropped === 0 ? null : (
          <>
            <strong className="font-semibold text-ink">{formatCount(dropped)} events</strong> were left out
            because this page was too slow or held for long.
          </>
        )}
      </p>
      <IconButton size="small" label="Dismiss" icon={<X aria-hidden />} onClick={onAcknowledge} />
    </div>
  );
}
