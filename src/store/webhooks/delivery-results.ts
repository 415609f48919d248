import type postgres from "postgres";
import {
  type ClaimedDelivery,
  type ClaimKey,
  DeliveryRank,
  HOLD_MS_MAX,
  type Statements,
  TEST_EVENT,
} from "./deliveries.ts";

/**
 * What became of an attempt: kept in the log, and of the delivery and its webhook what follows from it.
 * Invariant: a failure leaves alone the delivery that is another worker's by now, and a result the webhook
 * that has another address by now.
 */

/** What is kept of an attempt. */
export interface AttemptRecord {
  startedMs: number;
  durationMs: number;
  statusCode: number | null;
  errorClass: string | null;
  remoteAddress: string | null;
  responseExcerpt: string | null;
  requestHeaders: Readonly<Record<string, string>>;
}

export interface RecordInput {
  claim: ClaimedDelivery;
  attempt: AttemptRecord;
  nowMs: number;
}

/**
 * The receiver has it. Counts also from a worker that lost its lease meanwhile, though others have given the
 * delivery up or cancelled it since, and from an address that the webhook no longer has: of the one that it
 * has now it says nothing. Answers whether that is news: another worker may have delivered it as well, or its
 * webhook may be gone.
 */
export async function recordSuccess(
  sql: postgres.Sql,
  { claim, attempt, nowMs }: RecordInput,
): Promise<boolean> {
  return await sql.begin(async (tx) => {
    if (claim.event !== TEST_EVENT) {
      await tx`
        update ats.webhook set failing_since = null
        where project_no = ${claim.projectNo} and webhook_id = ${claim.webhookId} and url = ${claim.url}
          and failing_since is not null`;
    }
    const { count } = await tx`
      update ats.delivery
      set status = 'delivered', finished_at = ${new Date(nowMs)}, last_outcome = ${outcomeOf(attempt)}
      where project_no = ${claim.projectNo} and delivery_id = ${claim.deliveryId} and status <> 'delivered'`;
    await insertAttempt(tx, claim, attempt);
    return count > 0;
  });
}

/** What a failed attempt leads to; src/notify decides. */
export type FailureVerdict =
  /** `holdUntilMs`: the receiver asks that nothing at all be sent until then. */
  | { kind: "retry"; dueMs: number; holdUntilMs: number | null }
  | { kind: "give_up" }
  | { kind: "disable"; reason: string };

/**
 * The webhook when an attempt's failure is recorded, which may have been changed since the attempt was
 * claimed.
 */
export interface FailedWebhook {
  disabled: boolean;
  /** As it was before this failure. */
  failingSince: Date | null;
  /** Has another address than the one that was tried. */
  moved: boolean;
}

export interface RecordedFailure {
  /** What became of the delivery; null where it is another worker's now, or was deleted. */
  status: "pending" | "failed" | "cancelled" | null;
  /**
   * Why this failure, and none before it, disabled the webhook: what else that is owed is to be cancelled.
   */
  disabledFor: string | null;
}

/**
 * An attempt has failed: `decide` says what that leads to. Neither tests nor what an address did that the
 * webhook no longer has count against it. Of a worker that lost its lease only the log entry is kept: the
 * delivery is another's now.
 */
export async function recordFailure(
  sql: postgres.Sql,
  { claim, attempt, nowMs, decide }: RecordInput & { decide: (webhook: FailedWebhook) => FailureVerdict },
): Promise<RecordedFailure> {
  return await sql.begin(async (tx) => {
    const webhook = await lockWebhook(tx, claim);
    // Deleted, and what it was owed with it.
    if (webhook === undefined) return { status: null, disabledFor: null };
    const verdict = decide(webhook);
    if (claim.event !== TEST_EVENT && !webhook.moved) {
      await noteFailureOnWebhook(tx, { claim, nowMs, verdict });
    }
    const status = verdict.kind === "retry" ? (webhook.disabled ? "cancelled" : "pending") : "failed";
    const updated = await tx`
      update ats.delivery
      set status = ${status}, failure_count = failure_count + 1, last_outcome = ${outcomeOf(attempt)},
        rank = greatest(rank, ${DeliveryRank.again}),
        due_at = ${new Date(verdict.kind === "retry" ? verdict.dueMs : nowMs)},
        finished_at = ${status === "pending" ? null : new Date(nowMs)}
      where project_no = ${claim.projectNo} and delivery_id = ${claim.deliveryId}
        and status = 'delivering' and attempt_count = ${claim.attemptNo}`;
    await insertAttempt(tx, claim, attempt);
    return {
      status: updated.count === 0 ? null : status,
      disabledFor: verdict.kind === "disable" && !webhook.disabled ? verdict.reason : null,
    };
  });
}

async function lockWebhook(tx: Statements, claim: ClaimedDelivery): Promise<FailedWebhook | undefined> {
  const [webhook] = await tx<FailedWebhook[]>`
    select disabled_at is not null as disabled, failing_since as "failingSince", url <> ${claim.url} as moved
    from ats.webhook
    where project_no = ${claim.projectNo} and webhook_id = ${claim.webhookId}
    for no key update`;
  return webhook;
}

