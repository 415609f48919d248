import { betterAuth } from "better-auth";
import { genericOAuth } from "better-auth/plugins";
import { openAccountStore } from "../../store/account-adapter.ts";
import { findSessionMember, type MemberRole, readCookieSecret } from "../../store/accounts.ts";
import type { Sql } from "../../store/connect.ts";
import { isInvited, takeInvitationOf } from "../../store/invitations.ts";
import { randomBase32 } from "../../store/random-id.ts";
import type { Member } from "../api/guard.ts";
import { PEER_HEADER } from "./peer.ts";
import { PASSWORD_CHARACTERS_MAX, PASSWORD_CHARACTERS_MIN } from "./password-length.ts";
import { COOKIE_PREFIX, sessionCookieName, sessionTokenOf } from "./session-cookie.ts";

/**
 * better-auth, set up for this service. Invariants: it makes no account by itself but for an OIDC identity that was invited or whose domain
 * is allowed; sessions live in the database, so that a removed or demoted member is refused on the next request; no cookie is readable by
 * a script or sent along by another site's form.
 */

export const OIDC_PROVIDER = "oidc";
const SESSION_DAYS = 14;
const DAY_S = 86_400;

export interface OidcOptions {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** What the button says. */
  readonly name: string;
  /** Whose verified addresses need no invitation; null: all need one. */
  readonly allowedDomain: string | null;
  /** The role of who came by the domain. */
  readonly defaultRole: MemberRole;
}

export interface AccountsOptions {
  readonly databaseUrl: string;
  /** The dashboard's own pool. */
  readonly sql: Sql;
  readonly appUrl: string;
  readonly oidc: OidcOptions | null;
  readonly warn: (message: string) => void;
}

export interface Accounts {
  readonly oidc: { readonly name: string } | null;
  memberOf(request: Request): Promise<Member | null>;
  hashPassword(password: string): Promise<string>;
  /** Sets the cookie on success; `null` when address and password do not fit. */
  signIn(request: Request, email: string, password: string): Promise<readonly string[] | null>;
  /** Ends the session; the cookies that clear the browser's. */
  signOut(request: Request): Promise<readonly string[]>;
  /** Lengthens a session that is in use; the cookies to set, often none. */
  renew(request: Request): Promise<readonly string[]>;
  /** All other sessions of the member end. Null when the current password is wrong. */
  changePassword(request: Request, current: string, next: string): Promise<readonly string[] | null>;
  /** OIDC's own requests. */
  handle(request: Request): Promise<Response>;
  end(): Promise<void>;
}

export async function openAccounts(options: AccountsOptions): Promise<Accounts> {
  const { sql, appUrl } = options;
  const secret = await readCookieSecret(sql);
  const store = openAccountStore(options.databaseUrl);
  const build = (oidc: OidcOptions | null) => setUp({ ...options, oidc }, secret, store.adapter);
  let oidc = options.oidc;
  let auth = build(oidc);
  let context = await auth.$context.catch((error: unknown) => {
    options.warn(`OIDC is off until the next start: ${error instanceof Error ? error.message : "no reason"}`);
    return null;
  });
  if (context === null) {
    // Passwords must work while the provider is away.
    oidc = null;
    auth = build(null);
    context = await auth.$context;
  }
  const { hash } = context.password;
  const cookieName = sessionCookieName(appUrl.startsWith("https:"));
  const cookiesOf = (headers: Headers) => headers.getSetCookie();

  return {
    oidc: oidc === null ? null : { name: oidc.name },
    async memberOf(request) {
      const token = sessionTokenOf(request, cookieName, secret);
      return token === null ? null : await findSessionMember(sql, token);
    },
    hashPassword: (password) => hash(password),
    async signIn(request, email, password) {
      const answer = await auth.api.signInEmail({
        body: { email, password },
        headers: request.headers,
        asResponse: true,
      });
      return answer.ok ? cookiesOf(answer.headers) : null;
    },
    async signOut(request) {
      const answer = await auth.api.signOut({ headers: request.headers, asResponse: true });
      return cookiesOf(answer.headers);
    },
    async renew(request) {
      const answer = await auth.api.getSession({ headers: request.headers, asResponse: true });
      return cookiesOf(answer.headers);
    },
    async changePassword(request, currentPassword, newPassword) {
      const answer = await auth.api.changePassword({
        body: { currentPassword, newPassword, revokeOtherSessions: true },
        headers: request.headers,
        asResponse: true,
      });
      return answer.ok ? cookiesOf(answer.headers) : null;
    },
    handle: (request) => auth.handler(request),
    end: () => store.sql.end({ timeout: 1 }),
  };
}

