import type {
  Detection,
  Detector,
  DetectorEvent,
  DetectorInput,
  DetectorSettings,
  Severity,
} from "../detector.ts";
import { turnsOfPeople } from "./context/people-turns.ts";
import { changedNear, readingsOf } from "./disguise/readings.ts";
import { EMPTY_SEEN, type Finding, firing, type SeenState, unseen } from "./firing.ts";
import { type AskedAgain, afterAnswer, isAskedAgain, noted } from "./given-before.ts";
import { withoutSaid, withSaid } from "./own-words.ts";
import { takeQuietBit } from "./quiet-texts.ts";
import { FragmentScan, type Reading, scanEvent } from "./scan-event.ts";

/**
 * The frame of a detector that judges each text by itself. Owned by the detectors that use it: they say which
 * texts they look at and what they find; this walks the events, keeps the memory of what fired, and builds
 * detections.
 */
type Declaration = Omit<Detector<SeenState>, "createState" | "detect" | "onStatus" | "onTick">;

interface TextRules {
  /** False for a text that is none of this detector's in such an event. */
  looksAt?(fragment: FragmentScan, event: DetectorEvent): boolean;
  /**
   * What one text shows, or null: a function of the text, its origin and the thresholds alone, as its silence
   * is remembered.
   */
  find(fragment: FragmentScan, input: DetectorInput<SeenState>): Finding | null;
  /**
   * True if what is found in a chat between people, as a tool returned it, must stand in one speaker's turn.
   */
  readonly withinTurn?: boolean;
  /**
   * True if the other readings of a text are judged as it is itself: what is disguised counts as what it
   * says.
   */
  readonly readsDisguised?: boolean;
  /** True if what a tool tells again of a person's words in this run is none of its own. */
  readonly leavesOwnWords?: boolean;
  /** What a person may ask for again once the model gave it: no attempt of any kind. */
  readonly again?: AskedAgain;
  /** Events that a client sends as a firing: what they say counts, their texts do not. */
  readonly alert?: {
    readonly type: DetectorEvent["type"];
    firing(event: DetectorEvent, input: DetectorInput<SeenState>): Detection | null;
  };
  severityOf?(findings: readonly Finding[], event: DetectorEvent): Severity;
}

export function textDetector(declaration: Declaration, rules: TextRules): Detector<SeenState> {
  const quietBit = takeQuietBit();
  return {
    ...declaration,
    onStatus: false,
    onTick: false,
    createState: () => ({ ...EMPTY_SEEN }),
    detect(input) {
      let { state } = input;
      const detections: Detection[] = [];
      const { events } = input;
      const remembers = hasDefaultThresholds(input.settings);
      for (let e = 0; e < events.length; e++) {
        const event = events[e] as DetectorEvent;
        if (rules.alert?.type === event.type) {
          const alerted = rules.alert.firing(event, input);
          if (alerted !== null) detections.push(alerted);
          continue;
        }
        const fragments = scanEvent(event);
        let found: Finding[] | null = null;
        let askedAgain: Finding[] | null = null;
        for (let f = 0; f < fragments.length; f++) {
          const fragment = fragments[f] as FragmentScan;
          if (rules.leavesOwnWords === true && isNewPrompt(fragment)) state = heard(state, fragment.text);
          if (remembers && fragment.isQuietFor(quietBit)) continue;
          if (rules.looksAt?.(fragment, event) === false) continue;
          const finding =
            findIn(rules, fragment, input) ??
            (rules.readsDisguised === true ? findDisguised(rules, fragment, input) : null);
          if (finding !== null) {
            const own = rules.leavesOwnWords === true ? ofOwn(rules, finding, input, state.said) : finding;
            if (own === null) continue;
            if (rules.again !== undefined && isAskedAgain(rules.again, own, fragments, state.given ?? 0)) {
              askedAgain = [...(askedAgain ?? []), own];
              continue;
            }
            if (found === null) found = [];
            found.push(own);
          } else if (remembers) {
            fragment.noteQuietFor(quietBit);
          }
        }
        if (rules.again !== undefined && event.type === "llm_call")
          state = afterAnswer(rules.again, noted(state, event, askedAgain), fragments, found ?? askedAgain);
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

const isNewPrompt = ({ origin, repeated, turns }: FragmentScan): boolean =>
  origin === "user" && !repeated && turns.length === 0;

function heard(state: SeenState, text: string): SeenState {
  const said = withSaid(state.said, text);
  return said === state.said ? state : { ...state, said };
}

/** What is found in a tool's text without what it tells again of a person's words. */
function ofOwn(
  rules: TextRules,
  finding: Finding,
  input: DetectorInput<SeenState>,
  said: readonly number[],
): Finding | null {
  const { fragment } = finding;
  if (fragment.origin !== "tool") return finding;
  const text = withoutSaid(fragment.text, said);
  if (text === fragment.text) return finding;
  const own = findIn(rules, fragment.reworded(text), input);
  return own === null ? null : { ...own, fragment };
}

function findIn(rules: TextRules, fragment: FragmentScan, input: DetectorInput<SeenState>): Finding | null {
  const whole = rules.find(fragment, input);
  if (whole === null || rules.withinTurn !== true || fragment.origin !== "tool") return whole;
  const turns = turnsOfPeople(fragment.text);
  if (turns.length === 0) return whole;
  const { origin, repeated, comesAgain, tool } = fragment;
  for (const { start, end } of turns) {
    const text = fragment.text.slice(start, end);
    const said = new FragmentScan({ origin, text, repeated, comesAgain, tool, turns: [] });
    const found = rules.find(said, input);
    if (found !== null) return { ...found, fragment, start: found.start + start, end: found.end + start };
  }
  return null;
}

/** What another reading of a text shows: its encodings decoded, its disguised words spelt out. */
function findDisguised(
  rules: TextRules,
  fragment: FragmentScan,
  input: DetectorInput<SeenState>,
): Finding | null {
  if (fragment.origin === "system") return null;
  const readings = readingsOf(fragment);
  for (let r = 0; r < readings.length; r++) {
    const reading = readings[r] as Reading;
    const finding = findIn(rules, reading.fragment, input);
    if (finding !== null && changedNear(reading, finding.start, finding.end)) return finding;
  }
  return null;
}

/** A project's threshold, or the declared default. */
export function threshold(input: DetectorInput<SeenState>, name: string, otherwise: number): number {
  return input.settings.thresholds[name] ?? otherwise;
}

/**
 * True unless the project set any: only then is what a detector said of a text elsewhere what it would say
 * here.
 */
export function hasDefaultThresholds({ thresholds }: DetectorSettings): boolean {
  for (const _name in thresholds) return false;
  return true;
}
