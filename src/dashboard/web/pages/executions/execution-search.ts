const EXECUTION_TABS = ["timeline", "graph", "detections"] as const;
export type ExecutionTab = (typeof EXECUTION_TABS)[number];

/**
 * The address of an execution holds what is looked at: the tab, the chosen event, and which types are shown.
 */
export interface ExecutionSearch {
  tab?: ExecutionTab;
  event?: string;
  /** Event types, comma-separated; absent: all. */
  types?: string;
}

export function validateExecutionSearch(search: Record<string, unknown>): ExecutionSearch {
  const tab = EXECUTION_TABS.find((each) => each === search.tab && each !== "timeline");
  const event = typeof search.event === "number" ? String(search.event) : search.event;
  return {
    ...(tab === undefined ? {} : { tab }),
    ...(typeof event === "string" && event !== "" && event.length <= 256 ? { event } : {}),
    ...(typeof search.types === "string" && /^[a-z_]{1,40}(,[a-z_]{1,40}){0,15}$/.test(search.types)
      ? { types: search.types }
      : {}),
  };
}
