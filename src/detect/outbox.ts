import { enqueueFirstOccurrence, FIRST_OCCURRENCE_EVENT } from "../store/deliveries.ts";
import type { DetectionSql } from "../store/detection-session.ts";
import type { OweOccurrence } from "../store/failure-groups.ts";

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
