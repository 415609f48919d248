import type { Sql } from "../database/connect.ts";
import { isoMicros } from "../database/iso-time.ts";
import { plannedEachTime } from "./days.ts";
import { BYTES_AT_LEAST, type ExecutionKey, IS_SHORT, ownEvents, PLACE, payloadOf } from "./execution-key.ts";

/**
 * What the hand-over graph of an execution is drawn from: who did what, in order, names only. Bounded by
 * events and by bytes of payload; `complete` says whether all were read.
 *
 * Names are read from the payloads here: PostgreSQL, which goes through a JSON text once for the cast and
 * once for its fields, took 25 ms for 4,000 of them, and this takes 6.
 */
export interface ActionRow extends ActionNames {
  readonly event_id: string;
  readonly event_type: number;
  readonly sequence: number;
  /** Of a hand-over; null of anything else. */
  readonly timestamp: string | null;
}

export interface ActionNames {
  readonly agent: string | null;
  readonly from_agent: string | null;
  readonly to_agent: string | null;
  readonly tool: string | null;
  readonly server: string | null;
  readonly failed: boolean;
}

/** Hand-overs come first into the bound: they are few, and the graph is theirs. */
const ACTIONS_MAX = 4_000;
const ACTION_BYTES_MAX = 4 * 1024 * 1024;
/** Added to the sequence of what is no hand-over: one number to sort by, and more than any sequence. */
const LATER = 2 ** 32;
/**
 * A payload up to this size is sorted along with its key; finding it again costs more. All of them fit the
 * memory that the dashboard's connections have for a sort.
 */
const CARRIED_BYTES_MAX = 512;
const NAME_CHARS_MAX = 120;

const AGENT_NAMES = ["agent", "agent_name", "gen_ai.agent.name"] as const;
const TOOL_NAMES = ["tool_name", "gen_ai.tool.name"] as const;

export interface ActionCodes {
  readonly handoff: number;
  readonly others: readonly number[];
}

interface StoredAction {
  readonly event_id: string;
  readonly event_type: number;
  readonly sequence: number;
  readonly timestamp: string | null;
  /** Null if its retention ended meanwhile. */
  readonly payload: string | null;
  readonly complete: boolean;
}

export async function readActions(
  sql: Sql,
  key: ExecutionKey,
  codes: ActionCodes,
): Promise<{ rows: ActionRow[]; complete: boolean }> {
  const stored = await plannedEachTime(sql<StoredAction[]>`
    with own as materialized (
      select e.*, sum(e.bytes) over (order by e.place, e."timestamp", e.event_id) as so_far from (
        select e.event_id, e.event_type, e.sequence, e."timestamp", ${sql.unsafe(`${PLACE}, ${BYTES_AT_LEAST}`)} as bytes,
          case when ${sql.unsafe(IS_SHORT)} then case when octet_length(e.payload) <= ${CARRIED_BYTES_MAX} then e.payload end end
            as payload,
          case when e.event_type = ${codes.handoff} then e.sequence else e.sequence + ${LATER}::bigint end as place
        from ${ownEvents(sql, key)} where e.event_type = any(${[codes.handoff, ...codes.others]}::smallint[])
        order by place, e."timestamp", e.event_id limit ${ACTIONS_MAX + 1}
      ) e
    ), taken as materialized (
      select k.*, sum(coalesce(octet_length(k.payload), (select octet_length(p.payload) from ${payloadOf(sql, key)} p)))
        over (order by place, "timestamp", event_id) as read
      from (select * from own order by place, "timestamp", event_id limit ${ACTIONS_MAX}) k
      where k.so_far <= ${ACTION_BYTES_MAX}
    )
    select k.event_id, k.event_type, k.sequence,
      case when k.event_type = ${codes.handoff} then ${isoMicros(sql, sql`k."timestamp"`)} end as "timestamp",
      case when k.payload is not null then k.payload else (select p.payload from ${payloadOf(sql, key)} p) end as payload,
      (select count(*) <= ${ACTIONS_MAX} and max(so_far) <= ${ACTION_BYTES_MAX} from own)
        and (select max(read) <= ${ACTION_BYTES_MAX} from taken) as complete
    from taken k
    where k.read <= ${ACTION_BYTES_MAX}
    order by k.sequence, k."timestamp", k.event_id`);
  // Ingest stores no U+0000; a payload put there by other means must not fail the page.
  const readable = stored.filter((row) => row.payload !== null && !row.payload.includes("\\u0000"));
  const names = await namesOf(
    sql,
    readable.map((row) => row.payload!),
  );
  const rows = readable.map(({ payload: _, complete: __, ...row }, place) => ({ ...row, ...names[place]! }));
  return { rows, complete: stored[0]?.complete ?? true };
}

/**
 * The names in each of the payloads. What is no text, a number say, is written as PostgreSQL writes it: digit
 * by digit.
 */
export async function namesOf(sql: Sql, payloads: readonly string[]): Promise<ActionNames[]> {
  const names = payloads.map(plainNames);
  const others = payloads.filter((_, place) => names[place] === null);
  if (others.length === 0) return names as ActionNames[];
  const written = (await writtenNames(sql, others)).values();
  return names.map((each) => each ?? written.next().value!);
}

/** Null where one of the names is neither a text nor absent. */
function plainNames(payloadText: string): ActionNames | null {
  const payload: Record<string, unknown> = JSON.parse(payloadText);
  let arePlain = true;
  const first = (...fields: readonly string[]) => {
    let found: string | null = null;
    for (const field of fields) {
      const value = payload[field] ?? null;
      if (typeof value === "string") found ??= value;
      else if (value !== null) arePlain = false;
    }
    return found === null ? null : start(found);
  };
  const { error } = payload;
  const names = {
    agent: first(...AGENT_NAMES),
    from_agent: first("from_agent"),
    to_agent: first("to_agent"),
    tool: first(...TOOL_NAMES),
    server: first("server"),
    failed: error !== undefined && error !== null && error !== false && error !== "",
  };
  return arePlain ? names : null;
}

const start = (text: string) =>
  text.length <= NAME_CHARS_MAX ? text : [...text].slice(0, NAME_CHARS_MAX).join("");

async function writtenNames(sql: Sql, payloads: readonly string[]): Promise<ActionNames[]> {
  const first = (...fields: readonly string[]) =>
    sql.unsafe(
      `coalesce(${fields.map((field) => `left(f."${field}" #>> '{}', ${NAME_CHARS_MAX})`).join(", ")})`,
    );
  return await sql<ActionNames[]>`
    select ${first(...AGENT_NAMES)} as agent, ${first("from_agent")} as from_agent, ${first("to_agent")} as to_agent,
      ${first(...TOOL_NAMES)} as tool, ${first("server")} as server,
      coalesce(json_typeof(f.error) <> 'null' and f.error::text not in ('false', '""'), false) as failed
    from unnest(${payloads as string[]}::text[]) with ordinality as p (payload, place)
    cross join lateral json_to_record(p.payload::json) as f (agent json, agent_name json, "gen_ai.agent.name" json,
      from_agent json, to_agent json, tool_name json, "gen_ai.tool.name" json, server json, error json)
    order by p.place`;
}
