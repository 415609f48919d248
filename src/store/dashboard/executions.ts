import type { Fragment } from "postgres";
import type { Sql, Statements } from "../database/connect.ts";
import { isoMicros } from "../database/iso-time.ts";
import type { ExecutionStatus } from "../telemetry/executions.ts";
import type { ExecutionRecord } from "./executions-record.ts";

/**
 * The list of a project's executions, newest or oldest first, a page at a time by (started_at, execution_no).
 *
 * Invariant: a page costs the same whatever is asked for. A filter that an index can narrow to a few
 * executions (a text, a failure class) is answered from those. Any other is tested on the executions of the
 * time range in order, `SCANNED_MAX` of them a page; a page that ends there says until when it searched and
 * where to go on. There is no index on status, SDK or environment on purpose: finishing an execution would
 * then write to each index of the table, and not to the row alone.
 */

export interface ExecutionFilter {
  readonly statuses: readonly ExecutionStatus[] | null;
  /** ISO 8601; `from` belongs to the range, `to` does not. */
  readonly from: string | null;
  readonly to: string | null;
  readonly sdkLanguage: string | null;
  readonly sdkVersion: string | null;
  /** Mode of the declared environment; `none` finds what declared none. */
  readonly environment: string | null;
  readonly failureClass: string | null;
  /** Start of an execution id or of a crash signature, `sha256:` left out or not. */
  readonly text: string | null;
}

export interface ExecutionPosition {
  /** ISO 8601 with microseconds, as the rows carry it. */
  readonly startedAt: string;
  readonly executionNo: number;
}

export interface ExecutionPageRequest {
  readonly projectNo: number;
  readonly filter: ExecutionFilter;
  readonly newestFirst: boolean;
  readonly after: ExecutionPosition | null;
  readonly limit: number;
  /** Rows tested in this page, `SCANNED_MAX` if not given. */
  readonly scannedMax?: number;
  /** Of them, how many are tested for a class before the rest is, `FIRST_SCANNED_MAX` if not given. */
  readonly firstScannedMax?: number;
  /** `JOINED_MAX` if not given. */
  readonly joinedMax?: number;
}

export interface SeverityCounts {
  readonly low: number;
  readonly medium: number;
  readonly high: number;
  readonly critical: number;
}

export interface ExecutionItem extends Omit<ExecutionRecord, "environment"> {
  /** The mode that was declared first. */
  readonly environment: string | null;
  /** Each count stops at `DETECTIONS_COUNTED_MAX` detections of the execution. */
  readonly detections: SeverityCounts;
}

export interface ExecutionPage {
  readonly items: ExecutionItem[];
  readonly next: ExecutionPosition | null;
  /** Set when the page ended before the range did: everything until this time was looked at. */
  readonly searchedUntil: string | null;
}

/**
 * Rows tested in one page: some 20 ms on two idle cores with 1,000,000 executions stored, 45 ms with a class
 * asked for.
 */
export const SCANNED_MAX = 20_000;
/** Rows tested for a class at first: one that fired in an eightieth of them fills a page of 50. */
const FIRST_SCANNED_MAX = 4_000;
/** Detections of a class read rather than to probe for each execution. */
const JOINED_MAX = 40_000;
/** Executions that a narrowing index may yield before the scan in order of time is the better way. */
const NARROWED_MAX = 4_000;
/**
 * Of them, up to so many are found by number and sorted; among more the newest are found sooner in order of
 * time.
 */
const FOUND_BY_NUMBER_MAX = 500;
const DETECTIONS_COUNTED_MAX = 200;

/** Sorts behind every text that starts with what stands before it. */
const LAST_CHARACTER = "\u{10ffff}";

export async function listExecutions(sql: Sql, request: ExecutionPageRequest): Promise<ExecutionPage> {
  const narrowed = await narrow(sql, request.projectNo, request.filter);
  if (narrowed !== null) return pageOf(request, await chosen(sql, request, narrowed), null);
  return await inOrderOfIndex(sql, async (tx) => {
    const scannedMax = request.scannedMax ?? SCANNED_MAX;
    const firstMax = Math.min(request.firstScannedMax ?? FIRST_SCANNED_MAX, scannedMax);
    // A class is tested on a stretch of time at once. One that fires often fills the page from a short one.
    const first = request.filter.failureClass === null ? scannedMax : firstMax;
    const { found, end } = endOfWalk(request, await scanned(tx, request, first), first);
    if (end === null || first === scannedMax) return pageOf(request, found, end);
    const whole = endOfWalk(request, await scanned(tx, request, scannedMax), scannedMax);
    return pageOf(request, whole.found, whole.end);
  });
}

