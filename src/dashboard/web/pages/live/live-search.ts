import { EVENT_TYPES, type EventType } from "../../../../ingest/wire/event-types.ts";

/** The address of the live tail holds its filters. */
export interface LiveSearch {
  /** Stands in the payload. */
  q?: string;
  /** Event types with commas between. */
  type?: string;
  execution?: string;
}

export function validateLiveSearch(search: Record<string, unknown>): LiveSearch {
  const types = typesOf({ type: text(search.type, 400) });
  return {
    q: text(search.q, 200),
    type: types.length === 0 ? undefined : types.join(","),
    execution: text(search.execution, 256),
  };
}

export function typesOf(search: LiveSearch): readonly EventType[] {
  const named = new Set(search.type?.split(","));
  return EVENT_TYPES.filter((type) => named.has(type));
}

/** Where the stream with these filters is. */
export function livePath(projectId: string, search: LiveSearch): string {
  const query = new URLSearchParams();
  if (search.q !== undefined) query.set("q", search.q);
  if (search.type !== undefined) query.set("type", search.type);
  if (search.execution !== undefined) query.set("execution_id", search.execution);
  const path = `/app/api/projects/${encodeURIComponent(projectId)}/live`;
  return query.size === 0 ? path : `${path}?${query}`;
}

function text(value: unknown, charactersMax: number): string | undefined {
  // The router reads digits in an address as a number.
  const given = typeof value === "number" ? String(value) : value;
  return typeof given === "string" && given !== "" ? given.slice(0, charactersMax) : undefined;
}
