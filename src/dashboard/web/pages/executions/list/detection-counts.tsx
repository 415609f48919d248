import { SEVERITIES, type Severity } from "../../../components/severity-badge.tsx";
import { formatCount } from "../../../format/number.ts";

const colours: Record<Severity, string> = {
  critical: "bg-critical/12 text-critical",
  high: "bg-high/12 text-high",
  medium: "bg-medium/12 text-medium",
  low: "bg-low/12 text-low",
};

/** Detections by severity, worst first; the worst is named, the others are on hover and to be heard. */
export function DetectionCounts({ counts, none = "–" }: { counts: Record<Severity, number>; none?: string }) {
  const present = SEVERITIES.filter((severity) => counts[severity] > 0);
  if (present.length === 0) return <span className="text-faint">{none}</span>;
  return (
    <span className="inline-flex gap-1">
      {present.map((severity, index) => (
        <span
          key={severity}
          title={`${formatCount(counts[severity])} ${severity}`}
          className={`inline-flex h-5 min-w-5 items-center justify-center gap-1 rounded px-1.5 text-2xs font-semibold ${colours[severity]}`}
        >
          {formatCount(counts[severity])}
          <span className={index === 0 ? "font-medium" : "sr-only"}>{severity}</span>
        </span>
      ))}
    </span>
  );
}
