import { Elysia, status, t } from "elysia";
import { endSessions, memberNameProblem, renameMember } from "../../store/accounts/accounts.ts";
import { AttemptLimiter } from "../auth/attempt-limiter.ts";
import { anyPassword, newPassword, personName } from "./account-fields.ts";
import { guard, problem } from "./guard.ts";
import { type SessionServices, setCookies } from "./session.ts";

/** A member's own account. */

const PASSWORD_TRIES_MAX = 10;
const PASSWORD_TRIES_WINDOW_MS = 600_000;

export const accountRoutes = (services: SessionServices) => {
  const { sql, accounts } = services;
  const tries = new AttemptLimiter({ max: PASSWORD_TRIES_MAX, windowMs: PASSWORD_TRIES_WINDOW_MS });
  return new Elysia()
    .use(guard(services))
    .patch(
      "/account",
      async ({ member, body }) => {
        const detail = memberNameProblem(body.name);
        if (detail !== null) return status(400, problem("invalid_request", detail));
        await renameMember(sql, member.id, body.name);
        return { member: { ...member, name: body.name.trim() } };
      },
      { role: "viewer", body: t.Object({ name: personName }) },
    )
    .post(
      "/account/password",
      async ({ request, member, body, set }) => {
        // Whoever found an open browser must not find the password with it.
        const waitS = tries.take(member.id);
        if (waitS > 0) return status(429, problem("too_many_attempts", `Too many attempts: wait ${waitS} s`));
        const cookies = await accounts.changePassword(request, body.current_password, body.new_password);
        if (cookies === null)
          return status(403, problem("wrong_credentials", "The current password is wrong"));
        setCookies(set, cookies);
        return { changed: true };
      },
      { role: "viewer", body: t.Object({ current_password: anyPassword, new_password: newPassword }) },
    )
    .post(
      "/account/sign-out-everywhere",
      async ({ request, member, set }) => {
        setCookies(set, await accounts.signOut(request));
        await endSessions(sql, member.id);
        return { signed_in: false };
      },
      { role: "viewer" },
    );
};
