import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "../../../client.ts";
import { Button } from "../../../components/button.tsx";
import { ConfirmDialog } from "../../../components/confirm-dialog.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { useToast } from "../../../components/toast.tsx";
import { formatDateTime } from "../../../format/time.ts";
import { useProjectId } from "../../../projects.ts";
import { type Webhook, webhookApi } from "../settings-queries.ts";
import { ShownOnce } from "../shown-once.tsx";
import { TypedConfirmDialog } from "../typed-confirm-dialog.tsx";
import { WebhookUrlForm } from "./webhook-url-form.tsx";

export type WebhookAct = "move" | "rotate" | "disable" | "delete";

export interface WebhookDialogsProps {
  webhook: Webhook;
  act: WebhookAct | null;
  onClose: () => void;
  onChanged: () => Promise<unknown>;
}

interface NewSecret {
  readonly secret: string;
  readonly previous_secret_until: string;
}

/** What is done to a webhook, each behind a question. */
export function WebhookDialogs({ webhook, act, onClose, onChanged }: WebhookDialogsProps) {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const toast = useToast();
  const [rotated, setRotated] = useState<NewSecret | null>(null);
  const api = webhookApi(projectId, webhook.id);
  const host = new URL(webhook.url).host;
  const whenClosed = (open: boolean) => {
    if (!open) onClose();
  };

  return (
    <>
      <Dialog open={act === "move"} onOpenChange={whenClosed} size="medium" title="Change the address">
        {act === "move" ? (
          <WebhookUrlForm
            url={webhook.url}
            action="Save"
            onCancel={onClose}
            onSave={async (url) => {
              await call(api.patch({ url }));
              await onChanged();
              onClose();
              toast.done("Address changed", "What is owed goes there too. The secret stays the same.");
            }}
          />
        ) : null}
      </Dialog>

      <ConfirmDialog
        open={act === "rotate"}
        onOpenChange={whenClosed}
        title="Rotate the secret?"
        description="A new secret is made and shown once. For 24 hours webhook-signature carries a signature of each, so a receiver can change over without losing a delivery; X-Service-Signature is made with the new one at once."
        action="Rotate"
        onConfirm={async () => {
          setRotated(await call(api.rotate.post()));
          await onChanged();
        }}
      />
      <Dialog
        open={rotated !== null}
        onOpenChange={(open) => {
          if (!open) setRotated(null);
        }}
        size="medium"
        persistent
        title="The new secret"
        description={
          rotated === null
            ? undefined
            : `The old one signs as well until ${formatDateTime(rotated.previous_secret_until)}.`
        }
      >
        {rotated === null ? null : (
          <div className="flex flex-col gap-4">
            <ShownOnce label="secret" value={rotated.secret} />
            <div className="flex justify-end">
              <Button variant="primary" onClick={() => setRotated(null)}>
                I have stored it
              </Button>
            </div>
          </div>
        )}
      </Dialog>

      <ConfirmDialog
        open={act === "disable"}
        onOpenChange={whenClosed}
        title={`Disable ${host}?`}
        description="It is sent nothing more, and what it is owed is cancelled. Once it is enabled again, all that it missed can be redelivered."
        action="Disable"
        onConfirm={async () => {
          await call(api.patch({ enabled: false }));
          await onChanged();
          toast.done("Webhook disabled");
        }}
      />

      <TypedConfirmDialog
        open={act === "delete"}
        onOpenChange={whenClosed}
        title="Delete this webhook?"
        description="Its secret and the log of its deliveries go with it. This cannot be taken back."
        word={host}
        action="Delete"
        onConfirm={async () => {
          await call(api.delete());
          await navigate({ to: "/app/p/$projectId/settings/webhooks", params: { projectId } });
          await onChanged();
          toast.done("Webhook deleted");
        }}
      />
    </>
  );
}
