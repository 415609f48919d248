import { getRouteApi } from "@tanstack/react-router";
import { Eraser, Pause, Play, Radio } from "lucide-react";
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { Button } from "../../components/button.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { IconButton } from "../../components/icon-button.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { SkeletonRows } from "../../components/skeleton.tsx";
import { formatCount } from "../../format/number.ts";
import { LiveEmpty } from "./live-empty.tsx";
import { LiveFeed, type LiveView } from "./live-feed.ts";
import { LiveFilterBar } from "./live-filter-bar.tsx";
import { LiveList } from "./live-list.tsx";
import { type LiveSearch, livePath } from "./live-search.ts";
import { ConnectionBadge, LiveNotices, RateMeter } from "./live-status.tsx";
import { followLive } from "./live-stream.ts";

const route = getRouteApi("/signed-in/app/p/$projectId/live");

/** Events as they are stored. */
export function LivePage() {
  const { projectId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [attempt, setAttempt] = useState(0);
  const feed = useLiveFeed(livePath(projectId, search), attempt);
  const view = useSyncExternalStore(feed.subscribe, feed.view);
  useSpaceToPause(feed);

  const change = (filters: Partial<LiveSearch>) =>
    void navigate({ search: (known) => ({ ...known, ...filters }), replace: true });
  const isHeld = view.hold !== null;
  return (
    <div className="flex h-[calc(100dvh-2.5rem)] min-h-96 flex-col max-lg:h-[calc(100dvh-5.5rem)]">
      <PageHeader
        title="Live tail"
        marks={<ConnectionBadge {...view} />}
        actions={
          <>
            <RateMeter rates={view.rates} />
            <IconButton
              label="Clear the page"
              icon={<Eraser aria-hidden />}
              onClick={() => feed.clear()}
              disabled={view.rows.length === 0}
            />
            <Button
              variant={isHeld ? "primary" : "secondary"}
              icon={isHeld ? <Play aria-hidden /> : <Pause aria-hidden />}
              aria-keyshortcuts="Space"
              onClick={() => (isHeld ? feed.release() : feed.hold("paused"))}
            >
              {isHeld ? `Resume${view.waiting === 0 ? "" : ` (${formatCount(view.waiting)})`}` : "Pause"}
            </Button>
          </>
        }
      />
      <div className="mb-3">
        <LiveFilterBar search={search} onSearch={change} />
      </div>
      <section
        aria-label="Events"
        className="flex min-h-0 flex-1 flex-col overflow-hidden rounded-lg border bg-surface shadow-card"
      >
        <LiveNotices view={view} onAcknowledge={() => feed.acknowledge()} />
        <LiveBody
          feed={feed}
          view={view}
          projectId={projectId}
          search={search}
          onFilter={change}
          onRetry={() => setAttempt((count) => count + 1)}
        />
      </section>
    </div>
  );
}

interface LiveBodyProps {
  feed: LiveFeed;
  view: LiveView;
  projectId: string;
  search: LiveSearch;
  onFilter: (filters: Partial<LiveSearch>) => void;
  onRetry: () => void;
}

function LiveBody({ feed, view, projectId, search, onFilter, onRetry }: LiveBodyProps) {
  if (view.connection.kind === "refused") {
    return (
      <ErrorState title="The live tail cannot be followed" error={view.connection.error} onRetry={onRetry} />
    );
  }
  if (view.rows.length > 0) {
    return (
      <LiveList
        feed={feed}
        view={view}
        projectId={projectId}
        onFilterExecution={(execution) => onFilter({ execution })}
      />
    );
  }
  if (view.connection.kind === "connecting") return <SkeletonRows rows={12} />;
  const isFiltered = Object.values(search).some((filter) => filter !== undefined);
  return isFiltered ? (
    <EmptyState
      icon={<Radio />}
      title="No event matches yet"
      action={
        <Button onClick={() => onFilter({ q: undefined, type: undefined, execution: undefined })}>
          Clear the filters
        </Button>
      }
    >
      Events that match appear here the moment they are stored.
    </EmptyState>
  ) : (
    <LiveEmpty projectId={projectId} isStoreAway={view.isStoreAway} />
  );
}

/**
 * A feed of its own for every address of the stream: what was shown under other filters does not mix with it.
 */
function useLiveFeed(path: string, attempt: number): LiveFeed {
  const before = useRef<LiveFeed>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt is a new feed
  const feed = useMemo(() => new LiveFeed(before.current?.view().rates), [path, attempt]);
  useEffect(() => {
    before.current = feed;
    const stop = followLive(path, feed);
    return () => {
      stop();
      feed.stop();
    };
  }, [path, feed]);
  return feed;
}

/** The space bar pauses and resumes, where it does nothing else. */
function useSpaceToPause(feed: LiveFeed): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== " " || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey)
        return;
      const { target } = event;
      if (
        target instanceof HTMLElement &&
        target.closest("input, textarea, button, a, [role=menu], [role=dialog]")
      )
        return;
      event.preventDefault();
      if (feed.view().hold === null) feed.hold("paused");
      else feed.release();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [feed]);
}
