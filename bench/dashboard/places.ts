/** Cursors far down long lists, found the way a person comes there. */
import type { Signed } from "./people.ts";
import type { Subjects } from "./subjects.ts";
import type { DeepPlaces } from "./views.ts";

/** Hours ago: where lists of executions are gone into. */
const HOURS_AGO = [20, 50, 90, 130, 160];

export async function deepPlaces(signed: Signed, subjects: Subjects): Promise<DeepPlaces> {
  const next = async (path: string) => {
    const response = await fetch(`${signed.url}/app/api/projects/${subjects.projectId}${path}`, {
      headers: { cookie: signed.cookie },
    });
    if (!response.ok)
      throw new Error(`${path} answered ${response.status} ${(await response.text()).slice(0, 200)}`);
    const { next_cursor } = (await response.json()) as { next_cursor: string | null };
    return next_cursor;
  };
  const executions: string[] = [];
  for (const hours of HOURS_AGO) {
    const to = new Date(Date.now() - hours * 3_600_000).toISOString();
    const cursor = await next(`/executions?limit=50&to=${to}`);
    if (cursor !== null) executions.push(cursor);
  }
  /** The last page but one. */
  const down = async (path: string, pages: number) => {
    const separator = path.includes("?") ? "&" : "?";
    let cursor: string | null = null;
    for (let page = 0; page < pages; page++) {
      const found: string | null = await next(
        cursor === null ? path : `${path}${separator}cursor=${encodeURIComponent(cursor)}`,
      );
      if (found === null) break;
      cursor = found;
    }
    return cursor === null ? [] : [cursor];
  };
  const places = {
    executions,
    bigEvents: await down(`/executions/${encodeURIComponent(subjects.bigExecution.id)}/events?limit=500`, 15),
    deliveries: await down(`/webhooks/${subjects.webhookId}/deliveries?limit=50`, 10),
  };
  for (const [list, cursors] of Object.entries(places))
    if (cursors.length === 0) throw new Error(`the list of ${list} has one page only`);
  return places;
}
