import { afterEach, describe, expect, test } from "bun:test";
import { createServer, type Server, type Socket } from "node:net";
import { parseNetworks, type Resolve } from "../../src/notify/address-guard.ts";
import { postWebhook, type WebhookClientOptions } from "../../src/notify/webhook-client.ts";
import { eventually } from "../support/postgres-server.ts";
import { startReceiver } from "./receiver.ts";

const loopback = parseNetworks(["127.0.0.0/8", "::1/128"]);
const open: Server[] = [];

afterEach(() => {
  for (const server of open.splice(0)) server.close();
});

interface RawReceiver {
  port: number;
  /** Connections the receiver still has. */
  connected(): number;
}

/** Answers on the bare socket once the first bytes of a request are there. */
async function rawReceiver(answer: (socket: Socket) => void): Promise<RawReceiver> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    socket.once("data", () => answer(socket));
  });
  open.push(server);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return { port: address.port, connected: () => sockets.size };
}

/** Writes as fast as the other side reads, until it hangs up. */
function flood(socket: Socket, piece: string): void {
  if (!socket.destroyed) socket.write(piece, () => setImmediate(() => flood(socket, piece)));
}

/** One byte every few milliseconds, for ever. */
function drip(socket: Socket): void {
  const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.write("x")), 20);
}

function post(
  port: number,
  options: Partial<WebhookClientOptions> = {},
  url = `http://127.0.0.1:${port}/hook`,
) {
  return postWebhook(
    { url, headers: { "Content-Type": "application/json" }, body: '{"n":1}' },
    { allowedNetworks: loopback, timeoutMs: 60_000, ...options },
  );
}

