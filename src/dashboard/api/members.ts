import { Elysia, status, t } from "elysia";
import {
  emailProblem,
  findMemberByEmail,
  listMembers,
  type MemberChange,
  removeMember,
  setMemberRole,
} from "../../store/accounts/accounts.ts";
import {
  countInvitations,
  createInvitation,
  deleteInvitation,
  listInvitations,
} from "../../store/accounts/invitations.ts";
import { timeOf } from "../../store/given-time.ts";
import { email, role } from "./account-fields.ts";
import { type ApiServices, guard, problem } from "./guard.ts";

/** Who belongs to the team, and who is invited. Everybody sees the members; only owners change them. */

const INVITATIONS_MAX = 200;
const DAY_MS = 86_400_000;
const INVITATION_DAYS = 7;
const INVITATION_DAYS_MAX = 30;

const id = t.Object({ id: t.String({ maxLength: 64 }) });

export const memberRoutes = (services: ApiServices) => {
  const { sql, appUrl } = services;
  const answer = (changed: MemberChange) => {
    if (changed.ok) return changed.member;
    return changed.reason === "last_owner"
      ? status(409, problem("last_owner", "The last owner stays: make somebody else owner first"))
      : status(404, problem("member_not_found", "There is no such member"));
  };
  return new Elysia()
    .use(guard(services))
    .get("/members", async () => ({ items: await listMembers(sql) }), { role: "viewer" })
    .patch(
      "/members/:id",
      async ({ params, body }) => answer(await setMemberRole(sql, params.id, body.role)),
      {
        role: "owner",
        params: id,
        body: t.Object({ role }),
      },
    )
    .delete("/members/:id", async ({ params }) => answer(await removeMember(sql, params.id)), {
      role: "owner",
      params: id,
    })
    .get("/invitations", async () => ({ items: await listInvitations(sql) }), { role: "owner" })
    .post(
      "/invitations",
      async ({ body, member }) => {
        const invited = body.email ?? null;
        const detail = invited === null ? null : emailProblem(invited);
        if (detail !== null) return status(400, problem("invalid_request", detail));
        const nowMs = Date.now();
        const expiresMs =
          body.expires_at === undefined ? nowMs + INVITATION_DAYS * DAY_MS : (timeOf(body.expires_at) ?? 0);
        if (!(expiresMs > nowMs && expiresMs <= nowMs + INVITATION_DAYS_MAX * DAY_MS + DAY_MS))
          return status(
            400,
            problem("invalid_request", `expires_at is within the next ${INVITATION_DAYS_MAX} days`),
          );
        if (invited !== null && (await findMemberByEmail(sql, invited)) !== null)
          return status(409, problem("email_taken", "There is a member with this address"));
        if ((await countInvitations(sql)) >= INVITATIONS_MAX)
          return status(
            409,
            problem("too_many_invitations", "Delete invitations that nobody followed first"),
          );
        const created = await createInvitation(sql, {
          email: invited,
          role: body.role,
          invitedBy: member.id,
          expiresAt: new Date(expiresMs),
        });
        if (created === null) return status(403, problem("role_too_low", "You are not an owner any more"));
        return { id: created.id, url: `${appUrl}/app/invite?token=${created.token}` };
      },
      {
        role: "owner",
        body: t.Object({
          email: t.Optional(t.Nullable(email)),
          role,
          expires_at: t.Optional(t.String({ maxLength: 40 })),
        }),
      },
    )
    .delete(
      "/invitations/:id",
      async ({ params }) =>
        (await deleteInvitation(sql, params.id))
          ? { deleted: true }
          : status(404, problem("invitation_not_found", "There is no such invitation")),
      { role: "owner", params: id },
    );
};
