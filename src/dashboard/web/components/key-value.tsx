import type { ReactNode } from "react";
import { classes } from "./classes.ts";

export interface KeyValueProps {
  /** `wide`: of two columns, as an id needs that is not to break. */
  items: readonly { name: string; value: ReactNode; wide?: boolean }[];
  /** Side by side (default), or name above value in columns. */
  layout?: "rows" | "columns";
  className?: string;
}

/** Facts about one thing. */
export function KeyValue({ items, layout = "rows", className }: KeyValueProps) {
  return (
    <dl
      className={classes(
        layout === "rows"
          ? "grid grid-cols-[minmax(6rem,auto)_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-sm"
          : "grid grid-cols-2 gap-x-4 gap-y-3 text-sm sm:grid-cols-3 lg:grid-cols-4",
        className,
      )}
    >
      {items.map(({ name, value, wide }) => (
        <div
          key={name}
          className={layout === "rows" ? "contents" : classes("min-w-0", wide === true && "col-span-2")}
        >
          <dt className="text-muted">{name}</dt>
          <dd className="min-w-0 break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
