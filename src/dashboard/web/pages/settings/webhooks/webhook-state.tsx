import { Badge } from "../../../components/badge.tsx";
import type { Webhook } from "../settings-queries.ts";

const FORMATS = { json: "JSON", slack: "Slack", discord: "Discord" } as const;

export const formatName = (format: Webhook["format"]) => FORMATS[format];

/** Active, failing (its latest attempt failed, or one of the last minutes), or disabled. */
export function WebhookState({
  webhook,
}: {
  webhook: Pick<Webhook, "disabled_at" | "failing_since" | "failed_lately_at">;
}) {
  if (webhook.disabled_at !== null) return <Badge tone="neutral">Disabled</Badge>;
  if (webhook.failing_since !== null || webhook.failed_lately_at !== null)
    return (
      <Badge tone="bad" dot>
        Failing
      </Badge>
    );
  return (
    <Badge tone="ok" dot>
      Active
    </Badge>
  );
}
