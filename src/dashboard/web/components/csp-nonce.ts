/**
 * The one-time word of the page's Content-Security-Policy. Radix puts <style> elements into the page at three
 * places: Dialog and Menu (react-remove-scroll, which asks get-nonce, which reads the global below), Select's
 * viewport and ScrollArea's (a `nonce` prop). With `style-src 'self' 'nonce-…'` they stay allowed and nothing
 * else is. Everything else sets styles through the CSSOM, which a CSP does not govern.
 */
declare global {
  var __webpack_nonce__: string | undefined;
}

const content = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content;
export const cspNonce: string | undefined = content === "" ? undefined : content;
globalThis.__webpack_nonce__ = cspNonce;
