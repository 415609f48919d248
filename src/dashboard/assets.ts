import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { CLOSED_HEADERS } from "./waiting-page.ts";

/**
 * The built pages (see built.ts), held in memory with their compressed forms, so that a build made under a
 * running service changes nothing for it: one HTML document that stands for every address below /app, and the
 * files below /app/assets/, whose names hold a hash of their content and which browsers keep for ever. A file
 * that is not there is 404, so that no browser with an old document takes a page for a script.
 */

const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".json": "application/json",
  ".txt": "text/plain; charset=utf-8",
};
const FOR_EVER = "public, max-age=31536000, immutable";
const NONCE_PLACEHOLDER = "__CSP_NONCE__";
const NONCE_BYTES = 16;

type Bytes = Uint8Array<ArrayBuffer>;

interface Asset {
  readonly type: string;
  readonly plain: Bytes;
  readonly gzip: Bytes | undefined;
  readonly brotli: Bytes | undefined;
}

export interface AppAssets {
  /** The answer for an address below /app/assets/. */
  readonly asset: (request: Request, path: string) => Response;
  /** The document, with the Content-Security-Policy that its one-time word belongs to. */
  readonly page: () => Response;
}

/** Reads dist/app once; throws when it is not there. */
export function loadAssets(directory: string): AppAssets {
  const document = readFileSync(join(directory, "index.html"), "utf8");
  const folder = join(directory, "assets");
  const names = new Set(readdirSync(folder));
  const read = (name: string): Bytes => new Uint8Array(readFileSync(join(folder, name)));
  const readIfThere = (name: string) => (names.has(name) ? read(name) : undefined);
  const assets = new Map<string, Asset>();
  for (const name of names) {
    if (/\.(gz|br)$/.test(name)) continue;
    assets.set(`/app/assets/${name}`, {
      type: TYPES[extname(name)] ?? "application/octet-stream",
      plain: read(name),
      gzip: readIfThere(`${name}.gz`),
      brotli: readIfThere(`${name}.br`),
    });
  }

  return {
    asset(request, path) {
      const found = assets.get(path);
      if (found === undefined)
        return new Response("No such file\n", { status: 404, headers: CLOSED_HEADERS });
      const accepted = request.headers.get("accept-encoding") ?? "";
      const [body, encoding] =
        found.brotli !== undefined && accepts(accepted, "br")
          ? [found.brotli, "br"]
          : found.gzip !== undefined && accepts(accepted, "gzip")
            ? [found.gzip, "gzip"]
            : [found.plain, null];
      return new Response(body, {
        headers: {
          ...CLOSED_HEADERS,
          "content-type": found.type,
          "cache-control": FOR_EVER,
          vary: "accept-encoding",
          ...(encoding === null ? {} : { "content-encoding": encoding }),
        },
      });
    },
    page() {
      const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES)).toBase64();
      return new Response(document.replaceAll(NONCE_PLACEHOLDER, nonce), {
        headers: {
          ...CLOSED_HEADERS,
          "content-type": "text/html; charset=utf-8",
          "content-security-policy": pagePolicy(nonce),
        },
      });
    },
  };
}

/**
 * Own files only; the one-time word is for the <style> elements of Radix (see web/components/csp-nonce.ts),
 * never for scripts.
 */
function pagePolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

function accepts(header: string, encoding: string): boolean {
  return header.split(",").some((item) => {
    const [name, ...parameters] = item.split(";").map((part) => part.trim().toLowerCase());
    return name === encoding && !parameters.some((each) => /^q=0(\.0*)?$/.test(each));
  });
}
