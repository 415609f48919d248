import { type TimeRangeSearch, validateTimeRange } from "../../time-range.ts";

/** The address of a webhook holds the filters of its delivery log. */
export interface WebhookSearch extends TimeRangeSearch {}

export function validateWebhookSearch(search: Record<string, unknown>): WebhookSearch {
  return validateTimeRange(search);
}