const ID_PREFIXES: Readonly<Record<string, string>> = {
  user: "mem",
  session: "ses",
  account: "acc",
  verification: "ver",
};

function setUp(
  { sql, appUrl, oidc, warn }: AccountsOptions,
  secret: string,
  adapter: ReturnType<typeof openAccountStore>["adapter"],
) {
  /** null: this identity may have no account. */
  const isAdmitted = async (email: string): Promise<boolean> =>
    domainOf(email) === oidc?.allowedDomain || (await isInvited(sql, email));

  return betterAuth({
    appName: "Agent Telemetry Service",
    baseURL: appUrl,
    basePath: "/app/api/auth",
    secret,
    database: adapter,
    telemetry: { enabled: false },
    logger: { log: (level, message) => (level === "error" ? warn(`accounts: ${message}`) : undefined) },
    trustedOrigins: (request) => {
      const host = request?.headers.get("host");
      return host == null ? [] : [`http://${host}`, `https://${host}`];
    },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: PASSWORD_CHARACTERS_MIN,
      maxPasswordLength: PASSWORD_CHARACTERS_MAX,
    },
    user: {
      modelName: "member",
      additionalFields: { role: { type: "string", required: false, input: false } },
      async validateUserInfo({ user, source }) {
        if (source.method !== "oauth") return undefined;
        const email = user.email ?? "";
        if (user.emailVerified !== true) return { error: "email_not_verified" };
        if (source.action === "create-user" && !(await isAdmitted(email))) return { error: "not_invited" };
        return undefined;
      },
    },
    // The tokens of the provider are of no use after the sign-in.
    account: { updateAccountOnSignIn: false, accountLinking: { enabled: true } },
    session: { expiresIn: SESSION_DAYS * DAY_S, updateAge: DAY_S },
    databaseHooks: {
      user: {
        create: {
          async before(user) {
            const role = (await takeInvitationOf(sql, user.email)) ?? oidc?.defaultRole ?? "viewer";
            return { data: { ...user, role } };
          },
        },
      },
      account: {
        create: {
          async before(account) {
            return { data: { ...account, accessToken: null, refreshToken: null, idToken: null } };
          },
        },
      },
    },
    plugins:
      oidc === null
        ? []
        : [
            genericOAuth({
              config: [
                {
                  providerId: OIDC_PROVIDER,
                  name: oidc.name,
                  discoveryUrl: `${oidc.issuer}/.well-known/openid-configuration`,
                  requireIdTokenVerification: true,
                  clientId: oidc.clientId,
                  clientSecret: oidc.clientSecret,
                  scopes: ["openid", "email", "profile"],
                },
              ],
            }),
          ],
    onAPIError: { errorURL: "/app/sign-in" },
    rateLimit: { enabled: true, window: 60, max: 60 },
    advanced: {
      cookiePrefix: COOKIE_PREFIX,
      useSecureCookies: appUrl.startsWith("https:"),
      ipAddress: { ipAddressHeaders: [PEER_HEADER] },
      database: { generateId: ({ model }) => `${ID_PREFIXES[model] ?? "id"}_${randomBase32(24)}` },
    },
  });
}

function domainOf(email: string): string {
  return email.slice(email.lastIndexOf("@") + 1).toLowerCase();
}
