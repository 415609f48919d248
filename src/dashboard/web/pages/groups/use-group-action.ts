import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError, call, isUnanswered } from "../../client.ts";
import { useToast } from "../../components/toast.tsx";
import { type GroupItem, groupBulk, groupsKey } from "./group-queries.ts";

/** What people do with groups. `ids` are those that it is done to. */
export type GroupAct =
  | { readonly action: "resolve" | "reopen" | "unmerge" }
  | { readonly action: "ignore"; readonly until?: string; readonly firings?: number }
  | { readonly action: "merge"; readonly into: string };

const done: Record<GroupAct["action"], string> = {
  resolve: "resolved",
  reopen: "reopened",
  ignore: "ignored",
  merge: "merged",
  unmerge: "stands for itself again",
};

export interface GroupActRequest {
  readonly ids: readonly string[];
  readonly act: GroupAct;
  /** The groups as the page shows them: what somebody else has changed since is left as it is, and told. */
  readonly seen?: readonly Pick<GroupItem, "id" | "acted_at">[];
}

/** How many groups one request may name. */
export const ACT_GROUPS_MAX = 200;

/** Acts on groups, says what became of it, and has everything shown of the project's groups read anew. */
export function useGroupAction(projectId: string) {
  const queryClient = useQueryClient();
  const toast = useToast();
  const [outdated, setOutdated] = useState<Outdated | null>(null);
  const mutation = useMutation({
    mutationFn: async ({ ids, act, seen }: GroupActRequest) => {
      const named = Object.fromEntries((seen ?? []).map(({ id, acted_at }) => [id, acted_at]));
      const { results } = await call(groupBulk(projectId).post({ ids: [...ids], ...act, seen: named }));
      return results;
    },
    onSuccess: (results, { act }) => {
      const failed = results.filter((result) => !result.ok);
      const count = results.length - failed.length;
      if (count > 0)
        toast.done(count === 1 ? `Group ${done[act.action]}` : `${count} groups ${done[act.action]}`);
      const changed = failed.flatMap((result) => ("now" in result ? [result] : []));
      if (changed.length > 0) setOutdated({ act, changed });
      const refused = failed.filter((result) => !("now" in result));
      const first = refused[0];
      if (first !== undefined && !first.ok) {
        const title =
          results.length === 1 ? "Not done" : `Not done for ${refused.length} of ${results.length} groups`;
        toast.failed(title, new ApiError(0, first.code, first.detail));
      }
    },
    onError: (error) => toast.failed(isUnanswered(error) ? "No answer" : "Not done", error),
    // Not waited for: the act has ended, and while nothing answers the reading is tried again and again.
    onSettled: () => void queryClient.invalidateQueries({ queryKey: groupsKey(projectId) }),
  });
  return { ...mutation, outdated, settleOutdated: () => setOutdated(null) };
}

export type GroupAction = ReturnType<typeof useGroupAction>;

/** An act on groups that others have changed meanwhile. */
interface Outdated {
  readonly act: GroupAct;
  readonly changed: readonly ChangedResult[];
}

type ActResult = NonNullable<
  Awaited<ReturnType<ReturnType<typeof groupBulk>["post"]>>["data"]
>["results"][number];
export type ChangedResult = Extract<ActResult, { readonly now: unknown }>;
