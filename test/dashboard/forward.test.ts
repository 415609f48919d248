/** What the forwarding carries over, and what it keeps back; a thread that dies or hangs and comes back. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Dashboard, startDashboard } from "../../src/dashboard/dashboard.ts";
import { Forwarder, type ForwardOutcome } from "../../src/dashboard/forward.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/postgres-server.ts";

interface Front {
  readonly url: string;
  readonly forwarder: Forwarder;
  readonly outcomes: ForwardOutcome[];
  stop(): Promise<void>;
}

function openFront(
  socketPath: string,
  ready: () => Promise<boolean>,
  trustedProxies: readonly string[] = [],
): Front {
  const outcomes: ForwardOutcome[] = [];
  const forwarder = new Forwarder({
    socketPath,
    trustedProxies,
    ready,
    isDatabaseAway: () => false,
    count: (outcome) => outcomes.push(outcome),
  });
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request, to) => forwarder.handle(request, to),
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    forwarder,
    outcomes,
    stop: () => server.stop(true),
  };
}

describe("with a backend of its own", () => {
  const directory = mkdtempSync(join(tmpdir(), "ats-forward-"));
  const socketPath = join(directory, "http.sock");
  let front: Front;
  let streamsLeft = 0;
  const backend = Bun.serve({
    unix: socketPath,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      switch (pathname) {
        case "/app/stream":
          return new Response(
            new ReadableStream({
              start: (controller) => controller.enqueue(new TextEncoder().encode("data: 1\n\n")),
              cancel() {
                streamsLeft += 1;
              },
            }),
            { headers: { "content-type": "text/event-stream" } },
          );
        case "/app/moved":
          return new Response(null, { status: 302, headers: { location: "/app/here" } });
        case "/app/cookies": {
          const headers = new Headers();
          headers.append("set-cookie", "a=1; Path=/");
          headers.append("set-cookie", "b=2; Expires=Wed, 21 Oct 2099 07:28:00 GMT");
          return new Response("two", { headers });
        }
        case "/app/compressed":
          return new Response(Bun.gzipSync("squeezed"), { headers: { "content-encoding": "gzip" } });
        default:
          return Response.json({
            method: request.method,
            address: pathname + search,
            headers: Object.fromEntries(request.headers),
            body: await request.text(),
          });
      }
    },
  });

  beforeAll(() => {
    front = openFront(socketPath, async () => false);
  });
  afterAll(async () => {
    await front.stop();
    await backend.stop(true);
    rmSync(directory, { recursive: true, force: true });
  });

  test("method, address, body and headers arrive; the peer is ours to say and a key stays here", async () => {
    const reply = await fetch(`${front.url}/app/api/x?a=%20b&c=1`, {
      method: "POST",
      body: "text",
      headers: {
        "x-ats-peer": "203.0.113.9",
        "x-forwarded-for": "203.0.113.10",
        authorization: "Bearer service_sk_x",
        connection: "close",
        te: "trailers",
        cookie: "a=1",
        origin: front.url,
      },
    });
    const seen = (await reply.json()) as { method: string; address: string; body: string; headers: object };
    expect(seen).toMatchObject({ method: "POST", address: "/app/api/x?a=%20b&c=1", body: "text" });
    expect(seen.headers).toMatchObject({
      "x-ats-peer": "127.0.0.1",
      cookie: "a=1",
      origin: front.url,
      host: new URL(front.url).host,
    });
    expect(seen.headers).not.toHaveProperty("authorization");
    expect(seen.headers).not.toHaveProperty("te");
    expect(seen.headers).not.toHaveProperty("x-forwarded-for");
  });

  test("a proxy that is trusted names its client", async () => {
    const behind = openFront(socketPath, async () => false, ["127.0.0.0/8"]);
    const headers = { "x-forwarded-for": "192.0.2.1, 203.0.113.9" };
    const seen = (await (await fetch(`${behind.url}/app/x`, { headers })).json()) as { headers: object };
    expect(seen.headers).toMatchObject({ "x-ats-peer": "203.0.113.9" });
    await behind.stop();
  });

  test("redirects, several cookies and compressed bodies come back as they are", async () => {
    const moved = await fetch(`${front.url}/app/moved`, { redirect: "manual" });
    expect([moved.status, moved.headers.get("location")]).toEqual([302, "/app/here"]);
    const cookies = await fetch(`${front.url}/app/cookies`);
    expect(cookies.headers.getSetCookie()).toEqual([
      "a=1; Path=/",
      "b=2; Expires=Wed, 21 Oct 2099 07:28:00 GMT",
    ]);
    const compressed = await fetch(`${front.url}/app/compressed`);
    expect([compressed.headers.get("content-encoding"), await compressed.text()]).toEqual([
      "gzip",
      "squeezed",
    ]);
    const head = await fetch(`${front.url}/app`, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });

  test("a body above a mebibyte is refused, declared or not", async () => {
    const large = "x".repeat(1_048_577);
    expect((await fetch(`${front.url}/app/x`, { method: "POST", body: large })).status).toBe(413);
    const streamed = new ReadableStream({
      start(controller) {
        for (let sent = 0; sent < 20; sent++) controller.enqueue(new Uint8Array(65_536));
        controller.close();
      },
    });
    expect((await fetch(`${front.url}/app/x`, { method: "POST", body: streamed })).status).toBe(413);
    expect(front.outcomes.filter((outcome) => outcome === "refused")).toHaveLength(2);
    expect((await fetch(`${front.url}/app/x`, { method: "POST", body: large.slice(1) })).status).toBe(200);
  });

  /** Sends the head of a request with a body of `declared` bytes, and of the body what is given. */
  function beginPost(declared: number, sent: string): { readonly socket: Socket; answer: string } {
    const socket = connect(Number(new URL(front.url).port), "127.0.0.1");
    const begun = { socket, answer: "" };
    socket.on("data", (bytes) => {
      begun.answer += bytes.toString("latin1");
    });
    socket.on("error", () => {});
    socket.write(`POST /app/slow HTTP/1.1\r\nHost: x\r\nContent-Length: ${declared}\r\n\r\n${sent}`);
    return begun;
  }

  test("bodies that never come keep nobody else out, however many", async () => {
    const silent = Array.from({ length: 300 }, () => beginPost(100, "x"));
    await eventually("all of them are there", async () => front.forwarder.inFlight === silent.length);
    expect((await fetch(`${front.url}/app/page`)).status).toBe(200);
    expect((await fetch(`${front.url}/app/x`, { method: "POST", body: "small" })).status).toBe(200);
    silent[0]!.socket.write("x".repeat(99));
    await eventually("one that comes after all is answered", async () =>
      silent[0]!.answer.includes('"method":"POST"'),
    );
    for (const { socket } of silent) socket.destroy();
    await eventually("nothing is in flight", async () => front.forwarder.inFlight === 0);
  });

  test("where bodies hold all that may be held, the largest that is not whole gives way", async () => {
    const large = Array.from({ length: 16 }, () => beginPost(1_048_576, "x".repeat(1_048_575)));
    const gaveWay = () => large.filter(({ answer }) => answer.startsWith("HTTP/1.1 503 "));
    await eventually("one of them is refused for a small one", async () => {
      const small = await fetch(`${front.url}/app/x`, { method: "POST", body: "y".repeat(100) });
      expect(small.status).toBe(200);
      return gaveWay().length > 0;
    });
    expect(gaveWay()).toHaveLength(1);
    for (const { socket } of large) socket.write("x");
    const whole = large.filter((each) => !gaveWay().includes(each));
    await eventually("the others are taken", async () =>
      whole.every(({ answer }) => answer.startsWith("HTTP/1.1 200 ")),
    );
    for (const { socket } of large) socket.destroy();
    await eventually("nothing is in flight", async () => front.forwarder.inFlight === 0);
  });

  test("a stream comes as it is written, ends with its reader, and on drain at once", async () => {
    const reader = new AbortController();
    const stream = await fetch(`${front.url}/app/stream`, { signal: reader.signal });
    const first = await stream.body?.getReader().read();
    expect(new TextDecoder().decode(first?.value)).toBe("data: 1\n\n");
    reader.abort();
    await eventually("the backend is told that the reader left", async () => streamsLeft === 1);

    const open = await fetch(`${front.url}/app/stream`);
    const body = open.text();
    front.forwarder.drain();
    expect(await body).toBe("data: 1\n\n");
    expect((await fetch(`${front.url}/app/x`)).status).toBe(503);
    await eventually("nothing is in flight", async () => front.forwarder.inFlight === 0);
  });
});

