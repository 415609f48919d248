import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import {
  Ellipsis,
  KeyRound,
  LoaderCircle,
  Pencil,
  Power,
  PowerOff,
  RotateCcw,
  Send,
  Trash2,
} from "lucide-react";
import { useState } from "react";
import { call } from "../../../client.ts";
import { Badge } from "../../../components/badge.tsx";
import { Button } from "../../../components/button.tsx";
import { Card } from "../../../components/card.tsx";
import { ErrorState } from "../../../components/error-state.tsx";
import { IconButton } from "../../../components/icon-button.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../../components/menu.tsx";
import { PageHeader } from "../../../components/page-header.tsx";
import { SkeletonRows } from "../../../components/skeleton.tsx";
import { useToast } from "../../../components/toast.tsx";
import { formatCount } from "../../../format/number.ts";
import { useProjectId } from "../../../projects.ts";
import { useHasRole } from "../../../session.ts";
import { type Webhook, webhookApi, webhookQuery, webhooksQuery } from "../settings-queries.ts";
import { DeliveryDrawer } from "./delivery-drawer.tsx";
import { DeliveryLog } from "./delivery-log.tsx";
import { WebhookCard } from "./webhook-card.tsx";
import { type WebhookAct, WebhookDialogs } from "./webhook-dialogs.tsx";
import { formatName, WebhookState } from "./webhook-state.tsx";

/** The receiver in a few words: its host, and what tells two of them apart. */
function nameOf(url: string): string {
  const { host, pathname } = new URL(url);
  return pathname === "/" ? host : `${host}${pathname}`;
}

export function WebhookPage() {
  const projectId = useProjectId();
  const { webhookId = "" } = useParams({ strict: false });
  const { data, error, refetch } = useQuery(webhookQuery(projectId, webhookId));
  const crumbs = [
    <Link key="webhooks" to="/app/p/$projectId/settings/webhooks" params={{ projectId }}>
      Webhooks
    </Link>,
  ];
  if (data !== undefined) return <LoadedWebhook key={data.id} webhook={data} crumbs={crumbs} />;
  return (
    <>
      <PageHeader title="Webhook" crumbs={crumbs} />
      <Card>
        {error === null ? (
          <SkeletonRows rows={6} />
        ) : (
          <ErrorState error={error} title="The webhook could not be loaded" onRetry={refetch} />
        )}
      </Card>
    </>
  );
}

