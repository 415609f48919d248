import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import { type Execution, lastEventQuery } from "../execution-queries.ts";
import { TimelineList, type TimelineListProps } from "./timeline.tsx";
import { agentColours, agentSpans } from "./timeline-agents.ts";
import { type MapMark, type Sight, TimelineMap } from "./timeline-map.tsx";

/** What fits the screen needs no map. */
const MAPPED_MIN = 40;

interface TimelinePaneProps extends Omit<TimelineListProps, "onSight" | "goal" | "colours"> {
  projectId: string;
  execution: Execution;
  marksInOrder: readonly MapMark[];
}

/** The list of events, below a map of the whole execution where it is long. */
export function TimelinePane({ projectId, marksInOrder, ...list }: TimelinePaneProps) {
  const { execution, timeline, onSelect } = list;
  const isMapped = execution.totals.events >= MAPPED_MIN;
  const last = useQuery({
    ...lastEventQuery(projectId, execution.execution_id, execution.status === "started"),
    enabled: isMapped,
  });
  const [sight, setSight] = useState<Sight | null>(null);
  const [goal, setGoal] = useState<{ readonly sequence: number } | null>(null);
  const { handoffs, openAt } = timeline;
  const colours = useMemo(() => agentColours(handoffs), [handoffs]);
  const spans = useMemo(() => agentSpans(handoffs), [handoffs]);
  const go = useCallback(
    (sequence: number) => {
      openAt(sequence);
      setGoal({ sequence });
    },
    [openAt],
  );
  const lastSequence = Math.max(last.data?.sequence ?? 0, timeline.events.at(-1)?.sequence ?? 0);
  return (
    <>
      {isMapped && last.data != null ? (
        <TimelineMap
          lastSequence={lastSequence}
          spans={spans}
          colours={colours}
          marks={marksInOrder}
          sight={sight}
          onGo={go}
          onSelect={onSelect}
        />
      ) : null}
      <TimelineList {...list} colours={colours} goal={goal} onSight={setSight} />
    </>
  );
}
