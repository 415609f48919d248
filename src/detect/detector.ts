import type { EventType } from "../ingest/wire/event-types.ts";

/**
 * The one interface of a detector. A detector is a pure, synchronous module: it sees one execution at a time,
 * is handed its own earlier state and the time, and answers with detections and the next state. It does no
 * I/O, reads no clock and no randomness, so replaying the same events in the same order yields the same
 * detections — which is how state is rebuilt after a restart. What it is given is shared with the others, and
 * it changes nothing of it. A detector that throws is counted and skipped; it stops nobody else.
 */

export type Severity = "low" | "medium" | "high" | "critical";

/** One stored event as detectors see it. */
export interface DetectorEvent {
  readonly eventId: string;
  readonly type: EventType;
  readonly sequence: number;
  /** Milliseconds since the Unix epoch, from the client's clock. */
  readonly timestampMs: number;
  /** Milliseconds since the Unix epoch, from the service's clock. */
  readonly receivedMs: number;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** The execution record as stored when the call is made. */
export interface ExecutionView {
  readonly executionId: string;
  readonly status: "started" | "completed" | "crashed";
  readonly startedMs: number;
  readonly finishedMs: number | null;
  readonly durationMs: number | null;
  readonly totalTokensIn: number | null;
  readonly totalTokensOut: number | null;
  readonly crashSignature: string | null;
  /** `mode` of the first environment declaration, null while there is none. */
  readonly environmentMode: string | null;
}

/** A project's own choices for one class; absent fields mean the detector's defaults. */
export interface DetectorSettings {
  /** Threshold by name, already checked against the detector's declaration. */
  readonly thresholds: Readonly<Record<string, number>>;
  /** Allow-listed values (hosts, tool names, …); what an entry means belongs to the class. */
  readonly allow: readonly string[];
}

/**
 * What a detector remembers about a project across executions (hosts seen, tool fingerprints, baselines).
 * Backed by the database, bounded per project and class; a write is committed together with the detections of
 * the same call.
 */
export interface ProjectMemory {
  get(key: string): unknown;
  /**
   * `value` is JSON, at most 2 KiB encoded; `key` is well-formed text without U+0000, at most 256 characters.
   * Throws otherwise.
   */
  set(key: string, value: unknown): void;
  /** Number of keys held. */
  readonly size: number;
  /** Those held, 1,000 at most: walk them where something is new, not for each event. */
  keys(): Iterable<string>;
}

export interface DetectorInput<State> {
  readonly execution: ExecutionView;
  /**
   * New events of this execution, only of the detector's `eventTypes`, in order of arrival. May be empty (a
   * tick).
   */
  readonly events: readonly DetectorEvent[];
  /** Why the detector is called: events arrived, the execution's status changed, or time passed. */
  readonly cause: "events" | "status" | "tick";
  /** Milliseconds since the Unix epoch. The only clock a detector may use. */
  readonly nowMs: number;
  /**
   * Since when the service has been up to receive events: an earlier silence may be its own. Absent: for
   * ever.
   */
  readonly upSinceMs?: number;
  /** The detector's own from its last answer: it may be changed in place and handed back. */
  readonly state: State;
  readonly settings: DetectorSettings;
  readonly memory: ProjectMemory;
}

/** More of an excerpt is not stored. */
export const EXCERPT_CHARS_MAX = 240;

/**
 * One firing. Everything in it is safe to store and send: no raw secret, no text beyond the redacted excerpt.
 */
export interface Detection {
  /** Stable parts that make the group's signature: never raw text, ids, times or secrets. */
  readonly signatureParts: readonly string[];
  readonly severity: Severity;
  /** Rules that matched, e.g. `prompt_injection/override-instructions`. */
  readonly ruleIds: readonly string[];
  /** 0 to 1. */
  readonly score: number;
  /** At most `EXCERPT_CHARS_MAX` characters, secrets and PII masked. */
  readonly excerpt: string;
  /** The event that fired it; null when a status change or the clock did. */
  readonly eventId: string | null;
  /** Other events that the detector relied on, at most 20. */
  readonly evidenceEventIds: readonly string[];
  /**
   * Identifies this firing within (project, execution, class): a second detection with the same key is the
   * same firing (a replay, a resent event) and is not stored again. Defaults to eventId when that is not
   * null.
   */
  readonly dedupKey?: string;
}

/** What is known of an execution between two calls. */
export interface TickOutlook<State> {
  readonly execution: ExecutionView;
  readonly state: State;
  readonly settings: DetectorSettings;
  readonly upSinceMs: number;
}

/**
 * When a tick may first fire of an execution that is started: so long after its start, or after its latest
 * event. It fires once for each.
 */
export interface StartedRule {
  readonly since: "start" | "latest_event";
  afterMs(settings: DetectorSettings): number;
  /**
   * Only where sequence numbers are missing, and no detection has this `dedupKey`. Once after a start:
   * whoever has been asked knows when next.
   */
  readonly gapKey?: string;
}

export interface DetectorOutput<State> {
  readonly state: State;
  readonly detections: readonly Detection[];
}

/** A tunable number of a detector, per project. */
export interface ThresholdDeclaration {
  readonly default: number;
  readonly min: number;
  readonly max: number;
  /** Counts take no fraction. */
  readonly integer?: boolean;
  /**
   * Another threshold of the class that it may not be above: so many of a window that is smaller are never
   * seen.
   */
  readonly notAbove?: string;
  readonly description: string;
}

/** Where a class stands in public taxonomies; ids exactly as published. */
export interface Taxonomy {
  readonly owaspLlm2025?: readonly string[];
  readonly owaspAgentic2026?: readonly string[];
  readonly mitreAtlas?: readonly string[];
  readonly mast?: readonly string[];
}

export interface Detector<State = unknown> {
  /** The exact class name, e.g. `prompt_injection`. */
  readonly failureClass: string;
  /** Raised whenever the same events may yield other detections. */
  readonly version: number;
  readonly family: "security" | "behaviour" | "reliability";
  /** One sentence for `detector list` and the dashboard. */
  readonly summary: string;
  readonly defaultSeverity: Severity;
  /** What the signature parts are, for the docs. */
  readonly signature: readonly string[];
  readonly taxonomy: Taxonomy;
  readonly thresholds: Readonly<Record<string, ThresholdDeclaration>>;
  /** Event types that it is called for. */
  readonly eventTypes: readonly EventType[];
  /** True if it is also called when an execution completes or crashes. */
  readonly onStatus: boolean;
  /**
   * True if it also fires by time: called about every 10 s for each execution that is still started and for
   * executions finished within the last minutes, with no events.
   */
  readonly onTick: boolean;
  /**
   * With `onTick`: the first moment at which a tick may fire if nothing comes of the execution until then;
   * Infinity: none will. When an execution has given way to others it is asked at that moment, and not again
   * before something comes of it. Absent: any tick may fire.
   */
  nextTickMs?(outlook: TickOutlook<State>): number;
  /**
   * With `onTick`: what lets the store name the executions that may be due, where no state of theirs is at
   * hand.
   */
  readonly startedRule?: StartedRule;
  /**
   * The state of a new execution. Bounded: at most about 16 KiB, and never growing with the number of events.
   * Plain data, of maps, sets and typed arrays too, but no functions and no instances of classes: it is
   * packed as bytes when its execution gives way to others. `isPastCut`: the execution has had events that
   * this state will never see, because it is rebuilt from the latest ones. Nothing may be concluded that
   * rests on having seen them all.
   */
  createState(isPastCut?: boolean): State;
  detect(input: DetectorInput<State>): DetectorOutput<State>;
}
