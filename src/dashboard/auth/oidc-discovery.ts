/**
 * Looks whether an OIDC provider is there and is what the setting says, before better-auth is set up with it: that one neither gives up
 * on a provider that is silent nor compares the issuer.
 */

const TIMEOUT_MS = 5_000;

export const discoveryUrl = (issuer: string) => `${issuer}/.well-known/openid-configuration`;

/** Rejects with the reason, in words for the operator. */
export async function checkProvider(issuer: string): Promise<void> {
  const answer = await fetch(discoveryUrl(issuer), { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!answer.ok) throw new Error(`its discovery document answers ${answer.status}`);
  const document: unknown = await answer.json();
  const named =
    typeof document === "object" && document !== null && "issuer" in document ? document.issuer : undefined;
  // Some name themselves with a slash at the end; the setting never has one.
  if (typeof named !== "string" || named.replace(/\/+$/, "") !== issuer)
    throw new Error(`it calls itself ${JSON.stringify(named)?.slice(0, 200)}`);
}
