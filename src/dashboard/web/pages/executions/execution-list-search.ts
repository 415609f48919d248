import { type TimeRangeSearch, validateTimeRange } from "../../time-range.ts";

/** The address of the list of executions holds its filters. */
export interface ExecutionListSearch extends TimeRangeSearch {}

export function validateExecutionListSearch(search: Record<string, unknown>): ExecutionListSearch {
  return validateTimeRange(search);
}
