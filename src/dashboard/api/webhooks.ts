import { Elysia, status, t } from "elysia";
import { formatBody, targetOf } from "../../notify/chat-format.ts";
import {
  type DeliveryPosition,
  pageDeliveries,
  readNotification,
  readWebhooks,
  type WebhookRow,
} from "../../store/dashboard/settings-webhooks.ts";
import {
  deliveryStatuses,
  disableWebhook,
  enableWebhook,
  enqueueTest,
  findDelivery,
  redeliver,
  redeliverMissed,
} from "../../store/webhooks/delivery-admin.ts";
import { outcomeOf } from "../../store/webhooks/delivery-results.ts";
import {
  createWebhook,
  deleteWebhook,
  moveWebhook,
  rotateWebhookSecret,
} from "../../store/webhooks/webhooks.ts";
import { isMoment } from "./execution-cursors.ts";
import { type ApiServices, guard } from "./guard.ts";
import { isoDates } from "./iso-dates.ts";
import { absent, conflict, isId, refusalOf, unfit } from "./refusals.ts";

/**
 * Webhooks of a project and the log of what was sent. Invariant: a secret is in the answer that made it and
 * in no other. Tests and redeliveries are owed like any delivery and sent by the notify thread, which also
 * decides on the address whether a receiver may be reached.
 */

const Url = t.String({ maxLength: 4_096 });
const Page = t.Object({
  status: t.Optional(t.String({ maxLength: 20 })),
  cursor: t.Optional(t.String({ maxLength: 400 })),
  limit: t.Optional(t.Integer({ minimum: 1, maximum: 200 })),
});
const PAGE_DEFAULT = 50;
/**
 * 20,000 deliveries, a second or two: of 400,000 a page learns every few seconds how far it is, and no
 * request outlives its time.
 */
const REDELIVERY_STEPS_MAX = 4;

const withFormat = (webhook: WebhookRow) => isoDates({ ...webhook, format: targetOf(new URL(webhook.url)) });

const cursorOf = (position: DeliveryPosition) =>
  Buffer.from(`${position.createdAt} ${position.id}`).toString("base64url");

/** Null for a cursor that `cursorOf` did not make. */
function positionOf(cursor: string): DeliveryPosition | null {
  const text = Buffer.from(cursor, "base64url").toString("latin1");
  const [, createdAt, id] = /^(\S+) ([\x21-\x7e]{1,100})$/.exec(text) ?? [];
  return id !== undefined && isMoment(createdAt) ? { createdAt, id } : null;
}

