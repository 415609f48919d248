import type { SeededRandom } from "../../ingest/random.ts";
import type { Draft, Step } from "../generated-runs.ts";

/**
 * One class's failure as it is put into a generated run, weak or strong; and what looks like it and is none.
 */
export interface Failure {
  readonly failureClass: string;
  readonly inject: (draft: Draft, random: SeededRandom) => void;
  readonly nearMiss: (draft: Draft, random: SeededRandom) => void;
}

/** That many steps of a kind. */
export const times = (count: number, make: (at: number) => Step): Step[] =>
  Array.from({ length: count }, (_unused, at) => make(at));