describe("with the dashboard's thread", () => {
  const threads: Worker[] = [];
  const RealWorker = globalThis.Worker;
  let database: TestDatabase;
  let dashboard: Dashboard;
  let front: Front;
  /** Stands still: the pause before a restart is over when a test says so. */
  let nowMs = 0;

  beforeAll(async () => {
    database = await cloneDatabase();
    // To end a thread as a crash would.
    globalThis.Worker = class extends RealWorker {
      constructor(...options: ConstructorParameters<typeof RealWorker>) {
        super(...options);
        threads.push(this);
      }
    };
    dashboard = startDashboard({
      databaseUrl: database.url,
      appUrl: "http://localhost:8080",
      connectionsMax: 2,
      oidc: null,
      log: () => {},
      clock: () => nowMs,
    });
    front = openFront(dashboard.socketPath, dashboard.ready);
  });
  afterAll(async () => {
    await front.stop();
    await dashboard.stop();
    globalThis.Worker = RealWorker;
    await database.drop();
  });

  test("it is started by the first request, and once by many", async () => {
    expect(threads).toHaveLength(0);
    const replies = await Promise.all([1, 2, 3].map(() => fetch(`${front.url}/app/api/session`)));
    expect(replies.map((reply) => reply.status)).toEqual([200, 200, 200]);
    expect(threads).toHaveLength(1);
  });

  test("its death is 503 for who asks meanwhile, and the next request after a pause starts it again", async () => {
    threads[0]?.terminate();
    await eventually("the death is noticed", async () => dashboard.restarts() === 1);
    const away = await fetch(`${front.url}/app/api/session`);
    expect(away.status).toBe(503);
    expect(away.headers.get("content-type")).toBe("application/problem+json");
    expect(await away.json()).toMatchObject({ code: "dashboard_unavailable" });
    const page = await fetch(`${front.url}/app`, { headers: { accept: "text/html" } });
    expect([page.status, page.headers.get("content-type")]).toEqual([503, "text/html; charset=utf-8"]);
    expect(threads).toHaveLength(1);
    nowMs += 250;
    await eventually("it is back", async () => (await fetch(`${front.url}/app/api/session`)).status === 200);
    expect(threads).toHaveLength(2);
  });

  test("that listens later than anybody waits for it is there from then on", async () => {
    const late = startDashboard({
      databaseUrl: database.url,
      appUrl: "http://localhost:8080",
      connectionsMax: 2,
      oidc: null,
      log: () => {},
      startTimeoutMs: 0,
    });
    try {
      expect(await late.ready()).toBe(false);
      await eventually("it is there", late.ready);
      expect([late.restarts(), threads.length]).toEqual([0, 3]);
    } finally {
      await late.stop();
    }
  });

  test("that hangs is ended, and the next request starts another", async () => {
    const folder = mkdtempSync(join(tmpdir(), "ats-hanging-"));
    const hanging = join(folder, "hanging.js");
    const real = new URL("../../src/dashboard/worker.ts", import.meta.url).pathname;
    writeFileSync(
      hanging,
      `import ${JSON.stringify(real)};
const take = self.onmessage;
self.onmessage = async (event) => {
  await take(event);
  for (;;);
};
`,
    );
    const modules = [hanging];
    const Noted = globalThis.Worker;
    globalThis.Worker = class extends Noted {
      constructor(url: string | URL, options?: WorkerOptions) {
        super(modules.shift() ?? url, options);
      }
    };
    const messages: string[] = [];
    const hung = startDashboard({
      databaseUrl: database.url,
      appUrl: "http://localhost:8080",
      connectionsMax: 2,
      oidc: null,
      log: (_level, _fields, message) => messages.push(message),
      hangMsMax: 5_000,
    });
    const before = openFront(hung.socketPath, hung.ready);
    try {
      const session = async () => (await fetch(`${before.url}/app/api/session`)).status;
      expect(await session()).toBe(503);
      expect(messages).toContain("dashboard: the thread hangs and is ended");
      await eventually("another answers", async () => (await session()) === 200);
      expect(hung.restarts()).toBe(1);
    } finally {
      await before.stop();
      await hung.stop();
      globalThis.Worker = Noted;
      rmSync(folder, { recursive: true });
    }
  });
});
