import type { UseQueryResult } from "@tanstack/react-query";
import { useRef } from "react";
import { useNow } from "../../components/relative-time.tsx";

/** An answer may take this long before it counts as missing. */
const PATIENCE_MS = 10_000;

type Look = Pick<UseQueryResult, "dataUpdatedAt" | "isError" | "isFetching" | "isPaused">;

/**
 * When a query that asks again by itself had its last answer, if the one after that is missing; null while
 * they come. What stands on the page is then of that time: a service whose database hangs does not even fail.
 */
export function useSilence({ dataUpdatedAt, isError, isFetching, isPaused }: Look): string | null {
  const now = Math.max(useNow(), Date.now());
  const answeredMs = useRef(0);
  const askedMs = useRef<number | null>(null);
  // A range that moves on is another query, of which nothing is known yet: the last answer to any of them
  // counts.
  answeredMs.current = Math.max(answeredMs.current, dataUpdatedAt);
  askedMs.current = isFetching ? (askedMs.current ?? now) : null;
  const isLate = askedMs.current !== null && now - askedMs.current > PATIENCE_MS;
  const isSilent = answeredMs.current > 0 && (isError || isPaused || isLate);
  return isSilent ? new Date(answeredMs.current).toISOString() : null;
}
