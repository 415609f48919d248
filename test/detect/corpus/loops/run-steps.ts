import { hashText } from "../../../../src/detect/building-blocks/hash.ts";
import { plainPayload } from "../../../../src/detect/client-forms/plain-payload.ts";
import type { DetectorEvent } from "../../../../src/detect/detector.ts";
import type { EventType } from "../../../../src/ingest/wire/event-types.ts";
import { START_MS } from "../../../support/detector-harness.ts";

/**
 * What the invented runs of this folder are made of: steps in the order in which they happened, each some
 * time after the one before. The runs are dealt by a hash of their names: one half was looked at while rules
 * were changed, of the other only totals were.
 */
export interface Step {
  readonly type: EventType;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly afterMs: number;
  /** By how many events it arrives later than it happened. */
  readonly late?: number;
}
export type Runs = Readonly<Record<string, readonly Step[]>>;
export type Part = "read" | "counted";

type Fields = Readonly<Record<string, unknown>>;

const step = (type: EventType, payload: Fields, afterMs = 1_700): Step => ({ type, payload, afterMs });

export const hand = (from_agent: string, to_agent: string, reason?: string, more: Fields = {}): Step =>
  step("agent_handoff", { from_agent, to_agent, ...(reason === undefined ? {} : { reason }), ...more });
export const call = (tool_name: string, args: unknown, result?: unknown, more: Fields = {}): Step =>
  step("tool_call", { tool_name, arguments: args, ...(result === undefined ? {} : { result }), ...more });
export const mcp = (server: string, tool_name: string, args: unknown, result?: unknown): Step =>
  step("mcp_call", { server, tool_name, arguments: args, result });
/** A text, or how many tokens it had. */
export const say = (output: string | number, more: Fields = {}): Step =>
  step(
    "llm_call",
    typeof output === "number"
      ? { model: "m", tokens_in: 900, tokens_out: output, ...more }
      : { model: "m", tokens_in: 900, tokens_out: Math.ceil(output.length / 4), output, ...more },
    2_900,
  );
export const memory = (operation: string, key: string, value?: unknown): Step =>
  step("memory_operation", { operation, key, value });
export const state = (name: string, fields: Fields): Step => step("checkpoint", { name, state: fields });
export const score = (metric: string, value: number): Step => step("eval_score", { metric, score: value });
export const valid = (validator: string, passed: boolean, message = ""): Step =>
  step("validator_result", { validator, passed, message });
export const infra = (kind: string, fields: Fields = {}): Step =>
  step("infrastructure_event", { kind, ...fields });
export const person = (action: string, note: string): Step =>
  step("human_intervention", { action, note }, 41_000);
export const egress = (destination: string, bytes_out: number): Step =>
  step("egress", { destination, protocol: "https", bytes_out });
export const thrown = (exception_type: string, message: string): Step =>
  step("exception", { exception_type, message });
export const scan = (document: string, findings: number): Step =>
  step("dlp_scan_result", { document, findings });

export const after = (ms: number, one: Step): Step => ({ ...one, afterMs: ms });
export const late = (by: number, one: Step): Step => ({ ...one, late: by });
export const by = (agent: string, one: Step): Step => ({ ...one, payload: { agent, ...one.payload } });
export const rounds = (n: number, of: (i: number) => readonly Step[]): readonly Step[] =>
  Array.from({ length: n }, (_, i) => of(i)).flat();
export const each = <Item>(items: readonly Item[], of: (item: Item, i: number) => readonly Step[]) =>
  items.flatMap(of);
/** Uneven, as models are: between `least` and twice that. */
export const about = (least: number, i: number): number => least + ((i * 7_919) % 97) * (least / 97);

export const partOf = (name: string): Part => (hashText(name) % 2 === 0 ? "read" : "counted");

/** The events as they arrive. */
export function eventsOf(steps: readonly Step[]): readonly DetectorEvent[] {
  let timestampMs = START_MS;
  const events = steps.map(({ type, payload, afterMs }, i) => {
    timestampMs += afterMs + ((i * 631) % 400);
    return {
      eventId: `e${i + 1}`,
      type,
      sequence: i + 1,
      timestampMs,
      receivedMs: timestampMs + 50,
      payload: plainPayload(type, payload),
    };
  });
  const places = steps.map((one, i) => i + (one.late ?? 0) + (one.late === undefined ? 0 : 0.5));
  return events.toSorted((a, b) => places[a.sequence - 1]! - places[b.sequence - 1]!);
}