/** `end`: where the walk stopped because it had tested as many as it may, before the page was full. */
function endOfWalk(request: ExecutionPageRequest, rows: readonly ExecutionRow[], scannedMax: number) {
  const found = rows.filter((row) => row.matches);
  const last = rows.find((row) => row.place === scannedMax);
  return { found, end: found.length > request.limit || last === undefined ? null : positionOf(last) };
}

function pageOf(
  request: ExecutionPageRequest,
  rows: readonly ExecutionRow[],
  end: ExecutionPosition | null,
): ExecutionPage {
  const items = rows.slice(0, request.limit);
  const last = items.at(-1);
  if (rows.length > request.limit && last !== undefined)
    return { items: items.map(itemOf), next: positionOf(last), searchedUntil: null };
  return { items: items.map(itemOf), next: end, searchedUntil: end?.startedAt ?? null };
}

/**
 * A planner without statistics, after a restore say, takes any project for a small one, reads all of it and
 * sorts it: 8 s for a page. So walking the index is left to it as the only way.
 */
async function inOrderOfIndex<T>(sql: Sql, read: (tx: Statements) => Promise<T>): Promise<T> {
  const result = await sql.begin("read only", async (tx) => {
    await tx`select set_config('enable_sort', 'off', true), set_config('enable_bitmapscan', 'off', true),
      set_config('enable_seqscan', 'off', true)`;
    return await read(tx);
  });
  return result as T;
}

interface Narrowed {
  /** Part of a statement: an array of `execution_no`. */
  readonly numbers: ReturnType<Statements>;
  readonly count: number;
}

/**
 * The few executions that an index can name for the filter; null where it would name too many, or nothing
 * narrows. A part of a statement comes in an object: a promise of the part alone would run it.
 */
async function narrow(sql: Sql, projectNo: number, filter: ExecutionFilter): Promise<Narrowed | null> {
  const firings = filter.failureClass === null ? 0 : await countFirings(sql, projectNo, filter.failureClass);
  const rare =
    filter.failureClass !== null && firings <= NARROWED_MAX
      ? sql`select execution_no from ats.detection
          where project_no = ${projectNo} and class = ${filter.failureClass}`
      : null;
  // Nothing to compare with: the numbers need not leave the database.
  if (filter.text === null) return rare === null ? null : { numbers: sql`array(${rare})`, count: firings };
  const signature = signatureStart(filter.text);
  const ways: Promise<{ execution_no: number }[]>[] = [
    sql`
      (select execution_no::float8 from ats.execution
        where project_no = ${projectNo} and execution_id >= ${filter.text}
          and execution_id < ${filter.text + LAST_CHARACTER}
        order by execution_id limit ${NARROWED_MAX + 1})
      union all
      (select execution_no::float8 from ats.execution
        where project_no = ${projectNo} and crash_signature collate "C" >= ${signature}
          and crash_signature collate "C" < ${signature + LAST_CHARACTER}
        order by crash_signature collate "C" limit ${NARROWED_MAX + 1})`,
  ];
  if (rare !== null) ways.push(sql`select execution_no::float8 from (${rare}) d`);
  const found = (await Promise.all(ways)).filter((rows) => rows.length <= NARROWED_MAX);
  const fewest = found.sort((a, b) => a.length - b.length)[0];
  if (fewest === undefined) return null;
  const numbers: number[] = [...new Set(fewest.map((row) => row.execution_no))];
  return { numbers: sql`${numbers}::bigint[]`, count: numbers.length };
}

/**
 * As far as it matters, in the index alone: of a class that fires often thousands of rows would be read for
 * nothing.
 */
