/**
 * The files that `bun run build` made. A page is one document, whatever its address: the router in it reads the address. Files under
 * assets/ have a hash of their content in their names and are kept for ever; a name that is not there is 404, so that a browser with an
 * old document does not take a page for a script.
 */

export interface PageOptions {
  readonly directory: URL;
  /** Goes into the document for the style elements that scripts insert. */
  readonly nonce: string;
}

const NONCE_PLACEHOLDER = "__CSP_NONCE__";
const FOR_EVER = "public, max-age=31536000, immutable";
const FOR_AN_HOUR = "public, max-age=3600";
const ENCODINGS = [
  ["br", ".br"],
  ["gzip", ".gz"],
] as const;
/** No dot in front: neither `..` nor a hidden file. */
const FILE_PATH = /^(?:[A-Za-z0-9_-][A-Za-z0-9._-]*\/)*[A-Za-z0-9_-][A-Za-z0-9._-]*$/;

export async function servePage(request: Request, path: string, options: PageOptions): Promise<Response> {
  if (request.method !== "GET" && request.method !== "HEAD")
    return new Response("Pages are only read\n", { status: 405, headers: { allow: "GET, HEAD" } });
  const name = path.replace(/^\/app\/?/, "");
  if (name.startsWith("assets/"))
    return (
      (await serveFile(request, name, options, FOR_EVER)) ?? new Response("No such file\n", { status: 404 })
    );
  // Such as the icon; an id in a page's address may hold a dot too.
  if (/^[^/]+\.[a-z0-9]+$/.test(name) && name !== "index.html") {
    const found = await serveFile(request, name, options, FOR_AN_HOUR);
    if (found !== null) return found;
  }
  return await serveDocument(options);
}

async function serveFile(
  request: Request,
  name: string,
  { directory }: PageOptions,
  cacheControl: string,
): Promise<Response | null> {
  if (!FILE_PATH.test(name) || /\.(br|gz)$/.test(name)) return null;
  const original = Bun.file(new URL(name, directory));
  if (!(await original.exists())) return null;
  const headers = new Headers({
    "content-type": original.type,
    "cache-control": cacheControl,
    vary: "accept-encoding",
  });
  const accepted = request.headers.get("accept-encoding") ?? "";
  for (const [encoding, suffix] of ENCODINGS) {
    if (!accepts(accepted, encoding)) continue;
    const encoded = Bun.file(new URL(`${name}${suffix}`, directory));
    if (!(await encoded.exists())) continue;
    headers.set("content-encoding", encoding);
    return new Response(encoded, { headers });
  }
  return new Response(original, { headers });
}

function accepts(header: string, encoding: string): boolean {
  return header.split(",").some((item) => {
    const [name, ...parameters] = item.split(";").map((part) => part.trim().toLowerCase());
    return name === encoding && !parameters.some((each) => /^q=0(\.0*)?$/.test(each));
  });
}

async function serveDocument({ directory, nonce }: PageOptions): Promise<Response> {
  const document = Bun.file(new URL("index.html", directory));
  if (!(await document.exists())) {
    return new Response(
      "<!doctype html><title>Dashboard</title><p>The pages of the dashboard are not built: run <code>bun run build</code>.\n",
      { status: 503, headers: { "content-type": "text/html; charset=utf-8" } },
    );
  }
  const text = (await document.text()).replaceAll(NONCE_PLACEHOLDER, nonce);
  return new Response(text, { headers: { "content-type": "text/html; charset=utf-8" } });
}
