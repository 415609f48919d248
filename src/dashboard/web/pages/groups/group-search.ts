import { type TimeRangeSearch, validateTimeRange } from "../../time-range.ts";

/** The address of a group holds its tab and range. */
export interface GroupSearch extends TimeRangeSearch {}

export function validateGroupSearch(search: Record<string, unknown>): GroupSearch {
  return validateTimeRange(search);
}
