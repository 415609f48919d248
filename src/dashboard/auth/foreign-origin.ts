const changes = new Set(["POST", "PUT", "PATCH", "DELETE"]);

/**
 * True for a change that a browser sends from another page than our own: somebody else's form or script. Our own is the public address
 * of the service and, for a trial opened by another name or address of the machine, the host that the request itself was sent to.
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
