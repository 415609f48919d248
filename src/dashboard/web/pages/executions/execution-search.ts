import { type TimeRangeSearch, validateTimeRange } from "../../time-range.ts";

/** The address of an execution holds the chosen event. */
export interface ExecutionSearch extends TimeRangeSearch {}

export function validateExecutionSearch(search: Record<string, unknown>): ExecutionSearch {
  return validateTimeRange(search);
}
