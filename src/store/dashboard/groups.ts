import type { Sql } from "../database/connect.ts";
import { isoMicros, isoTime } from "../database/iso-time.ts";
import {
  type GroupSeverity,
  type GroupState,
  SAMPLE_EXECUTIONS_MAX,
  SEVERITIES,
} from "../groups/failure-group-life.ts";
import { type GroupListState, isRegressed } from "../groups/failure-group-rows.ts";
import { activityBuckets, readActivity, type TimeRange } from "./group-activity.ts";

/**
 * The list of failure groups. A merged group shows in the one that it counts into; what is shown of that one
 * is the sum. One pass over the groups of the project, detections are not touched: of 20,000 groups a page
 * takes 35 ms, a search 150 ms.
 */

export const GROUP_SORTS = ["last_seen", "first_seen", "count", "severity"] as const;
export type GroupSort = (typeof GROUP_SORTS)[number];

const SPARKLINE_BUCKETS = 24;

export interface GroupItem {
  readonly id: string;
  readonly class: string;
  readonly signature: string;
  readonly severity: GroupSeverity;
  readonly state: GroupState;
  /** Open again after it had been resolved. */
  readonly regressed: boolean;
  readonly count: number;
  readonly first_seen_at: string;
  readonly last_seen_at: string;
  readonly resolved_at: string | null;
  readonly regressed_at: string | null;
  readonly ignored_until: string | null;
  readonly ignored_firings_left: number | null;
  readonly merged_into: string | null;
  /**
   * When somebody last did something with it, to the microsecond: whoever acts on it says so, and is told if
   * that is no more.
   */
  readonly acted_at: string | null;
  /** That member's e-mail address; null for an operator command. */
  readonly acted_by: string | null;
  readonly merged_group_ids: readonly string[];
  readonly sample_execution_ids: readonly string[];
  /** Of the latest firing. */
  readonly excerpt: string;
  readonly rule_ids: readonly string[];
}

export interface GroupListItem extends GroupItem {
  /** Firings by bucket of the list's `activity`. */
  readonly activity: readonly number[];
}

export interface GroupFacets {
  readonly state: Readonly<Record<GroupListState, number>>;
  readonly class: Readonly<Record<string, number>>;
  readonly severity: Readonly<Record<GroupSeverity, number>>;
}

export interface GroupList {
  readonly items: readonly GroupListItem[];
  readonly next_cursor: string | null;
  /**
   * How many groups each further choice would leave, the choices in the other dimensions applied. First page
   * only.
   */
  readonly facets: GroupFacets | null;
  readonly activity: { readonly start_at: string; readonly bucket_s: number };
}

export interface GroupListQuery {
  readonly state: GroupListState | null;
  /** Empty: all. */
  readonly classes: readonly string[];
  readonly severities: readonly GroupSeverity[];
  /** Every word has to occur in a group's class, signature, id, rules, sample executions or excerpt. */
  readonly words: readonly string[];
  /** Only groups seen in it. */
  readonly seen: TimeRange | null;
  /** What the sparklines show. */
  readonly activity: TimeRange;
  readonly sort: GroupSort;
  readonly after: GroupCursor | null;
  readonly limit: number;
  readonly nowMs: number;
}

export interface GroupCursor {
  /** The bigint that the list is sorted by. */
  readonly key: string;
  readonly groupId: string;
}

type Entry = GroupItem & { readonly sort_key: string };

export async function listGroupItems(sql: Sql, projectNo: number, query: GroupListQuery): Promise<GroupList> {
  const { page, facets } = await readPage(sql, projectNo, query);
  const entries = page.slice(0, query.limit);
  const buckets = activityBuckets(query.activity, SPARKLINE_BUCKETS, query.nowMs);
  const members = entries.map(({ id, merged_group_ids }) => ({
    groupId: id,
    memberIds: [id, ...merged_group_ids],
  }));
  const activity = await readActivity(sql, projectNo, members, buckets);
  const last = entries.at(-1);
  return {
    items: entries.map(({ sort_key: _, ...item }, at) => ({ ...item, activity: activity[at]! })),
    next_cursor: page.length > query.limit && last !== undefined ? `${last.sort_key}.${last.id}` : null,
    facets: facets === null ? null : facetsOf(facets),
    activity: { start_at: new Date(buckets.startMs).toISOString(), bucket_s: buckets.bucketMs / 1000 },
  };
}

export async function findGroupItem(sql: Sql, projectNo: number, id: string): Promise<GroupItem | null> {
  const [item] = await sql<(GroupItem & { sort_key: string })[]>`
    with picked as (select ${id} as group_id, 0::bigint as sort_key, true as has_merged) ${items(sql, projectNo)}`;
  if (item === undefined) return null;
  const { sort_key: _, ...group } = item;
  return group;
}

