/**
 * Runs of agents with failures that are known beforehand. What a run must fire follows from its events alone,
 * in whatever way they meet outages, resending and two services; a failure that hangs on how long something
 * took is none of these.
 */
import type { SeededRandom } from "../ingest/random.ts";

export interface PlannedEvent {
  readonly event_id: string;
  readonly execution_id: string;
  readonly event_type: string;
  readonly sequence: number;
  readonly timestamp: string;
  readonly payload: Record<string, unknown>;
}

/** One firing that must be stored once; without an event where the run's end fires it. */
export interface ExpectedFiring {
  readonly failureClass: string;
  readonly eventId: string | null;
}

export interface PlannedRun {
  readonly executionId: string;
  readonly kind: RunKind;
  readonly batches: readonly (readonly PlannedEvent[])[];
  /** Sent once all batches are answered; undefined: the run is left open. */
  readonly end: Record<string, unknown> | undefined;
  readonly expected: readonly ExpectedFiring[];
}

interface Draft {
  readonly executionId: string;
  readonly steps: { type: string; payload: Record<string, unknown>; sequence: number; eventId: string }[];
  end: Record<string, unknown> | undefined;
  readonly expected: ExpectedFiring[];
  readonly random: SeededRandom;
}

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const WORDS =
  "invoice table region night shipping ledger forecast customer garden report quarter stock".split(" ");

function letters(random: SeededRandom, count: number): string {
  return Array.from({ length: count }, () => LETTERS[random.below(LETTERS.length)]).join("");
}

function sentence(random: SeededRandom, words: number): string {
  return Array.from({ length: words }, () => random.pick(WORDS)).join(" ");
}

/** Adds a step at the end of the draft; answers its event id. */
function add(draft: Draft, type: string, payload: Record<string, unknown>): string {
  const sequence = (draft.steps.at(-1)?.sequence ?? 0) + 1;
  const eventId = `${draft.executionId}-${sequence}`;
  draft.steps.push({ type, payload, sequence, eventId });
  return eventId;
}

function addWork(draft: Draft, count: number): void {
  const { random } = draft;
  for (let i = 0; i < count; i++) {
    add(draft, "tool_call", {
      tool_name: random.pick(["search", "read_file", "query"]),
      call_id: `c${draft.steps.length}`,
      arguments: { q: letters(random, 12) },
      result: sentence(random, random.between(3, 60)),
    });
  }
}

function expect(draft: Draft, failureClass: string, eventId: string | null): void {
  draft.expected.push({ failureClass, eventId });
}

/** What each kind of run puts between its first and its last work, and how it ends. */
const KINDS = {
  plain: () => {},
  open: (draft) => {
    draft.end = undefined;
  },
  secret: (draft) => {
    const result = `token: ghp_${letters(draft.random, 36)}`;
    expect(draft, "secret_exposure", add(draft, "tool_call", { tool_name: "read_file", result }));
  },
  crash: (draft) => {
    draft.end = { status: "crashed", crash_signature: `sha256:${letters(draft.random, 24)}` };
    expect(draft, "execution_crash", null);
  },
  exception: (draft) => {
    const type = `Fault${draft.random.below(40)}Error`;
    const eventId = add(draft, "exception", { type, message: "the upstream hung up", handled: false });
    expect(draft, "unhandled_exception", eventId);
  },
  alert: (draft) => {
    const detector = `guard-${draft.random.below(30)}`;
    const eventId = add(draft, "injection_alert", { detector, score: 0.9, source: "tool", verdict: "flag" });
    expect(draft, "prompt_injection", eventId);
  },
  escape: (draft) => {
    const declare = () => add(draft, "environment_declaration", { mode: "simulation", declared_by: "bench" });
    const leave = () =>
      add(draft, "egress", { destination: "api.example.com:443", protocol: "https", bytes_out: 12 });
    const declaredFirst = draft.random.below(2) === 0;
    if (declaredFirst) declare();
    const eventId = leave();
    if (!declaredFirst) {
      addWork(draft, draft.random.between(1, 8));
      declare();
    }
    expect(draft, "sandbox_escape", eventId);
  },
  unfinished: (draft) => {
    const eventId = add(draft, "validator_result", { validator: "schema", passed: false, message: "no" });
    expect(draft, "validator_failure", eventId);
    expect(draft, "premature_completion", eventId);
  },
  mended: (draft) => {
    const eventId = add(draft, "validator_result", { validator: "schema", passed: false, message: "no" });
    expect(draft, "validator_failure", eventId);
    addWork(draft, draft.random.between(1, 8));
    add(draft, "validator_result", { validator: "schema", passed: true, message: "fits" });
  },
} satisfies Record<string, (draft: Draft) => void>;

export type RunKind = keyof typeof KINDS;

/** Of twenty runs. */
const MIX: readonly RunKind[] = [
  ...(Array.from({ length: 6 }, () => "plain") as RunKind[]),
  ...(["open", "secret", "secret", "crash", "crash", "exception", "exception"] as const),
  ...(["alert", "alert", "escape", "escape", "unfinished", "unfinished", "mended"] as const),
];

/** Events in batches of 1 to 12, in order. */
function batchesOf(draft: Draft): PlannedEvent[][] {
  const timestamp = new Date().toISOString();
  const events = draft.steps.map(({ type, payload, sequence, eventId }) => ({
    event_id: eventId,
    execution_id: draft.executionId,
    event_type: type,
    sequence,
    timestamp,
    payload,
  }));
  const batches: PlannedEvent[][] = [];
  for (let from = 0; from < events.length; ) {
    const size = draft.random.between(1, 12);
    batches.push(events.slice(from, from + size));
    from += size;
  }
  return batches;
}

export function planRun(executionId: string, random: SeededRandom): PlannedRun {
  const kind = random.pick(MIX);
  const end = { status: "completed", duration_ms: random.between(10, 90_000) };
  const draft: Draft = { executionId, steps: [], end, expected: [], random };
  addWork(draft, random.between(0, 12));
  const fill: (draft: Draft) => void = KINDS[kind];
  fill(draft);
  addWork(draft, random.between(0, 12));
  return { executionId, kind, batches: batchesOf(draft), end: draft.end, expected: draft.expected };
}
