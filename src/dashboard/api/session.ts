import { Elysia, status, t } from "elysia";
import {
  type AccountResult,
  acceptInvitation,
  createFirstOwner,
  emailProblem,
  isSetUp,
  type LinkFailure,
  memberNameProblem,
  setPasswordByToken,
} from "../../store/accounts/accounts.ts";
import { findInvitation } from "../../store/accounts/invitations.ts";
import type { Accounts } from "../auth/accounts.ts";
import { AttemptLimiter } from "../auth/attempt-limiter.ts";
import { isOwnPage } from "../auth/foreign-origin.ts";
import { OIDC_PROVIDER } from "../auth/oidc.ts";
import { peerOf } from "../auth/peer.ts";
import { anyPassword, email, newPassword, personName, token } from "./account-fields.ts";
import { type ApiServices, guard, type Member, problem } from "./guard.ts";

/**
 * What somebody without a session may ask: who am I, sign in, set up, follow an invitation or a password
 * link. Everything that takes a secret is limited an address, before the secret is looked at.
 */

export interface SessionServices extends ApiServices {
  readonly accounts: Accounts;
}

const ATTEMPTS_MAX = 10;
const ATTEMPTS_WINDOW_MS = 60_000;

const FAILURES: Readonly<Record<LinkFailure, string>> = {
  link_invalid: "This link was used already, has expired or was replaced by a newer one",
  email_taken: "There is an account with this address: sign in",
  email_not_invited: "The invitation is for another address",
};

interface Settable {
  readonly headers: Record<string, string | number | string[] | undefined>;
}

/** Elysia's headers are a record, and there may be several cookies. */
export function setCookies(set: Settable, cookies: readonly string[]): void {
  if (cookies.length > 0) set.headers["set-cookie"] = [...cookies];
}

const newAccount = t.Object({ token, name: personName, email, password: newPassword });

export const sessionRoutes = (services: SessionServices) => {
  const { sql, accounts } = services;
  const attempts = new AttemptLimiter({ max: ATTEMPTS_MAX, windowMs: ATTEMPTS_WINDOW_MS });
  const limited = (request: Request, set: Settable) => {
    const waitS = attempts.take(peerOf(request));
    if (waitS === 0) return undefined;
    set.headers["retry-after"] = String(waitS);
    return status(429, problem("too_many_attempts", `Too many attempts: wait ${waitS} s`));
  };
  const unfit = (account: { readonly name: string; readonly email: string }) => {
    const detail = memberNameProblem(account.name) ?? emailProblem(account.email);
    return detail === null ? undefined : status(400, problem("invalid_request", detail));
  };
  /** Signs in who has just been given an account. */
  const enter = async (
    request: Request,
    set: Settable,
    typed: { readonly email: string; readonly password: string },
    made: AccountResult,
  ) => {
    if (!made.ok) {
      const code = made.reason === "email_taken" ? 409 : 403;
      return status(code, problem(made.reason, FAILURES[made.reason]));
    }
    const cookies = await accounts.signIn(request, made.member.email, typed.password);
    setCookies(set, cookies ?? []);
    return { member: made.member };
  };
  /** An account with a password, made by the link in the body, and who made it signed in. */
  const open = async (
    { request, body, set }: { request: Request; body: typeof newAccount.static; set: Settable },
    make: typeof createFirstOwner,
  ) => {
    const refused = limited(request, set) ?? unfit(body);
    if (refused !== undefined) return refused;
    const passwordHash = await accounts.hashPassword(body.password);
    return await enter(request, set, body, await make(sql, body.token, { ...body, passwordHash }));
  };
  const address = t.String({ minLength: 1, maxLength: 2000 });

  return new Elysia()
    .use(guard(services))
    .get(
      "/session",
      async ({ request, set }) => {
        const member: Member | null = await services.memberOf(request);
        if (member !== null) setCookies(set, await accounts.renew(request));
        return { member, setup_needed: member === null && !(await isSetUp(sql)), oidc: accounts.oidc };
      },
      { signedOut: true },
    )
    .post(
      "/auth/sign-in/email",
      async ({ request, body, set }) => {
        const refused = limited(request, set);
        if (refused !== undefined) return refused;
        const cookies = await accounts.signIn(request, body.email.trim().toLowerCase(), body.password);
        if (cookies === null)
          return status(401, problem("wrong_credentials", "E-mail address and password do not fit"));
        setCookies(set, cookies);
        return { signed_in: true };
      },
      { signedOut: true, body: t.Object({ email, password: anyPassword }) },
    )
    .post(
      "/auth/sign-out",
      async ({ request, set }) => {
        setCookies(set, await accounts.signOut(request));
        return { signed_in: false };
      },
      { signedOut: true },
    )
    .post(
      "/auth/sign-in/social",
      async ({ request, body, set }) => {
        const refused = limited(request, set);
        if (refused !== undefined) return refused;
        if (accounts.oidc === null)
          return status(503, problem("oidc_unavailable", "The provider cannot be reached: use a password"));
        const { callbackURL = "/app", errorCallbackURL = "/app/sign-in" } = body;
        const isOurs = [callbackURL, errorCallbackURL].every((to) => isOwnPage(request, services.appUrl, to));
        const started = isOurs ? await accounts.startOidc(request, { callbackURL, errorCallbackURL }) : null;
        if (started === null)
          return status(400, problem("invalid_request", "A sign-in leads to the dashboard's own pages only"));
        setCookies(set, started.cookies);
        return { url: started.url };
      },
      {
        signedOut: true,
        body: t.Object({
          provider: t.Literal(OIDC_PROVIDER),
          callbackURL: t.Optional(address),
          errorCallbackURL: t.Optional(address),
        }),
      },
    )
    .get("/auth/callback/:provider", ({ request }) => accounts.finishOidc(request), { signedOut: true })
    .post("/setup", (context) => open(context, createFirstOwner), { signedOut: true, body: newAccount })
    .get(
      "/invitations/lookup",
      async ({ request, query, set }) => {
        const refused = limited(request, set);
        if (refused !== undefined) return refused;
        const found = await findInvitation(sql, query.token);
        return found ?? status(404, problem("link_invalid", FAILURES.link_invalid));
      },
      { signedOut: true, query: t.Object({ token }) },
    )
    .post("/invitations/accept", (context) => open(context, acceptInvitation), {
      signedOut: true,
      body: newAccount,
    })
    .post(
      "/password",
      async ({ request, body, set }) => {
        const refused = limited(request, set);
        if (refused !== undefined) return refused;
        const passwordHash = await accounts.hashPassword(body.password);
        const member = await setPasswordByToken(sql, body.token, passwordHash);
        return await enter(
          request,
          set,
          { email: member?.email ?? "", password: body.password },
          member === null ? { ok: false, reason: "link_invalid" } : { ok: true, member },
        );
      },
      { signedOut: true, body: t.Object({ token, password: newPassword }) },
    );
};