export interface MergedGroup {
  readonly id: string;
  readonly signature: string;
  readonly severity: GroupSeverity;
  readonly count: number;
  readonly first_seen_at: string;
  readonly last_seen_at: string;
  readonly excerpt: string;
  readonly acted_at: string | null;
}

const MERGED_SHOWN_MAX = 200;

/** What counts into a group, the latest seen first. */
export async function listMergedGroups(sql: Sql, projectNo: number, id: string): Promise<MergedGroup[]> {
  return await sql<MergedGroup[]>`
    select g.group_id as id, g.signature, g.severity, g.firing_count::float8 as count,
      ${isoTime(sql, sql`g.first_seen_at`)} as first_seen_at, ${isoTime(sql, sql`g.last_seen_at`)} as last_seen_at,
      g.last_excerpt as excerpt, ${isoMicros(sql, sql`g.acted_at`)} as acted_at
    from ats.failure_group g where g.project_no = ${projectNo} and g.merged_into = ${id}
    order by g.last_seen_at desc, g.group_id limit ${MERGED_SHOWN_MAX}`;
}

interface FacetRow {
  readonly state: GroupState;
  readonly regressed: boolean;
  readonly class: string;
  readonly rank: number;
  readonly in_state: boolean;
  readonly in_class: boolean;
  readonly in_severity: boolean;
  readonly count: number;
}

interface PageRow {
  /** One more than asked for when there are more. */
  readonly page: readonly Entry[];
  readonly facets: readonly FacetRow[] | null;
}

/**
 * Page and facets from one pass over the groups, as one row: fifty rows of as many columns cost the driver
 * more to read.
 */
async function readPage(sql: Sql, projectNo: number, query: GroupListQuery): Promise<PageRow> {
  const sortKey = {
    last_seen: sql`${micros(sql, "last_seen_at")}`,
    first_seen: sql`${micros(sql, "first_seen_at")}`,
    count: sql`count::bigint`,
    severity: sql`rank * 10000000000000000 + ${micros(sql, "last_seen_at")}`,
  }[query.sort];
  const after = query.after;
  const facets = sql`(
    select coalesce(json_agg(f), '[]') from (
      select state, regressed, class, rank, in_state, in_class, in_severity, count(*)::int as count
      from found group by 1, 2, 3, 4, 5, 6, 7
    ) f
  )`;
  const [row] = await sql<[PageRow]>`
    with ${entries(sql, projectNo, query.words)}, found as (
      select *, ${inState(sql, query)} as in_state, ${inClass(sql, query)} as in_class, ${inSeverity(sql, query)} as in_severity
      from entry where ${inSeen(sql, query)}
    ), chosen as (
      select group_id, has_merged, ${sortKey} as sort_key from found where in_state and in_class and in_severity
    ), picked as materialized (
      select * from chosen
      where ${after === null ? sql`true` : sql`(sort_key, group_id) < (${after.key}::bigint, ${after.groupId})`}
      order by sort_key desc, group_id desc
      limit ${query.limit + 1}
    )
    select (select coalesce(json_agg(i), '[]') from (${items(sql, projectNo)}) i) as page,
      ${after === null ? facets : sql`null::json`} as facets`;
  return row;
}

function facetsOf(rows: readonly FacetRow[]): GroupFacets {
  const state = { open: 0, regressed: 0, resolved: 0, ignored: 0 };
  const severity = { low: 0, medium: 0, high: 0, critical: 0 };
  const classes = new Map<string, number>();
  for (const row of rows) {
    if (row.in_class && row.in_severity) {
      state[row.state] += row.count;
      if (row.regressed) state.regressed += row.count;
    }
    if (row.in_state && row.in_class) severity[SEVERITIES[row.rank - 1]!] += row.count;
    if (row.in_state && row.in_severity) classes.set(row.class, (classes.get(row.class) ?? 0) + row.count);
  }
  return { state, class: Object.fromEntries(classes), severity };
}

function inState(sql: Sql, { state }: GroupListQuery) {
  if (state === null) return sql`true`;
  return state === "regressed" ? sql`regressed` : sql`state = ${state}`;
}

function inClass(sql: Sql, { classes }: GroupListQuery) {
  return classes.length === 0 ? sql`true` : sql`class = any(${[...classes]}::text[])`;
}

function inSeverity(sql: Sql, { severities }: GroupListQuery) {
  if (severities.length === 0) return sql`true`;
  return sql`rank = any(${severities.map((severity) => SEVERITIES.indexOf(severity) + 1)}::int[])`;
}

function inSeen(sql: Sql, { seen }: GroupListQuery) {
  if (seen === null) return sql`true`;
  return sql`last_seen_at >= ${new Date(seen.fromMs)} and first_seen_at < ${new Date(seen.toMs)}`;
}

/**
 * The common table `entry`: what to choose and sort by, of the groups of a project that stand for themselves.
 */
