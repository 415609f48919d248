import { type TimeRangeSearch, validateTimeRange } from "../../time-range.ts";

/** The address of the overview holds its range. */
export interface OverviewSearch extends TimeRangeSearch {}

export function validateOverviewSearch(search: Record<string, unknown>): OverviewSearch {
  return validateTimeRange(search);
}
