/** An owner of the service under test: made through the set-up link the first time, signed in afterwards. */
import type { ServiceProcess } from "../ingest/service-process.ts";

const OWNER = { name: "Bench", email: "bench@example.org", password: "correct horse battery bench" };

/** The cookie header of a new session. */
export async function enter(service: ServiceProcess): Promise<string> {
  const session = (await (await fetch(`${service.url}/app/api/session`)).json()) as {
    setup_needed?: unknown;
  };
  if (session.setup_needed !== true)
    return await post(service, "/auth/sign-in/email", { email: OWNER.email, password: OWNER.password });
  const { url } = await service.command(["account", "setup-link"]);
  const token = new URL(String(url)).searchParams.get("token");
  return await post(service, "/setup", { token, ...OWNER });
}

async function post(service: ServiceProcess, path: string, body: unknown): Promise<string> {
  const response = await fetch(`${service.url}/app/api${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: service.url },
    body: JSON.stringify(body),
  });
  if (!response.ok)
    throw new Error(`${path} answered ${response.status} ${(await response.text()).slice(0, 300)}`);
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(";", 1)[0]);
  if (cookies.length === 0) throw new Error(`${path} set no cookie`);
  return cookies.join("; ");
}