async function countFirings(sql: Sql, projectNo: number, failureClass: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from (
      select from ats.detection where project_no = ${projectNo} and class = ${failureClass} limit ${NARROWED_MAX + 1}
    ) d`;
  return row?.count ?? 0;
}

const signatureStart = (text: string) => (text.startsWith("sha256:") ? text : `sha256:${text}`);

interface ExecutionRow extends Omit<ExecutionItem, "sdk" | "detections"> {
  readonly execution_no: number;
  readonly sdk_language: string | null;
  readonly sdk_version: string | null;
  readonly severities: Record<string, number> | null;
  /** In a walk: how many rows were tested until this one, itself included. */
  readonly place: number | null;
  /** False or null of a walk's last row, if it is no row of the page. */
  readonly matches: boolean | null;
}

/**
 * The page among executions known by number. `offset 0`: a few are found by number first. A planner that does
 * not know how many they are would rather walk all of the time range and look for each in the list of
 * numbers.
 */
function chosen(sql: Statements, request: ExecutionPageRequest, { numbers, count }: Narrowed) {
  const first = count <= FOUND_BY_NUMBER_MAX ? sql`offset 0` : sql``;
  return page(
    sql,
    request,
    sql`select e.execution_no, e.started_at, null::int as place, true as matches
      from (select * from ats.execution where project_no = ${request.projectNo}
        and execution_no = any(${numbers}) ${first}) e
      where true ${rangeOf(sql, request)} ${conditionsOf(sql, request)} ${probe(sql, request)}`,
  );
}

/**
 * The page among the next `scannedMax` executions in order of time. The last of them comes along, matching or
 * not: where the page ends is then known without a second walk. Until the page is chosen a row is its key and
 * whether it matches: the index has both in order, and nothing wide is carried from step to step.
 */
function scanned(sql: Statements, request: ExecutionPageRequest, scannedMax: number) {
  const tested = sql`
    select e.execution_no, e.started_at, e.matches, row_number() over (${orderOf(sql, request)}) as place from (
      select e.execution_no, e.started_at, (true ${conditionsOf(sql, request)}) as matches
      from ats.execution e where e.project_no = ${request.projectNo} ${rangeOf(sql, request)}
      ${orderOf(sql, request)} limit ${scannedMax}
    ) e`;
  const source = request.filter.failureClass === null ? tested : withClass(sql, request, tested);
  return page(sql, request, sql`select * from (${source}) e where e.matches or e.place = ${scannedMax}`);
}

/** One probe of an index an execution; `offset 0`: never a join that reads all detections of the class. */
function probe(sql: Statements, { projectNo, filter }: ExecutionPageRequest) {
  return filter.failureClass === null
    ? sql``
    : sql`and exists (select from ats.detection d where d.project_no = ${projectNo}
        and d.execution_no = e.execution_no and d.class = ${filter.failureClass} offset 0)`;
}

/**
 * Tests for the class too, by one scan of where it fired between the lowest and the highest number tested. An
 * execution may have begun long before it was first heard of: where the numbers are so far apart that more
 * than `JOINED_MAX` fired between them, it is one probe each.
 */
function withClass(sql: Statements, request: ExecutionPageRequest, tested: Fragment) {
  const joinedMax = request.joinedMax ?? JOINED_MAX;
  return sql`
    with tested as materialized (${tested}),
    bounds as materialized (select min(execution_no) as low, max(execution_no) as high from tested),
    fired as materialized (
      select d.execution_no from ats.detection d
      where d.project_no = ${request.projectNo} and d.class = ${request.filter.failureClass}
        and d.execution_no >= (select low from bounds) and d.execution_no <= (select high from bounds)
      limit ${joinedMax + 1}
    )
    select e.execution_no, e.started_at, e.place,
      e.matches and case when (select count(*) <= ${joinedMax} from fired)
        then e.execution_no in (select execution_no from fired) else true ${probe(sql, request)} end as matches
    from tested e`;
}

/** `source` yields keys, `place` and `matches`. */
function page(sql: Statements, request: ExecutionPageRequest, source: ReturnType<Statements>) {
  // Only the rows of the page are read whole, and have their severities counted: the inner limit comes first.
  return sql<ExecutionRow[]>`
    select x.execution_id, e.execution_no::float8 as execution_no, x.status, x.sdk_language, x.sdk_version,
      x.environment->>'mode' as environment,
      ${isoMicros(sql, sql`x.started_at`)} as started_at,
      ${isoMicros(sql, sql`x.finished_at`)} as finished_at,
      x.duration_ms::float8 as duration_ms, x.total_tokens_in::float8 as tokens_in,
      x.total_tokens_out::float8 as tokens_out, x.crash_signature, d.severities, e.place::float8 as place, e.matches
    from (
      select * from (${source}) e
      ${orderOf(sql, request)} limit ${request.limit + 1}
    ) e
    cross join lateral (
      select * from ats.execution x where x.project_no = ${request.projectNo} and x.execution_no = e.execution_no
      offset 0
    ) x
    left join lateral (
      select json_object_agg(severity, count) as severities from (
        select severity, count(*)::int as count from (
          select severity from ats.detection d
          where d.project_no = ${request.projectNo} and d.execution_no = e.execution_no
          limit ${DETECTIONS_COUNTED_MAX}
        ) d group by severity
      ) d
    ) d on true
    ${orderOf(sql, request)}`;
}

function orderOf(sql: Statements, { newestFirst }: ExecutionPageRequest) {
  return newestFirst
    ? sql`order by e.started_at desc, e.execution_no desc`
    : sql`order by e.started_at, e.execution_no`;
}

/**
 * A bound that the place in the list makes needless is left out: given two, PostgreSQL begins its scan at the
 * wider one and reads all that lies between.
 */
function rangeOf(sql: Statements, { filter, after, newestFirst }: ExecutionPageRequest) {
  const from = filter.from === null ? sql`` : sql`and e.started_at >= ${filter.from}::text::timestamptz`;
  const to = filter.to === null ? sql`` : sql`and e.started_at < ${filter.to}::text::timestamptz`;
  if (after === null) return sql`${from} ${to}`;
  const position = sql`(${after.startedAt}::text::timestamptz, ${after.executionNo}::bigint)`;
  const at = Date.parse(after.startedAt);
  if (newestFirst) {
    const isWithin = filter.to === null || at < Date.parse(filter.to);
    return sql`${from} ${isWithin ? sql`` : to} and (e.started_at, e.execution_no) < ${position}`;
  }
  const isWithin = filter.from === null || at >= Date.parse(filter.from);
  return sql`${isWithin ? sql`` : from} ${to} and (e.started_at, e.execution_no) > ${position}`;
}

/** All but the class: what a row of `ats.execution e` says of itself. */
function conditionsOf(sql: Statements, { filter }: ExecutionPageRequest) {
  const conditions = [sql``];
  if (filter.statuses !== null)
    conditions.push(sql`and e.status = any(${filter.statuses as string[]}::text[])`);
  if (filter.sdkLanguage !== null) conditions.push(sql`and e.sdk_language = ${filter.sdkLanguage}`);
  if (filter.sdkVersion !== null) conditions.push(sql`and e.sdk_version = ${filter.sdkVersion}`);
  if (filter.environment === "none")
    conditions.push(sql`and (e.environment is null or e.environment->>'mode' = 'none')`);
  else if (filter.environment !== null)
    // Reading JSON costs more than all else of a row. A text without a backslash has its values in it as they
    // are.
    conditions.push(sql`and case when strpos(e.environment::text, ${filter.environment}) > 0
        or strpos(e.environment::text, ${"\\"}) > 0
      then e.environment->>'mode' = ${filter.environment} else false end`);
  if (filter.text !== null)
    conditions.push(sql`and (starts_with(e.execution_id, ${filter.text})
      or starts_with(e.crash_signature, ${signatureStart(filter.text)}))`);
  return conditions.reduce((all, one) => sql`${all} ${one}`);
}

const positionOf = (row: { started_at: string; execution_no: number }): ExecutionPosition => ({
  startedAt: row.started_at,
  executionNo: row.execution_no,
});

function itemOf(row: ExecutionRow): ExecutionItem {
  const { severities } = row;
  return {
    execution_id: row.execution_id,
    status: row.status,
    sdk: { language: row.sdk_language, version: row.sdk_version },
    environment: row.environment,
    started_at: row.started_at,
    finished_at: row.finished_at,
    duration_ms: row.duration_ms,
    tokens_in: row.tokens_in,
    tokens_out: row.tokens_out,
    crash_signature: row.crash_signature,
    detections: {
      low: severities?.low ?? 0,
      medium: severities?.medium ?? 0,
      high: severities?.high ?? 0,
      critical: severities?.critical ?? 0,
    },
  };
}

export interface ExecutionFacets {
  readonly sdks: { readonly language: string; readonly versions: string[] }[];
  readonly environments: string[];
  readonly failure_classes: string[];
}

/** Executions whose SDKs and environments are offered as filters: the latest. */
const FACET_SAMPLE = 5_000;
const FACET_VALUES_MAX = 50;

/**
 * What there is to filter by: SDKs and environments of the latest executions, failure classes that ever
 * fired. Most environments are the same text: told apart as such, few are read as JSON.
 */
export async function readExecutionFacets(sql: Sql, projectNo: number): Promise<ExecutionFacets> {
  const latest = inOrderOfIndex(
    sql,
    async (tx) =>
      await tx<{ language: string | null; version: string | null; environment: string | null }[]>`
    select distinct language, version, environment::json->>'mode' as environment from (
      select distinct sdk_language as language, sdk_version as version, environment::text as environment
      from (select * from ats.execution where project_no = ${projectNo}
        order by started_at desc limit ${FACET_SAMPLE}) e
    ) e
    order by 1, 2, 3 limit 2000`,
  );
  const classes = sql<{ class: string }[]>`
    with recursive step as (
      (select class from ats.failure_group where project_no = ${projectNo} order by class limit 1)
      union all
      select (select class from ats.failure_group g where project_no = ${projectNo} and g.class > step.class
        order by class limit 1)
      from step where step.class is not null
    )
    select class from step where class is not null`;
  const [rows, fired] = await Promise.all([latest, classes]);
  const versions = new Map<string, Set<string>>();
  const environments = new Set<string>();
  for (const row of rows) {
    if (row.language !== null) {
      const known = versions.get(row.language) ?? new Set();
      if (row.version !== null && known.size < FACET_VALUES_MAX) known.add(row.version);
      if (versions.size < FACET_VALUES_MAX) versions.set(row.language, known);
    }
    if (row.environment !== null && environments.size < FACET_VALUES_MAX) environments.add(row.environment);
  }
  return {
    sdks: [...versions].map(([language, of]) => ({ language, versions: [...of] })),
    environments: [...environments],
    failure_classes: fired.map((row) => row.class),
  };
}
