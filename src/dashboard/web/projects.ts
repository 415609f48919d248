import { queryOptions } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { call, client } from "./client.ts";

export const projectsQuery = queryOptions({
  queryKey: ["projects"],
  queryFn: async () => (await call(client.app.api.projects.get())).items,
  staleTime: 60_000,
});
export type ListedProject = Awaited<ReturnType<NonNullable<typeof projectsQuery.queryFn>>>[number];

/** The project in the address; of pages below /app/p/ only. */
export function useProjectId(): string {
  const { projectId } = useParams({ strict: false });
  if (projectId === undefined) throw new Error("This page has no project in its address");
  return projectId;
}

const lastName = "ats-last-project";

/** The project looked at last in this browser: where /app leads. */
export function lastProjectId(): string | null {
  try {
    return localStorage.getItem(lastName);
  } catch {
    return null;
  }
}

export function rememberProject(projectId: string): void {
  try {
    localStorage.setItem(lastName, projectId);
  } catch {
    // Then /app leads to the first one.
  }
}
