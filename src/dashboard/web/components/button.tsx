import { LoaderCircle } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { classes } from "./classes.ts";

export type ButtonVariant = "primary" | "secondary" | "ghost" | "danger";
export type ButtonSize = "small" | "medium";

const base =
  "inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md border font-medium whitespace-nowrap select-none transition-colors disabled:cursor-not-allowed disabled:opacity-55";
const variants: Record<ButtonVariant, string> = {
  primary: "border-transparent bg-accent-solid text-on-accent shadow-card hover:not-disabled:brightness-110",
  secondary: "border-line-strong bg-surface text-ink shadow-card hover:not-disabled:bg-hover",
  ghost: "border-transparent text-muted hover:not-disabled:bg-hover hover:not-disabled:text-ink",
  danger: "border-transparent bg-danger-solid text-white shadow-card hover:not-disabled:brightness-110",
};
const sizes: Record<ButtonSize, string> = {
  small: "h-7 px-2 text-xs [&_svg]:size-3.5",
  medium: "h-8 px-3 text-sm [&_svg]:size-4",
};

/** The look of a button, for a `<Link>` that should look like one. */
export function buttonClasses(variant: ButtonVariant = "secondary", size: ButtonSize = "medium"): string {
  return classes(base, variants[variant], sizes[size]);
}

export interface ButtonProps extends ComponentProps<"button"> {
  /** One primary a view; danger for what destroys. Default: secondary. */
  variant?: ButtonVariant;
  size?: ButtonSize;
  /** Before the text. */
  icon?: ReactNode;
  /** Shows that its act is under way, and takes no second click. */
  busy?: boolean;
}

export function Button({
  variant,
  size,
  icon,
  busy = false,
  className,
  children,
  disabled,
  ...props
}: ButtonProps) {
  return (
    <button
      type="button"
      {...props}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      className={classes(buttonClasses(variant, size), className)}
    >
      {busy ? <LoaderCircle className="animate-spin" aria-hidden /> : icon}
      {children}
    </button>
  );
}
