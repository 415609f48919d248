import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown } from "lucide-react";
import { useCallback, useLayoutEffect, useRef, useState } from "react";
import { Button } from "../../components/button.tsx";
import { formatCount } from "../../format/number.ts";
import type { LiveFeed, LiveView } from "./live-feed.ts";
import { LiveRowItem } from "./live-row.tsx";

export interface LiveListProps {
  feed: LiveFeed;
  view: LiveView;
  projectId: string;
  onFilterExecution: (executionId: string) => void;
}

/** Of a row with one line, and with the two that it has on a narrow screen. */
const ROW_PX = 26;
const NARROW_ROW_PX = 43;
const NARROW_PX = 768;
/** Nearer to the end than this counts as being there. */
const END_PX = 24;

/** The newest event stands last. At the end the list follows; scrolled away from it, it holds still. */
export function LiveList({ feed, view, projectId, onFilterExecution }: LiveListProps) {
  const { rows, hold, waiting } = view;
  const scroller = useRef<HTMLDivElement>(null);
  const lastTop = useRef(0);
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const isFollowing = hold === null;
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => (window.innerWidth < NARROW_PX ? NARROW_ROW_PX : ROW_PX),
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 12,
    // Room for the button that stands above the end.
    paddingEnd: isFollowing ? 0 : 48,
  });
  const height = list.getTotalSize();

  // The list goes on until it is there, however tall the rows turn out.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the list grows
  useLayoutEffect(() => {
    if (isFollowing) list.scrollToEnd();
  }, [isFollowing, rows, height]);

  const onScroll = useCallback(() => {
    const element = scroller.current;
    if (element === null) return;
    const fromEnd = element.scrollHeight - element.scrollTop - element.clientHeight;
    // Rows that turn out taller than thought move the end away, not the place: only a person goes up.
    const wentUp = element.scrollTop < lastTop.current;
    lastTop.current = element.scrollTop;
    const isNear = fromEnd <= END_PX;
    if (feed.view().hold !== null) {
      if (isNear && feed.view().hold === "scrolled") feed.release();
    } else if (wentUp && !isNear) feed.hold("scrolled");
  }, [feed]);

  const toggle = (key: number) => {
    // Reading an event and following the next ones do not go together.
    if (!open.has(key)) feed.hold("paused");
    setOpen((known) => {
      const next = new Set(known);
      if (!next.delete(key)) next.add(key);
      return next;
    });
  };

  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={scroller}
        role="log"
        aria-live="off"
        aria-label="Events, the newest last"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        tabIndex={0}
        onScroll={onScroll}
        onKeyDown={moveBetweenRows}
        className="absolute inset-0 overflow-x-hidden overflow-y-auto overscroll-contain -outline-offset-2 [overflow-anchor:none]"
      >
        <div className="relative w-full" style={{ height }}>
          {list.getVirtualItems().map((item) => {
            const row = rows[item.index];
            return row === undefined ? null : (
              <div
                key={item.key}
                ref={list.measureElement}
                data-index={item.index}
                className="absolute inset-x-0 top-0"
                style={{ transform: `translateY(${item.start}px)` }}
              >
                <LiveRowItem
                  row={row}
                  projectId={projectId}
                  isOpen={open.has(row.key)}
                  onToggle={() => toggle(row.key)}
                  onFilterExecution={onFilterExecution}
                />
              </div>
            );
          })}
        </div>
      </div>
      {isFollowing ? null : (
        <div className="pointer-events-none absolute inset-x-0 bottom-3 flex justify-center">
          <Button
            variant="primary"
            size="small"
            icon={<ArrowDown aria-hidden />}
            className="pointer-events-auto rounded-full! px-3! shadow-float!"
            onClick={() => feed.release()}
          >
            {waiting === 0 ? "Follow" : `${formatCount(waiting)} new ${waiting === 1 ? "event" : "events"}`}
          </Button>
        </div>
      )}
    </div>
  );
}

/** Arrow keys go from row to row. */
function moveBetweenRows(event: React.KeyboardEvent<HTMLDivElement>): void {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  if (!(event.target instanceof HTMLElement) || !event.target.hasAttribute("data-live-row")) return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-live-row]")];
  const next = rows[rows.indexOf(event.target) + (event.key === "ArrowDown" ? 1 : -1)];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
