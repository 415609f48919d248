/** The address of the live tail holds its filters. */
export interface LiveSearch {
  q?: string;
}

export function validateLiveSearch(search: Record<string, unknown>): LiveSearch {
  return typeof search.q === "string" && search.q !== "" ? { q: search.q } : {};
}
