import type { DetectionSql } from "../../store/detection/detection-session.ts";
import type { OweOccurrence } from "../../store/groups/failure-groups.ts";
import { enqueueFirstOccurrence, FIRST_OCCURRENCE_EVENT } from "../../store/webhooks/deliveries.ts";

/** Where the news of a failure group goes: into the table of deliveries, in the transaction of the group. */
export function oweOccurrence(appUrl: string): OweOccurrence<DetectionSql> {
  return (sql, occurrence) =>
    enqueueFirstOccurrence(sql, {
      projectNo: occurrence.projectNo,
      kind: FIRST_OCCURRENCE_EVENT,
      groupId: occurrence.groupId,
      failureClass: occurrence.class,
      signature: occurrence.signature,
      severity: occurrence.severity,
      firstSeenMs: occurrence.firstSeenMs,
      appUrl,
      nowMs: occurrence.nowMs,
    });
}
