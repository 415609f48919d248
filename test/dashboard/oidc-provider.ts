/**
 * A small OpenID Connect provider, a process of its own: `bun test/dashboard/oidc-provider.ts PORT`.
 * Discovery, RS256 keys, code flow with PKCE and client authentication. Whoever is sent to it is at once the
 * person that was last put at /person, with the faults asked for.
 */
import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";

export const CLIENT_ID = "telemetry";
export const CLIENT_SECRET = "s3cret of the client";

export type TokenFault = "foreign_key" | "audience" | "issuer" | "nonce" | "expired" | "unsigned";

export interface Person {
  readonly claims: Readonly<Record<string, unknown>>;
  readonly fault?: TokenFault;
  /** The person does not agree: the error is sent back with this description. */
  readonly denied?: string;
}

interface Grant {
  readonly person: Person;
  readonly nonce: string | null;
  readonly challenge: string | null;
  readonly redirectUri: string;
}

const KEY_ID = "first";
const text = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

function serve(port: number): void {
  const issuer = `http://127.0.0.1:${port}`;
  const own = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const foreign = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const grants = new Map<string, Grant>();
  let person: Person = { claims: {} };

  const idToken = ({ person: { claims, fault }, nonce }: Grant): string => {
    const now = Math.floor(Date.now() / 1000);
    const body = {
      iss: fault === "issuer" ? "https://elsewhere.example" : issuer,
      aud: fault === "audience" ? "another-client" : CLIENT_ID,
      iat: fault === "expired" ? now - 7200 : now,
      exp: fault === "expired" ? now - 3600 : now + 300,
      nonce: fault === "nonce" ? "another" : nonce,
      ...claims,
    };
    if (fault === "unsigned") return `${text({ alg: "none", typ: "JWT" })}.${text(body)}.`;
    return signed(body, fault === "foreign_key" ? foreign.privateKey : own.privateKey);
  };

  function authorize(url: URL): Response {
    const asked = Object.fromEntries(url.searchParams);
    const back = new URL(asked.redirect_uri ?? "");
    if (asked.client_id !== CLIENT_ID || asked.response_type !== "code" || !asked.scope?.includes("openid"))
      return new Response("not our client", { status: 400 });
    back.searchParams.set("state", asked.state ?? "");
    if (person.denied !== undefined) {
      back.searchParams.set("error", "access_denied");
      back.searchParams.set("error_description", person.denied);
    } else {
      const code = crypto.randomUUID();
      grants.set(code, {
        person,
        nonce: asked.nonce ?? null,
        challenge: asked.code_challenge ?? null,
        redirectUri: asked.redirect_uri ?? "",
      });
      back.searchParams.set("code", code);
    }
    return Response.redirect(back.href, 302);
  }

  async function token(request: Request): Promise<Response> {
    const given = new URLSearchParams(await request.text());
    const basic = Buffer.from(request.headers.get("authorization")?.slice(6) ?? "", "base64").toString();
    const [id = "", secret = ""] = basic === "" ? [] : basic.split(":").map(decodeURIComponent);
    const isClient =
      (given.get("client_id") ?? id) === CLIENT_ID &&
      (given.get("client_secret") ?? secret) === CLIENT_SECRET;
    if (!isClient) return Response.json({ error: "invalid_client" }, { status: 401 });
    const code = given.get("code") ?? "";
    const grant = grants.get(code);
    grants.delete(code);
    const verifier = createHash("sha256")
      .update(given.get("code_verifier") ?? "")
      .digest("base64url");
    if (
      grant === undefined ||
      grant.redirectUri !== given.get("redirect_uri") ||
      grant.challenge !== verifier
    )
      return Response.json({ error: "invalid_grant" }, { status: 400 });
    const access = { access_token: "kept by nobody", token_type: "Bearer", expires_in: 300 };
    return Response.json({ ...access, id_token: idToken(grant) });
  }

  Bun.serve({
    hostname: "127.0.0.1",
    port,
    async fetch(request) {
      const url = new URL(request.url);
      switch (url.pathname) {
        case "/.well-known/openid-configuration":
          return Response.json({
            issuer,
            authorization_endpoint: `${issuer}/authorize`,
            token_endpoint: `${issuer}/token`,
            jwks_uri: `${issuer}/keys`,
            id_token_signing_alg_values_supported: ["RS256"],
            response_types_supported: ["code"],
            subject_types_supported: ["public"],
          });
        case "/keys": {
          const key = { ...own.publicKey.export({ format: "jwk" }), kid: KEY_ID, alg: "RS256", use: "sig" };
          return Response.json({ keys: [key] });
        }
        case "/authorize":
          return authorize(url);
        case "/token":
          return await token(request);
        case "/person":
          person = (await request.json()) as Person;
          return new Response(null, { status: 204 });
        default:
          return new Response(null, { status: 404 });
      }
    },
  });
  process.stdout.write("listening\n");
}

function signed(body: object, key: KeyObject): string {
  const head = `${text({ alg: "RS256", kid: KEY_ID, typ: "JWT" })}.${text(body)}`;
  return `${head}.${sign("RSA-SHA256", Buffer.from(head), key).toString("base64url")}`;
}

export interface Provider {
  readonly issuer: string;
  become(person: Person): Promise<void>;
  stop(): Promise<void>;
}

/** A port that was free a moment ago. */
export function freePort(): number {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const { port = 0 } = server;
  server.stop(true);
  return port;
}

export async function startProvider(port = freePort()): Promise<Provider> {
  const child = Bun.spawn([process.execPath, import.meta.path, String(port)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const { value } = await child.stdout.getReader().read();
  if (value === undefined) throw new Error("the provider does not start");
  const issuer = `http://127.0.0.1:${port}`;
  return {
    issuer,
    async become(person) {
      await fetch(`${issuer}/person`, { method: "POST", body: JSON.stringify(person) });
    },
    async stop() {
      child.kill();
      await child.exited;
    },
  };
}

if (import.meta.main) serve(Number(process.argv[2]));
