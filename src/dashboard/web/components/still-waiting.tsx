import { useMutationState } from "@tanstack/react-query";
import { LoaderCircle } from "lucide-react";
import { useEffect, useState } from "react";

/**
 * An act takes some milliseconds; a spinner that turns for longer leaves people wondering whether their click
 * was taken.
 */
const UNREMARKED_MS = 2_000;

/**
 * Says of any act that is under way for longer that its answer is being waited for. What came of it is said
 * where it was asked for.
 */
export function StillWaiting() {
  const begun = useMutationState({
    // What goes in steps tells of each by itself.
    filters: { status: "pending", predicate: ({ meta }) => meta?.inSteps !== true },
    select: (mutation) => mutation.state.submittedAt,
  });
  const sinceMs = begun.length === 0 ? null : Math.min(...begun);
  const [noticedMs, setNoticedMs] = useState<number | null>(null);
  useEffect(() => {
    if (sinceMs === null) return;
    const timer = setTimeout(() => setNoticedMs(sinceMs), UNREMARKED_MS - (Date.now() - sinceMs));
    return () => clearTimeout(timer);
  }, [sinceMs]);
  // There at all times, and a live region: so it is read out when it comes, from behind an open dialog too.
  return (
    <div
      role="status"
      aria-live="polite"
      className="pointer-events-none fixed inset-x-0 bottom-4 z-50 flex justify-center px-4"
    >
      {sinceMs === null || noticedMs !== sinceMs ? null : (
        <p className="flex animate-appear items-center gap-2 rounded-lg border border-line bg-surface px-3 py-2 text-sm shadow-float">
          <LoaderCircle className="size-4 shrink-0 animate-spin text-faint" aria-hidden />
          The service has not answered yet. Still waiting…
        </p>
      )}
    </div>
  );
}
