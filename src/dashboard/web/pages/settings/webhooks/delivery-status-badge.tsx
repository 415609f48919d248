import { StatusBadge } from "../../../components/status-badge.tsx";

/** A delivery that waits for its first attempt is pending; one that waits for another is being retried. */
export function DeliveryStatusBadge({
  delivery,
}: {
  delivery: { readonly status: string; readonly attempt_count: number };
}) {
  const retrying = delivery.status === "pending" && delivery.attempt_count > 0;
  return <StatusBadge status={retrying ? "retrying" : delivery.status} />;
}
