import { handoffLoop } from "../../../../src/detect/detectors/handoff-loop.ts";
import { toolLoop } from "../../../../src/detect/detectors/tool-loop.ts";
import { play } from "../../../support/detector-harness.ts";
import { CALLS_IN_CIRCLES } from "./calls-in-circles.ts";
import { CALLS_THAT_GET_ON } from "./calls-that-get-on.ts";
import { HANDOFFS_IN_CIRCLES } from "./handoffs-in-circles.ts";
import { HANDOFFS_THAT_GET_ON } from "./handoffs-that-get-on.ts";
import { eventsOf, type Part, partOf, type Runs } from "./run-steps.ts";

const SETS = [
  ["handoff_loop", "in circles", handoffLoop, HANDOFFS_IN_CIRCLES],
  ["handoff_loop", "that get on", handoffLoop, HANDOFFS_THAT_GET_ON],
  ["tool_loop", "in circles", toolLoop, CALLS_IN_CIRCLES],
  ["tool_loop", "that get on", toolLoop, CALLS_THAT_GET_ON],
] as const;

/** Names of the runs of a part in which the class fires, and how many there are. */
export function loopsFired(part: Part) {
  return SETS.map(([failureClass, kind, detector, runs]) => {
    const names = Object.keys(runs).filter((name) => partOf(name) === part);
    const fired = names.filter(
      (name) => play(detector as never, { events: eventsOf((runs as Runs)[name]!) }, "singly").length > 0,
    );
    return { failureClass, kind, runs: names.length, fired, quiet: names.filter((n) => !fired.includes(n)) };
  });
}