describe("a receiver that misbehaves", () => {
  const cases: {
    name: string;
    answer: (socket: Socket) => void;
    timeoutMs?: number;
    expected: { errorClass: string | null; statusCode: number | null; responseExcerpt?: string };
  }[] = [
    {
      name: "streams for ever: cut at the cap, its 200 counts",
      answer: (socket) => {
        socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
        flood(socket, `4000\r\n${"x".repeat(0x4000)}\r\n`);
      },
      expected: { errorClass: null, statusCode: 200 },
    },
    {
      name: "streams for ever behind a 500: a failure",
      answer: (socket) => {
        socket.write("HTTP/1.1 500 No\r\nTransfer-Encoding: chunked\r\n\r\n");
        flood(socket, `4000\r\n${"x".repeat(0x4000)}\r\n`);
      },
      expected: { errorClass: "status", statusCode: 500 },
    },
    {
      name: "drips its body",
      answer: (socket) => {
        socket.write("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n");
        drip(socket);
      },
      // Its head has to be here by then.
      timeoutMs: 3_000,
      expected: { errorClass: "timeout", statusCode: 200 },
    },
    {
      name: "drips its headers",
      answer: (socket) => {
        socket.write("HTTP/1.1 200 OK\r\nX-Slow: ");
        drip(socket);
      },
      timeoutMs: 400,
      expected: { errorClass: "timeout", statusCode: null },
    },
    {
      name: "never answers",
      answer: () => {},
      timeoutMs: 400,
      expected: { errorClass: "timeout", statusCode: null },
    },
    {
      name: "sends headers without end",
      answer: (socket) => {
        socket.write("HTTP/1.1 200 OK\r\n");
        flood(socket, `X-More: ${"y".repeat(1_000)}\r\n`);
      },
      expected: { errorClass: "protocol", statusCode: null },
    },
    {
      name: "sends 100 Continue without end",
      answer: (socket) => flood(socket, "HTTP/1.1 100 Continue\r\n\r\n"),
      expected: { errorClass: "protocol", statusCode: null },
    },
    {
      name: "sends early hints without end",
      answer: (socket) => flood(socket, "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n".repeat(100)),
      expected: { errorClass: "protocol", statusCode: null },
    },
    {
      name: "sends some interim answers, then its own",
      answer: (socket) =>
        socket.write(
          `${"HTTP/1.1 102 Processing\r\n\r\n".repeat(5)}HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n`,
        ),
      expected: { errorClass: null, statusCode: 200 },
    },
    {
      name: "streams single bytes for ever: cut at so many pieces, its 200 counts",
      answer: (socket) => {
        socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
        socket.write("1\r\nx\r\n".repeat(1_500));
      },
      expected: { errorClass: null, statusCode: 200 },
    },
    {
      name: "speaks something else",
      answer: (socket) => socket.end("220 mail.example ESMTP\r\n"),
      expected: { errorClass: "protocol", statusCode: null },
    },
    {
      name: "switches protocols",
      answer: (socket) =>
        socket.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"),
      expected: { errorClass: "protocol", statusCode: null },
    },
    {
      name: "hangs up without a word",
      answer: (socket) => socket.destroy(),
      expected: { errorClass: "connection_lost", statusCode: null },
    },
    {
      name: "hangs up in the middle of its body",
      answer: (socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhalf"),
      expected: { errorClass: "connection_lost", statusCode: 200 },
    },
    {
      name: "sends a body behind its 204",
      answer: (socket) => socket.write("HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nnoted"),
      expected: { errorClass: null, statusCode: 204 },
    },
    {
      name: "sends more than the length that it stated",
      answer: (socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokEXTRA GARBAGE"),
      expected: { errorClass: null, statusCode: 200, responseExcerpt: "ok" },
    },
    {
      name: "states that it sends nothing, and sends something, without end",
      answer: (socket) => {
        socket.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nnoted");
        flood(socket, "noted");
      },
      expected: { errorClass: null, statusCode: 200, responseExcerpt: "" },
    },
    {
      name: "says that it closes, and goes on behind its answer",
      answer: (socket) =>
        socket.end("HTTP/1.1 202 Yes\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok\r\nand more"),
      expected: { errorClass: null, statusCode: 202, responseExcerpt: "ok" },
    },
    {
      name: "goes on behind its last chunk",
      answer: (socket) =>
        socket.end("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\nEXTRA GARBAGE"),
      expected: { errorClass: null, statusCode: 200, responseExcerpt: "ok" },
    },
    {
      name: "breaks off its chunks with something else",
      answer: (socket) =>
        socket.end("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\nEXTRA GARBAGE"),
      expected: { errorClass: "protocol", statusCode: 200 },
    },
    {
      name: "sends more than stated behind a 500: still that failure",
      answer: (socket) => socket.end("HTTP/1.1 500 No\r\nContent-Length: 2\r\n\r\nnoEXTRA GARBAGE"),
      expected: { errorClass: "status", statusCode: 500, responseExcerpt: "no" },
    },
    {
      name: "sends a body behind its 304",
      answer: (socket) => socket.end("HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\nnoted"),
      expected: { errorClass: "redirect", statusCode: 304 },
    },
    {
      name: "redirects, and sends more than stated",
      answer: (socket) =>
        socket.end("HTTP/1.1 302 Go\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 2\r\n\r\ngoEXTRA"),
      expected: { errorClass: "redirect", statusCode: 302 },
    },
    {
      name: "redirects",
      answer: (socket) =>
        socket.end("HTTP/1.1 307 Go\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"),
      expected: { errorClass: "redirect", statusCode: 307 },
    },
  ];
  for (const { name, answer, timeoutMs, expected } of cases) {
    test(name, async () => {
      const receiver = await rawReceiver(answer);
      expect(await post(receiver.port, timeoutMs === undefined ? {} : { timeoutMs })).toMatchObject(expected);
      await eventually("the connection is gone", () => receiver.connected() === 0);
    });
  }

  test("a redirect's target is never asked", async () => {
    const target = await startReceiver();
    const receiver = await startReceiver((response) => {
      response.writeHead(302, { Location: target.url }).end();
    });
    expect(await post(receiver.port)).toMatchObject({ errorClass: "redirect", statusCode: 302 });
    expect(target.requests).toHaveLength(0);
    await receiver.close();
    await target.close();
  });

  test("keeps the first KiB of the answer as text that PostgreSQL can hold", async () => {
    const receiver = await startReceiver((response) => response.end(`a\0b${"€".repeat(2_000)}`));
    const { responseExcerpt } = await post(receiver.port);
    expect(responseExcerpt).toStartWith("a\ufffdb€");
    expect(responseExcerpt).toEndWith("€");
    expect(Buffer.byteLength(responseExcerpt!.replace("\ufffd", "0"))).toBeLessThanOrEqual(1_024);
    await receiver.close();
  });

  test("nobody listens", async () => {
    expect(await post(1)).toMatchObject({
      ...{ errorClass: "connect", statusCode: null },
      responseExcerpt: expect.stringContaining("ECONNREFUSED"),
    });
  });

  test("a URL that is none, or none for a webhook", async () => {
    for (const url of ["", "hook", "ftp://127.0.0.1/", "file:///etc/passwd", "http://[fe80::1%25eth0]/"]) {
      expect((await post(0, {}, url)).errorClass).toBe("invalid_url");
    }
  });
});

describe("the address guard at the connection", () => {
  const refusing = { allowedNetworks: parseNetworks([]) };

  test("refuses loopback by literal, in every spelling, and by name, and connects to nothing", async () => {
    const receiver = await rawReceiver(() => {});
    for (const host of ["127.0.0.1", "127.1", "2130706433", "0x7f000001", "localhost", "[::1]"]) {
      const result = await post(0, refusing, `http://${host}:${receiver.port}/`);
      expect([host, result.errorClass, result.remoteAddress]).toEqual([host, "address_refused", null]);
    }
    // Some resolvers know the rooted name and some do not.
    expect(["address_refused", "dns"]).toContain(
      (await post(0, refusing, `http://localhost.:${receiver.port}/`)).errorClass!,
    );
    expect(receiver.connected()).toBe(0);
  });

  test("refuses a name as soon as one of its addresses is private", async () => {
    const receiver = await startReceiver();
    const resolve: Resolve = async () => [
      { address: "127.0.0.1", family: 4 },
      { address: "10.0.0.1", family: 4 },
    ];
    expect(await post(0, { resolve }, `http://hook.example:${receiver.port}/`)).toMatchObject({
      errorClass: "address_refused",
      responseExcerpt: "the host leads to a private address",
    });
    expect(receiver.requests).toHaveLength(0);
    await receiver.close();
  });

  test("a name that resolves anew to another address is asked once, and the judged address is used", async () => {
    const judged = await startReceiver();
    let asked = 0;
    // Rebinding: the first answer is harmless, every later one is the target of the attack.
    const resolve: Resolve = async () => {
      asked += 1;
      return [{ address: asked === 1 ? "127.0.0.1" : "127.0.0.2", family: 4 }];
    };
    const result = await post(
      0,
      { resolve, allowedNetworks: parseNetworks(["127.0.0.1/32"]) },
      `http://rebinding.invalid:${judged.port}/hook?x=1`,
    );
    expect(result).toMatchObject({ errorClass: null, remoteAddress: "127.0.0.1" });
    expect(asked).toBe(1);
    // The system's resolver knows no such name: had anything resolved it again, the request could not have
    // arrived.
    expect(judged.requests[0]!.headers.host).toBe(`rebinding.invalid:${judged.port}`);
    expect(judged.requests[0]!.path).toBe("/hook?x=1");
    await judged.close();
  });

  test("goes on to the next address of a name when the first does not connect", async () => {
    const receiver = await startReceiver();
    const resolve: Resolve = async () => [
      { address: "127.0.0.9", family: 4 },
      { address: "127.0.0.1", family: 4 },
    ];
    expect(await post(0, { resolve }, `http://hook.example:${receiver.port}/`)).toMatchObject({
      errorClass: null,
      remoteAddress: "127.0.0.1",
    });
    await receiver.close();
  });

  test("a name that does not resolve, or never comes to an end of it", async () => {
    const url = "http://hook.invalid/";
    expect(await post(0, {}, url)).toMatchObject({
      ...{ errorClass: "dns", statusCode: null },
      responseExcerpt: expect.stringMatching(/ENOTFOUND|ESERVFAIL|ECONNREFUSED|ETIMEOUT/),
    });
    const resolve: Resolve = () => new Promise(() => {});
    expect((await post(0, { resolve, timeoutMs: 200 }, url)).errorClass).toBe("timeout");
  });

  test("no proxy of the environment comes between", async () => {
    const proxy = await startReceiver();
    const receiver = await startReceiver();
    const previous = process.env.HTTP_PROXY;
    process.env.HTTP_PROXY = `http://127.0.0.1:${proxy.port}`;
    expect((await post(receiver.port)).errorClass).toBeNull();
    if (previous === undefined) delete process.env.HTTP_PROXY;
    else process.env.HTTP_PROXY = previous;
    expect(proxy.requests).toHaveLength(0);
    await receiver.close();
    await proxy.close();
  });
});
