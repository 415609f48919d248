const changes = new Set(["POST", "PUT", "PATCH", "DELETE"]);

/**
 * True for a change that a browser sends from another page than our own: somebody else's form or script. Our
 * own is the public address of the service and, for a trial opened by another name or address of the machine,
 * the host that the request itself was sent to.
 */
export function isForeign(request: Request, appUrl: string): boolean {
  if (!changes.has(request.method)) return false;
  const site = request.headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin") return true;
  const origin = request.headers.get("origin");
  if (origin === null) return site === null;
  if (origin === new URL(appUrl).origin) return false;
  return !URL.canParse(origin) || new URL(origin).host !== request.headers.get("host");
}

/** Whether an address, absolute or not, is of one of our own pages: where a sign-in may lead. */
export function isOwnPage(request: Request, appUrl: string, address: string): boolean {
  if (!URL.canParse(address, appUrl)) return false;
  const { origin, host, protocol, pathname } = new URL(address, appUrl);
  const isOurs =
    origin === new URL(appUrl).origin || (host === request.headers.get("host") && /^https?:$/.test(protocol));
  return isOurs && /^\/app(?:\/(?!api(?:\/|$))|$)/.test(pathname);
}
