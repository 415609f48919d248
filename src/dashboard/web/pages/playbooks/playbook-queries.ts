import { queryOptions } from "@tanstack/react-query";
import { call, client } from "../../client.ts";

/** Playbooks change with the code only. */
export const playbookListQuery = queryOptions({
  queryKey: ["playbooks"],
  queryFn: () => call(client.app.api.playbooks.get()),
  staleTime: Number.POSITIVE_INFINITY,
});

export const classProjectsQuery = (failureClass: string) =>
  queryOptions({
    queryKey: ["playbooks", failureClass, "projects"],
    queryFn: async () =>
      (await call(client.app.api.playbooks({ failure_class: failureClass }).projects.get())).items,
  });

export const playbookQuery = (failureClass: string) =>
  queryOptions({
    queryKey: ["playbooks", failureClass],
    queryFn: () => call(client.app.api.playbooks({ failure_class: failureClass }).get()),
    staleTime: Number.POSITIVE_INFINITY,
  });
