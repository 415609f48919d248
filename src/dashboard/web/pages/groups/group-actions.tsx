import { useNavigate } from "@tanstack/react-router";
import { CheckCheck, Ellipsis, Merge, RotateCcw, SlidersHorizontal } from "lucide-react";
import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { IconButton } from "../../components/icon-button.tsx";
import { Menu, MenuItem } from "../../components/menu.tsx";
import type { GroupItem } from "./group-queries.ts";
import { IgnoreMenu } from "./ignore-menu.tsx";
import { MergeDialog } from "./merge-dialog.tsx";
import type { GroupAct, GroupAction } from "./use-group-action.ts";

/** What can be done with one group, in the head of its page. */
export function GroupActions({
  projectId,
  group,
  action,
}: {
  projectId: string;
  group: GroupItem;
  action: GroupAction;
}) {
  const [merging, setMerging] = useState(false);
  const navigate = useNavigate();
  const act = (what: GroupAct) => action.mutate({ ids: [group.id], act: what, seen: [group] });
  const isOpen = group.state === "open";
  return (
    <>
      {isOpen ? (
        <Button
          variant="primary"
          icon={<CheckCheck aria-hidden />}
          busy={action.isPending}
          onClick={() => act({ action: "resolve" })}
        >
          Resolve
        </Button>
      ) : (
        <Button
          icon={<RotateCcw aria-hidden />}
          busy={action.isPending}
          onClick={() => act({ action: "reopen" })}
        >
          Reopen
        </Button>
      )}
      {group.state === "resolved" ? null : <IgnoreMenu busy={action.isPending} onIgnore={act} />}
      <Menu
        trigger={
          <IconButton plain variant="secondary" label="More actions" icon={<Ellipsis aria-hidden />} />
        }
      >
        {group.state === "ignored" ? (
          <MenuItem icon={<CheckCheck aria-hidden />} onSelect={() => act({ action: "resolve" })}>
            Resolve
          </MenuItem>
        ) : null}
        <MenuItem icon={<Merge aria-hidden />} onSelect={() => setMerging(true)}>
          Merge into another group…
        </MenuItem>
        <MenuItem
          icon={<SlidersHorizontal aria-hidden />}
          onSelect={() =>
            void navigate({
              to: "/app/p/$projectId/settings/detectors",
              params: { projectId },
              search: { q: group.class, class: group.class },
            })
          }
        >
          Thresholds and allow-list…
        </MenuItem>
      </Menu>
      <MergeDialog
        projectId={projectId}
        open={merging}
        onOpenChange={setMerging}
        failureClass={group.class}
        groups={[group]}
        onMerge={(ids, into, seen) =>
          action.mutate(
            { ids, act: { action: "merge", into }, seen },
            {
              onSuccess: ([result]) => {
                if (result?.ok !== true) return;
                void navigate({
                  to: "/app/p/$projectId/groups/$groupId",
                  params: { projectId, groupId: into },
                });
              },
            },
          )
        }
      />
    </>
  );
}
