import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Card } from "../../../components/card.tsx";
import { DataTable, type TableColumn } from "../../../components/data-table.tsx";
import { EmptyState } from "../../../components/empty-state.tsx";
import { ErrorState } from "../../../components/error-state.tsx";
import { Pagination } from "../../../components/pagination.tsx";
import { RelativeTime } from "../../../components/relative-time.tsx";
import { Select } from "../../../components/select.tsx";
import { SkeletonRows } from "../../../components/skeleton.tsx";
import { useProjectId } from "../../../projects.ts";
import { type DeliveryEntry, deliveriesQuery } from "../settings-queries.ts";
import { outcomeText } from "./delivery-outcome.ts";
import { DeliveryStatusBadge } from "./delivery-status-badge.tsx";
import { DELIVERY_STATUSES, type DeliveryStatus, type WebhookSearch } from "./webhook-search.ts";

const columns: readonly TableColumn<DeliveryEntry>[] = [
  {
    id: "what",
    header: "Notification",
    className: "max-w-0 w-full min-w-28",
    cell: (delivery) =>
      delivery.event === "webhook.test" ? (
        <span className="text-muted">Test</span>
      ) : (
        <span className="block truncate font-mono text-xs" title={delivery.failure_class ?? delivery.event}>
          {delivery.failure_class ?? delivery.event}
        </span>
      ),
  },
  { id: "status", header: "Status", cell: (delivery) => <DeliveryStatusBadge delivery={delivery} /> },
  {
    id: "outcome",
    header: "Last answer",
    hideBelow: "sm",
    cell: (delivery) => <span className="text-muted">{outcomeText(delivery.last_outcome)}</span>,
  },
  {
    id: "attempts",
    header: "Attempts",
    align: "right",
    hideBelow: "md",
    cell: (delivery) => delivery.attempt_count,
  },
  {
    id: "next",
    header: "Next attempt",
    align: "right",
    hideBelow: "lg",
    cell: (delivery) => <RelativeTime time={delivery.next_attempt_at} isAhead />,
  },
  {
    id: "created",
    header: "Created",
    align: "right",
    cell: (delivery) => <RelativeTime time={delivery.created_at} />,
  },
];

const filters = [
  { value: "" as const, label: "All" },
  ...DELIVERY_STATUSES.map((status) => ({
    value: status,
    label: status.charAt(0).toUpperCase() + status.slice(1),
  })),
];

/** What was sent, newest first. A row opens its delivery beside the list. */
export function DeliveryLog({ webhookId, isDisabled }: { webhookId: string; isDisabled: boolean }) {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const { status }: WebhookSearch = useSearch({ strict: false });
  const query = useInfiniteQuery(deliveriesQuery(projectId, webhookId, status));
  const rows = query.data?.pages.flatMap((page) => page.items);
  const filterBy = (next: DeliveryStatus | "") =>
    navigate({
      to: ".",
      search: (current: Record<string, unknown>) => ({ ...current, status: next === "" ? undefined : next }),
      replace: true,
      resetScroll: false,
    });

  return (
    <Card
      flush
      title="Deliveries"
      note="kept for 30 days"
      actions={
        <Select
          label="Show deliveries by status"
          prefix="Status:"
          className="w-44"
          value={status ?? ""}
          options={filters}
          onChange={filterBy}
        />
      }
    >
      {rows === undefined ? (
        query.error === null ? (
          <SkeletonRows rows={5} />
        ) : (
          <ErrorState error={query.error} title="The log could not be loaded" onRetry={query.refetch} />
        )
      ) : rows.length === 0 ? (
        <EmptyState title={status === undefined ? "Nothing was sent yet" : `No delivery is ${status}`}>
          {status !== undefined
            ? "Another status may have some."
            : isDisabled
              ? "Enable it, and the next failure class that fires is sent. A test is sent all the same."
              : "Send a test to see what a receiver gets, or wait for the first failure class to fire."}
        </EmptyState>
      ) : (
        <>
          <DataTable
            label="Deliveries"
            columns={columns}
            rows={rows}
            rowId={(delivery) => delivery.id}
            rowLink={(delivery) => ({
              to: ".",
              search: (current: Record<string, unknown>) => ({ ...current, delivery: delivery.id }),
              resetScroll: false,
            })}
          />
          <Pagination
            shown={rows.length}
            noun={rows.length === 1 ? "delivery" : "deliveries"}
            hasMore={query.hasNextPage}
            loading={query.isFetchingNextPage}
            onMore={query.fetchNextPage}
          />
        </>
      )}
    </Card>
  );
}
