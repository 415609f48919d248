import { Badge } from "./badge.tsx";

export const SEVERITIES = ["critical", "high", "medium", "low"] as const;
export type Severity = (typeof SEVERITIES)[number];

/** The severity of a failure group, in words and colour. */
export function SeverityBadge({ severity }: { severity: Severity }) {
  return (
    <Badge tone={severity} dot>
      {severity.charAt(0).toUpperCase() + severity.slice(1)}
    </Badge>
  );
}
