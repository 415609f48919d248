import { useEffect, useRef } from "react";
import { formatCount } from "../format/number.ts";
import { Button } from "./button.tsx";

export interface PaginationProps {
  /** Rows on screen. */
  shown: number;
  /** What a row is, in the plural: "executions". */
  noun: string;
  hasMore: boolean;
  loading: boolean;
  /** An infinite query's `fetchNextPage`. */
  onMore: () => unknown;
  /** Loads by itself when its end comes into view; the button stays for the keyboard. */
  automatic?: boolean;
}

/** The foot of a list that goes on: how much is shown, and more of it. */
export function Pagination({ shown, noun, hasMore, loading, onMore, automatic = false }: PaginationProps) {
  const foot = useRef<HTMLDivElement>(null);
  const more = useRef(onMore);
  more.current = onMore;
  useEffect(() => {
    if (!automatic || !hasMore || loading || foot.current === null) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) more.current();
      },
      { rootMargin: "400px" },
    );
    observer.observe(foot.current);
    return () => observer.disconnect();
  }, [automatic, hasMore, loading]);

  return (
    <div
      ref={foot}
      className="flex min-h-10 items-center justify-between gap-3 border-t px-4 py-1.5 text-xs text-muted"
    >
      <span role="status">
        {formatCount(shown)} {noun}
        {hasMore ? " shown" : ""}
      </span>
      {hasMore ? (
        <Button size="small" busy={loading} onClick={() => onMore()}>
          Load more
        </Button>
      ) : null}
    </div>
  );
}
