import { queryOptions } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { callPath } from "./client.ts";

export interface ListedProject {
  readonly project_id: string;
  readonly name: string;
  readonly open_groups: number;
  readonly last_event_at: string | null;
  readonly created_at: string;
}

export const projectsQuery = queryOptions({
  queryKey: ["projects"],
  queryFn: async () => (await callPath<{ items: readonly ListedProject[] }>("/app/api/projects")).items,
  staleTime: 60_000,
});

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
