/**
 * What must hold once everything is whole again, asked of the database and the receiver. Nothing here waits.
 */
import type { Check } from "../ingest/results.ts";
import type { Fleet } from "./fleet.ts";
import type { PlannedRun } from "./planned-run.ts";
import type { Site } from "./site.ts";

/** How many deviations a check names. */
const NAMED_MAX = 5;

function checkOf(name: string, of: number, deviations: readonly string[]): Check {
  const { length } = deviations;
  const named = deviations.slice(0, NAMED_MAX).join("; ");
  return { name, ok: length === 0, found: length === 0 ? `${of}` : `${length} of ${of}: ${named}` };
}

/** Every answered event once, none twice, none that was not sent. */
async function eventCheck({ sql, project }: Site, finished: readonly PlannedRun[]): Promise<Check> {
  const rows = await sql<{ eventId: string; count: number }[]>`
    select event_id as "eventId", count(*)::int as count from events where project_id = ${project.projectId} group by 1`;
  const stored = new Map(rows.map(({ eventId, count }) => [eventId, count]));
  const answered = finished.flatMap((run) => run.batches.flat());
  return checkOf("each event that was answered is stored once", answered.length, [
    ...answered.filter((event) => !stored.has(event.event_id)).map((event) => `${event.event_id} is lost`),
    ...rows.filter(({ count }) => count > 1).map(({ eventId, count }) => `${eventId} stands ${count} times`),
  ]);
}

async function endCheck({ sql, project }: Site, finished: readonly PlannedRun[]): Promise<Check> {
  const rows = await sql<{ executionId: string; status: string }[]>`
    select execution_id as "executionId", status from executions where project_id = ${project.projectId}`;
  const stored = new Map(rows.map(({ executionId, status }) => [executionId, status]));
  const deviations = finished.flatMap(({ executionId, end }) => {
    const wanted = end?.status ?? "started";
    const found = stored.get(executionId);
    return found === wanted ? [] : [`${executionId} is ${found} and not ${wanted}`];
  });
  return checkOf("each run ended as it was told", finished.length, deviations);
}

/** A firing: its run, class and event. */
const firingKey = (executionId: string, failureClass: string, eventId: string | null) =>
  `${failureClass} in ${executionId}${eventId === null ? "" : ` by ${eventId}`}`;

/** Firings that are missing, and those that are too many or of no failure at all. */
async function firingsAgainst(
  { sql, project }: Site,
  finished: readonly PlannedRun[],
): Promise<{ wanted: number; missing: string[]; surplus: string[] }> {
  const rows = await sql<{ executionId: string; failureClass: string; eventId: string | null }[]>`
    select e.execution_id as "executionId", d.class as "failureClass", d.event_id as "eventId"
    from ats.detection d join ats.execution e using (project_no, execution_no)
    where d.project_no = ${project.projectNo}`;
  const left = new Map<string, number>();
  for (const { executionId, failureClass, eventId } of rows) {
    const key = firingKey(executionId, failureClass, eventId);
    left.set(key, (left.get(key) ?? 0) + 1);
  }
  const wanted = finished.flatMap(({ executionId, expected }) =>
    expected.map(({ failureClass, eventId }) => firingKey(executionId, failureClass, eventId)),
  );
  const missing: string[] = [];
  for (const key of wanted) {
    const count = left.get(key) ?? 0;
    if (count === 0) missing.push(key);
    else left.set(key, count - 1);
  }
  const known = new Set(finished.map(({ executionId }) => executionId));
  const surplus = [...left]
    .filter(([key, count]) => count > 0 && known.has(/ in (\S+)/.exec(key)?.[1] ?? ""))
    .map(([key]) => key);
  return { wanted: wanted.length, missing, surplus };
}

export async function missingFirings(site: Site, finished: readonly PlannedRun[]): Promise<number> {
  return (await firingsAgainst(site, finished)).missing.length;
}

async function firingChecks(site: Site, finished: readonly PlannedRun[]): Promise<Check[]> {
  const { wanted, missing, surplus } = await firingsAgainst(site, finished);
  return [
    checkOf("each failure has fired", wanted, missing),
    checkOf("nothing has fired twice or without a failure", wanted, surplus),
  ];
}

async function groupCheck({ sql, project }: Site): Promise<Check> {
  const rows = await sql<{ class: string; signature: string; counted: number; stored: number }[]>`
    select class, signature, coalesce(g.firing_count, 0)::int as counted, coalesce(d.stored, 0)::int as stored
    from (select * from ats.failure_group where project_no = ${project.projectNo}) g
    full join (select class, signature, count(*) as stored from ats.detection
      where project_no = ${project.projectNo} group by 1, 2) d using (class, signature)`;
  const deviations = rows
    .filter(({ counted, stored }) => counted !== stored)
    .map((row) => `${row.class} ${row.signature} counts ${row.counted} of ${row.stored}`);
  return checkOf("each group counts what was stored", rows.length, deviations);
}

async function deliveryChecks({ sql, project, receiver }: Site): Promise<Check[]> {
  const groups = await sql<{ groupId: string; class: string; owed: number; ids: string[] | null }[]>`
    select g.group_id as "groupId", g.class, count(d.delivery_id)::int as owed, array_agg(d.delivery_id) as ids
    from ats.failure_group g left join ats.delivery d using (project_no, group_id)
    where g.project_no = ${project.projectNo} group by 1, 2`;
  const name = (group: { class: string; groupId: string }) => `${group.class} ${group.groupId}`;
  const unheard = groups.filter(({ ids }) => !(ids ?? []).some((id) => receiver.taken.has(id)));
  return [
    checkOf(
      "each new group owes one webhook",
      groups.length,
      groups.filter(({ owed }) => owed !== 1).map((group) => `${name(group)} owes ${group.owed}`),
    ),
    checkOf(
      "each new group was heard at the receiver",
      groups.length,
      unheard.map((group) => name(group)),
    ),
    checkOf(
      "each webhook's signature holds",
      receiver.taken.size,
      receiver.unsigned === 0 ? [] : [`${receiver.unsigned} do not`],
    ),
  ];
}

/** How many faults happened, and what did not stand one. */
export interface Hits {
  readonly faults: number;
  readonly broken: readonly string[];
}

export async function checksOf(site: Site, fleet: Fleet, { faults, broken }: Hits): Promise<Check[]> {
  const { finished, strange } = fleet;
  return [
    checkOf("each run was answered to its end", fleet.runsBegun, unfinished(fleet)),
    checkOf("each answer is a success or 503", fleet.counts.requests, strange),
    checkOf("what was hit stood it", faults, broken),
    await eventCheck(site, finished),
    await endCheck(site, finished),
    ...(await firingChecks(site, finished)),
    await groupCheck(site),
    ...(await deliveryChecks(site)),
  ];
}

function unfinished({ runsBegun, finished }: Fleet): string[] {
  const left = runsBegun - finished.length;
  return left === 0 ? [] : [`${left} runs are not`];
}
