import type { ComponentProps } from "react";
import { classes } from "./classes.ts";

/** The look of everything that is typed into; a width is to be added. */
export const inputClasses =
  "h-8 min-w-0 rounded-md border border-line-strong bg-surface px-2.5 text-sm text-ink shadow-card placeholder:text-faint disabled:cursor-not-allowed disabled:opacity-55 aria-invalid:border-bad max-sm:text-base";

/**
 * A text field as wide as there is room, or as `className` says; give it a label (see Field) or an
 * aria-label.
 */
export function Input({ className, ...props }: ComponentProps<"input">) {
  return <input {...props} className={classes(inputClasses, className ?? "w-full")} />;
}
