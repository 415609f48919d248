/**
 * Pieces of SQL that several statements of the fill share, so that what one counts is what another stored:
 * `no` is an execution's number, `seq` the place of an event in it. All values come from these two by
 * arithmetic: no random numbers, so that two fills are alike, and no look-ups, so that they are quick.
 */
import { eventTypeCode } from "../../src/ingest/wire/event-types.ts";
import { SLOT_ORIGIN, SLOT_STEPS } from "../../src/store/upkeep/rollups.ts";
import { BLOCK_EXECUTIONS, type FillPlan } from "./fill-plan.ts";

const code = (name: string) => {
  const found = eventTypeCode(name);
  if (found === undefined) throw new Error(`no event type ${name}`);
  return found;
};

/** Shares of a hundred events, by their upper ends. */
const TYPES: readonly (readonly [number, string])[] = [
  [45, "llm_call"],
  [73, "tool_call"],
  [83, "mcp_call"],
  [88, "memory_operation"],
  [92, "agent_handoff"],
  [95, "checkpoint"],
  [96, "dlp_scan_result"],
  [97, "eval_score"],
  [98, "exception"],
  [99, "egress"],
];
const LLM_CALL = code("llm_call");

export const typeOf = (no: string, seq: string) =>
  `(case when ${seq} = 0 then ${code("environment_declaration")} ${TYPES.map(
    ([end, name]) => `when (${no} * 7 + ${seq} * 13) % 100 < ${end} then ${code(name)}`,
  ).join(" ")} else ${code("validator_result")} end)`;

export const tokensInOf = (no: string, seq: string) => `(200 + (${no} * 31 + ${seq} * 17) % 1800)`;
export const tokensOutOf = (no: string, seq: string) => `(20 + (${no} * 13 + ${seq} * 7) % 400)`;
export const isModelCall = (type: string) => `${type} = ${LLM_CALL}`;

/** Sorts by time, as the ids of most SDKs do. */
export const eventIdOf = (no: string, seq: string) =>
  `('ev' || lpad(to_hex(${no}), 8, '0') || lpad(to_hex(${seq}), 6, '0'))`;

const AGENTS = "(array['planner','researcher','coder','reviewer','writer'])";
const TOOLS = "(array['web_search','read_file','run_tests','sql_query','send_mail','calendar'])";
const PROSE =
  "The quarterly report lists revenue by region, the agent compared it with the forecast and found two rows that do not " +
  "add up, so it asked the ledger service for the missing entries and summarised the difference for the reader in one table";
const proseOf = (no: string, seq: string, length: number) =>
  `substr('${PROSE}', 1 + ((${no} + ${seq} * 5) % 90)::int, ${length})`;
const agentOf = (no: string, seq: string) => `${AGENTS}[1 + ((${no} + ${seq} / 5) % 5)::int]`;
const nextAgentOf = (no: string, seq: string) => `${AGENTS}[1 + ((${no} + ${seq} / 5 + 1) % 5)::int]`;

/** JSON text of about 200 bytes. */
export const payloadOf = (type: string, no: string, seq: string) => `(case ${type}
  when ${LLM_CALL} then concat('{"model":"model-', ${no} % 3, '","agent":"', ${agentOf(no, seq)}, '","tokens_in":',
    ${tokensInOf(no, seq)}, ',"tokens_out":', ${tokensOutOf(no, seq)}, ',"latency_ms":', 300 + ${seq} % 900,
    ',"cost_usd":0.00', 10 + ${seq} % 80, ',"output":"', ${proseOf(no, seq, 110)}, '"}')
  when ${code("agent_handoff")} then concat('{"from_agent":"', ${agentOf(no, seq)}, '","to_agent":"',
    ${nextAgentOf(no, seq)}, '","reason":"', ${proseOf(no, seq, 90)}, '"}')
  when ${code("environment_declaration")} then '{"mode":"production","declared_by":"deploy"}'
  when ${code("exception")} then concat('{"type":"TimeoutError","message":"', ${proseOf(no, seq, 80)},
    '","stack":"at call (client.ts:', ${seq}, ')"}')
  else concat('{"agent":"', ${agentOf(no, seq)}, '","tool_name":"', ${TOOLS}[1 + ((${no} + ${seq}) % 6)::int],
    '","arguments":{"query":"', ${proseOf(no, seq, 60)}, '","limit":', ${seq} % 50, '},"duration_ms":',
    20 + ${seq} % 700, ',"result":"', ${proseOf(no, seq, 40)}, '"}') end)`;

/** Events of the executions of a block. */
export const lengthOf = (plan: FillPlan, block: string) =>
  `(array[${plan.lengths.join(",")}])[1 + (${block} % 4)::int]`;

export const blockOf = (no: string) => `((${no} - 1) / ${BLOCK_EXECUTIONS})`;

const moment = (ms: number) => `timestamptz '${new Date(ms).toISOString()}'`;
export const endOf = (plan: FillPlan) => moment(plan.toMs);

export const startOf = (plan: FillPlan, no: string) =>
  `(${moment(plan.fromMs)} + ${no} * interval '${Math.floor(((plan.toMs - plan.fromMs) * 1000) / plan.executions)} microseconds')`;

/**
 * An execution's events lie on the day on which it began: none of them needs a stand-in in another partition.
 */
export const eventTimeOf = (start: string, seq: string) =>
  `least(${start} + ${seq} * interval '1.7 s', date_trunc('day', ${start}, 'UTC') + interval '1 day' - interval '1 ms')`;

export const RECEIVED_AFTER = "interval '250 ms'";

/** Base-32 text of 20 characters, as the service makes its ids. */
export const idOf = (prefix: string, text: string) =>
  `('${prefix}_' || translate(left(md5(${text}), 20), '0189', 'ghij'))`;

/** A number from 0 to 1 (1 left out) that looks like chance, and is another one with another salt. */
export const chanceOf = (no: string, salt: number) =>
  `((hashint8extended(${no}, ${salt}) & 1048575) / 1048576.0)`;

/** The lengths of the roll-ups' slots that are still kept at a time, one row each. */
export const stepsAt = (plan: FillPlan, time: string) =>
  `(select step from (values ${SLOT_STEPS.map(({ step, keptMs }) => `(${step}, ${keptMs === Number.POSITIVE_INFINITY ? "interval 'infinity'" : `interval '${keptMs} ms'`})`).join(", ")}) k (step, kept)
    where ${time} > ${endOf(plan)} - kept)`;

/** The slot of length `step` that a time falls in. */
export const slotOf = (time: string) => `date_bin(make_interval(secs => step), ${time}, ${SLOT_ORIGIN})`;
