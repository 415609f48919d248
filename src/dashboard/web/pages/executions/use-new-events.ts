import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { type EventItem, newEvents, RUNNING_REFRESH_MS } from "./execution-queries.ts";

/** What came in since the page was opened, asked for while the execution runs and the tab is in sight. */

interface NewEvents {
  /** Latest `received_at` seen. */
  readonly since: string;
  readonly items: readonly EventItem[];
}

const NEW_EVENTS_MAX = 5_000;
/** A flush that took its time commits rows with an older `received_at` than those already seen. */
const OVERLAP_MS = 15_000;

export function useNewEvents(options: {
  readonly projectId: string;
  readonly executionId: string;
  readonly types: string | undefined;
  readonly isRunning: boolean;
  /** `received_at` of the latest event when the page was opened. */
  readonly knownUntil: string;
}): readonly EventItem[] {
  const { projectId, executionId, types, isRunning } = options;
  const [start] = useState(options.knownUntil);
  const [wasRunning] = useState(isRunning);
  const queryKey = ["projects", projectId, "execution", executionId, "new-events", types ?? null, start];
  const query = useQuery({
    queryKey,
    queryFn: async ({ client, signal }): Promise<NewEvents> => {
      const known = client.getQueryData<NewEvents>(queryKey) ?? { since: start, items: [] };
      const since = new Date(Date.parse(known.since) - OVERLAP_MS).toISOString();
      const page = await newEvents(projectId, executionId, { types, since, signal });
      const items = new Map([...known.items, ...page.items].map((item) => [item.event_id, item]));
      // Texts of one form: their order is that of the times.
      const latest = [known.since, ...page.items.map((item) => item.received_at)].sort().at(-1)!;
      return { since: latest, items: [...items.values()].slice(-NEW_EVENTS_MAX) };
    },
    enabled: wasRunning,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: isRunning ? RUNNING_REFRESH_MS : false,
  });
  const { refetch } = query;
  useEffect(() => {
    // The last events may have come with the end.
    if (wasRunning && !isRunning) void refetch();
  }, [wasRunning, isRunning, refetch]);
  return query.data?.items ?? none;
}

const none: readonly EventItem[] = [];
