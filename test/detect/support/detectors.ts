import type { Detection, Detector, DetectorEvent } from "../../../src/detect/detector.ts";

/** Small detectors that say what they saw, for tests of the engine around them. */

const base = {
  version: 1,
  family: "behaviour",
  defaultSeverity: "medium",
  signature: ["part"],
  taxonomy: {},
  thresholds: {},
  onStatus: false,
  onTick: false,
} as const;

const textOf = (value: unknown, otherwise: string) => (typeof value === "string" ? value : otherwise);

function fired(event: DetectorEvent | null, extra: Partial<Detection> = {}): Detection {
  return {
    signatureParts: [textOf(event?.payload.part, "part")],
    severity: event?.payload.severity === "critical" ? "critical" : "medium",
    ruleIds: ["test/rule"],
    score: 0.5,
    excerpt: "",
    eventId: event?.eventId ?? null,
    evidenceEventIds: [],
    ...extra,
  };
}

/** Fires on every llm_call that says `fire`. */
export const echo: Detector<{ count: number }> = {
  ...base,
  failureClass: "echo",
  summary: "Fires on demand",
  eventTypes: ["llm_call"],
  thresholds: { skip: { default: 0, min: 0, max: 10, description: "leaves out that many" } },
  createState: () => ({ count: 0 }),
  detect({ events, state, settings }) {
    const wanted = events.filter((event) => event.payload.fire === true);
    const detections = wanted
      .slice(settings.thresholds.skip ?? 0)
      .map((event) => fired(event, { excerpt: textOf(event.payload.text, "") }));
    return { state: { count: state.count + events.length }, detections };
  },
};

/** Says at every tool_call that asks for it which tool_calls it has seen, in order. */
export const witness: Detector<{ seen: string[] }> = {
  ...base,
  failureClass: "witness",
  summary: "Tells what it has seen",
  eventTypes: ["tool_call"],
  createState: () => ({ seen: [] }),
  detect({ events, state }) {
    const seen = [...state.seen];
    const detections: Detection[] = [];
    for (const event of events) {
      seen.push(event.eventId);
      if (seen.length > 30) seen.shift();
      if (event.payload.tell === true) detections.push(fired(event, { excerpt: seen.join(",").slice(-240) }));
    }
    return { state: { seen }, detections };
  },
};

/** Throws at a checkpoint that says so, fires at the others. */
export const thrower: Detector<null> = {
  ...base,
  failureClass: "thrower",
  summary: "Throws on demand",
  eventTypes: ["checkpoint"],
  createState: () => null,
  detect({ events }) {
    if (events.some((event) => event.payload.boom === true)) throw new TypeError("secret text of a payload");
    return { state: null, detections: events.map((event) => fired(event)) };
  },
};

/** Never comes back from an exception that says `hang`, fires at the others. */
export const hanger: Detector<null> = {
  ...base,
  failureClass: "hanger",
  summary: "Hangs on demand",
  eventTypes: ["exception"],
  createState: () => null,
  detect({ events }) {
    for (let turns = 0; events.some((event) => event.payload.hang === true); turns++) {
      if (turns < 0) break;
    }
    return { state: null, detections: events.map((event) => fired(event)) };
  },
};

/** Answers with what no database takes. */
export const hostile: Detector<null> = {
  ...base,
  failureClass: "hostile",
  summary: "Answers badly on demand",
  eventTypes: ["drift_signal"],
  createState: () => null,
  detect({ events }) {
    const detections = events.map((event) =>
      fired(event, {
        excerpt: `\u0000\ud800${"x".repeat(10_000)}`,
        score: Number.NaN,
        dedupKey: "k".repeat(100_000),
        ruleIds: Array.from({ length: 1_000 }, () => "\u0000".repeat(1_000)),
        evidenceEventIds: Array.from({ length: 1_000 }, (_, n) => `e${n}`),
      }),
    );
    return { state: null, detections };
  },
};

/** Fires once an execution is completed, and says what the record told. */
export const finisher: Detector<{ events: number }> = {
  ...base,
  failureClass: "finisher",
  summary: "Fires at the end",
  eventTypes: ["agent_handoff"],
  onStatus: true,
  createState: () => ({ events: 0 }),
  detect({ cause, events, execution, state }) {
    const count = state.events + events.length;
    const excerpt = `${execution.status} ${execution.durationMs} after ${count}`;
    return { state: { events: count }, detections: cause === "status" ? [fired(null, { excerpt })] : [] };
  },
};

/** Fires when the clock has run long enough after a memory_operation. */
export const clock: Detector<{ lastMs: number }> = {
  ...base,
  failureClass: "clock",
  summary: "Fires by time",
  eventTypes: ["memory_operation"],
  onTick: true,
  createState: () => ({ lastMs: 0 }),
  detect({ cause, events, nowMs, state }) {
    const lastMs = events.reduce((latest, event) => Math.max(latest, event.timestampMs), state.lastMs);
    const isDue = cause === "tick" && lastMs > 0 && nowMs - lastMs > 60_000;
    return { state: { lastMs }, detections: isDue ? [fired(null, { dedupKey: "late" })] : [] };
  },
};

/** Fires at an egress to a place that is new to the project. */
export const rememberer: Detector<null> = {
  ...base,
  failureClass: "rememberer",
  summary: "Remembers places",
  eventTypes: ["egress"],
  createState: () => null,
  detect({ events, memory }) {
    const detections: Detection[] = [];
    for (const event of events) {
      const destination = textOf(event.payload.destination, "?");
      if (memory.get(destination) !== undefined) continue;
      memory.set(destination, { times: 1 });
      detections.push(fired(event, { excerpt: destination }));
    }
    return { state: null, detections };
  },
};

/** Counts in the project's memory what it is called for: every call twice would show. */
export const tally: Detector<null> = {
  ...base,
  failureClass: "tally",
  summary: "Counts events",
  eventTypes: ["eval_score"],
  createState: () => null,
  detect({ events, memory }) {
    const before = memory.get("events");
    memory.set("events", (typeof before === "number" ? before : 0) + events.length);
    return { state: null, detections: events.map((event) => fired(event)) };
  },
};

/** Takes at least 5 ms of the processor for an mcp_call that says `slow`, and fires at every one. */
export const sluggish: Detector<null> = {
  ...base,
  failureClass: "sluggish",
  summary: "Takes its time on demand",
  eventTypes: ["mcp_call"],
  createState: () => null,
  detect({ events }) {
    const cpuUs = () => process.threadCpuUsage().user + process.threadCpuUsage().system;
    const startedUs = cpuUs();
    if (events.some((event) => event.payload.slow === true)) while (cpuUs() - startedUs < 5_000);
    return { state: null, detections: events.map((event) => fired(event)) };
  },
};

/**
 * Remembers under the key `spoilt` at a validator_result that says so, fires at every one. The test has
 * PostgreSQL refuse that key.
 */
export const spoiler: Detector<null> = {
  ...base,
  failureClass: "spoiler",
  summary: "Spoils the transaction on demand",
  eventTypes: ["validator_result"],
  createState: () => null,
  detect({ events, memory }) {
    memory.set(events.some((event) => event.payload.spoil === true) ? "spoilt" : "kept", true);
    return { state: null, detections: events.map((event) => fired(event)) };
  },
};

export const DETECTORS: readonly Detector[] = [
  echo,
  witness,
  thrower,
  hanger,
  hostile,
  finisher,
  clock,
  rememberer,
  tally,
  sluggish,
  spoiler,
].map((detector) => detector as Detector);
