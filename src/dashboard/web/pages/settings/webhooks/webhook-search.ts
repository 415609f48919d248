/** What the address of a webhook's page holds: the filter of its log, and the delivery that is open. */

export const DELIVERY_STATUSES = ["pending", "delivering", "delivered", "failed", "cancelled"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export interface WebhookSearch {
  status?: DeliveryStatus;
  delivery?: string;
}

export function validateWebhookSearch(search: Record<string, unknown>): WebhookSearch {
  const status = DELIVERY_STATUSES.find((known) => known === search.status);
  const { delivery } = search;
  return {
    ...(status === undefined ? {} : { status }),
    ...(typeof delivery === "string" && delivery !== "" ? { delivery } : {}),
  };
}
