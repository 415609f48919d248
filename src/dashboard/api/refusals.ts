import { status } from "elysia";
import type { AdminResult } from "../../store/projects/projects.ts";

/**
 * What the settings' routes answer when they do not do what they were asked: 404 for what the project does
 * not have, 422 with the field at fault for what may not be stored, 409 for what cannot be done now.
 */

export type Refused = Extract<AdminResult<never>, { ok: false }>;

export const absent = (what: string) =>
  status(404, { code: `${what}_not_found`, detail: `The project has no such ${what}` });

export const unfit = (detail: string, field: string | null) =>
  status(422, { code: "invalid_request", detail, field });

export const conflict = (code: string, detail: string) => status(409, { code, detail });

/** An answer of the store's admin functions that is a refusal. `what` names what may be missing. */
export function refusalOf(refused: Refused, what: string) {
  return refused.reason === "not_found"
    ? absent(what)
    : unfit(sentence(refused.detail), refused.field ?? null);
}

/** Ids are made by the service: anything with a character outside of ASCII's visible ones names nothing. */
export const isId = (text: string) => /^[\x21-\x7e]{1,100}$/.test(text);

/** The store words its details for the end of a line of the CLI. */
function sentence(detail: string): string {
  return detail.charAt(0).toUpperCase() + detail.slice(1);
}
