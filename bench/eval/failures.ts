import { BEHAVIOUR_FAILURES } from "./failures/behaviour.ts";
import type { Failure } from "./failures/failure.ts";
import { RELIABILITY_FAILURES } from "./failures/reliability.ts";
import { SECURITY_FAILURES } from "./failures/security.ts";

/**
 * What is put into a generated run: for each class a failure, weak or strong, some of them of a kind that the
 * rule is known to be blind to; and what looks like it and is none. The limits between the two are drawn by
 * what the failure is, on both sides of the thresholds.
 *
 * The order is part of the seed: the runs of one seed are the same as long as nothing is put between.
 */
export const FAILURES: readonly Failure[] = [
  ...BEHAVIOUR_FAILURES,
  ...RELIABILITY_FAILURES,
  ...SECURITY_FAILURES,
];
