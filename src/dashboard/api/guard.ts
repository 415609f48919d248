import { Elysia, status } from "elysia";
import type { Sql } from "../../store/database/connect.ts";
import { findProjectNo } from "../../store/projects/projects.ts";
import { isForeign } from "../auth/foreign-origin.ts";

/**
 * Who may do what in the dashboard's API. Invariant: a route without `role` answers anybody, so every route
 * but the sign-in's own names the least role that it asks for, and those are marked `signedOut`; a test walks
 * the routes and fails on one without any.
 *
 * 401 without a session, 403 with too low a role or, on a change, from a foreign page; 404 for an unknown
 * project.
 */

export const ROLES = ["viewer", "member", "owner"] as const;
/**
 * viewer looks; member also acts on groups, keys, webhooks and project settings; owner also on members and
 * projects.
 */
export type Role = (typeof ROLES)[number];

export interface Member {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
}

/** What the routes of the API are built from. */
export interface ApiServices {
  /** The dashboard's own pool, with a statement timeout. */
  readonly sql: Sql;
  /** The member behind the session cookie. */
  readonly memberOf: (request: Request) => Promise<Member | null>;
  /** Public address of the service, without a trailing slash. */
  readonly appUrl: string;
}

export interface ProblemBody {
  readonly code: string;
  readonly detail: string;
}

export const problem = (code: string, detail: string): ProblemBody => ({ code, detail });

export function guard({ sql, memberOf, appUrl }: ApiServices) {
  const ownPage = (request: Request) =>
    isForeign(request, appUrl)
      ? status(403, problem("foreign_origin", "Changes are taken from the dashboard's own pages only"))
      : undefined;
  const admit = async (request: Request, least: Role) => {
    const foreign = ownPage(request);
    if (foreign !== undefined) return foreign;
    const member = await memberOf(request);
    if (member === null) return status(401, problem("signed_out", "Sign in to go on"));
    if (ROLES.indexOf(member.role) < ROLES.indexOf(least))
      return status(403, problem("role_too_low", `This needs the role ${least}; you are ${member.role}`));
    return member;
  };
  // The tags say of a route what guards it: what a macro was given is gone when the route is made.
  return new Elysia({ name: "dashboard-guard" }).macro({
    /**
     * For the few routes that somebody without a session asks: setting up, signing in, following an
     * invitation.
     */
    signedOut: (isAllowed: true) => ({
      detail: { tags: ["signedOut"] },
      beforeHandle: ({ request }) => (isAllowed ? ownPage(request) : undefined),
    }),
    /** The least role; the route gets `member`. */
    role: (least: Role) => ({
      detail: { tags: ["role", least] },
      async resolve({ request }) {
        const member = await admit(request, least);
        return "role" in member ? { member } : member;
      },
    }),
    /** The same for a route with `:project_id` in its path; it gets `projectNo` too. */
    projectRole: (least: Role) => ({
      detail: { tags: ["projectRole", least] },
      async resolve({ request, params }) {
        const member = await admit(request, least);
        if (!("role" in member)) return member;
        const id = (params as Record<string, string | undefined>).project_id ?? "";
        const projectNo = await findProjectNo(sql, id);
        if (projectNo === null) return status(404, problem("project_not_found", "There is no such project"));
        return { member, projectNo };
      },
    }),
  });
}
