import { Card } from "../../components/card.tsx";
import { CodeBlock } from "../../components/code-block.tsx";
import { RelativeTime } from "../../components/relative-time.tsx";
import { formatScore } from "../../format/number.ts";
import { EventLinks, ExecutionLink } from "./event-links.tsx";
import type { GroupDetail } from "./group-queries.ts";
import { RuleBadges } from "./rule-badges.tsx";

export interface LatestFiringProps {
  projectId: string;
  failureClass: string;
  detection: NonNullable<GroupDetail["latest"]>;
}

/** What fired last, and why: the redacted excerpt, the rules, how sure the detector is, and where to look. */
export function LatestFiring({ projectId, failureClass, detection }: LatestFiringProps) {
  return (
    <Card title="Latest firing" note={<RelativeTime time={detection.detected_at} />}>
      {detection.excerpt.trim() === "" ? null : (
        <div className="mb-3">
          <CodeBlock code={detection.excerpt} label="redacted excerpt" hideLabel wrap className="max-h-60" />
        </div>
      )}
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-4 gap-y-2 text-sm">
        <dt className="text-muted">Rules</dt>
        <dd className="min-w-0">
          <RuleBadges ruleIds={detection.rule_ids} failureClass={failureClass} />
        </dd>
        <dt className="text-muted">Score</dt>
        <dd>
          <Score value={detection.score} />
        </dd>
        <dt className="text-muted">Execution</dt>
        <dd className="flex min-w-0">
          <ExecutionLink projectId={projectId} executionId={detection.execution_id} />
        </dd>
        {detection.event_id === null ? null : (
          <>
            <dt className="text-muted">Event</dt>
            <dd className="min-w-0">
              <EventLinks
                projectId={projectId}
                executionId={detection.execution_id}
                eventIds={[detection.event_id]}
              />
            </dd>
          </>
        )}
        {detection.evidence_event_ids.length === 0 ? null : (
          <>
            <dt className="text-muted">Evidence</dt>
            <dd className="min-w-0">
              <EventLinks
                projectId={projectId}
                executionId={detection.execution_id}
                eventIds={detection.evidence_event_ids}
              />
            </dd>
          </>
        )}
        <dt className="text-muted">Detector</dt>
        <dd>version {detection.detector_version}</dd>
      </dl>
    </Card>
  );
}

function Score({ value }: { value: number }) {
  return (
    <span className="inline-flex items-center gap-2">
      <span aria-hidden className="h-1.5 w-24 overflow-hidden rounded-full bg-hover">
        <span className="block h-full rounded-full bg-series-1" style={{ width: `${value * 100}%` }} />
      </span>
      {formatScore(value)}
    </span>
  );
}
