import { type TimeRangeSearch, validateTimeRange } from "../../../time-range.ts";

export const EXECUTION_STATUSES = ["started", "completed", "crashed"] as const;
export type ExecutionStatus = (typeof EXECUTION_STATUSES)[number];

/** The address of the list of executions holds its filters. */
export interface ExecutionListSearch extends TimeRangeSearch {
  status?: ExecutionStatus;
  /** language, or language@version */
  sdk?: string;
  environment?: string;
  class?: string;
  q?: string;
  sort?: "started_at";
}

export function validateExecutionListSearch(search: Record<string, unknown>): ExecutionListSearch {
  const status = EXECUTION_STATUSES.find((each) => each === search.status);
  return {
    ...validateTimeRange(search),
    ...(status === undefined ? {} : { status }),
    ...textOf("sdk", search.sdk, 520),
    ...textOf("environment", search.environment, 256),
    ...textOf("class", search.class, 128),
    ...textOf("q", search.q, 256),
    ...(search.sort === "started_at" ? { sort: "started_at" as const } : {}),
  };
}

/** What looks like a number in an address arrives as one. */
function textOf<Name extends string>(
  name: Name,
  value: unknown,
  charsMax: number,
): { [key in Name]?: string } {
  if (typeof value !== "string" && typeof value !== "number") return {};
  const text = String(value).slice(0, charsMax);
  return text === "" ? {} : ({ [name]: text } as { [key in Name]: string });
}
