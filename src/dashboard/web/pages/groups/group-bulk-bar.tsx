import { CheckCheck, Merge, RotateCcw, X } from "lucide-react";
import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { IconButton } from "../../components/icon-button.tsx";
import type { GroupListItem } from "./group-queries.ts";
import { IgnoreMenu } from "./ignore-menu.tsx";
import { MergeDialog } from "./merge-dialog.tsx";
import { ACT_GROUPS_MAX, type GroupAct, type GroupAction } from "./use-group-action.ts";

export interface GroupBulkBarProps {
  projectId: string;
  action: GroupAction;
  selected: readonly GroupListItem[];
  onClear: () => void;
}

/** What can be done with the groups chosen in the list. Stays in sight while the list scrolls. */
export function GroupBulkBar({ projectId, action, selected, onClear }: GroupBulkBarProps) {
  const [merging, setMerging] = useState(false);
  const act = (what: GroupAct, ids = selected.map((group) => group.id)) =>
    action.mutate(
      { ids: ids.slice(0, ACT_GROUPS_MAX), act: what, seen: selected.slice(0, ACT_GROUPS_MAX) },
      { onSuccess: onClear },
    );
  const first = selected[0];
  const isOneClass = selected.every((group) => group.class === first?.class);
  const mergeProblem =
    selected.length < 2
      ? "Choose two or more to merge"
      : isOneClass
        ? null
        : "Only groups of one class can be merged";
  return (
    <section
      aria-label="Actions on the chosen groups"
      className="sticky top-12 z-10 flex flex-wrap items-center gap-2 rounded-t-lg border-b bg-sunken px-3 py-2 lg:top-0"
    >
      <span className="mr-1 text-sm font-medium" role="status">
        {selected.length} chosen
      </span>
      <Button
        size="small"
        icon={<CheckCheck aria-hidden />}
        busy={action.isPending}
        onClick={() => act({ action: "resolve" })}
      >
        Resolve
      </Button>
      <IgnoreMenu size="small" busy={action.isPending} onIgnore={act} />
      {selected.some((group) => group.state !== "open") ? (
        <Button
          size="small"
          icon={<RotateCcw aria-hidden />}
          busy={action.isPending}
          onClick={() => act({ action: "reopen" })}
        >
          Reopen
        </Button>
      ) : null}
      <Button
        size="small"
        icon={<Merge aria-hidden />}
        busy={action.isPending}
        disabled={mergeProblem !== null}
        title={mergeProblem ?? undefined}
        onClick={() => setMerging(true)}
      >
        Merge
      </Button>
      <IconButton
        label="Choose none"
        size="small"
        icon={<X aria-hidden />}
        onClick={onClear}
        className="ml-auto"
      />
      {first === undefined || mergeProblem !== null ? null : (
        <MergeDialog
          projectId={projectId}
          open={merging}
          onOpenChange={setMerging}
          failureClass={first.class}
          groups={selected}
          onMerge={(ids, into) => act({ action: "merge", into }, [...ids])}
        />
      )}
    </section>
  );
}
