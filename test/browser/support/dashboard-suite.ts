/**
 * A real service with a database of its own, a real browser, and people who are signed in to it, for one test
 * file.
 *
 * Invariant: at the end no page did anything that it must not (page-watch.ts), the browser is gone, the
 * service left by itself, and nobody is connected to its database.
 */
import { afterAll, beforeAll } from "bun:test";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { ensureBuilt } from "../../../src/dashboard/built.ts";
import { type Client, clientOf } from "../../support/client.ts";
import { cloneDatabase, type TestDatabase } from "../../support/database.ts";
import { DatabaseLine } from "../../support/database-line.ts";
import { eventually } from "../../support/postgres-server.ts";
import { mintProject, type TestProject } from "../../support/projects.ts";
import { type Service, startService } from "../../support/service.ts";
import { launchBrowser } from "./chromium.ts";
import { type PageWatch, watchPages } from "./page-watch.ts";

export type Role = "viewer" | "member" | "owner";

export interface Person {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

export interface BrowserSession {
  readonly context: BrowserContext;
  readonly watch: PageWatch;
  newPage(): Promise<Page>;
}

export interface DashboardSuite {
  readonly service: Service;
  readonly database: TestDatabase;
  /** The service's way to its database, where the suite has one. */
  readonly line: DatabaseLine;
  readonly project: TestProject;
  /** Sends telemetry with the key of `project`. */
  readonly client: Client;
  /** The link that the service printed, on the address where it listens. */
  setupLink(): Promise<string>;
  /** A browser that nobody has signed in with. */
  signedOut(options?: ContextOptions): Promise<BrowserSession>;
  /** A browser of somebody with this role; the first call makes the owner. */
  signedIn(role: Role, options?: ContextOptions): Promise<BrowserSession>;
}

export interface ContextOptions {
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly colorScheme?: "light" | "dark";
  /** A phone's: fingers instead of a mouse. */
  readonly hasTouch?: boolean;
}

/** Lists ask again every 15 s: what comes just after one was read is there with the next. */
const ACTION_TIMEOUT_MS = 40_000;
const DESKTOP = { width: 1440, height: 900 };

export function personOf(role: string): Person {
  return { name: `The ${role}`, email: `${role}@example.org`, password: `correct horse battery ${role}` };
}

/**
 * What the service printed for the first account, with the address replaced by the one that it listens on.
 */
async function setupLinkOf(service: Service): Promise<string> {
  const printed = () => /\/app\/setup\?token=\S+/.exec(service.output())?.[0];
  await eventually("the service prints the link for the first account", () => printed() !== undefined);
  return service.url + printed();
}

export interface DashboardSuiteOptions {
  /** False: nothing was made yet, as on the first day. */
  readonly hasProject?: boolean;
  /**
   * True: the service reaches its database by a line that the test can hold. The line is in the test's
   * process, and stands still with it.
   */
  readonly hasLine?: boolean;
}

export function dashboardSuite({
  hasProject = true,
  hasLine = false,
}: DashboardSuiteOptions = {}): DashboardSuite {
  let database: TestDatabase | undefined;
  let line: DatabaseLine | undefined;
  let service: Service | undefined;
  let browser: Browser | undefined;
  let project: TestProject | undefined;
  const sessions: BrowserSession[] = [];
  const cookies = new Map<Role, Awaited<ReturnType<BrowserContext["cookies"]>>>();

  beforeAll(async () => {
    await ensureBuilt();
    database = await cloneDatabase();
    if (hasLine) {
      line = new DatabaseLine(database.url);
      await line.open();
    }
    if (hasProject) project = await mintProject(database.sql);
    [service, browser] = await Promise.all([
      startService({
        databaseUrl: (line ?? database).url,
        env: { DETECTION: "on", WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8" },
      }),
      launchBrowser(),
    ]);
    // Its thread is started by the first request, which a stalled machine lets wait for longer than the
    // service does.
    const { url } = service;
    await eventually("the dashboard is there", async () => (await fetch(`${url}/app/api/session`)).ok);
  });

  afterAll(async () => {
    try {
      for (const { watch } of sessions) watch.expectNothingWrong();
    } finally {
      await browser?.close();
      try {
        await service?.stop();
      } finally {
        line?.cut();
        await database?.drop();
      }
    }
  });

  const running = <Part>(part: Part | undefined): Part => {
    if (part === undefined) throw new Error("the suite has not started");
    return part;
  };

  async function signedOut(options: ContextOptions = {}) {
    const { viewport = DESKTOP, colorScheme = "light", hasTouch = false } = options;
    const context = await running(browser).newContext({
      viewport,
      colorScheme,
      hasTouch,
      isMobile: hasTouch,
      reducedMotion: "reduce",
      locale: "en-GB",
      timezoneId: "UTC",
    });
    context.setDefaultTimeout(ACTION_TIMEOUT_MS);
    const session: BrowserSession = {
      context,
      watch: await watchPages(context, running(service).url),
      newPage: () => context.newPage(),
    };
    sessions.push(session);
    return session;
  }

  async function post(context: BrowserContext, path: string, data: unknown): Promise<unknown> {
    const { url } = running(service);
    const response = await context.request.post(`${url}/app/api${path}`, { data, headers: { origin: url } });
    if (!response.ok()) throw new Error(`${path}: ${response.status()} ${await response.text()}`);
    return await response.json();
  }

  /** Makes the account of the role and remembers its cookie. */
  async function join(role: Role, context: BrowserContext): Promise<void> {
    if (role === "owner") {
      const token = new URL(await setupLinkOf(running(service))).searchParams.get("token");
      await post(context, "/setup", { token, ...personOf(role) });
    } else {
      const owner = await signedIn("owner");
      const { url } = (await post(owner.context, "/invitations", { role })) as { url: string };
      await owner.context.close();
      const token = new URL(url).searchParams.get("token");
      await post(context, "/invitations/accept", { token, ...personOf(role) });
    }
    cookies.set(role, await context.cookies());
  }

  async function signedIn(role: Role, options: ContextOptions = {}): Promise<BrowserSession> {
    const session = await signedOut(options);
    const known = cookies.get(role);
    if (known === undefined) await join(role, session.context);
    else await session.context.addCookies(known);
    return session;
  }

  return {
    get service() {
      return running(service);
    },
    get database() {
      return running(database);
    },
    get line() {
      return running(line);
    },
    get project() {
      return running(project);
    },
    get client() {
      return clientOf(running(service).url, running(project).key);
    },
    setupLink: () => setupLinkOf(running(service)),
    signedOut,
    signedIn,
  };
}
