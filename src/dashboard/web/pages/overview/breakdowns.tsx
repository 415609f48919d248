import { Link, type LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Card } from "../../components/card.tsx";
import { classes } from "../../components/classes.ts";
import { KeyValue } from "../../components/key-value.tsx";
import { SEVERITIES, type Severity } from "../../components/severity-badge.tsx";
import { formatClass } from "../../format/failure-class.ts";
import { formatCompact, formatCount, formatPercent } from "../../format/number.ts";
import type { TimeRangeSearch } from "../../time-range.ts";
import type { OverviewTotals } from "./overview-queries.ts";
import { ShareBar } from "./stat-tile.tsx";

interface BreakdownProps {
  projectId: string;
  totals: OverviewTotals;
  /** What the address says about time, for links to what was counted. */
  search: TimeRangeSearch;
}

/** Executions that began in the range, by what has become of them. */
export function StatusShares({ projectId, totals, search }: BreakdownProps) {
  const { started, running, completed, crashed } = totals.executions;
  const parts = [
    { name: "Completed", status: "completed", count: completed, color: "bg-fill-ok" },
    { name: "Crashed", status: "crashed", count: crashed, color: "bg-fill-bad" },
    { name: "Running", status: "started", count: running, color: "bg-fill-info" },
  ] as const;
  const share = (count: number) => (started === 0 ? "–" : formatPercent(count / started));
  return (
    <Card title="Executions by status" note={`${formatCount(started)} started in the range`}>
      <ShareBar label={parts.map(({ name, count }) => `${name} ${share(count)}`).join(", ")} parts={parts} />
      <ul className="mt-3 flex flex-col">
        {parts.map(({ name, status, count, color }) => (
          <BreakdownRow
            key={name}
            link={{
              to: "/app/p/$projectId/executions",
              params: { projectId },
              search: { ...search, status },
            }}
            mark={color}
            name={name}
            count={count}
            share={share(count)}
          />
        ))}
      </ul>
      {started === 0 ? null : (
        <KeyValue
          className="mt-3 border-t px-2 pt-3"
          items={[
            { name: "Events each", value: formatCompact(totals.events.total / started) },
            { name: "Tokens each", value: formatCompact((totals.tokens.in + totals.tokens.out) / started) },
          ]}
        />
      )}
    </Card>
  );
}

const CLASSES_MAX = 10;
const severityMarks: Record<Severity, string> = {
  critical: "bg-fill-critical",
  high: "bg-fill-high",
  medium: "bg-fill-medium",
  low: "bg-fill-low",
};

/** Which failure classes fired in the range, the most frequent first. */
export function ClassCounts({ projectId, totals }: Omit<BreakdownProps, "search">) {
  const classRows = rankedClasses(totals.detections);
  const most = classRows[0]?.count ?? 0;
  const rest = classRows.slice(CLASSES_MAX);
  const total = classRows.reduce((sum, { count }) => sum + count, 0);
  return (
    <Card title="Detections by class" note={`${formatCount(total)} in the range`}>
      {classRows.length === 0 ? (
        <p className="py-6 text-center text-sm text-muted">No detector fired in this range.</p>
      ) : (
        <ul className="grid gap-x-4 sm:grid-cols-2">
          {classRows.slice(0, CLASSES_MAX).map(({ name, severity, count }) => (
            <BreakdownRow
              key={name}
              link={{
                to: "/app/p/$projectId/groups",
                params: { projectId },
                search: { class: name },
              }}
              mark={severityMarks[severity]}
              name={formatClass(name)}
              count={count}
              bar={count / most}
            />
          ))}
        </ul>
      )}
      {rest.length === 0 ? null : (
        <p className="mt-1 px-2 text-xs text-faint">
          and {formatCount(rest.reduce((sum, { count }) => sum + count, 0))} more in {rest.length} other{" "}
          {rest.length === 1 ? "class" : "classes"}
        </p>
      )}
    </Card>
  );
}

interface ClassRow {
  readonly name: string;
  /** The worst that it fired with. */
  readonly severity: Severity;
  readonly count: number;
}

function rankedClasses(detections: OverviewTotals["detections"]): ClassRow[] {
  const rows = new Map<string, ClassRow>();
  for (const { class: name, severity, count } of detections) {
    const known = rows.get(name);
    const own = SEVERITIES.find((each) => each === severity) ?? "low";
    const worst =
      known !== undefined && SEVERITIES.indexOf(known.severity) < SEVERITIES.indexOf(own)
        ? known.severity
        : own;
    rows.set(name, { name, severity: worst, count: (known?.count ?? 0) + count });
  }
  return [...rows.values()].sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
}

interface BreakdownRowProps {
  link?: LinkProps;
  /** A background class. */
  mark: string;
  name: ReactNode;
  /** A sentence about the name. */
  help?: string;
  count: number;
  share?: string;
  /** Its length beside that of the longest. */
  bar?: number;
}

export function BreakdownRow({ link, mark, name, help, count, share, bar }: BreakdownRowProps) {
  const content = (
    <>
      {bar === undefined ? null : (
        <span
          aria-hidden
          className={classes("absolute inset-y-0.5 left-0 rounded opacity-12", mark)}
          style={{ width: `${bar * 100}%` }}
        />
      )}
      <span
        aria-hidden
        className={classes("size-2 shrink-0 rounded-xs", help !== undefined && "mt-1.5 self-start", mark)}
      />
      <span className="relative min-w-0 flex-1">
        <span className="block truncate">{name}</span>
        {help === undefined ? null : <span className="block text-xs text-muted">{help}</span>}
      </span>
      <span className={classes("font-medium", help !== undefined && "self-start")}>{formatCount(count)}</span>
      {share === undefined ? null : <span className="w-14 text-right text-muted">{share}</span>}
    </>
  );
  const look = "relative flex min-h-7.5 items-center gap-2.5 rounded px-2 py-1 text-sm";
  return (
    <li className="min-w-0">
      {link === undefined ? (
        <div className={look}>{content}</div>
      ) : (
        <Link {...link} className={classes(look, "hover:bg-hover")}>
          {content}
        </Link>
      )}
    </li>
  );
}
