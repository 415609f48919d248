import type { Config } from "../config.ts";
import { parseNetworks, refusalOfLiteral } from "../notify/address-guard.ts";
import { holdsControlCharacters, notFound } from "../store/projects/projects.ts";
import { disableWebhook, enableWebhook, redeliverMissed } from "../store/webhooks/delivery-admin.ts";
import {
  createWebhook,
  deleteWebhook,
  listWebhooks,
  moveWebhook,
  rotateWebhookSecret,
} from "../store/webhooks/webhooks.ts";
import { type CommandInput, done, failed, misused, type Noun, refused } from "./command.ts";
import { unexpected } from "./flag-values.ts";
import { record, table } from "./table.ts";
import { webhookTest } from "./webhook-test.ts";

/** Deliveries between two lines of how far a redelivery is. */
const TOLD_EVERY = 20_000;
const REASON_CHARS_MAX = 200;
const SWITCHED_OFF = "switched off by an operator";

const isReason = (text: string) =>
  text !== "" && text.length <= REASON_CHARS_MAX && !holdsControlCharacters(text);

/**
 * No more than a note: the service has an environment of its own, and judges each time it connects. A name
 * may resolve to anything by then.
 */
function noteIfRefused(url: string, config: Config, note: CommandInput["note"]): void {
  const reason = refusalOfLiteral(new URL(url).hostname, parseNetworks(config.webhookAllowedNetworks));
  if (reason !== null)
    note(
      `The address is ${reason}: nothing is sent there unless the service's WEBHOOK_ALLOWED_NETWORKS names it, which this command's does not.`,
    );
}

export const noun: Noun = {
  name: "webhook",
  commands: [
    {
      verb: "create",
      summary: "Create a webhook; its secret is shown this once",
      flags: {
        project: { kind: "text", placeholder: "ID", summary: "The project it reports on", required: true },
        url: { kind: "text", placeholder: "URL", summary: "Where to send, http or https", required: true },
      },
      async run({ config, database, flags, note }) {
        const created = await createWebhook(database(), {
          projectId: flags.text("project") ?? "",
          url: flags.text("url") ?? "",
        });
        if (!created.ok) return refused(created);
        noteIfRefused(created.value.url, config, note);
        return done(created.value, `${record({ ...created.value })}\n\nThe secret cannot be shown again.`);
      },
    },
    {
      verb: "list",
      summary: "List webhooks, without their secrets",
      flags: { project: { kind: "text", placeholder: "ID", summary: "Only of this project" } },
      async run({ database, flags }) {
        const listed = await listWebhooks(database(), { projectId: flags.text("project") });
        if (!listed.ok) return refused(listed);
        const rows = listed.value.map((w) => [
          w.id,
          w.project_id,
          w.url,
          w.created_at,
          w.failing_since,
          w.held_until,
          w.disabled_at,
          w.disabled_reason,
        ]);
        const columns = [
          "ID",
          "PROJECT",
          "URL",
          "CREATED",
          "FAILING SINCE",
          "HELD UNTIL",
          "DISABLED",
          "REASON",
        ];
        return done(listed.value, table({ columns, rows, empty: "No webhooks yet." }));
      },
    },
    {
      verb: "update",
      summary: "Send to another address from now on, what is already owed too",
      positionals: ["ID"],
      flags: {
        url: { kind: "text", placeholder: "URL", summary: "The new address, http or https", required: true },
      },
      async run({ config, database, positionals, flags, note }) {
        const moved = await moveWebhook(database(), positionals[0] ?? "", { url: flags.text("url") ?? "" });
        if (!moved.ok) return refused(moved);
        noteIfRefused(moved.value.url, config, note);
        return done(moved.value, record({ ...moved.value }));
      },
    },
    {
      verb: "delete",
      summary: "Delete a webhook, its delivery log, and what it is still to be sent",
      positionals: ["ID"],
      async run({ database, positionals }) {
        const deleted = await deleteWebhook(database(), positionals[0] ?? "");
        if (!deleted.ok) return refused(deleted);
        const { id, deliveries_deleted, pending_dropped } = deleted.value;
        const log = `deliveries: ${deliveries_deleted}, of them still to be sent: ${pending_dropped}`;
        return done(deleted.value, `Deleted ${id} with its delivery log (${log}).`);
      },
    },
    {
      verb: "rotate",
      summary: "Give a webhook a new secret; the old one signs as well for a day",
      positionals: ["ID"],
      async run({ database, positionals }) {
        const rotated = await rotateWebhookSecret(database(), positionals[0] ?? "");
        if (!rotated.ok) return refused(rotated);
        return done(rotated.value, `${record({ ...rotated.value })}\n\nThe secret cannot be shown again.`);
      },
    },
    webhookTest,
    {
      verb: "disable",
      summary: "Send nothing more to a webhook, and cancel what it is owed",
      positionals: ["ID"],
      flags: {
        reason: {
          kind: "text",
          placeholder: "TEXT",
          summary: "Shown beside it, also in the place of an earlier one",
          default: SWITCHED_OFF,
        },
      },
      async run({ database, positionals, flags }) {
        const id = positionals[0] ?? "";
        const reason = flags.text("reason")?.trim() ?? null;
        if (reason !== null && !isReason(reason))
          return misused(
            unexpected(
              "reason",
              reason,
              `1 to ${REASON_CHARS_MAX} characters, none of them a control character`,
            ),
          );
        const disabled = await disableWebhook(database(), {
          webhookId: id,
          reason,
          otherwise: SWITCHED_OFF,
          nowMs: Date.now(),
        });
        if (disabled === null) return refused(notFound("webhook", id));
        const said = disabled.wasDisabled
          ? `${id} was disabled already. Its reason is: ${disabled.reason}`
          : `Disabled ${id}; what it was owed is cancelled.`;
        return done({ id, enabled: false, disabled_reason: disabled.reason }, said);
      },
    },
    {
      verb: "enable",
      summary: "Let a disabled webhook receive again; what was cancelled can be redelivered",
      positionals: ["ID"],
      async run({ database, positionals }) {
        const id = positionals[0] ?? "";
        if (!(await enableWebhook(database(), id))) return refused(notFound("webhook", id));
        return done({ id, enabled: true }, `Enabled ${id}.`);
      },
    },
    {
      verb: "redeliver",
      summary: "Send again all that it was to have and was given up or cancelled",
      positionals: ["ID"],
      async run({ database, positionals, note }) {
        const id = positionals[0] ?? "";
        let told = 0;
        // 400,000 take a minute and more.
        const onStep = (queued: number) => {
          if (queued - told < TOLD_EVERY) return;
          told = queued;
          note(`${queued} queued so far …`);
        };
        const redelivered = await redeliverMissed(database(), { webhookId: id, nowMs: Date.now(), onStep });
        if (redelivered === "not_found") return refused(notFound("webhook", id));
        if (redelivered === "webhook_disabled") return failed("It is disabled: `webhook enable` it first");
        const { queued } = redelivered;
        const what = queued === 0 ? "Nothing was given up or cancelled." : `Queued ${queued}, oldest first.`;
        return done({ id, queued }, what);
      },
    },
  ],
};
