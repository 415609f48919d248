/**
 * Where a sign-in leads, what the company's sign-in said, and whether a session ended while its page was
 * open.
 */
export interface SignInSearch {
  next?: string;
  error?: string;
  ended?: true;
}

export function validateSignInSearch({ next, error, ended }: Record<string, unknown>): SignInSearch {
  return {
    next: ownAddress(next),
    error: typeof error === "string" && /^\w{1,60}$/.test(error) ? error : undefined,
    ended: ended === true ? true : undefined,
  };
}

const base = "https://own.invalid";

/** `next` comes from whoever made the link: it must not lead to another site, nor out of the pages. */
function ownAddress(next: unknown): string | undefined {
  if (typeof next !== "string" || !next.startsWith("/") || !URL.canParse(next, base)) return undefined;
  const { origin, pathname, search, hash } = new URL(next, base);
  const isPage = /^\/app(?:\/|$)/.test(pathname) && !/^\/app\/api(?:\/|$)/.test(pathname);
  return origin === base && isPage ? pathname + search + hash : undefined;
}

/** The one-time word of a link. */
export interface TokenSearch {
  token?: string;
}

export function validateTokenSearch({ token }: Record<string, unknown>): TokenSearch {
  return { token: token === undefined ? undefined : String(token) };
}
