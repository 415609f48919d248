import { Badge, type Tone } from "./badge.tsx";

/** Every status word of the API: executions, groups, deliveries, webhooks, keys, invitations, outcomes. */
const tones: Record<string, Tone> = {
  started: "info",
  running: "info",
  pending: "info",
  delivering: "info",
  waiting: "warn",
  retrying: "warn",
  limited: "warn",
  shed: "warn",
  timeout: "bad",
  timed_out: "bad",
  failed: "bad",
  error: "bad",
  crashed: "bad",
  rejected: "bad",
  open: "bad",
  regressed: "bad",
  completed: "ok",
  succeeded: "ok",
  resolved: "ok",
  delivered: "ok",
  accepted: "ok",
  active: "ok",
  ok: "ok",
};
const underWay = new Set(["started", "running", "delivering"]);

/** What a person calls it, where that is another word: every execution was started, this one still runs. */
const names: Readonly<Record<string, string>> = { started: "Running" };

export function statusName(status: string): string {
  const words = status.replaceAll("_", " ");
  return names[status] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

export interface StatusBadgeProps {
  /** As the API says it; a word it does not know is shown in grey. */
  status: string;
  /** Other words than the status itself. */
  label?: string;
}

export function StatusBadge({ status, label }: StatusBadgeProps) {
  return (
    <Badge tone={tones[status] ?? "neutral"} dot={underWay.has(status) ? "pulse" : true}>
      {label ?? statusName(status)}
    </Badge>
  );
}
