import { type ReactNode, useId } from "react";
import { classes } from "./classes.ts";

export interface CardProps {
  title?: ReactNode;
  /** Beside the title: a unit, a count, a word of explanation. */
  note?: ReactNode;
  /** At the right end of the title. */
  actions?: ReactNode;
  /** The content reaches the border: tables, charts. */
  flush?: boolean;
  className?: string;
  children?: ReactNode;
}

/** A part of a page with a border and, if it has a title, a name. */
export function Card({ title, note, actions, flush = false, className, children }: CardProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={title === undefined ? undefined : id}
      className={classes("min-w-0 rounded-lg border bg-surface shadow-card", className)}
    >
      {title === undefined && actions === undefined ? null : (
        <header className="flex min-h-10 flex-wrap items-center justify-between gap-x-3 gap-y-1 px-4 pt-2.5 pb-2">
          <div className="flex min-w-0 flex-wrap items-baseline gap-x-2">
            <h2 id={id} className="text-sm font-semibold">
              {title}
            </h2>
            {note === undefined ? null : <span className="text-xs text-faint">{note}</span>}
          </div>
          {actions === undefined ? null : <div className="flex items-center gap-2">{actions}</div>}
        </header>
      )}
      <div
        className={
          // Clipped, not hidden: a bar within it may still stick to the page.
          flush ? "overflow-clip rounded-b-lg" : classes("px-4 pb-4", title === undefined && "pt-4")
        }
      >
        {children}
      </div>
    </section>
  );
}
