/** Where a sign-in leads, and the one-time word of a setup or invitation link. */
export interface SignInSearch {
  next?: string;
}

/** Only an address of our own: `next` comes from whoever made the link. */
export function validateSignInSearch(search: Record<string, unknown>): SignInSearch {
  const { next } = search;
  if (typeof next !== "string" || !/^\/app(\/|$|\?)/.test(next) || next.includes("\\")) return {};
  return { next };
}

export interface TokenSearch {
  token?: string;
}

export function validateTokenSearch(search: Record<string, unknown>): TokenSearch {
  return search.token === undefined ? {} : { token: String(search.token) };
}
