import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { X } from "lucide-react";
import { type ReactNode, useMemo } from "react";
import { ApiError } from "../../client.ts";
import { buttonClasses } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { type Severity, SeverityBadge } from "../../components/severity-badge.tsx";
import { Skeleton, SkeletonRows } from "../../components/skeleton.tsx";
import { Tabs } from "../../components/tabs.tsx";
import { TimeChart } from "../../components/time-chart.tsx";
import { TimeRangePicker } from "../../components/time-range-picker.tsx";
import { formatClass } from "../../format/failure-class.ts";
import { formatCompact } from "../../format/number.ts";
import { formatShortDateTime } from "../../format/time.ts";
import { useHasRole } from "../../session.ts";
import { type TimeRangeSearch, useTimeRange } from "../../time-range.ts";
import { ChangedDialog } from "./changed-dialog.tsx";
import { DetectionList } from "./detection-list.tsx";
import { GroupActions } from "./group-actions.tsx";
import { GroupAside } from "./group-aside.tsx";
import { GroupDeliveryList } from "./group-delivery-list.tsx";
import { GroupNotice } from "./group-notice.tsx";
import { groupQuery, occurrencesQuery } from "./group-queries.ts";
import type { GroupSearch, GroupTab } from "./group-search.ts";
import { GroupStateBadge } from "./group-state-badge.tsx";
import { HitExecutionList } from "./hit-execution-list.tsx";
import { LatestFiring } from "./latest-firing.tsx";
import { useGroupAction } from "./use-group-action.ts";

const ROUTE = "/app/p/$projectId/groups/$groupId";
const all: TimeRangeSearch = {};
/** On a narrow screen its parts stand in the page's one column, each at its own place. */
const column = (width: string) => `contents min-w-0 lg:flex lg:flex-col lg:gap-4 ${width}`;

/** A chart of few firings has marks between the numbers: those stay without one. */
const wholeCount = (count: number) => (Number.isInteger(count) ? formatCompact(count) : "");

export function GroupPage() {
  const { projectId, groupId } = useParams({ from: `/signed-in${ROUTE}` });
  const mayAct = useHasRole("member");
  const { data, error, isPending, refetch } = useQuery(groupQuery(projectId, groupId));
  // Here and not beside its buttons: these go when somebody else has merged the group.
  const action = useGroupAction(projectId);
  const crumbs = [
    <Link key="groups" to="/app/p/$projectId/groups" params={{ projectId }}>
      Failure groups
    </Link>,
  ];
  if (isPending) return <GroupPending crumbs={crumbs} />;
  if (data === undefined) {
    const isMissing = error instanceof ApiError && error.status === 404;
    return (
      <>
        <PageHeader title="Failure group" crumbs={crumbs} />
        {isMissing ? (
          <EmptyState
            title="There is no such failure group"
            action={
              <Link to="/app/p/$projectId/groups" params={{ projectId }} className={buttonClasses()}>
                All failure groups
              </Link>
            }
          >
            It may be of another project.
          </EmptyState>
        ) : (
          <ErrorState error={error} title="The group could not be loaded" onRetry={refetch} />
        )}
      </>
    );
  }
  const { group, detector, latest } = data;
  return (
    <>
      <PageHeader
        title={formatClass(group.class)}
        crumbs={crumbs}
        description={detector?.summary}
        marks={
          <>
            <SeverityBadge severity={group.severity} />
            <GroupStateBadge group={group} />
          </>
        }
        actions={
          mayAct && group.merged_into === null ? (
            <GroupActions projectId={projectId} group={group} action={action} />
          ) : null
        }
      />
      <ChangedDialog action={action} />
      <GroupNotice projectId={projectId} group={group} mayAct={mayAct} action={action} />
      {/* One column on a narrow screen, in the order of what is asked first: what fired, what to do, where, the rest. */}
      <div className="flex flex-col gap-4 lg:flex-row lg:items-start">
        <div className={column("lg:flex-1")}>
          {latest === null ? null : (
            <LatestFiring projectId={projectId} failureClass={group.class} detection={latest} />
          )}
          <Occurrences projectId={projectId} groupId={groupId} severity={group.severity} />
          <Evidence
            projectId={projectId}
            groupId={groupId}
            failureClass={group.class}
            severity={group.severity}
          />
        </div>
        <aside aria-label="About this group" className={column("lg:w-80 xl:w-96")}>
          <GroupAside projectId={projectId} detail={data} mayAct={mayAct} action={action} />
        </aside>
      </div>
    </>
  );
}

