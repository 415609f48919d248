import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowRight, CircleCheck } from "lucide-react";
import { buttonClasses } from "../../components/button.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { RelativeTime } from "../../components/relative-time.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { firstEventQuery } from "../settings/settings-queries.ts";

const linkClasses = "text-accent hover:underline";

/** Dark until the first event of the project is stored, which it sees within a second or two. */
export function FirstEventStatus({ projectId }: { projectId: string }) {
  const { data, error, refetch } = useQuery(firstEventQuery(projectId));
  if (data === undefined)
    return error === null ? (
      <Skeleton className="h-16 w-full" />
    ) : (
      <ErrorState error={error} title="Whether an event has come could not be asked" onRetry={refetch} />
    );
  return (
    <div role="status">
      {data.received ? (
        <div className="flex animate-appear flex-col gap-3 rounded-md border border-ok/40 bg-ok/12 px-4 py-3">
          <p className="flex items-center gap-2 text-sm font-medium text-ok">
            <CircleCheck className="size-5 shrink-0" aria-hidden />
            The first event is stored.
            <span className="font-normal">
              <RelativeTime time={data.received_at} none="" />
            </span>
          </p>
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-sm">
            {data.execution_id === null ? null : (
              <Link
                to="/app/p/$projectId/executions/$executionId"
                params={{ projectId, executionId: data.execution_id }}
                className={buttonClasses("primary")}
              >
                Look at the execution
                <ArrowRight aria-hidden />
              </Link>
            )}
            <Link to="/app/p/$projectId/overview" params={{ projectId }} className={linkClasses}>
              Overview
            </Link>
            <Link to="/app/p/$projectId/live" params={{ projectId }} className={linkClasses}>
              Live tail
            </Link>
            <Link to="/app/p/$projectId/settings/webhooks" params={{ projectId }} className={linkClasses}>
              Add a webhook
            </Link>
          </div>
        </div>
      ) : (
        <div className="flex items-center gap-3 rounded-md border border-dashed border-line-strong px-4 py-4">
          <span className="relative flex size-3 shrink-0" aria-hidden>
            <span className="absolute inline-flex size-full animate-ping rounded-full bg-info/60" />
            <span className="relative inline-flex size-3 rounded-full bg-info" />
          </span>
          <p className="text-sm">
            <span className="font-medium">Waiting for the first event.</span>{" "}
            <span className="text-muted">This page sees it by itself, a moment after it is stored.</span>
          </p>
        </div>
      )}
    </div>
  );
}
