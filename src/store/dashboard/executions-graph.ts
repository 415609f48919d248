import type { Sql } from "../connect.ts";
import { type ExecutionKey, ownEvents } from "./executions-record.ts";

/**
 * What the hand-over graph of an execution is drawn from: who did what, in order, names only. Bounded by events and
 * by bytes of payload; `complete` says whether all were read.
 */
export interface ActionRow {
  readonly event_id: string;
  readonly event_type: number;
  readonly sequence: number;
  readonly timestamp: string;
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
/** A payload up to this size is sorted along with its key; finding it again costs more. All of them fit the sort's memory. */
const CARRIED_BYTES_MAX = 512;
const NAME_CHARS_MAX = 120;
const MOMENT = 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"';

export interface ActionCodes {
  readonly handoff: number;
  readonly others: readonly number[];
}

export async function readActions(
  sql: Sql,
  key: ExecutionKey,
  codes: ActionCodes,
): Promise<{ rows: ActionRow[]; complete: boolean }> {
  const text = (name: string) => sql.unsafe(`left(f."${name}" #>> '{}', ${NAME_CHARS_MAX})`);
  const rows = await sql<(ActionRow & { complete: boolean })[]>`
    with own as materialized (
      select e.*, sum(e.bytes) over (order by e.later, e.sequence, e."timestamp", e.event_id) as so_far from (
        select e.event_id, e.event_type, e.sequence, e."timestamp", octet_length(e.payload) as bytes,
          case when octet_length(e.payload) <= ${CARRIED_BYTES_MAX} then e.payload end as payload,
          e.event_type <> ${codes.handoff} as later
        from ats.event e where ${ownEvents(sql, key)}
          and e.event_type = any(${[codes.handoff, ...codes.others]}::smallint[])
        order by later, e.sequence, e."timestamp", e.event_id limit ${ACTIONS_MAX + 1}
      ) e
    ), taken as (
      select * from own order by later, sequence, "timestamp", event_id limit ${ACTIONS_MAX}
    )
    select k.event_id, k.event_type, k.sequence, to_char(k."timestamp" at time zone 'UTC', ${MOMENT}) as "timestamp",
      coalesce(${text("agent")}, ${text("agent_name")}, ${text("gen_ai.agent.name")}) as agent,
      ${text("from_agent")} as from_agent, ${text("to_agent")} as to_agent,
      coalesce(${text("tool_name")}, ${text("gen_ai.tool.name")}) as tool, ${text("server")} as server,
      coalesce(json_typeof(f.error) <> 'null' and f.error::text not in ('false', '""'), false) as failed,
      (select count(*) <= ${ACTIONS_MAX} and max(so_far) <= ${ACTION_BYTES_MAX} from own) as complete
    from taken k
    cross join lateral (
      select p.payload from (
        select k.payload where k.payload is not null
        union all
        select e.payload from ats.event e where k.payload is null and e.project_no = ${key.projectNo}
          and e.execution_no = ${key.executionNo}::bigint and e.event_id = k.event_id
          and e."timestamp" = k."timestamp" and e.event_type > 0
      ) p where strpos(p.payload, '\\u0000') = 0
      offset 0
    ) e
    cross join lateral json_to_record(e.payload::json) as f (agent json, agent_name json, "gen_ai.agent.name" json,
      from_agent json, to_agent json, tool_name json, "gen_ai.tool.name" json, server json, error json)
    where k.so_far <= ${ACTION_BYTES_MAX}
    order by k.sequence, k."timestamp", k.event_id`;
  return { rows: rows.map(({ complete: _, ...row }) => row), complete: rows[0]?.complete ?? true };
}
