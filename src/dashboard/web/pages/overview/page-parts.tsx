import type { UseQueryResult } from "@tanstack/react-query";
import { MoonStar } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { Skeleton, SkeletonRows } from "../../components/skeleton.tsx";
import { SkeletonTile } from "./stat-tile.tsx";

/** The states in which a part of the page is not there yet. */

interface PartProps<Data> {
  query: UseQueryResult<Data>;
  /** "The curves", for the words of an error. */
  name: string;
  skeleton: ReactNode;
  children: (data: Data) => ReactNode;
}

/** What was loaded stays on the page when a later look fails: shell/stale-notice.tsx says so. */
export function Part<Data>({ query, name, skeleton, children }: PartProps<Data>) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.error === null) return <>{skeleton}</>;
  return (
    <Card>
      <ErrorState error={query.error} title={`${name} could not be loaded`} onRetry={query.refetch} />
    </Card>
  );
}

/** A range without anything: flat curves alone would look like a fault. */
export function QuietNotice({ onLonger }: { onLonger: (() => void) | null }) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-dashed border-line-strong px-4 py-2 text-sm text-muted">
      <MoonStar className="size-4 shrink-0 text-faint" aria-hidden />
      <span className="min-w-0 flex-1">Nothing arrived in this range.</span>
      {onLonger === null ? null : (
        <Button size="small" onClick={onLonger}>
          Last 30 days
        </Button>
      )}
    </div>
  );
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

export function SkeletonTotals() {
  return (
    <>
      <div role="status" className="h-[4.75rem] rounded-lg border bg-surface px-4 py-4 shadow-card">
        <span className="sr-only">Loading</span>
        <Skeleton className="h-4 w-40" />
        <Skeleton className="mt-2 h-3.5 w-24" />
      </div>
      <div className="grid grid-cols-2 gap-4 md:grid-cols-3 xl:grid-cols-5">
        {numbers(5).map((tile) => (
          <SkeletonTile key={tile} />
        ))}
      </div>
    </>
  );
}

export function SkeletonChart() {
  return (
    <div className="rounded-lg border bg-surface px-4 pt-3 pb-4 shadow-card">
      <Skeleton className="h-4 w-24" />
      <Skeleton className="mt-4 h-44 w-full" />
      <Skeleton className="mt-3 h-3.5 w-56 max-w-full" />
    </div>
  );
}

export function SkeletonCharts() {
  return (
    <div className="grid gap-4 md:grid-cols-2">
      {numbers(4).map((chart) => (
        <SkeletonChart key={chart} />
      ))}
    </div>
  );
}

export function SkeletonHealth() {
  return (
    <>
      <div className="grid grid-cols-2 gap-4 md:grid-cols-3 xl:grid-cols-5">
        {numbers(5).map((tile) => (
          <SkeletonTile key={tile} />
        ))}
      </div>
      <SkeletonChart />
      <Card>
        <SkeletonRows rows={4} />
      </Card>
    </>
  );
}
