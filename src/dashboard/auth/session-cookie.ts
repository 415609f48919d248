import { timingSafeEqual } from "node:crypto";

/** better-auth's session cookie: the session's token and its HMAC-SHA256 under the cookie secret. */

export const COOKIE_PREFIX = "ats";

export function sessionCookieName(isSecure: boolean): string {
  return `${isSecure ? "__Secure-" : ""}${COOKIE_PREFIX}.session_token`;
}

/** The token, if the cookie is there and was signed by us. */
export function sessionTokenOf(request: Request, name: string, secret: string): string | null {
  for (const pair of (request.headers.get("cookie") ?? "").split(";")) {
    const separator = pair.indexOf("=");
    if (separator === -1 || pair.slice(0, separator).trim() !== name) continue;
    const value = decoded(pair.slice(separator + 1).trim());
    const end = value.lastIndexOf(".");
    if (end === -1) return null;
    const token = value.slice(0, end);
    const given = Buffer.from(value.slice(end + 1), "base64");
    const signed = new Bun.CryptoHasher("sha256", secret).update(token).digest();
    return given.length === signed.length && timingSafeEqual(given, signed) ? token : null;
  }
  return null;
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return "";
  }
}
