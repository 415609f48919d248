import { Link } from "@tanstack/react-router";
import { ListTree, ShieldCheck } from "lucide-react";
import { EmptyState } from "../../components/empty-state.tsx";
import { formatCount } from "../../format/number.ts";
import { DetectionCard } from "./detection-card.tsx";
import type { Execution } from "./execution-queries.ts";

/** Everything that fired in an execution, worst first. */
export function ExecutionDetections({ projectId, execution }: { projectId: string; execution: Execution }) {
  const { items, complete } = execution.detections;
  if (items.length === 0) {
    return (
      <EmptyState title="Nothing was detected" icon={<ShieldCheck />}>
        {execution.status === "started"
          ? "Detectors look at every event as it comes in."
          : "Every event of this execution was looked at by every detector that is on."}
      </EmptyState>
    );
  }
  return (
    <>
      <h2 className="sr-only">Detections</h2>
      <ul className="divide-y">
        {items.map((detection) => (
          <li key={detection.detection_id}>
            <DetectionCard
              projectId={projectId}
              detection={detection}
              place={
                detection.event_id === null ? (
                  <span className="text-muted">Fired by a status change or the clock</span>
                ) : (
                  <Link
                    to="/app/p/$projectId/executions/$executionId"
                    params={{ projectId, executionId: execution.execution_id }}
                    search={{ event: detection.event_id }}
                  >
                    <ListTree aria-hidden />
                    {detection.sequence === null ? "Event" : `Event ${formatCount(detection.sequence)}`} in
                    the timeline
                  </Link>
                )
              }
            />
          </li>
        ))}
      </ul>
      {complete ? null : (
        <p className="border-t px-4 py-2.5 text-xs text-muted">The {items.length} worst; there are more.</p>
      )}
    </>
  );
}