function entries(sql: Sql, projectNo: number, words: readonly string[]) {
  const isFound = words.reduce((so, word) => sql`${so} and strpos(t.text, ${word.toLowerCase()}) > 0`, sql``);
  // Put together once for all words: it is most of what a search costs.
  const text = sql`
    cross join lateral (
      select lower(${texts(sql, "g")} || ' ' || coalesce(a.texts, '')) as text offset 0
    ) t`;
  return sql`alias as (
      select m.merged_into, ${sums(sql)}, ${words.length === 0 ? sql`null` : sql`string_agg(${texts(sql, "m")}, ' ')`} as texts
      from ats.failure_group m
      where m.project_no = ${projectNo} and m.merged_into is not null
      group by m.merged_into
    ), entry as (
      select g.group_id, g.class, g.state, ${isRegressed(sql)} as regressed,
        greatest(${rank(sql, "g.severity")}, a.rank) as rank, g.firing_count + coalesce(a.firing_count, 0) as count,
        least(g.first_seen_at, a.first_seen_at) as first_seen_at,
        greatest(g.last_seen_at, a.last_seen_at) as last_seen_at, a.merged_into is not null as has_merged
      from ats.failure_group g
      left join alias a on a.merged_into = g.group_id
      ${words.length === 0 ? sql`` : text}
      where g.project_no = ${projectNo} and g.merged_into is null ${isFound}
    )`;
}

/**
 * Everything shown of the groups of the common table `picked`, in its order. `has_merged` is false only if
 * nothing counts into it.
 */
function items(sql: Sql, projectNo: number) {
  return sql`
    select g.group_id as id, g.class, g.signature,
      (array['low', 'medium', 'high', 'critical'])[greatest(${rank(sql, "g.severity")}, a.rank)] as severity,
      g.state, ${isRegressed(sql)} as regressed, (g.firing_count + coalesce(a.firing_count, 0))::float8 as count,
      ${isoTime(sql, sql`least(g.first_seen_at, a.first_seen_at)`)} as first_seen_at,
      ${isoTime(sql, sql`greatest(g.last_seen_at, a.last_seen_at)`)} as last_seen_at,
      ${isoTime(sql, sql`g.resolved_at`)} as resolved_at, ${isoTime(sql, sql`g.regressed_at`)} as regressed_at,
      ${isoTime(sql, sql`g.ignored_until`)} as ignored_until, g.ignored_firings_left::float8 as ignored_firings_left,
      ${isoMicros(sql, sql`g.acted_at`)} as acted_at, g.acted_by,
      g.merged_into, coalesce(to_json(a.ids), '[]') as merged_group_ids,
      case when a.last_seen_at > g.last_seen_at then a.last_excerpt else g.last_excerpt end as excerpt,
      case when a.last_seen_at > g.last_seen_at then a.last_rule_ids else to_json(g.last_rule_ids) end as rule_ids,
      (
        select coalesce(json_agg(s), '[]') from (
          select s from (
            select s, 0 as place from unnest(g.sample_execution_ids) as s
            union all
            select distinct s, 1 from ats.failure_group n cross join unnest(n.sample_execution_ids) as s
            where picked.has_merged and n.project_no = ${projectNo} and n.merged_into = g.group_id
              and s <> all(g.sample_execution_ids)
          ) each order by place, s limit ${SAMPLE_EXECUTIONS_MAX}
        ) samples
      ) as sample_execution_ids,
      picked.sort_key::text as sort_key
    from picked
    join ats.failure_group g on g.project_no = ${projectNo} and g.group_id = picked.group_id
    left join lateral (
      select ${sums(sql)}, array_agg(m.group_id order by m.group_id) as ids,
        (array_agg(m.last_excerpt order by m.last_seen_at desc))[1] as last_excerpt,
        (array_agg(to_json(m.last_rule_ids) order by m.last_seen_at desc))[1] as last_rule_ids
      from ats.failure_group m
      where picked.has_merged and m.project_no = ${projectNo} and m.merged_into = g.group_id
    ) a on true
    order by picked.sort_key desc, picked.group_id desc`;
}

/** Of merged groups `m`, what adds to the group that they count into. */
function sums(sql: Sql) {
  return sql`
    sum(m.firing_count) as firing_count, min(m.first_seen_at) as first_seen_at, max(m.last_seen_at) as last_seen_at,
    max(${rank(sql, "m.severity")}) as rank`;
}

function rank(sql: Sql, column: string) {
  return sql`array_position(array['low', 'medium', 'high', 'critical'], ${sql(column)})`;
}

function texts(sql: Sql, table: string) {
  const column = (name: string) => sql(`${table}.${name}`);
  return sql`concat_ws(' ', ${column("class")}, ${column("signature")}, ${column("group_id")}, ${column("last_excerpt")},
    array_to_string(${column("last_rule_ids")}, ' '), array_to_string(${column("sample_execution_ids")}, ' '))`;
}

function micros(sql: Sql, column: string) {
  return sql`(extract(epoch from ${sql(column)}) * 1000000)::bigint`;
}