async function noteFailureOnWebhook(
  tx: Statements,
  { claim, nowMs, verdict }: { claim: ClaimedDelivery; nowMs: number; verdict: FailureVerdict },
): Promise<void> {
  const now = new Date(nowMs);
  const reason = verdict.kind === "disable" ? verdict.reason : null;
  const hold =
    verdict.kind === "retry" && verdict.holdUntilMs !== null ? new Date(verdict.holdUntilMs) : null;
  await tx`
    update ats.webhook
    set failing_since = coalesce(failing_since, ${now}), last_failed_at = ${now},
      -- Of answers to attempts side by side, the longest pause. One beyond every measure is from before this clock was set back.
      held_until = greatest(${hold}, case when held_until <= ${new Date(nowMs + HOLD_MS_MAX)} then held_until end),
      disabled_at = case when ${reason}::text is null then disabled_at else coalesce(disabled_at, ${now}) end,
      disabled_reason = case when disabled_at is null then coalesce(${reason}, disabled_reason) else disabled_reason end
    where project_no = ${claim.projectNo} and webhook_id = ${claim.webhookId}`;
}

/**
 * Some 300 ms of work. In one statement a million took 55 s, far beyond the time that a statement of the
 * delivery has.
 */
const CANCELLED_AT_ONCE = 5_000;

/**
 * Whatever waits for a webhook as long as that is disabled; attempts under way end by themselves. In steps,
 * each a transaction of its own: what a stop leaves over is cancelled when it is claimed. Answers how many.
 */
export async function cancelOwed(
  sql: postgres.Sql,
  webhook: Pick<ClaimedDelivery, "projectNo" | "webhookId">,
  nowMs: number,
): Promise<number> {
  let cancelled = 0;
  for (let count = CANCELLED_AT_ONCE; count === CANCELLED_AT_ONCE; ) {
    ({ count } = await sql`
      with disabled as (
        select project_no, webhook_id from ats.webhook
        where project_no = ${webhook.projectNo} and webhook_id = ${webhook.webhookId} and disabled_at is not null
        for share
      ), owed as (
        select d.project_no, d.delivery_id from disabled join ats.delivery d using (project_no, webhook_id)
        where d.finished_at is null and d.status = 'pending' and d.event <> ${TEST_EVENT}
        limit ${CANCELLED_AT_ONCE}
        for update of d
      )
      update ats.delivery d set status = 'cancelled', finished_at = ${new Date(nowMs)}
      from owed where d.project_no = owed.project_no and d.delivery_id = owed.delivery_id`);
    cancelled += count;
  }
  return cancelled;
}

/**
 * A delivery claimed for a webhook that was disabled before the delivery was written or handed back. Nothing
 * is sent, so the claim is no attempt.
 */
export async function cancelClaim(sql: Statements, claim: ClaimKey, nowMs: number): Promise<void> {
  await sql`
    update ats.delivery
    set status = 'cancelled', finished_at = ${new Date(nowMs)}, last_outcome = 'webhook_disabled',
      attempt_count = attempt_count - 1
    where project_no = ${claim.projectNo} and delivery_id = ${claim.deliveryId}
      and status = 'delivering' and attempt_count = ${claim.attemptNo}`;
}

/** A status, but for a 2xx that did not come whole: that would read as a success. */
export function outcomeOf({
  statusCode,
  errorClass,
}: Pick<AttemptRecord, "statusCode" | "errorClass">): string {
  const isTelling = statusCode !== null && (errorClass === null || statusCode >= 300);
  return isTelling ? String(statusCode) : (errorClass ?? "unknown");
}

/**
 * Selected from the delivery, so that nothing is written, and nothing fails, where the webhook was deleted.
 */
async function insertAttempt(tx: Statements, claim: ClaimedDelivery, attempt: AttemptRecord): Promise<void> {
  await tx`
    insert into ats.delivery_attempt (project_no, delivery_id, attempt_no, started_at, duration_ms, status_code,
      error_class, remote_address, response_excerpt, request_headers)
    select project_no, delivery_id, ${claim.attemptNo}::int, ${new Date(attempt.startedMs)}::timestamptz,
      ${attempt.durationMs}::int, ${attempt.statusCode}::smallint, ${attempt.errorClass}::text,
      ${attempt.remoteAddress}::text, ${attempt.responseExcerpt}::text,
      ${JSON.stringify(attempt.requestHeaders)}::text::json
    from ats.delivery where project_no = ${claim.projectNo} and delivery_id = ${claim.deliveryId}
    on conflict (project_no, delivery_id, attempt_no) do update
    set started_at = excluded.started_at, duration_ms = excluded.duration_ms, status_code = excluded.status_code,
      error_class = excluded.error_class, remote_address = excluded.remote_address,
      response_excerpt = excluded.response_excerpt, request_headers = excluded.request_headers`;
}
