import { StatusBadge } from "../../components/status-badge.tsx";
import type { GroupItem } from "./group-queries.ts";

/** Where a group stands: open, open again (regressed), resolved or ignored. */
export function GroupStateBadge({ group }: { group: Pick<GroupItem, "state" | "regressed"> }) {
  return <StatusBadge status={group.regressed ? "regressed" : group.state} />;
}
