/** The project whose groups a playbook shows; the link of a webhook has none. */
export interface PlaybookSearch {
  project?: string;
}

export function validatePlaybookSearch(search: Record<string, unknown>): PlaybookSearch {
  return typeof search.project === "string" && search.project !== "" ? { project: search.project } : {};
}
