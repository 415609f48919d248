import { betterAuth } from "better-auth";
import { openAccountStore } from "../../store/accounts/account-adapter.ts";
import {
  findSessionMember,
  type MemberRole,
  noteSeen,
  readCookieSecret,
} from "../../store/accounts/accounts.ts";
import { isInvited, takeInvitationOf } from "../../store/accounts/invitations.ts";
import type { Sql } from "../../store/database/connect.ts";
import { randomBase32 } from "../../store/random-id.ts";
import type { Member } from "../api/guard.ts";
import { checkProvider, OIDC_PROVIDER, type OidcOptions, oidcPlugin, withPlainFailure } from "./oidc.ts";
import { PASSWORD_CHARACTERS_MAX, PASSWORD_CHARACTERS_MIN } from "./password-length.ts";
import { PEER_HEADER } from "./peer.ts";
import { COOKIE_PREFIX, sessionCookieName, sessionTokenOf } from "./session-cookie.ts";

/**
 * better-auth, set up for this service. Invariants: it makes no account by itself but for an OIDC identity
 * that was invited or whose domain is allowed; sessions live in the database, so that a removed or demoted
 * member is refused on the next request; no cookie is readable by a script or sent along by another site's
 * form.
 */

const SESSION_DAYS = 14;
const DAY_S = 86_400;
/**
 * A session in use is noted as such this often: what "last seen" of a member is exact to, for one short
 * UPDATE.
 */
const SEEN_AFTER_S = 300;
/** A provider that is away at the start is asked again, more and more seldom. */
const OIDC_PAUSE_MS_MIN = 2_000;
const OIDC_PAUSE_MS_MAX = 60_000;
/** How long the first request of all waits for the provider, so that its sign-in page has the button. */
const OIDC_START_MS = 2_000;

export interface AccountsOptions {
  readonly databaseUrl: string;
  /** The dashboard's own pool. */
  readonly sql: Sql;
  readonly appUrl: string;
  readonly oidc: OidcOptions | null;
  readonly warn: (message: string) => void;
  readonly oidcPauseMsMin?: number;
}

export interface OidcAddresses {
  readonly callbackURL: string;
  readonly errorCallbackURL: string;
}

export interface Accounts {
  /** null while there is no provider, or it could not be reached yet. */
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
  /**
   * Where the provider is asked, and the cookies that the answer is known by; null for an address that is not
   * ours.
   */
  startOidc(request: Request, addresses: OidcAddresses): Promise<{ url: string; cookies: string[] } | null>;
  /** The provider's answer. */
  finishOidc(request: Request): Promise<Response>;
  end(): Promise<void>;
}

export async function openAccounts(options: AccountsOptions): Promise<Accounts> {
  const { sql, appUrl } = options;
  const secret = await readCookieSecret(sql);
  const store = openAccountStore(options.databaseUrl);
  const build = (oidc: OidcOptions | null) => setUp({ ...options, oidc }, secret, store.adapter);
  // Passwords must work while the provider is away.
  let auth = build(null);
  const { hash } = (await auth.$context).password;
  const provider = options.oidc;
  let isOffered = false;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let isEnded = false;
  const reachProvider = async (oidc: OidcOptions, pauseMs: number): Promise<void> => {
    try {
      await checkProvider(oidc.issuer);
      const withProvider = build(oidc);
      await withProvider.$context;
      auth = withProvider;
      isOffered = true;
    } catch (error) {
      if (isEnded) return;
      const reason = error instanceof Error ? error.message : "no reason";
      options.warn(`the OIDC provider ${oidc.issuer} cannot be used yet: ${reason}`);
      const nextMs = Math.min(pauseMs * 2, OIDC_PAUSE_MS_MAX);
      retry = setTimeout(() => void reachProvider(oidc, nextMs), pauseMs);
      retry.unref();
    }
  };
  if (provider !== null) {
    const reached = reachProvider(provider, options.oidcPauseMsMin ?? OIDC_PAUSE_MS_MIN);
    await Promise.race([reached, Bun.sleep(OIDC_START_MS)]);
  }
  const cookieName = sessionCookieName(appUrl.startsWith("https:"));
  const cookiesOf = (headers: Headers) => headers.getSetCookie();

  return {
    get oidc() {
      return provider !== null && isOffered ? { name: provider.name } : null;
    },
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
    async startOidc(request, addresses) {
      const headers = new Headers(request.headers);
      headers.set("content-type", "application/json");
      headers.delete("content-length");
      const body = JSON.stringify({ provider: OIDC_PROVIDER, ...addresses });
      const answer = await auth.handler(new Request(request.url, { method: "POST", headers, body }));
      const { url }: { url?: unknown } = answer.ok ? await answer.json() : {};
      return typeof url === "string" ? { url, cookies: cookiesOf(answer.headers) } : null;
    },
    async finishOidc(request) {
      const answer = await auth.handler(request);
      const location = answer.headers.get("location");
      if (location !== null) answer.headers.set("location", withPlainFailure(location, appUrl));
      return answer;
    },
    async end() {
      isEnded = true;
      clearTimeout(retry);
      await store.sql.end({ timeout: 1 });
    },
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
  const isOfDomain = (email: string) =>
    oidc !== null && oidc.allowedDomain !== null && domainOf(email) === oidc.allowedDomain;

  /** `session`: null where it ended while it was being renewed. */
  const wasSeen = async (session: { readonly userId: string } | null) => {
    if (session !== null) await noteSeen(sql, session.userId);
  };

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
        const isAdmitted =
          source.action !== "create-user" || isOfDomain(email) || (await isInvited(sql, email));
        return isAdmitted ? undefined : { error: "not_invited" };
      },
    },
    // The tokens of the provider are of no use after the sign-in.
    account: { updateAccountOnSignIn: false, accountLinking: { enabled: true } },
    session: { expiresIn: SESSION_DAYS * DAY_S, updateAge: SEEN_AFTER_S },
    databaseHooks: {
      user: {
        create: {
          async before(user) {
            const role: MemberRole | null | undefined =
              (await takeInvitationOf(sql, user.email)) ??
              (isOfDomain(user.email) ? oidc?.defaultRole : null);
            // The invitation was taken or deleted a moment ago.
            return role == null ? false : { data: { ...user, role } };
          },
        },
      },
      // Sessions end and are deleted; when somebody was there is kept.
      session: { create: { after: wasSeen }, update: { after: wasSeen } },
      account: {
        create: {
          async before(account) {
            return { data: { ...account, accessToken: null, refreshToken: null, idToken: null } };
          },
        },
      },
    },
    plugins: oidc === null ? [] : [oidcPlugin(oidc)],
    onAPIError: { errorURL: "/app/sign-in" },
    rateLimit: { enabled: true, window: 60, max: 60 },
    advanced: {
      cookiePrefix: COOKIE_PREFIX,
      // The default would be other in tests.
      disableOriginCheck: false,
      disableCSRFCheck: false,
      useSecureCookies: appUrl.startsWith("https:"),
      ipAddress: { ipAddressHeaders: [PEER_HEADER] },
      database: { generateId: ({ model }) => `${ID_PREFIXES[model] ?? "id"}_${randomBase32(24)}` },
    },
  });
}

function domainOf(email: string): string {
  return email.slice(email.lastIndexOf("@") + 1).toLowerCase();
}
