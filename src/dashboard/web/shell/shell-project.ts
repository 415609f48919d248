import { useSuspenseQuery } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import { lastProjectId, projectsQuery } from "../projects.ts";

/**
 * The project that the side bar is about: the one in the address, or on pages without one the last; null
 * while there is none.
 */
export function useShellProjectId(): string | null {
  const { projectId } = useParams({ strict: false });
  const { project } = useSearch({ strict: false });
  const { data } = useSuspenseQuery(projectsQuery);
  const exists = (id: string | null | undefined) => data.some(({ project_id }) => project_id === id);
  const wanted = [projectId, project, lastProjectId()].find(exists);
  return wanted ?? data[0]?.project_id ?? null;
}
