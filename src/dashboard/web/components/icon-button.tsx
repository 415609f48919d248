import type { ComponentProps, ReactNode } from "react";
import { type ButtonSize, type ButtonVariant, buttonClasses } from "./button.tsx";
import { classes } from "./classes.ts";
import { Tooltip } from "./tooltip.tsx";

export interface IconButtonProps extends Omit<ComponentProps<"button">, "children"> {
  /** Its name: read out, and shown as a tooltip. */
  label: string;
  icon: ReactNode;
  variant?: ButtonVariant;
  size?: ButtonSize;
  /** No tooltip, where the name is plain or something else opens on hover. */
  plain?: boolean;
}

export function IconButton({
  label,
  icon,
  variant = "ghost",
  size = "medium",
  plain = false,
  className,
  ...props
}: IconButtonProps) {
  const button = (
    <button
      type="button"
      aria-label={label}
      {...props}
      className={classes(buttonClasses(variant, size), "px-0!", size === "small" ? "w-7" : "w-8", className)}
    >
      {icon}
    </button>
  );
  return plain ? button : <Tooltip text={label}>{button}</Tooltip>;
}
