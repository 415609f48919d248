import { Link } from "@tanstack/react-router";
import { BellOff, CircleCheck, Merge, RotateCcw } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../../components/button.tsx";
import { classes } from "../../components/classes.ts";
import { RelativeTime } from "../../components/relative-time.tsx";
import { formatCount } from "../../format/number.ts";
import { formatShortDateTime } from "../../format/time.ts";
import type { GroupItem } from "./group-queries.ts";
import type { GroupAction } from "./use-group-action.ts";

const tones = {
  bad: "border-bad/30 bg-bad/8 [&>svg]:text-bad",
  ok: "border-ok/30 bg-ok/8 [&>svg]:text-ok",
  plain: "bg-sunken [&>svg]:text-faint",
};

function Notice({
  tone,
  icon,
  children,
}: {
  tone: keyof typeof tones;
  icon: ReactNode;
  children: ReactNode;
}) {
  return (
    <div
      className={classes(
        "mb-4 flex flex-wrap items-center gap-x-2.5 gap-y-2 rounded-lg border px-3 py-2 text-sm [&>svg]:size-4 [&>svg]:shrink-0",
        tones[tone],
      )}
    >
      {icon}
      {children}
    </div>
  );
}

interface GroupNoticeProps {
  projectId: string;
  group: GroupItem;
  mayAct: boolean;
  action: GroupAction;
}

/** What somebody should know of a group's state before anything else; nothing for one that is simply open. */
export function GroupNotice({ projectId, group, mayAct, action }: GroupNoticeProps) {
  if (group.merged_into !== null) {
    return (
      <Notice tone="plain" icon={<Merge aria-hidden />}>
        <p className="min-w-0 flex-1 basis-60">
          It counts into{" "}
          <Link
            to="/app/p/$projectId/groups/$groupId"
            params={{ projectId, groupId: group.merged_into }}
            className="font-medium text-accent hover:underline"
          >
            another group
          </Link>
          , which is the one to act on. Shown here are its own firings.
        </p>
        {mayAct ? (
          <Button
            size="small"
            busy={action.isPending}
            onClick={() => action.mutate({ ids: [group.id], act: { action: "unmerge" }, seen: [group] })}
          >
            Take apart
          </Button>
        ) : null}
      </Notice>
    );
  }
  if (group.regressed) {
    return (
      <Notice tone="bad" icon={<RotateCcw aria-hidden />}>
        <p className="min-w-0 flex-1">
          It fired again <RelativeTime time={group.regressed_at} />, after it had been resolved{" "}
          <RelativeTime time={group.resolved_at} />.
        </p>
      </Notice>
    );
  }
  if (group.state === "resolved") {
    return (
      <Notice tone="ok" icon={<CircleCheck aria-hidden />}>
        <p className="min-w-0 flex-1">
          Resolved <RelativeTime time={group.resolved_at} />. If it fires again it comes back as regressed and
          sends its webhooks.
        </p>
      </Notice>
    );
  }
  if (group.state === "ignored") {
    return (
      <Notice tone="plain" icon={<BellOff aria-hidden />}>
        <p className="min-w-0 flex-1">
          Ignored <IgnoredUntil group={group} />. It counts on and sends nothing.
        </p>
      </Notice>
    );
  }
  return null;
}

function IgnoredUntil({ group }: { group: GroupItem }) {
  if (group.ignored_until !== null) {
    return (
      <>
        until {formatShortDateTime(group.ignored_until)} (<RelativeTime time={group.ignored_until} />)
      </>
    );
  }
  if (group.ignored_firings_left !== null) {
    return <>for {formatCount(group.ignored_firings_left)} more firings</>;
  }
  return <>until somebody reopens it</>;
}
