import type { QueryState } from "@tanstack/react-query";
import { RotateCw, TriangleAlert } from "lucide-react";
import { useSyncExternalStore } from "react";
import { errorText, queryClient } from "../client.ts";
import { Button } from "../components/button.tsx";
import { formatClock } from "../format/time.ts";

/**
 * What was loaded stays on a page when a later look fails. This says so, on whatever page it is: nobody
 * should take an hour-old list for a quiet hour.
 */
const cache = queryClient.getQueryCache();

const isStale = ({ error, data }: QueryState) => error !== null && data !== undefined;

/** Of a look on the screen that failed after one that did not. */
function failedLook(): QueryState | null {
  return cache.findAll({ type: "active" }).find(({ state }) => isStale(state))?.state ?? null;
}

const retry = () =>
  void queryClient.refetchQueries({ type: "active", predicate: ({ state }) => isStale(state) });

export function StaleNotice() {
  const look = useSyncExternalStore((listener) => cache.subscribe(listener), failedLook);
  if (look === null) return null;
  return (
    <div
      role="status"
      className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-warn/40 bg-warn/12 px-4 py-2 text-sm"
    >
      <TriangleAlert className="size-4 shrink-0 text-warn" aria-hidden />
      <span className="min-w-0 flex-1 break-words">
        This page is as of {formatClock(look.dataUpdatedAt)}, and may be out of date. {errorText(look.error)}
      </span>
      <Button size="small" icon={<RotateCw aria-hidden />} onClick={retry}>
        Try again
      </Button>
    </div>
  );
}
