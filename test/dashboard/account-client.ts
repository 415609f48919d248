/**
 * The whole API with real accounts on a test's database, and browsers that ask it: each keeps its cookies.
 */
import { dashboardRoutes } from "../../src/dashboard/api/routes.ts";
import { type Accounts, openAccounts } from "../../src/dashboard/auth/accounts.ts";
import type { OidcOptions } from "../../src/dashboard/auth/oidc.ts";
import { PEER_HEADER } from "../../src/dashboard/auth/peer.ts";
import { issueSetupToken } from "../../src/store/accounts/accounts.ts";
import { connect, type Sql } from "../../src/store/database/connect.ts";

export const APP_URL = "https://telemetry.example.com";
export const PASSWORD = "correct horse battery";

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly json: Record<string, unknown>;
}

export interface Installation {
  readonly sql: Sql;
  readonly accounts: Accounts;
  handle(request: Request): Promise<Response>;
  browser(options?: { address?: string }): Browser;
  /** The first account, if there is none yet, in a browser of its own. */
  owner(): Promise<Browser>;
  /** Somebody invited by the owner, signed in. */
  join(role: string, email: string): Promise<Browser>;
  end(): Promise<void>;
}

let addresses = 0;

export async function openInstallation(
  databaseUrl: string,
  oidc: OidcOptions | null = null,
): Promise<Installation> {
  const sql = connect({ url: databaseUrl, connectionsMax: 4, applicationName: "ats dashboard" });
  const accounts = await openAccounts({
    databaseUrl,
    sql,
    appUrl: APP_URL,
    oidc,
    warn: () => {},
    oidcPauseMsMin: 50,
  });
  const routes = dashboardRoutes({ sql, appUrl: APP_URL, memberOf: accounts.memberOf, accounts });
  const handle = async (request: Request) => await routes.handle(request);
  let owner: Browser | undefined;
  const browser = (options: { address?: string } = {}) => {
    addresses += 1;
    return new Browser(handle, options.address ?? `10.0.${addresses >> 8}.${addresses & 255}`);
  };
  const install: Installation = {
    sql,
    accounts,
    handle,
    browser,
    async owner() {
      if (owner !== undefined) return owner;
      const token = await issueSetupToken(sql);
      const made = browser();
      const reply = await made.post("/setup", {
        token,
        name: "Olga",
        email: "olga@example.com",
        password: PASSWORD,
      });
      if (reply.status !== 200) throw new Error(`no owner: ${reply.status} ${JSON.stringify(reply.json)}`);
      owner = made;
      return made;
    },
    async join(role, email) {
      const invited = await (await install.owner()).post("/invitations", { role, email });
      const token = new URL(String(invited.json.url)).searchParams.get("token");
      const made = browser();
      const reply = await made.post("/invitations/accept", { token, name: email, email, password: PASSWORD });
      if (reply.status !== 200) throw new Error(`no member: ${reply.status} ${JSON.stringify(reply.json)}`);
      return made;
    },
    async end() {
      await accounts.end();
      await sql.end({ timeout: 5 });
    },
  };
  return install;
}

export class Browser {
  readonly #handle: (request: Request) => Promise<Response>;
  readonly #address: string;
  readonly cookies = new Map<string, string>();

  constructor(handle: (request: Request) => Promise<Response>, address: string) {
    this.#handle = handle;
    this.#address = address;
  }

  get = (path: string) => this.ask("GET", path);
  post = (path: string, body?: unknown, headers?: Record<string, string>) =>
    this.ask("POST", path, body, headers);
  patch = (path: string, body?: unknown) => this.ask("PATCH", path, body);
  delete = (path: string) => this.ask("DELETE", path);

  async ask(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = { origin: APP_URL, "sec-fetch-site": "same-origin" },
  ): Promise<Reply> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await this.#handle(
      new Request(`${APP_URL}/app/api${path}`, {
        method,
        headers: {
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...(cookie === "" ? {} : { cookie }),
          ...headers,
          [PEER_HEADER]: this.#address,
        },
        body: body === undefined ? null : JSON.stringify(body),
      }),
    );
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      json: text.startsWith("{") ? JSON.parse(text) : {},
    };
  }

  async role(): Promise<string | null> {
    const { member } = (await this.get("/session")).json;
    return (member as { role: string } | null)?.role ?? null;
  }

  async id(): Promise<string> {
    return ((await this.get("/session")).json.member as { id: string }).id;
  }
}
