import { servePage } from "./pages.ts";

/**
 * What is at /app: the API below /app/api, and pages everywhere else. Every answer leaves with the headers that keep a hostile payload,
 * should it ever come to be markup, from running, from loading anything and from being framed.
 */

export interface SiteOptions {
  readonly api: (request: Request) => Response | Promise<Response>;
  /** Where `bun run build` puts the pages. */
  readonly directory: URL;
  readonly warn: (message: string) => void;
}

const NONCE_BYTES = 16;

export function buildSite({ api, directory, warn }: SiteOptions): (request: Request) => Promise<Response> {
  return async (request) => {
    const path = new URL(request.url).pathname;
    const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(NONCE_BYTES))).toString("base64");
    const isApi = path === "/app/api" || path.startsWith("/app/api/");
    let response: Response;
    try {
      response = isApi
        ? await answered(await api(request), warn)
        : await servePage(request, path, { directory, nonce });
    } catch (error) {
      warn(`a request failed: ${error instanceof Error ? error.message : "no reason"}`);
      response = Response.json({ code: "internal_error", detail: "The failure was logged" }, { status: 500 });
    }
    return secured(response, nonce, isApi);
  };
}

/** The framework's own words for an unknown address or a failure are turned into ours. */
async function answered(response: Response, warn: (message: string) => void): Promise<Response> {
  if (response.headers.get("content-type")?.startsWith("application/json") || response.status < 400)
    return response;
  if (response.status >= 500) warn(`a request failed: ${(await response.text()).slice(0, 200)}`);
  const [code, detail] = PLAIN_FAILURES[response.status] ?? ["internal_error", "The failure was logged"];
  return Response.json({ code, detail }, { status: response.status });
}

const PLAIN_FAILURES: Readonly<Record<number, readonly [string, string]>> = {
  400: ["invalid_request", "The request does not have the expected shape"],
  404: ["route_not_found", "There is nothing at this address"],
  422: ["invalid_request", "The request does not have the expected shape"],
};

function secured(response: Response, nonce: string, isApi: boolean): Response {
  const { headers } = response;
  headers.set(
    "content-security-policy",
    [
      "default-src 'none'",
      "script-src 'self'",
      `style-src 'self' 'nonce-${nonce}'`,
      "img-src 'self' data:",
      "font-src 'self'",
      "connect-src 'self'",
      "manifest-src 'self'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ].join("; "),
  );
  headers.set("x-content-type-options", "nosniff");
  headers.set("referrer-policy", "no-referrer");
  headers.set("cross-origin-opener-policy", "same-origin");
  headers.set("cross-origin-resource-policy", "same-origin");
  if (isApi || !headers.has("cache-control")) headers.set("cache-control", "no-store");
  return response;
}