/** The range of the chart; the evidence follows it only when it was picked or brushed. */
function useRange(): { chart: TimeRangeSearch; evidence: TimeRangeSearch; onBrush: (ends: Ends) => void } {
  const { name, from, to, setEnds } = useTimeRange("7d");
  return useMemo(
    () => ({
      chart: name === null ? { from, to } : { range: name },
      evidence: name === null ? { from, to } : all,
      onBrush: setEnds,
    }),
    [name, from, to, setEnds],
  );
}

interface Ends {
  readonly from: string;
  readonly to: string;
}

interface GroupPartProps {
  projectId: string;
  groupId: string;
  severity: Severity;
}

function Occurrences({ projectId, groupId, severity }: GroupPartProps) {
  const { chart, onBrush } = useRange();
  const { data, error, isPending, refetch } = useQuery(occurrencesQuery(projectId, groupId, chart));
  const times = useMemo(() => {
    if (data === undefined) return [];
    const startMs = Date.parse(data.start_at);
    return data.counts.map((_, at) => new Date(startMs + at * data.bucket_s * 1000).toISOString());
  }, [data]);
  const series = useMemo(
    () => [{ name: "Firings", values: data?.counts ?? [], color: severity }],
    [data, severity],
  );
  return (
    <Card title="Occurrences" actions={<TimeRangePicker standard="7d" />}>
      {isPending ? (
        <Skeleton className="h-45 w-full" />
      ) : data === undefined ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : (
        <TimeChart
          label="Firings over time"
          kind="bars"
          summary="total"
          format={wholeCount}
          times={times}
          series={series}
          onBrush={onBrush}
        />
      )}
    </Card>
  );
}

function Evidence({ projectId, groupId, failureClass, severity }: GroupPartProps & { failureClass: string }) {
  const search: GroupSearch = useSearch({ from: `/signed-in${ROUTE}` });
  const navigate = useNavigate();
  const { evidence } = useRange();
  const change = (part: Partial<GroupSearch>) =>
    void navigate({
      to: ROUTE,
      params: { projectId, groupId },
      search: { ...search, ...part },
      replace: true,
      resetScroll: false,
    });
  return (
    <div className="min-w-0 max-lg:order-2">
      {evidence.from === undefined || evidence.to === undefined || search.tab === "deliveries" ? null : (
        <button
          type="button"
          onClick={() => change({ from: undefined, to: undefined })}
          className="mb-1 inline-flex h-6 items-center gap-1 rounded-full border bg-surface pr-1.5 pl-2.5 text-xs text-muted hover:bg-hover hover:text-ink"
        >
          <span className="sr-only">Without the filter </span>
          {formatShortDateTime(evidence.from)} – {formatShortDateTime(evidence.to)}
          <X className="size-3" aria-hidden />
        </button>
      )}
      <Tabs<GroupTab>
        label="Evidence"
        value={search.tab ?? "detections"}
        onChange={(tab) => change({ tab: tab === "detections" ? undefined : tab })}
        tabs={[
          {
            value: "detections",
            label: "Detections",
            content: (
              <DetectionList
                projectId={projectId}
                groupId={groupId}
                range={evidence}
                failureClass={failureClass}
                severity={severity}
              />
            ),
          },
          {
            value: "executions",
            label: "Executions",
            content: <HitExecutionList projectId={projectId} groupId={groupId} range={evidence} />,
          },
          {
            value: "deliveries",
            label: "Deliveries",
            content: <GroupDeliveryList projectId={projectId} groupId={groupId} />,
          },
        ]}
      />
    </div>
  );
}

function GroupPending({ crumbs }: { crumbs: readonly ReactNode[] }) {
  return (
    <>
      <PageHeader title="Failure group" crumbs={crumbs} />
      <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_20rem] xl:grid-cols-[minmax(0,1fr)_24rem]">
        <Card>
          <SkeletonRows rows={10} />
        </Card>
        <Card>
          <SkeletonRows rows={6} />
        </Card>
      </div>
    </>
  );
}