function LoadedWebhook({ webhook, crumbs }: { webhook: Webhook; crumbs: React.ReactNode[] }) {
  const projectId = useProjectId();
  const canChange = useHasRole("member");
  const navigate = useNavigate();
  const toast = useToast();
  const queryClient = useQueryClient();
  const [act, setAct] = useState<WebhookAct | null>(null);
  const name = nameOf(webhook.url);

  const stale = () => queryClient.invalidateQueries({ queryKey: webhooksQuery(projectId).queryKey });
  const show = (delivery: string | undefined) =>
    navigate({
      to: ".",
      search: (current: Record<string, unknown>) => ({ ...current, delivery }),
      resetScroll: false,
    });
  const test = useMutation({
    mutationFn: () => call(webhookApi(projectId, webhook.id).test.post()),
    onSuccess: async ({ delivery_id }) => {
      await show(delivery_id);
      await stale();
    },
    onError: (cause) => toast.failed("The test was not sent", cause),
  });
  const enable = useMutation({
    mutationFn: () => call(webhookApi(projectId, webhook.id).patch({ enabled: true })),
    onSuccess: async () => {
      await stale();
      toast.done("Webhook enabled", "What it missed can be redelivered from its menu.");
    },
    onError: (cause) => toast.failed("The webhook was not enabled", cause),
  });
  const [queuedSoFar, setQueuedSoFar] = useState(0);
  const redeliver = useMutation({
    meta: { inSteps: true },
    mutationFn: async () => {
      let queued = 0;
      for (let cursor: string | null | undefined; cursor !== null; ) {
        setQueuedSoFar(queued);
        const query = cursor === undefined ? {} : { cursor };
        const step = await call(webhookApi(projectId, webhook.id).redeliver.post(undefined, { query }));
        queued += step.queued;
        cursor = step.next_cursor;
      }
      return { queued };
    },
    onSuccess: async ({ queued }) => {
      await stale();
      toast.done(
        queued === 0 ? "Nothing was missed" : `${formatCount(queued)} queued`,
        queued === 0 ? "No notification of it was given up or cancelled." : "The oldest goes out first.",
      );
    },
    // How far it came stays on the page.
    onError: (cause) => toast.failed("Not all that was missed was queued", cause),
  });
  const disabled = webhook.disabled_at !== null;

  return (
    <>
      <PageHeader
        crumbs={crumbs}
        title={<span className="font-mono text-base">{name}</span>}
        documentTitle={`Webhook ${name}`}
        marks={
          <>
            <WebhookState webhook={webhook} />
            {webhook.format === "json" ? null : <Badge>{formatName(webhook.format)} format</Badge>}
          </>
        }
        actions={
          canChange ? (
            <>
              <Button
                variant={disabled ? "secondary" : "primary"}
                icon={<Send aria-hidden />}
                busy={test.isPending}
                onClick={() => test.mutate()}
              >
                Send test
              </Button>
              {disabled ? (
                <Button
                  variant="primary"
                  icon={<Power aria-hidden />}
                  busy={enable.isPending}
                  onClick={() => enable.mutate()}
                >
                  Enable
                </Button>
              ) : null}
              <Menu
                trigger={
                  <IconButton
                    plain
                    variant="secondary"
                    label="More about this webhook"
                    icon={<Ellipsis aria-hidden />}
                  />
                }
              >
                <MenuItem icon={<Pencil aria-hidden />} onSelect={() => setAct("move")}>
                  Change address
                </MenuItem>
                <MenuItem icon={<KeyRound aria-hidden />} onSelect={() => setAct("rotate")}>
                  Rotate secret
                </MenuItem>
                {disabled ? null : (
                  <>
                    <MenuItem
                      icon={<RotateCcw aria-hidden />}
                      disabled={redeliver.isPending}
                      onSelect={() => redeliver.mutate()}
                    >
                      Redeliver what was missed
                    </MenuItem>
                    <MenuItem icon={<PowerOff aria-hidden />} onSelect={() => setAct("disable")}>
                      Disable
                    </MenuItem>
                  </>
                )}
                <MenuSeparator />
                <MenuItem danger icon={<Trash2 aria-hidden />} onSelect={() => setAct("delete")}>
                  Delete
                </MenuItem>
              </Menu>
            </>
          ) : undefined
        }
      />
      <div className="flex flex-col gap-4">
        {redeliver.isPending ? (
          <Redelivering queued={queuedSoFar} />
        ) : redeliver.isError && queuedSoFar > 0 ? (
          <p role="status" className="text-sm text-warn">
            {formatCount(queuedSoFar)} or some more are queued. Redelivering again queues the rest.
          </p>
        ) : null}
        <WebhookCard webhook={webhook} />
        <DeliveryLog webhookId={webhook.id} isDisabled={webhook.disabled_at !== null} />
      </div>
      <DeliveryDrawer webhook={webhook} onClose={() => show(undefined)} />
      <WebhookDialogs webhook={webhook} act={act} onClose={() => setAct(null)} onChanged={stale} />
    </>
  );
}

function Redelivering({ queued }: { queued: number }) {
  return (
    <p role="status" className="flex items-center gap-2 rounded-lg border bg-sunken px-3 py-2 text-sm">
      <LoaderCircle className="size-4 shrink-0 animate-spin text-faint" aria-hidden />
      Queuing what was missed: {formatCount(queued)} so far. It goes on while this tab is open.
    </p>
  );
}
