import { type ReactNode, useId } from "react";
import { classes } from "./classes.ts";

export interface BesideLabelProps {
  label: ReactNode;
  /** The label is read out but not shown, e.g. in a table's row. */
  hideLabel?: boolean;
  /** The control, which bears the id. */
  children: (id: string) => ReactNode;
}

/** A control that is switched with one click, and its label to the right. */
export function BesideLabel({ label, hideLabel = false, children }: BesideLabelProps) {
  const id = useId();
  return (
    <span className="inline-flex items-center gap-2">
      {children(id)}
      <label htmlFor={id} className={classes("text-sm select-none", hideLabel && "sr-only")}>
        {label}
      </label>
    </span>
  );
}
