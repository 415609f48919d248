import type { Sql } from "../database/connect.ts";
import { plannedEachTime } from "./days.ts";
import { BYTES_AT_LEAST, type ExecutionKey, ownEvents, PLACE, payloadOf } from "./execution-key.ts";

/**
 * What the payloads of an execution's model calls add up to. PostgreSQL hands over their texts, many in one
 * row, and they are read here: it goes through a JSON text once for the cast and once for its fields. Bounded
 * by bytes; `complete` says whether all were read.
 */

export interface ExecutionUsage {
  readonly llm_calls: number;
  readonly tokens_in: number;
  readonly tokens_out: number;
  /** Sum of `cost_usd`, `cost` or the like; null if no payload carries one. */
  readonly cost: number | null;
  /** False if not all model calls were read. */
  readonly complete: boolean;
}

const NO_USAGE: ExecutionUsage = {
  llm_calls: 0,
  tokens_in: 0,
  tokens_out: 0,
  cost: null,
  complete: true,
};

/** Code of `llm_call`. */
export const MODEL_CALL = 1;
/** Bytes of payloads read: some 50 ms. */
const USAGE_BYTES_MAX = 8 * 1024 * 1024;
/** Bytes of payloads read at once: nobody else's request waits for more than some 7 ms. */
const PIECE_BYTES = 1024 * 1024;

/** Names of the interface, then those of the OpenTelemetry GenAI conventions and of others. */
const TOKENS_IN = ["tokens_in", "gen_ai.usage.input_tokens"] as const;
const TOKENS_OUT = ["tokens_out", "gen_ai.usage.output_tokens"] as const;
const COST = ["cost_usd", "cost", "total_cost", "gen_ai.usage.cost"] as const;
/** What is larger is taken for this: a sum stays a number. */
const NUMBER_MAX = 1e15;
/** Digits of a sum of costs that are its own; the last of a double are what adding left over. */
const COST_DIGITS = 15;

interface Piece {
  /** Payloads separated by commas. */
  readonly payloads: string;
  readonly count: number;
  /** Model calls that there are; absent where each is in a piece. */
  readonly calls?: number;
}

/** `callBytes`: of the payloads of all model calls; no order is kept where all of them fit. */
export async function readUsage(
  sql: Sql,
  key: ExecutionKey,
  callBytes: number,
  callsMax: number,
): Promise<ExecutionUsage> {
  if (callBytes === 0) return NO_USAGE;
  if (callBytes > USAGE_BYTES_MAX) return await usageOf(await first(sql, key, callsMax));
  return await usageOf(await all(sql, key, callsMax, Math.ceil(callBytes / PIECE_BYTES)));
}

/** Every model call, in one pass over the execution's rows. */
function all(sql: Sql, key: ExecutionKey, callsMax: number, pieces: number) {
  const piece = pieces === 1 ? sql`1` : sql`row_number() over () % ${pieces}::int`;
  return plannedEachTime(sql<Piece[]>`
    select string_agg(payload, ',') as payloads, count(*)::int as count from (
      select e.payload, ${piece} as piece
      from ${ownEvents(sql, key)} where e.event_type = ${MODEL_CALL} limit ${callsMax}
    ) e group by piece`);
}

/** The first model calls, as many as the bound allows and one at least; payloads of those alone are read. */
function first(sql: Sql, key: ExecutionKey, callsMax: number) {
  return plannedEachTime(sql<Piece[]>`
    with calls as materialized (
      select e.*, sum(e.bytes) over (order by e.sequence, e.event_id) as so_far from (
        select e.event_id, e.sequence, ${sql.unsafe(`${PLACE}, ${BYTES_AT_LEAST}`)} as bytes
        from ${ownEvents(sql, key)} where e.event_type = ${MODEL_CALL} limit ${callsMax}
      ) e
    ), read as materialized (
      select k.*, octet_length(p.payload) as length,
        sum(octet_length(p.payload)) over (order by k.sequence, k.event_id) as read
      from calls k cross join lateral ${payloadOf(sql, key)} p
      where k.so_far <= ${USAGE_BYTES_MAX} or k.so_far = k.bytes
    )
    select string_agg(p.payload, ',') as payloads, count(*)::int as count,
      (select count(*)::int from calls) as calls
    from read k cross join lateral ${payloadOf(sql, key)} p
    where k.read <= ${USAGE_BYTES_MAX} or k.read = k.length
    group by (k.read - 1) / ${PIECE_BYTES}::int`);
}

async function usageOf(pieces: readonly Piece[]): Promise<ExecutionUsage> {
  const calls = pieces[0]?.calls ?? pieces.reduce((all, { count }) => all + count, 0);
  const sum = { tokens_in: 0, tokens_out: 0, cost: 0, lost: 0, hasCost: false, read: 0 };
  for (const [place, piece] of pieces.entries()) {
    if (place > 0) await new Promise(setImmediate);
    const payloads = payloadsOf(piece);
    sum.read += payloads.length;
    for (const payload of payloads) {
      sum.tokens_in += numberOf(payload, TOKENS_IN) ?? 0;
      sum.tokens_out += numberOf(payload, TOKENS_OUT) ?? 0;
      const cost = numberOf(payload, COST);
      if (cost === null) continue;
      sum.hasCost = true;
      // What an addition rounds away is kept and added at the end: costs are small, and many.
      const next = sum.cost + cost;
      sum.lost += Math.abs(sum.cost) >= Math.abs(cost) ? sum.cost - next + cost : cost - next + sum.cost;
      sum.cost = next;
    }
  }
  return {
    llm_calls: calls,
    tokens_in: sum.tokens_in,
    tokens_out: sum.tokens_out,
    cost: sum.hasCost ? Number((sum.cost + sum.lost).toPrecision(COST_DIGITS)) : null,
    complete: sum.read === calls,
  };
}

/**
 * None of a piece that is no JSON: ingest stores none, and one put there by other means must not fail the
 * page.
 */
function payloadsOf({ payloads, count }: Piece): readonly Readonly<Record<string, unknown>>[] {
  try {
    const read: unknown = JSON.parse(`[${payloads}]`);
    return Array.isArray(read) && read.length === count ? read : [];
  } catch {
    return [];
  }
}

function numberOf(
  payload: Readonly<Record<string, unknown>> | null,
  names: readonly string[],
): number | null {
  for (const name of names) {
    const value = payload?.[name];
    if (typeof value === "number") return Math.max(-NUMBER_MAX, Math.min(NUMBER_MAX, value));
  }
  return null;
}
