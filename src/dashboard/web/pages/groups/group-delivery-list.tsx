import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, type LinkProps } from "@tanstack/react-router";
import { Webhook } from "lucide-react";
import { buttonClasses } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { DataTable, type TableColumn } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { Pagination } from "../../components/pagination.tsx";
import { RelativeTime } from "../../components/relative-time.tsx";
import { SkeletonRows } from "../../components/skeleton.tsx";
import { outcomeText } from "../settings/webhooks/delivery-outcome.ts";
import { DeliveryStatusBadge } from "../settings/webhooks/delivery-status-badge.tsx";
import { groupDeliveriesQuery } from "./group-queries.ts";

interface GroupDelivery {
  readonly id: string;
  readonly webhook_id: string;
  readonly webhook_host: string;
  readonly status: string;
  readonly attempt_count: number;
  readonly last_outcome: string | null;
  readonly created_at: string;
  readonly finished_at: string | null;
}

const columns: readonly TableColumn<GroupDelivery>[] = [
  {
    id: "webhook",
    header: "Webhook",
    className: "max-w-0 w-full min-w-36",
    cell: (each) => <span className="block truncate">{each.webhook_host || each.webhook_id}</span>,
  },
  { id: "status", header: "Status", cell: (each) => <DeliveryStatusBadge delivery={each} /> },
  { id: "attempts", header: "Attempts", align: "right", cell: (each) => each.attempt_count },
  {
    id: "outcome",
    header: "Last answer",
    hideBelow: "sm",
    cell: (each) => <span className="whitespace-nowrap text-muted">{outcomeText(each.last_outcome)}</span>,
  },
  {
    id: "created",
    header: "Created",
    interactive: true,
    hideBelow: "sm",
    cell: (each) => <RelativeTime time={each.created_at} />,
  },
];

/** The notifications about the group, each leading to what was sent and answered in its webhook's log. */
export function GroupDeliveryList({ projectId, groupId }: { projectId: string; groupId: string }) {
  const list = useInfiniteQuery(groupDeliveriesQuery(projectId, groupId));
  if (list.isPending) return <SkeletonRows />;
  if (list.isError) return <ErrorState error={list.error} onRetry={() => list.refetch()} />;
  const deliveries = list.data.pages.flatMap((page) => page.items);
  if (deliveries.length === 0) {
    return (
      <EmptyState
        icon={<Webhook />}
        title="No notification was sent about this group"
        action={
          <Link to="/app/p/$projectId/settings/webhooks" params={{ projectId }} className={buttonClasses()}>
            Webhooks
          </Link>
        }
      >
        A webhook hears of the first firing, of the first after the cooldown, and of a regression.
      </EmptyState>
    );
  }
  return (
    <Card flush>
      <DataTable<GroupDelivery>
        label="Deliveries"
        columns={columns}
        rows={deliveries}
        rowId={(each) => each.id}
        rowLink={(each): LinkProps => ({
          to: "/app/p/$projectId/settings/webhooks/$webhookId",
          params: { projectId, webhookId: each.webhook_id },
          search: { delivery: each.id },
        })}
      />
      <Pagination
        shown={deliveries.length}
        noun={deliveries.length === 1 ? "delivery" : "deliveries"}
        hasMore={list.hasNextPage}
        loading={list.isFetchingNextPage}
        onMore={list.fetchNextPage}
      />
    </Card>
  );
}
