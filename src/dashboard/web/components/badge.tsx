import type { ReactNode } from "react";
import { classes } from "./classes.ts";

export type Tone =
  | "neutral"
  | "accent"
  | "ok"
  | "info"
  | "warn"
  | "bad"
  | "low"
  | "medium"
  | "high"
  | "critical";

const tones: Record<Tone, string> = {
  neutral: "bg-idle/12 text-idle",
  accent: "bg-accent/12 text-accent",
  ok: "bg-ok/12 text-ok",
  info: "bg-info/12 text-info",
  warn: "bg-warn/12 text-warn",
  bad: "bg-bad/12 text-bad",
  low: "bg-low/12 text-low",
  medium: "bg-medium/12 text-medium",
  high: "bg-high/12 text-high",
  critical: "bg-critical/12 text-critical",
};

export interface BadgeProps {
  tone?: Tone;
  /** A dot before the text; "pulse" for what is under way. */
  dot?: boolean | "pulse";
  children: ReactNode;
  className?: string;
}

export function Badge({ tone = "neutral", dot = false, children, className }: BadgeProps) {
  return (
    <span
      className={classes(
        "inline-flex h-5 max-w-full items-center gap-1.5 rounded-full px-2 text-2xs font-medium whitespace-nowrap",
        tones[tone],
        className,
      )}
    >
      {dot === false ? null : (
        <span
          aria-hidden
          className={classes("size-1.5 shrink-0 rounded-full bg-current", dot === "pulse" && "animate-pulse")}
        />
      )}
      <span className="truncate">{children}</span>
    </span>
  );
}
