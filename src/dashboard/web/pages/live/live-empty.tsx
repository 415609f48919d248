import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { DatabaseZap, Radio } from "lucide-react";
import { buttonClasses } from "../../components/button.tsx";
import { CodeBlock } from "../../components/code-block.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { firstEventQuery } from "../settings/settings-queries.ts";

/**
 * A tail without a filter and without a row: nothing was ever sent, nothing is sent now, or nobody can tell.
 */
export function LiveEmpty({ projectId, isStoreAway }: { projectId: string; isStoreAway: boolean }) {
  const first = useQuery({ ...firstEventQuery(projectId), enabled: !isStoreAway });
  if (isStoreAway) {
    return (
      <EmptyState icon={<DatabaseZap />} title="The database does not answer">
        The tail goes on by itself where it was, as soon as it does.
      </EmptyState>
    );
  }
  if (first.data?.received !== false) {
    return (
      <EmptyState
        icon={<Radio />}
        title="Quiet at the moment"
        action={
          <Link to="/app/p/$projectId/executions" params={{ projectId }} className={buttonClasses()}>
            Executions
          </Link>
        }
      >
        Events appear here the moment they are stored. The tail begins a minute back; what came before stands
        under the executions.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={<Radio />}
      title="Waiting for the first event"
      action={
        <Link to="/app/p/$projectId/start" params={{ projectId }} className={buttonClasses("primary")}>
          How to send it
        </Link>
      }
    >
      <p>Events appear here the moment they are stored. To try it out, let invented agents run:</p>
      <div className="mt-3 text-left">
        <CodeBlock hideLabel wrap label="command" code={`bun run cli demo --live --project ${projectId}`} />
      </div>
    </EmptyState>
  );
}
