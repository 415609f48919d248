import { genericOAuth } from "better-auth/plugins";
import type { MemberRole } from "../../store/accounts/accounts.ts";

/**
 * The OIDC provider that members may sign in with, beside passwords: code flow with PKCE, a nonce and a
 * verified ID token.
 */

export const OIDC_PROVIDER = "oidc";
const CHECK_TIMEOUT_MS = 5_000;
const NAME_CHARACTERS_MAX = 100;

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

const discoveryUrl = (issuer: string) => `${issuer}/.well-known/openid-configuration`;

/**
 * Rejects, in words for the operator, unless the provider answers and is who the setting says. Asked before
 * better-auth is set up with it, which neither gives up on a silent provider nor compares the issuer.
 */
export async function checkProvider(issuer: string): Promise<void> {
  const answer = await fetch(discoveryUrl(issuer), { signal: AbortSignal.timeout(CHECK_TIMEOUT_MS) });
  if (!answer.ok) throw new Error(`its discovery document answers ${answer.status}`);
  const document: unknown = await answer.json();
  const named =
    typeof document === "object" && document !== null && "issuer" in document ? document.issuer : undefined;
  // Some names end in a slash; the setting never does.
  if (typeof named !== "string" || named.replace(/\/+$/, "") !== issuer)
    throw new Error(`it calls itself ${String(JSON.stringify(named)).slice(0, 200)}`);
}

export function oidcPlugin(oidc: OidcOptions) {
  return genericOAuth({
    config: [
      {
        providerId: OIDC_PROVIDER,
        name: oidc.name,
        discoveryUrl: discoveryUrl(oidc.issuer),
        requireIdTokenVerification: true,
        clientId: oidc.clientId,
        clientSecret: oidc.clientSecret,
        scopes: ["openid", "email", "profile"],
        // A picture would be a third party's file on our pages.
        mapProfileToUser: (profile) => ({
          name: nameOf(profile),
          emailVerified: profile.email_verified === true,
          image: undefined,
        }),
      },
    ],
  });
}

function nameOf({ name, email }: Record<string, unknown>): string {
  const given = typeof name === "string" ? name.replace(/\p{C}/gu, "").trim() : "";
  const shown = given === "" && typeof email === "string" ? email.split("@")[0] : given;
  return [...(shown ?? "")].slice(0, NAME_CHARACTERS_MAX).join("");
}

/** The way back from the provider, without the words of others that a failure may carry to our page. */
export function withPlainFailure(location: string, appUrl: string): string {
  const url = new URL(location, appUrl);
  const error = url.searchParams.get("error");
  if (error === null) return location;
  url.searchParams.delete("error_description");
  url.searchParams.set("error", /^[a-z_]{1,60}$/.test(error) ? error : "sign_in_failed");
  return url.href;
}
