import { Popover } from "radix-ui";
import type { ReactNode } from "react";
import { classes } from "./classes.ts";
import { useFocusReturn } from "./use-focus-return.ts";

export interface PopoverPanelProps {
  /** Which edge it shares with its trigger. */
  align: "start" | "end";
  /** Name for those who do not see what it hangs on. */
  label?: string;
  /** Its width, and how it lays out what is in it. */
  className: string;
  children: ReactNode;
}

/** What a popover shows, below its trigger. */
export function PopoverPanel({ align, label, className, children }: PopoverPanelProps) {
  const focusReturn = useFocusReturn();
  return (
    <Popover.Portal>
      <Popover.Content
        align={align}
        sideOffset={4}
        collisionPadding={8}
        {...focusReturn}
        aria-label={label}
        className={classes(
          "z-40 animate-appear rounded-lg border border-line bg-surface shadow-float",
          className,
        )}
      >
        {children}
      </Popover.Content>
    </Popover.Portal>
  );
}
