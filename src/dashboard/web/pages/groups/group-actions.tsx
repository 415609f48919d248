import { useNavigate } from "@tanstack/react-router";
import { CheckCheck, Ellipsis, Merge, RotateCcw } from "lucide-react";
import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { IconButton } from "../../components/icon-button.tsx";
import { Menu, MenuItem } from "../../components/menu.tsx";
import type { GroupItem } from "./group-queries.ts";
import { IgnoreMenu } from "./ignore-menu.tsx";
import { MergeDialog } from "./merge-dialog.tsx";
import { type GroupAct, useGroupAction } from "./use-group-action.ts";

/** What can be done with one group, in the head of its page. */
export function GroupActions({ projectId, group }: { projectId: string; group: GroupItem }) {
  const [merging, setMerging] = useState(false);
  const navigate = useNavigate();
  const action = useGroupAction(projectId);
  const act = (what: GroupAct, ids: readonly string[] = [group.id]) => action.mutate({ ids, act: what });
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
      </Menu>
      <MergeDialog
        projectId={projectId}
        open={merging}
        onOpenChange={setMerging}
        failureClass={group.class}
        groups={[group]}
        onMerge={(ids, into) =>
          action.mutate(
            { ids, act: { action: "merge", into } },
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
