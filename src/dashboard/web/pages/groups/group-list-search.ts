import { type TimeRangeSearch, validateTimeRange } from "../../time-range.ts";

/** The address of the list of groups holds its filters. */
export interface GroupListSearch extends TimeRangeSearch {}

export function validateGroupListSearch(search: Record<string, unknown>): GroupListSearch {
  return validateTimeRange(search);
}
