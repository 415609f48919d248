import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";

/**
 * Serves the built pages (see built.ts): the hashed files below /app/assets/, kept by browsers for ever, and the one HTML page that
 * stands for every other address below /app. Everything is held in memory, compressed when it was built.
 */

const types: Record<string, string> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".json": "application/json",
};

interface Asset {
  readonly type: string;
  readonly plain: Uint8Array<ArrayBuffer>;
  readonly gzip: Uint8Array<ArrayBuffer> | undefined;
  readonly brotli: Uint8Array<ArrayBuffer> | undefined;
}

export interface AppAssets {
  /** The answer for an address below /app/assets/; 404 for a file that is not there. */
  readonly asset: (request: Request) => Response;
  /** The HTML page, with the Content-Security-Policy that its one-time word belongs to. */
  readonly page: () => Response;
}

/** Reads dist/app once; a later build is seen by the next start. */
export function loadAssets(directory: string): AppAssets {
  const html = readFileSync(join(directory, "index.html"), "utf8");
  const folder = join(directory, "assets");
  const names = new Set(readdirSync(folder));
  const read = (name: string) =>
    names.has(name) ? new Uint8Array(readFileSync(join(folder, name))) : undefined;
  const assets = new Map<string, Asset>();
  for (const name of names) {
    const plain = read(name);
    if (plain === undefined || /\.(gz|br)$/.test(name)) continue;
    const type = types[extname(name)] ?? "application/octet-stream";
    assets.set(`/app/assets/${name}`, { type, plain, gzip: read(`${name}.gz`), brotli: read(`${name}.br`) });
  }

  return {
    asset(request) {
      const found = assets.get(new URL(request.url).pathname);
      if (found === undefined) return new Response("Not found", { status: 404, headers: plainHeaders });
      const accepted = request.headers.get("accept-encoding") ?? "";
      const encoding =
        /\bbr\b/.test(accepted) && found.brotli
          ? "br"
          : /\bgzip\b/.test(accepted) && found.gzip
            ? "gzip"
            : null;
      const body = encoding === "br" ? found.brotli : encoding === "gzip" ? found.gzip : found.plain;
      return new Response(request.method === "HEAD" ? null : body, {
        headers: {
          "content-type": found.type,
          "cache-control": "public, max-age=31536000, immutable",
          vary: "accept-encoding",
          "x-content-type-options": "nosniff",
          ...(encoding === null ? {} : { "content-encoding": encoding }),
        },
      });
    },
    page() {
      const nonce = crypto.getRandomValues(new Uint8Array(16)).toBase64();
      return new Response(html.replaceAll("__CSP_NONCE__", nonce), {
        headers: {
          "content-type": "text/html; charset=utf-8",
          "cache-control": "no-store",
          "content-security-policy": contentSecurityPolicy(nonce),
          "cross-origin-opener-policy": "same-origin",
          "referrer-policy": "same-origin",
          "x-content-type-options": "nosniff",
          "x-frame-options": "DENY",
        },
      });
    },
  };
}

const plainHeaders = { "content-type": "text/plain", "cache-control": "no-store" };

/** Own files only; the one-time word is for the <style> elements of Radix (see web/components/csp-nonce.ts), never for scripts. */
function contentSecurityPolicy(nonce: string): string {
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