export const webhookRoutes = (services: ApiServices) => {
  const { sql, appUrl } = services;

  const findWebhook = async (projectNo: number, webhookId: string) => {
    if (!isId(webhookId)) return null;
    const [webhook] = await readWebhooks(sql, projectNo, webhookId);
    return webhook === undefined ? null : withFormat(webhook);
  };

  return new Elysia()
    .use(guard(services))
    .get(
      "/projects/:project_id/webhooks",
      async ({ projectNo }) => ({ items: (await readWebhooks(sql, projectNo)).map(withFormat) }),
      { projectRole: "viewer" },
    )
    .post(
      "/projects/:project_id/webhooks",
      async ({ params, body }) => {
        const created = await createWebhook(sql, { projectId: params.project_id, url: body.url });
        if (!created.ok) return refusalOf(created, "project");
        const { id, secret, url } = created.value;
        return status(201, { id, secret, url, format: targetOf(new URL(url)) });
      },
      { projectRole: "member", body: t.Object({ url: Url }) },
    )
    .get(
      "/projects/:project_id/webhooks/:webhook_id",
      async ({ params, projectNo }) => (await findWebhook(projectNo, params.webhook_id)) ?? absent("webhook"),
      { projectRole: "viewer" },
    )
    .patch(
      "/projects/:project_id/webhooks/:webhook_id",
      async ({ params, body, projectNo, member }) => {
        const id = params.webhook_id;
        if ((await findWebhook(projectNo, id)) === null) return absent("webhook");
        if (body.url !== undefined) {
          const moved = await moveWebhook(sql, id, { url: body.url });
          if (!moved.ok) return refusalOf(moved, "webhook");
        }
        if (body.enabled === true) await enableWebhook(sql, id);
        if (body.enabled === false)
          await disableWebhook(sql, {
            webhookId: id,
            reason: null,
            otherwise: `switched off by ${member.email}`,
            nowMs: Date.now(),
          });
        return (await findWebhook(projectNo, id)) ?? absent("webhook");
      },
      {
        projectRole: "member",
        body: t.Object({ url: t.Optional(Url), enabled: t.Optional(t.Boolean()) }),
      },
    )
    .delete(
      "/projects/:project_id/webhooks/:webhook_id",
      async ({ params, projectNo }) => {
        if ((await findWebhook(projectNo, params.webhook_id)) === null) return absent("webhook");
        const deleted = await deleteWebhook(sql, params.webhook_id);
        return deleted.ok ? deleted.value : refusalOf(deleted, "webhook");
      },
      { projectRole: "member" },
    )
    .post(
      "/projects/:project_id/webhooks/:webhook_id/rotate",
      async ({ params, projectNo }) => {
        if ((await findWebhook(projectNo, params.webhook_id)) === null) return absent("webhook");
        const rotated = await rotateWebhookSecret(sql, params.webhook_id);
        return rotated.ok ? isoDates(rotated.value) : refusalOf(rotated, "webhook");
      },
      { projectRole: "member" },
    )
    .post(
      "/projects/:project_id/webhooks/:webhook_id/test",
      async ({ params, projectNo }) => {
        if ((await findWebhook(projectNo, params.webhook_id)) === null) return absent("webhook");
        const nowMs = Date.now();
        const id = await enqueueTest(sql, { webhookId: params.webhook_id, appUrl, nowMs });
        return id === null ? absent("webhook") : status(202, { delivery_id: id });
      },
      { projectRole: "member" },
    )
    .get(
      "/projects/:project_id/webhooks/:webhook_id/deliveries",
      async ({ params, query, projectNo }) => {
        const after = query.cursor === undefined ? null : positionOf(query.cursor);
        if (query.cursor !== undefined && after === null)
          return unfit("The cursor is not one of this list", "cursor");
        const deliveryStatus = deliveryStatuses.find((known) => known === query.status) ?? null;
        if (query.status !== undefined && deliveryStatus === null)
          return unfit(`The status is one of ${deliveryStatuses.join(", ")}`, "status");
        if ((await findWebhook(projectNo, params.webhook_id)) === null) return absent("webhook");
        const { items, next } = await pageDeliveries(sql, {
          projectNo,
          webhookId: params.webhook_id,
          status: deliveryStatus,
          after,
          limit: query.limit ?? PAGE_DEFAULT,
        });
        return { items: items.map(isoDates), next_cursor: next === null ? null : cursorOf(next) };
      },
      { projectRole: "viewer", query: Page },
    )
    .post(
      "/projects/:project_id/webhooks/:webhook_id/redeliver",
      async ({ params, query, projectNo }) => {
        const { webhook_id: webhookId } = params;
        const after = query.cursor === undefined ? null : positionOf(query.cursor);
        if (query.cursor !== undefined && after === null)
          return unfit("The cursor is not one of this answer's", "cursor");
        if ((await findWebhook(projectNo, webhookId)) === null) return absent("webhook");
        const redelivered = await redeliverMissed(sql, {
          webhookId,
          nowMs: Date.now(),
          after,
          stepsMax: REDELIVERY_STEPS_MAX,
        });
        if (redelivered === "not_found") return absent("webhook");
        if (redelivered === "webhook_disabled")
          return conflict("webhook_disabled", "The webhook is disabled: enable it first");
        const { queued, next } = redelivered;
        /** With a cursor there is more, which is asked for with it. */
        return status(202, { queued, next_cursor: next === null ? null : cursorOf(next) });
      },
      { projectRole: "member", query: t.Object({ cursor: t.Optional(t.String({ maxLength: 400 })) }) },
    )
    .get(
      "/projects/:project_id/webhooks/:webhook_id/deliveries/:delivery_id",
      async ({ params, projectNo }) => {
        const { webhook_id: webhookId, delivery_id: deliveryId } = params;
        if (!isId(webhookId) || !isId(deliveryId)) return absent("delivery");
        const notification = await readNotification(sql, { projectNo, webhookId, deliveryId });
        const delivery = notification === null ? null : await findDelivery(sql, deliveryId);
        if (notification === null || delivery === null) return absent("delivery");
        const format = targetOf(new URL(notification.url));
        return {
          ...isoDates(delivery),
          attempts: delivery.attempts.map((attempt) => ({
            ...attempt,
            started_at: new Date(attempt.started_at).toISOString(),
            outcome: outcomeOf({ statusCode: attempt.status_code, errorClass: attempt.error_class }),
          })),
          /** The body goes out in the format of the address that the webhook has now. */
          request_body: formatBody(format, notification.body, delivery.created_at),
          format,
        };
      },
      { projectRole: "viewer" },
    )
    .post(
      "/projects/:project_id/webhooks/:webhook_id/deliveries/:delivery_id/redeliver",
      async ({ params, projectNo }) => {
        const { webhook_id: webhookId, delivery_id: deliveryId } = params;
        if (!isId(webhookId) || !isId(deliveryId)) return absent("delivery");
        if ((await readNotification(sql, { projectNo, webhookId, deliveryId })) === null)
          return absent("delivery");
        const result = await redeliver(sql, { deliveryId, nowMs: Date.now() });
        if (result === "not_found") return absent("delivery");
        if (result === "in_progress") return conflict("in_progress", "It is being sent at this moment");
        if (result === "webhook_disabled")
          return conflict("webhook_disabled", "The webhook is disabled: enable it first");
        return status(202, { delivery_id: deliveryId });
      },
      { projectRole: "member" },
    );
};
