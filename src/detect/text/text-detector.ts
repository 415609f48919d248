import type { Detection, Detector, DetectorEvent, DetectorInput, Severity } from "../detector.ts";
import { EMPTY_SEEN, type Finding, firing, type SeenState, unseen } from "./firing.ts";
import { changedNear, type Reading, readingsOf } from "./readings.ts";
import { type FragmentScan, scanEvent } from "./scan-event.ts";

/**
 * The frame of a detector that judges each text by itself. Owned by the detectors that use it: they say which texts
 * they look at and what they find; this walks the events, keeps the memory of what fired, and builds detections.
 */
type Declaration = Omit<Detector<SeenState>, "createState" | "detect" | "onStatus" | "onTick">;

interface TextRules {
  /** What one text shows, or null. */
  find(fragment: FragmentScan, event: DetectorEvent, input: DetectorInput<SeenState>): Finding | null;
  /** True if the other readings of a text are judged as it is itself: what is disguised counts as what it says. */
  readonly readsDisguised?: boolean;
  /** What the event says by itself, beside its texts. */
  direct?(event: DetectorEvent, input: DetectorInput<SeenState>): Detection | null;
  severityOf?(findings: readonly Finding[], event: DetectorEvent): Severity;
}

export function textDetector(declaration: Declaration, rules: TextRules): Detector<SeenState> {
  return {
    ...declaration,
    onStatus: false,
    onTick: false,
    createState: () => ({ ...EMPTY_SEEN }),
    detect(input) {
      let { state } = input;
      const detections: Detection[] = [];
      const { events } = input;
      for (let e = 0; e < events.length; e++) {
        const event = events[e] as DetectorEvent;
        const direct = rules.direct?.(event, input) ?? null;
        if (direct !== null) {
          detections.push(direct);
          continue;
        }
        const fragments = scanEvent(event);
        let found: Finding[] | null = null;
        for (let f = 0; f < fragments.length; f++) {
          const fragment = fragments[f] as FragmentScan;
          const finding =
            rules.find(fragment, event, input) ??
            (rules.readsDisguised === true ? findDisguised(rules, fragment, event, input) : null);
          if (finding !== null) {
            if (found === null) found = [];
            found.push(finding);
          }
        }
        if (found === null) continue;
        const fresh = unseen(state, event, found);
        state = fresh.state;
        const severity = rules.severityOf?.(fresh.findings, event) ?? declaration.defaultSeverity;
        const detection = firing(event, fresh.findings, severity);
        if (detection !== null) detections.push(detection);
      }
      return { state, detections };
    },
  };
}

/** What another reading of a text shows: its encodings decoded, its disguised words spelt out. */
function findDisguised(
  rules: TextRules,
  fragment: FragmentScan,
  event: DetectorEvent,
  input: DetectorInput<SeenState>,
): Finding | null {
  if (fragment.origin === "system") return null;
  const readings = readingsOf(fragment);
  for (let r = 0; r < readings.length; r++) {
    const reading = readings[r] as Reading;
    const finding = rules.find(reading.fragment, event, input);
    if (finding !== null && changedNear(reading, finding.start, finding.end)) return finding;
  }
  return null;
}

/** A project's threshold, or the declared default. */
export function threshold(input: DetectorInput<SeenState>, name: string, otherwise: number): number {
  return input.settings.thresholds[name] ?? otherwise;
}
