import { createWebhook, deleteWebhook, listWebhooks, rotateWebhookSecret } from "../store/webhooks.ts";
import { done, type Noun, refused } from "./command.ts";
import { record, table } from "./table.ts";
import { webhookEnable, webhookTest } from "./webhook-test.ts";

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
      async run({ database, flags }) {
        const created = await createWebhook(database(), {
          projectId: flags.text("project") ?? "",
          url: flags.text("url") ?? "",
        });
        if (!created.ok) return refused(created);
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
          w.disabled_at,
          w.disabled_reason,
        ]);
        const columns = ["ID", "PROJECT", "URL", "CREATED", "DISABLED", "REASON"];
        return done(listed.value, table({ columns, rows, empty: "No webhooks yet." }));
      },
    },
    {
      verb: "delete",
      summary: "Delete a webhook",
      positionals: ["ID"],
      async run({ database, positionals }) {
        const deleted = await deleteWebhook(database(), positionals[0] ?? "");
        return deleted.ok ? done(deleted.value, `Deleted ${deleted.value.id}.`) : refused(deleted);
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
    webhookEnable,
  ],
};
