import type { DetectorEvent, ExecutionView } from "../../src/detect/detector.ts";
import type { EventType } from "../../src/ingest/wire/event-types.ts";
import type { SeededRandom } from "../ingest/random.ts";

/**
 * Invented runs of a support agent, lifelike in shape: turns of a model, calls of five tools, a checkpoint
 * now and then, the odd failed call, now and then a repeat or an event that comes late. `failures.ts` puts
 * failures into them.
 */
export const START_MS = Date.UTC(2026, 0, 5, 12, 0, 0);
const MINUTE_MS = 60_000;

export interface Step {
  readonly type: EventType;
  payload: Record<string, unknown>;
  /** Milliseconds since the step before. */
  afterMs: number;
}

export interface GeneratedRun {
  readonly events: readonly DetectorEvent[];
  /** What the execution becomes after its events; null: it stays started. */
  readonly finished: Partial<ExecutionView> | null;
  /** How long after the last event the clock is asked for the last time. */
  readonly watchedMs: number;
}

/** A run while it is written; failures change it before it is made into events. */
export class Draft {
  steps: Step[] = [];
  status: "completed" | "crashed" | null = "completed";
  crashSignature: string | null = null;
  tokensShare = { in: 1, out: 1 };
  watchedMs = 2 * MINUTE_MS;
  /** Changes of the numbering after it is made: what is lost, doubled or late. */
  numbering: (events: DetectorEvent[]) => DetectorEvent[] = (events) => events;

  private readonly random: SeededRandom;

  constructor(random: SeededRandom) {
    this.random = random;
  }

  step(type: EventType, payload: Record<string, unknown>, afterMs = 300 + this.random.below(4_000)): Step {
    return { type, payload, afterMs };
  }

  put(at: number, ...steps: readonly Step[]): void {
    this.steps.splice(at, 0, ...steps);
  }

  /** A place in the run, not before its first turn and not after its last. */
  somewhere(): number {
    return 2 + this.random.below(Math.max(1, this.steps.length - 4));
  }
}

const TOOLS = ["search_orders", "get_customer", "read_ticket", "update_ticket", "send_reply"] as const;
const TOPICS = ["refund", "address", "delivery", "invoice", "warranty", "login", "discount", "return"];

export const chance = (random: SeededRandom, share: number): boolean => random.below(1_000) < share * 1_000;

let serial = 0;

export function toolCall(draft: Draft, random: SeededRandom, more: Record<string, unknown> = {}): Step {
  serial++;
  return draft.step("tool_call", {
    tool_name: random.pick(TOOLS),
    call_id: `c${serial}`,
    arguments: { id: random.below(100_000), topic: random.pick(TOPICS) },
    result: { found: random.below(20), note: `${random.pick(TOPICS)} ${random.below(10_000)}` },
    latency_ms: 20 + random.below(900),
    ...more,
  });
}

export function modelCall(draft: Draft, random: SeededRandom, more: Record<string, unknown> = {}): Step {
  return draft.step("llm_call", {
    model: "m-large",
    provider: "p",
    tokens_in: 500 + random.below(1_500),
    tokens_out: 40 + random.below(300),
    output: `About ${random.pick(TOPICS)} ${random.below(100_000)}: next comes ${random.pick(TOPICS)}, then ${random.pick(TOPICS)} ${random.below(1_000)}.`,
    finish_reason: "tool_calls",
    ...more,
  });
}

/** A run without a failure. */
export function ordinaryDraft(random: SeededRandom): Draft {
  const draft = new Draft(random);
  draft.steps.push(draft.step("environment_declaration", { mode: "production" }, 0));
  const turns = 4 + random.below(9);
  for (let turn = 0; turn < turns; turn++) {
    draft.steps.push(modelCall(draft, random));
    for (let calls = 1 + random.below(2); calls > 0; calls--) {
      const failed = chance(random, 0.06);
      draft.steps.push(toolCall(draft, random, failed ? { error: "timeout after 30 s", result: null } : {}));
    }
    if (chance(random, 0.3)) draft.steps.push(draft.step("checkpoint", { state_hash: `h${random.next()}` }));
    if (chance(random, 0.2)) draft.steps.push(draft.step("egress", { destination: "api.shop.example:443" }));
    if (chance(random, 0.1))
      draft.steps.push(draft.step("validator_result", { validator: "schema", passed: true }));
  }
  draft.steps.push(modelCall(draft, random, { finish_reason: "stop" }));
  return draft;
}

function tokensOf(events: readonly DetectorEvent[], name: "tokens_in" | "tokens_out"): number {
  let sum = 0;
  for (const { payload } of events) if (typeof payload[name] === "number") sum += payload[name] as number;
  return sum;
}

export function runOf(draft: Draft): GeneratedRun {
  let atMs = START_MS;
  const all = draft.steps.map(({ type, payload, afterMs }, position): DetectorEvent => {
    atMs += afterMs;
    const sequence = position + 1;
    return { eventId: `e${sequence}`, type, sequence, timestampMs: atMs, receivedMs: atMs + 40, payload };
  });
  const events = draft.numbering(all);
  const lastMs = Math.max(...events.map((one) => one.receivedMs));
  const finished =
    draft.status === null
      ? null
      : {
          status: draft.status,
          finishedMs: lastMs + 100,
          durationMs: lastMs - START_MS,
          crashSignature: draft.crashSignature,
          totalTokensIn: Math.round(tokensOf(all, "tokens_in") * draft.tokensShare.in),
          totalTokensOut: Math.round(tokensOf(all, "tokens_out") * draft.tokensShare.out),
        };
  return { events, finished, watchedMs: draft.watchedMs };
}
