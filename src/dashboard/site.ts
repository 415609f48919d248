import { CLOSED_HEADERS } from "./waiting-page.ts";

/**
 * What is at /app: the API below /app/api, and pages everywhere else. Every answer leaves with the headers
 * that keep a hostile payload, should it ever come to be markup, from running, from loading anything and from
 * being framed.
 */

export interface SiteOptions {
  readonly api: (request: Request) => Response | Promise<Response>;
  readonly page: (request: Request, path: string) => Response;
  readonly warn: (message: string) => void;
}

export function buildSite({ api, page, warn }: SiteOptions): (request: Request) => Promise<Response> {
  return async (request) => {
    const path = new URL(request.url).pathname;
    const isApi = path === "/app/api" || path.startsWith("/app/api/");
    if (isApi && !isText(path)) return closed(failure(404));
    try {
      return closed(isApi ? await answered(await api(request), warn) : page(request, path));
    } catch (error) {
      warn(`a request failed: ${error instanceof Error ? error.message : "no reason"}`);
      return closed(failure(500));
    }
  };
}

/**
 * The router hands on a segment that is not UTF-8 as undefined, which some would take for "any", and no id
 * has a U+0000.
 */
function isText(path: string): boolean {
  try {
    return !decodeURIComponent(path).includes("\0");
  } catch {
    return false;
  }
}

/** The framework's own words for an unknown address or a failure are turned into ours. */
async function answered(response: Response, warn: (message: string) => void): Promise<Response> {
  if (response.headers.get("content-type")?.startsWith("application/json") || response.status < 400)
    return response;
  if (response.status >= 500) warn(`a request failed: ${(await response.text()).slice(0, 200)}`);
  return failure(response.status);
}

function failure(status: number): Response {
  const [code, detail] = PLAIN_FAILURES[status] ?? ["internal_error", "The failure was logged"];
  return Response.json({ code, detail }, { status });
}

const PLAIN_FAILURES: Readonly<Record<number, readonly [string, string]>> = {
  400: ["invalid_request", "The request does not have the expected shape"],
  404: ["route_not_found", "There is nothing at this address"],
  422: ["invalid_request", "The request does not have the expected shape"],
};

/** The pages bring their own policies; an answer of the API is never to be shown as a document at all. */
function closed(response: Response): Response {
  for (const [name, value] of Object.entries(CLOSED_HEADERS)) {
    if (!response.headers.has(name)) response.headers.set(name, value);
  }
  return response;
}
