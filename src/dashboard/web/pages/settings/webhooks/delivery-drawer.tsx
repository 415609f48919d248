import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { RotateCw } from "lucide-react";
import { call } from "../../../client.ts";
import { Button } from "../../../components/button.tsx";
import { CopyButton } from "../../../components/copy-button.tsx";
import { Drawer } from "../../../components/drawer.tsx";
import { ErrorState } from "../../../components/error-state.tsx";
import { KeyValue } from "../../../components/key-value.tsx";
import { RelativeTime } from "../../../components/relative-time.tsx";
import { SkeletonRows } from "../../../components/skeleton.tsx";
import { useToast } from "../../../components/toast.tsx";
import { useProjectId } from "../../../projects.ts";
import { useHasRole } from "../../../session.ts";
import { type Delivery, deliveryQuery, type Webhook, webhookApi } from "../settings-queries.ts";
import { DeliveryAttempts } from "./delivery-attempts.tsx";
import { DeliveryStatusBadge } from "./delivery-status-badge.tsx";
import type { WebhookSearch } from "./webhook-search.ts";

export interface DeliveryDrawerProps {
  webhook: Webhook;
  onClose: () => void;
}

/** The delivery that the address names, followed while it is under way. */
export function DeliveryDrawer({ webhook, onClose }: DeliveryDrawerProps) {
  const { delivery: deliveryId }: WebhookSearch = useSearch({ strict: false });
  if (deliveryId === undefined) return null;
  return <OpenDelivery key={deliveryId} webhook={webhook} deliveryId={deliveryId} onClose={onClose} />;
}

function OpenDelivery({ webhook, deliveryId, onClose }: DeliveryDrawerProps & { deliveryId: string }) {
  const projectId = useProjectId();
  const canChange = useHasRole("member");
  const toast = useToast();
  const queryClient = useQueryClient();
  const { data, error, refetch } = useQuery(deliveryQuery(projectId, webhook.id, deliveryId));
  const again = useMutation({
    mutationFn: () =>
      call(webhookApi(projectId, webhook.id).deliveries({ delivery_id: deliveryId }).redeliver.post()),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ["webhooks", projectId, webhook.id] });
      toast.done("Queued once more", "Same body, same webhook-id, a new schedule of attempts.");
    },
    onError: (cause) => toast.failed("It was not queued", cause),
  });
  const isTest = data?.event === "webhook.test";

  return (
    <Drawer
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={data === undefined ? "Delivery" : isTest ? "Test notification" : "First occurrence"}
      marks={data === undefined ? undefined : <DeliveryStatusBadge delivery={data} />}
      footer={
        canChange && data !== undefined ? (
          <Button
            icon={<RotateCw aria-hidden />}
            busy={again.isPending}
            disabled={data.status === "delivering" || (webhook.disabled_at !== null && !isTest)}
            onClick={() => again.mutate()}
          >
            {data.finished_at === null ? "Try now" : "Redeliver"}
          </Button>
        ) : undefined
      }
    >
      {data !== undefined ? (
        <div className="flex flex-col gap-5">
          <Facts delivery={data} />
          <DeliveryAttempts delivery={data} url={webhook.url} />
        </div>
      ) : error === null ? (
        <SkeletonRows rows={8} />
      ) : (
        <ErrorState error={error} title="The delivery could not be loaded" onRetry={refetch} />
      )}
    </Drawer>
  );
}

function Facts({ delivery }: { delivery: Delivery }) {
  const projectId = useProjectId();
  const groupId = delivery.failure_group_id;
  return (
    <KeyValue
      items={[
        {
          name: "webhook-id",
          value: (
            <span className="inline-flex max-w-full items-center gap-1">
              <code className="min-w-0 truncate font-mono text-xs">{delivery.id}</code>
              <CopyButton text={delivery.id} label="Copy webhook-id" />
            </span>
          ),
        },
        { name: "Event", value: <code className="font-mono text-xs">{delivery.event}</code> },
        ...(groupId === null
          ? []
          : [
              {
                name: "Failure group",
                value: (
                  <Link
                    to="/app/p/$projectId/groups/$groupId"
                    params={{ projectId, groupId }}
                    className="font-mono text-xs text-accent hover:underline"
                  >
                    {groupId}
                  </Link>
                ),
              },
            ]),
        { name: "Created", value: <RelativeTime time={delivery.created_at} /> },
        delivery.finished_at === null
          ? {
              name: "Next attempt",
              value: <RelativeTime time={delivery.next_attempt_at} none="under way" isAhead />,
            }
          : { name: "Finished", value: <RelativeTime time={delivery.finished_at} /> },
        { name: "Attempts", value: delivery.attempt_count },
      ]}
    />
  );
}
