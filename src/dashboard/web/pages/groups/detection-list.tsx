import { useInfiniteQuery } from "@tanstack/react-query";
import { Card } from "../../components/card.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { Pagination } from "../../components/pagination.tsx";
import { RelativeTime } from "../../components/relative-time.tsx";
import { type Severity, SeverityBadge } from "../../components/severity-badge.tsx";
import { SkeletonRows } from "../../components/skeleton.tsx";
import { formatDecimal } from "../../format/number.ts";
import type { TimeRangeSearch } from "../../time-range.ts";
import { EventLinks, ExecutionLink } from "./event-links.tsx";
import { detectionsQuery } from "./group-queries.ts";
import { RuleBadges } from "./rule-badges.tsx";

export interface EvidenceListProps {
  projectId: string;
  groupId: string;
  /** Empty: all. */
  range: TimeRangeSearch;
}

/** Every firing: what fired, and why. */
export function DetectionList({ projectId, groupId, range }: EvidenceListProps) {
  const list = useInfiniteQuery(detectionsQuery(projectId, groupId, range));
  if (list.isPending) return <SkeletonRows />;
  if (list.isError) return <ErrorState error={list.error} onRetry={() => list.refetch()} />;
  const detections = list.data.pages.flatMap((page) => page.items);
  if (detections.length === 0) {
    return (
      <EmptyState title="No detection is stored">
        None fell into this time, or its project no longer keeps them.
      </EmptyState>
    );
  }
  return (
    <Card flush>
      <ol aria-label="Detections">
        {detections.map((detection) => (
          <li key={detection.id} className="flex flex-col gap-1.5 border-b px-4 py-3">
            <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-muted">
              <SeverityBadge severity={detection.severity as Severity} />
              <RelativeTime time={detection.detected_at} />
              <span>score {formatDecimal(detection.score)}</span>
              {detection.group_id === groupId ? null : <span>of a merged group</span>}
              <span className="ml-auto text-faint">detector version {detection.detector_version}</span>
            </div>
            <p className="font-mono text-xs break-words whitespace-pre-wrap">{detection.excerpt}</p>
            <RuleBadges ruleIds={detection.rule_ids} />
            <div className="flex min-w-0 flex-wrap items-baseline gap-x-4 gap-y-0.5 text-xs text-muted">
              <span className="inline-flex min-w-0 items-baseline gap-1.5">
                Execution <ExecutionLink projectId={projectId} executionId={detection.execution_id} />
              </span>
              {detection.event_id === null ? null : (
                <span className="inline-flex min-w-0 items-baseline gap-1.5">
                  Event
                  <EventLinks
                    projectId={projectId}
                    executionId={detection.execution_id}
                    eventIds={[detection.event_id]}
                  />
                </span>
              )}
              {detection.evidence_event_ids.length === 0 ? null : (
                <span className="inline-flex min-w-0 items-baseline gap-1.5">
                  Evidence
                  <EventLinks
                    projectId={projectId}
                    executionId={detection.execution_id}
                    eventIds={detection.evidence_event_ids}
                  />
                </span>
              )}
            </div>
          </li>
        ))}
      </ol>
      <Pagination
        shown={detections.length}
        noun={detections.length === 1 ? "detection" : "detections"}
        hasMore={list.hasNextPage}
        loading={list.isFetchingNextPage}
        onMore={list.fetchNextPage}
      />
    </Card>
  );
}
