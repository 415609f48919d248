import { classes } from "./classes.ts";

/** A grey block in the place and size of what is to come: `<Skeleton className="h-4 w-40" />`. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={classes("animate-pulse rounded bg-hover", className ?? "h-4 w-full")} />;
}

/** Rows of a list that is loading; says so to those who do not see them. */
export function SkeletonRows({ rows = 8 }: { rows?: number }) {
  return (
    <div role="status" className="flex flex-col gap-3 px-4 py-3">
      <span className="sr-only">Loading</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all alike
        <Skeleton key={row} className={classes("h-5", ["w-full", "w-11/12", "w-4/5"][row % 3])} />
      ))}
    </div>
  );
}
