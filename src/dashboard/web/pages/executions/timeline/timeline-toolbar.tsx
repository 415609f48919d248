import { ChevronDown, ChevronUp, ShieldAlert } from "lucide-react";
import { classes } from "../../../components/classes.ts";
import { IconButton } from "../../../components/icon-button.tsx";
import { formatCount } from "../../../format/number.ts";
import type { Execution } from "../execution-queries.ts";
import { EventIcon, eventKind } from "./event-kinds.tsx";

interface TimelineToolbarProps {
  execution: Execution;
  types: string | undefined;
  onTypes: (types: string | undefined) => void;
  /** Detections on events, and which of them is chosen (-1: none). */
  detectionCount: number;
  detectionAt: number;
  onDetection: (step: 1 | -1) => void;
}

/** Which types are shown, and from detection to detection. */
export function TimelineToolbar(props: TimelineToolbarProps) {
  const { execution, types, onTypes, detectionCount, detectionAt, onDetection } = props;
  const chosen = types === undefined ? [] : types.split(",");
  const toggle = (type: string) => {
    const next = chosen.includes(type) ? chosen.filter((each) => each !== type) : [...chosen, type];
    onTypes(
      next.length === 0 || next.length === execution.totals.by_type.length ? undefined : next.join(","),
    );
  };
  return (
    <div className="flex items-center gap-2 border-b px-2 py-1.5">
      <fieldset className="flex min-w-0 flex-1 gap-1 overflow-x-auto py-0.5 pl-0.5">
        <legend className="sr-only">Event types</legend>
        {execution.totals.by_type.map(({ event_type, count }) => {
          const isChosen = chosen.includes(event_type);
          return (
            <button
              key={event_type}
              type="button"
              aria-pressed={isChosen}
              onClick={() => toggle(event_type)}
              className={classes(
                "flex h-7 shrink-0 items-center gap-1.5 rounded-md border px-2 text-xs whitespace-nowrap",
                isChosen
                  ? "border-accent bg-accent/12 text-accent"
                  : "text-muted hover:bg-hover hover:text-ink",
              )}
            >
              <EventIcon type={event_type} className="size-3.5" />
              {eventKind(event_type).name}
              <span className={isChosen ? "" : "text-faint"}>{formatCount(count)}</span>
            </button>
          );
        })}
        {chosen.length === 0 ? null : (
          <button
            type="button"
            onClick={() => onTypes(undefined)}
            className="h-7 shrink-0 rounded-md px-2 text-xs text-muted hover:bg-hover hover:text-ink"
          >
            Show all
          </button>
        )}
      </fieldset>
      {detectionCount === 0 ? null : (
        <div className="flex shrink-0 items-center">
          <ShieldAlert className="mr-1 size-4 text-high" aria-hidden />
          <span role="status" className="mr-1 text-xs whitespace-nowrap text-muted">
            {detectionAt === -1
              ? formatCount(detectionCount)
              : `${detectionAt + 1} / ${formatCount(detectionCount)}`}
            <span className="sr-only"> detections</span>
          </span>
          <IconButton
            size="small"
            label="Previous detection (N)"
            icon={<ChevronUp aria-hidden />}
            onClick={() => onDetection(-1)}
          />
          <IconButton
            size="small"
            label="Next detection (n)"
            icon={<ChevronDown aria-hidden />}
            onClick={() => onDetection(1)}
          />
        </div>
      )}
    </div>
  );
}
