import { Link } from "@tanstack/react-router";
import type { GroupFacets } from "../../../../store/dashboard/groups.ts";
import { classes } from "../../components/classes.ts";
import { formatCount } from "../../format/number.ts";
import { type GroupListSearch, LIST_STATES, type ListState } from "./group-list-search.ts";

const names: Record<ListState, string> = {
  open: "Open",
  regressed: "Regressed",
  resolved: "Resolved",
  ignored: "Ignored",
  all: "All",
};

export interface GroupStateTabsProps {
  projectId: string;
  search: GroupListSearch;
  /** Missing while they are loading. */
  counts: GroupFacets["state"] | undefined;
}

/** The list's states, each with how many groups the other filters leave in it. */
export function GroupStateTabs({ projectId, search, counts }: GroupStateTabsProps) {
  return (
    <nav aria-label="State" className="mb-3 flex gap-1 overflow-x-auto overflow-y-hidden border-b">
      {LIST_STATES.map((each) => {
        const count = counts === undefined ? 0 : each === "all" ? totalOf(counts) : counts[each];
        const isCurrent = each === (search.state ?? "open");
        return (
          <Link
            key={each}
            to="/app/p/$projectId/groups"
            params={{ projectId }}
            search={{ ...search, state: each === "open" ? undefined : each }}
            aria-current={isCurrent ? "page" : undefined}
            className={classes(
              "-mb-px flex items-center gap-1.5 border-b-2 px-2.5 py-2 text-sm font-medium whitespace-nowrap -outline-offset-2 hover:text-ink",
              isCurrent ? "border-accent text-ink" : "border-transparent text-muted",
            )}
          >
            {names[each]}
            {count === 0 ? null : (
              <span
                className={classes(
                  "rounded-full px-1.5 text-2xs font-medium",
                  isCurrent ? "bg-accent/12 text-accent" : "bg-hover text-muted",
                )}
              >
                {formatCount(count)}
              </span>
            )}
          </Link>
        );
      })}
    </nav>
  );
}

/** Regressed groups are open ones. */
function totalOf({ open, resolved, ignored }: GroupFacets["state"]): number {
  return open + resolved + ignored;
}
