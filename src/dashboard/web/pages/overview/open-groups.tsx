import { Link } from "@tanstack/react-router";
import { ArrowRight, ShieldCheck } from "lucide-react";
import { classes } from "../../components/classes.ts";
import { SEVERITIES, type Severity } from "../../components/severity-badge.tsx";
import { formatCount } from "../../format/number.ts";
import type { OverviewTotals } from "./overview-queries.ts";

const looks: Record<Severity, { number: string; mark: string }> = {
  critical: { number: "text-critical", mark: "bg-fill-critical" },
  high: { number: "text-high", mark: "bg-fill-high" },
  medium: { number: "text-medium", mark: "bg-fill-medium" },
  low: { number: "text-low", mark: "bg-fill-low" },
};

interface OpenGroupsProps {
  projectId: string;
  groups: OverviewTotals["open_groups"];
}

/** What asks for somebody now, whatever the range; each number leads to its groups. */
export function OpenGroups({ projectId, groups }: OpenGroupsProps) {
  const total = SEVERITIES.reduce((sum, severity) => sum + groups[severity], 0);
  return (
    <section
      aria-label="Open failure groups"
      className="flex min-w-0 flex-wrap items-stretch overflow-hidden rounded-lg border bg-surface shadow-card"
    >
      <div className="flex min-w-48 flex-1 flex-col justify-center border-b px-4 py-3 max-md:basis-full md:border-r md:border-b-0">
        <h2 className="text-sm font-semibold">Open failure groups</h2>
        <p className="mt-0.5 flex flex-wrap items-center gap-x-1.5 text-xs text-muted">
          {total === 0 ? (
            <>
              <ShieldCheck className="size-3.5 text-ok" aria-hidden />
              Nothing asks for attention
            </>
          ) : (
            <>
              <Link
                to="/app/p/$projectId/groups"
                params={{ projectId }}
                className="inline-flex items-center gap-1 text-accent hover:underline"
              >
                All {formatCount(total)}
                <ArrowRight className="size-3" aria-hidden />
              </Link>
              {groups.regressed === 0 ? null : (
                <span className="text-bad">· {formatCount(groups.regressed)} came back after a fix</span>
              )}
            </>
          )}
        </p>
      </div>
      {SEVERITIES.map((severity) => (
        <Link
          key={severity}
          to="/app/p/$projectId/groups"
          params={{ projectId }}
          search={{ severity }}
          className="group relative flex min-w-20 flex-1 flex-col border-r px-4 py-3 -outline-offset-2 last:border-r-0 hover:bg-sunken max-sm:min-w-0 max-sm:px-3"
        >
          <span
            aria-hidden
            className={classes(
              "absolute inset-x-0 top-0 h-0.5",
              groups[severity] > 0 && looks[severity].mark,
            )}
          />
          <span
            className={classes(
              "text-2xl leading-8 font-semibold tracking-tight",
              groups[severity] > 0 ? looks[severity].number : "text-faint",
            )}
          >
            {formatCount(groups[severity])}
          </span>
          <span className="text-xs text-muted group-hover:text-ink">
            {severity.charAt(0).toUpperCase() + severity.slice(1)}
          </span>
        </Link>
      ))}
    </section>
  );
}
