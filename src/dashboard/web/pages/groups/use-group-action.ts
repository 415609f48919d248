import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError, call } from "../../client.ts";
import { useToast } from "../../components/toast.tsx";
import { groupBulk, groupsKey } from "./group-queries.ts";

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
}

/** How many groups one request may name. */
export const ACT_GROUPS_MAX = 200;

/** Acts on groups, says what became of it, and has everything shown of the project's groups read anew. */
export function useGroupAction(projectId: string) {
  const queryClient = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: async ({ ids, act }: GroupActRequest) => {
      const { results } = await call(groupBulk(projectId).post({ ids: [...ids], ...act }));
      return results;
    },
    onSuccess: (results, { act }) => {
      const failed = results.filter((result) => !result.ok);
      const count = results.length - failed.length;
      if (count > 0)
        toast.done(count === 1 ? `Group ${done[act.action]}` : `${count} groups ${done[act.action]}`);
      const first = failed[0];
      if (first !== undefined && !first.ok) {
        const title =
          results.length === 1 ? "Not done" : `Not done for ${failed.length} of ${results.length} groups`;
        toast.failed(title, new ApiError(0, first.code, first.detail));
      }
    },
    onError: (error) => toast.failed("Not done", error),
    onSettled: () => queryClient.invalidateQueries({ queryKey: groupsKey(projectId) }),
  });
}

export type GroupAction = ReturnType<typeof useGroupAction>;
