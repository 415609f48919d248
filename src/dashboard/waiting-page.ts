/**
 * What a browser is shown while the dashboard cannot be: a page that asks again by itself. Served by the HTTP
 * threads while the dashboard's thread is away, and by that thread while the pages are being built.
 */

const RELOAD_AFTER_S = 2;

const STYLE = `
:root{color-scheme:dark light}
body{margin:0;min-height:100vh;display:grid;place-items:center;font:16px/1.5 system-ui,sans-serif;background:light-dark(#fafafa,#0a0a0b);color:light-dark(#18181b,#f4f4f5)}
main{max-width:30rem;padding:2rem}
h1{margin:0 0 .5rem;font-size:1.125rem}
p{margin:0;color:light-dark(#52525b,#a1a1aa)}
`;

/** `detail` is our own text; what is in it of others is shown as text. */
export function waitingPage(title: string, detail: string): Response {
  const nonce = crypto.getRandomValues(new Uint8Array(16)).toBase64();
  const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="${RELOAD_AFTER_S}">
<title>${Bun.escapeHTML(title)}</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">${STYLE}</style>
<main><h1>${Bun.escapeHTML(title)}</h1><p role="status">${Bun.escapeHTML(detail)}</p></main>
</html>
`;
  return new Response(html, {
    status: 503,
    headers: {
      ...CLOSED_HEADERS,
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": `default-src 'none'; style-src 'nonce-${nonce}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      "retry-after": String(RELOAD_AFTER_S),
    },
  });
}

/** Of every answer that is not a page of the dashboard. */
export const CLOSED_HEADERS = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
} as const;
