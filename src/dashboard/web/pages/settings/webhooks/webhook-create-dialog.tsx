import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "../../../client.ts";
import { Button } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { projectApi, webhooksQuery } from "../settings-queries.ts";
import { ShownOnce } from "../shown-once.tsx";
import { formatName } from "./webhook-state.tsx";
import { WebhookUrlForm } from "./webhook-url-form.tsx";

export interface WebhookCreateDialogProps {
  projectId: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function WebhookCreateDialog({ projectId, open, onOpenChange }: WebhookCreateDialogProps) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const create = useMutation({
    mutationFn: (url: string) => call(projectApi(projectId).webhooks.post({ url })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: webhooksQuery(projectId).queryKey }),
  });
  const [made, setMade] = useState<Awaited<ReturnType<typeof create.mutateAsync>> | null>(null);

  const close = () => {
    onOpenChange(false);
    if (made === null) return;
    setMade(null);
    void navigate({
      to: "/app/p/$projectId/settings/webhooks/$webhookId",
      params: { projectId, webhookId: made.id },
    });
  };

  return (
    <Dialog
      open={open}
      onOpenChange={(next) => (next ? onOpenChange(true) : close())}
      size="medium"
      persistent={made !== null}
      title={made === null ? "Add a webhook" : "The webhook's secret"}
      description={
        made === null
          ? "It is sent what fires from now on."
          : made.format === "json"
            ? "Verify the signature of every request with it."
            : `Messages go out in ${formatName(made.format)}'s format, which needs no signature; the secret signs them all the same.`
      }
    >
      {!open ? null : made === null ? (
        <WebhookUrlForm
          url=""
          action="Add webhook"
          onSave={async (url) => setMade(await create.mutateAsync(url))}
          onCancel={close}
        />
      ) : (
        <div className="flex flex-col gap-4">
          <ShownOnce label="secret" value={made.secret} />
          <div className="flex justify-end">
            <Button variant="primary" onClick={close}>
              I have stored it
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  );
}
