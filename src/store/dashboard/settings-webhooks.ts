import type { Sql } from "../database/connect.ts";
import { heldUntil, TEST_EVENT } from "../webhooks/deliveries.ts";
import type { deliveryStatuses } from "../webhooks/delivery-admin.ts";

/**
 * Webhooks and their deliveries as the settings pages show them. Invariant: no secret is ever selected here.
 * Every question is of one project, whose number the caller has checked, so an id of another project finds
 * nothing.
 */

/**
 * How long a webhook that failed and has delivered since still counts as failing: told by the latest try
 * alone, one that flaps would flicker.
 */
export const FAILED_LATELY = "5 minutes";

export interface WebhookRow {
  readonly id: string;
  readonly url: string;
  readonly created_at: Date;
  readonly disabled_at: Date | null;
  readonly disabled_reason: string | null;
  readonly failing_since: Date | null;
  /** The latest failure, where it is of the last minutes, whatever came since. */
  readonly failed_lately_at: Date | null;
  /** Its receiver asked for a pause, and until then it is sent nothing but tests. */
  readonly held_until: Date | null;
  /** Until then the secret before the last rotation signs as well; null when that is over. */
  readonly previous_secret_until: Date | null;
  /** Of the deliveries written in the last 24 hours, tests not counted. */
  readonly delivered_24h: number;
  readonly failed_24h: number;
  readonly cancelled_24h: number;
  readonly pending: number;
  /** When the latest notification was written, arrived or not; a test too. */
  readonly last_notification_at: Date | null;
}

export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** All webhooks of a project, or the one with the id. */
export async function readWebhooks(
  sql: Sql,
  projectNo: number,
  webhookId: string | null = null,
): Promise<WebhookRow[]> {
  return await sql<WebhookRow[]>`
    select w.webhook_id as id, w.url, w.created_at, w.disabled_at, w.disabled_reason, w.failing_since,
      case when w.last_failed_at > now() - ${FAILED_LATELY}::interval then w.last_failed_at end as failed_lately_at,
      ${heldUntil(sql)} as held_until,
      case when w.previous_secret_until > now() then w.previous_secret_until end as previous_secret_until,
      coalesce(day.delivered, 0) as delivered_24h, coalesce(day.failed, 0) as failed_24h,
      coalesce(day.cancelled, 0) as cancelled_24h, owed.pending, latest.created_at as last_notification_at
    from ats.webhook w
    left join (
      select d.webhook_id, (count(*) filter (where d.status = 'delivered'))::int as delivered,
        (count(*) filter (where d.status = 'failed'))::int as failed,
        (count(*) filter (where d.status = 'cancelled'))::int as cancelled
      from ats.delivery d
      where d.project_no = ${projectNo} and d.created_at > now() - interval '24 hours' and d.event <> ${TEST_EVENT}
      group by d.webhook_id
    ) day on day.webhook_id = w.webhook_id
    cross join lateral (
      select count(*)::int as pending from ats.delivery d
      where d.project_no = w.project_no and d.webhook_id = w.webhook_id and d.finished_at is null
    ) owed
    left join lateral (
      select d.created_at from ats.delivery d
      where d.project_no = w.project_no and d.webhook_id = w.webhook_id
      order by d.created_at desc limit 1
    ) latest on true
    where w.project_no = ${projectNo} and (${webhookId}::text is null or w.webhook_id = ${webhookId})
    order by w.created_at, w.webhook_id`;
}

/** Where the delivery log goes on: behind the delivery of this time and id. */
export interface DeliveryPosition {
  /** As PostgreSQL writes it, to the microsecond. */
  readonly createdAt: string;
  readonly id: string;
}

export interface DeliveryRow {
  readonly id: string;
  readonly event: string;
  readonly failure_group_id: string | null;
  readonly failure_class: string | null;
  readonly status: DeliveryStatus;
  readonly attempt_count: number;
  readonly created_at: Date;
  readonly next_attempt_at: Date | null;
  readonly finished_at: Date | null;
  readonly last_outcome: string | null;
}

/** The log of a webhook, newest first, and where it goes on. */
export async function pageDeliveries(
  sql: Sql,
  filter: {
    readonly projectNo: number;
    readonly webhookId: string;
    readonly status: DeliveryStatus | null;
    readonly after: DeliveryPosition | null;
    readonly limit: number;
  },
): Promise<{ items: DeliveryRow[]; next: DeliveryPosition | null }> {
  const after = filter.after;
  const rows = await sql<(DeliveryRow & { position: string })[]>`
    select d.delivery_id as id, d.event, d.group_id as failure_group_id,
      d.body::json #>> '{failure_group,class}' as failure_class, d.status, d.attempt_count, d.created_at,
      case when d.status = 'pending' then d.due_at end as next_attempt_at, d.finished_at, d.last_outcome,
      to_char(d.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as position
    from ats.delivery d
    where d.project_no = ${filter.projectNo} and d.webhook_id = ${filter.webhookId}
      and (${filter.status}::text is null or d.status = ${filter.status})
      ${after === null ? sql`` : sql`and (d.created_at, d.delivery_id) < (${after.createdAt}::text::timestamptz, ${after.id})`}
    order by d.created_at desc, d.delivery_id desc
    limit ${filter.limit + 1}`;
  const page = rows.slice(0, filter.limit);
  const last = page.at(-1);
  return {
    items: page.map(({ position: _, ...row }) => row),
    next: rows.length > page.length && last !== undefined ? { createdAt: last.position, id: last.id } : null,
  };
}

/** What a delivery of this very webhook tells, and where it goes; null where there is none. */
export async function readNotification(
  sql: Sql,
  delivery: { readonly projectNo: number; readonly webhookId: string; readonly deliveryId: string },
): Promise<{ body: string; url: string } | null> {
  const [found] = await sql<{ body: string; url: string }[]>`
    select d.body, w.url from ats.delivery d
    join ats.webhook w on w.project_no = d.project_no and w.webhook_id = d.webhook_id
    where d.project_no = ${delivery.projectNo} and d.webhook_id = ${delivery.webhookId}
      and d.delivery_id = ${delivery.deliveryId}`;
  return found ?? null;
}
