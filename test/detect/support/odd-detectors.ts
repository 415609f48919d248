import type { Detector } from "../../../src/detect/detector.ts";
import { echo, hanger, witness } from "./detectors.ts";

/**
 * A detector that breaks what the interface asks of it, in the way that a tool_call names, and those that are
 * not to suffer for it.
 */

type State = Record<string, unknown>;

/** Every part leads back to the whole: walked through to any depth it has no end that anybody would see. */
function endless(): State {
  const state: State = {};
  for (let n = 0; n < 30; n++) state[`k${n}`] = state;
  return state;
}

const unreadable = (): State => ({
  get part() {
    throw new Error("secret text of a payload");
  },
});

const STATES: Record<string, () => State> = {
  endless,
  unreadable,
  large: () => ({ text: "x".repeat(100_000) }),
};

export const odd: Detector<State> = {
  failureClass: "odd",
  version: 1,
  family: "behaviour",
  summary: "Breaks the rules on demand",
  defaultSeverity: "low",
  signature: ["part"],
  taxonomy: {},
  thresholds: {},
  eventTypes: ["tool_call"],
  onStatus: false,
  onTick: false,
  createState(isBeheaded) {
    if (isBeheaded === true) throw new Error("no state begins in the middle");
    return {};
  },
  detect({ events, state }) {
    let next = state;
    for (const { payload } of events) {
      const { odd: manner } = payload;
      if (typeof manner !== "string") continue;
      next = STATES[manner]?.() ?? next;
      if (manner === "rejects") void Promise.reject(new TypeError("secret text of a payload"));
      if (manner === "throws later")
        setTimeout(() => {
          throw new TypeError("secret text of a payload");
        });
    }
    return { state: next, detections: [] };
  },
};

export const DETECTORS: readonly Detector[] = [odd, witness, echo, hanger].map(
  (detector) => detector as Detector,
);
