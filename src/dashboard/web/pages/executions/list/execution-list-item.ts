import type { executionListQuery } from "../execution-queries.ts";

type Page = Awaited<ReturnType<NonNullable<ReturnType<typeof executionListQuery>["queryFn"]>>>;

/** One execution of the list, as the API gives it. */
export type ExecutionListItem = Page["items"][number];
