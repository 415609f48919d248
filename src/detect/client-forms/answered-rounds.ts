import type { Fields } from "./fields.ts";

/**
 * The calls that a provider made and answered itself within one answer, and what came back, in their order:
 * beside a payload's fields, whose `input` has all of these calls as one round, and no field of its own, so
 * that nobody reads the words twice.
 */
const ROUNDS = Symbol("answered rounds");

export const withRounds = (fields: Record<string, unknown>, rounds: readonly unknown[]): Fields =>
  rounds.length === 0 ? fields : Object.assign(fields, { [ROUNDS]: rounds });

/** Messages of the model and of tools in turn; none where the client makes the calls. */
export const roundsIn = (payload: Fields): readonly unknown[] =>
  (payload as { readonly [ROUNDS]?: readonly unknown[] })[ROUNDS] ?? [];
