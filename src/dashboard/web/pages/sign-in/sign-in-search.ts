/** Where a sign-in leads, what the company's sign-in said, and the one-time word of a link. */
export interface SignInSearch {
  next?: string;
  error?: string;
}

export function validateSignInSearch({ next, error }: Record<string, unknown>): SignInSearch {
  return {
    ...(isOwnAddress(next) ? { next } : {}),
    ...(typeof error === "string" && /^\w{1,60}$/.test(error) ? { error } : {}),
  };
}

/** `next` comes from whoever made the link: it must not lead to another site, nor into the API. */
function isOwnAddress(next: unknown): next is string {
  return (
    typeof next === "string" &&
    /^\/app(?:[/?#]|$)/.test(next) &&
    !next.includes("\\") &&
    !new URL(next, "https://own.invalid").pathname.startsWith("/app/api")
  );
}

export interface TokenSearch {
  token?: string;
}

export function validateTokenSearch(search: Record<string, unknown>): TokenSearch {
  return search.token === undefined ? {} : { token: String(search.token) };
}
