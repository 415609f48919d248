import { StatusBadge } from "../../components/status-badge.tsx";
import type { DeliveryEntry } from "./settings-queries.ts";

/** A delivery that waits for its first try is pending; one that waits for another is being retried. */
export function DeliveryStatusBadge({
  delivery,
}: {
  delivery: Pick<DeliveryEntry, "status" | "attempt_count">;
}) {
  const retrying = delivery.status === "pending" && delivery.attempt_count > 0;
  return <StatusBadge status={retrying ? "retrying" : delivery.status} />;
}
