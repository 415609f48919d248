/** The engine against real sockets that answer well, badly, in pieces, late or not at all. */
import { afterEach, describe, expect, test } from "bun:test";
import type { Socket, TCPSocketListener } from "bun";
import type { HttpResponse } from "./http-response.ts";
import { LoadEngine } from "./load-engine.ts";

const REQUEST = new Uint8Array(
  Buffer.from("POST /events HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n[]"),
);
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 30\r\n\r\n{"accepted":1,"duplicates":0} ';

let listener: TCPSocketListener<undefined> | undefined;

afterEach(() => {
  listener?.stop(true);
  listener = undefined;
});

/** Calls `answer` for each request that has come in, with its number. */
function serve(answer: (socket: Socket<undefined>, request: number) => void): number {
  let requests = 0;
  listener = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      data(socket, chunk) {
        for (let bytes = chunk.length; bytes >= REQUEST.length; bytes -= REQUEST.length)
          answer(socket, requests++);
      },
    },
  });
  return listener.port;
}

interface LoadShape {
  count: number;
  concurrency?: number;
  requestsPerSecond?: number;
  secondsMax?: number;
  bytes?: Uint8Array;
}

async function load(port: number, shape: LoadShape) {
  const answered: number[] = [];
  const responses: HttpResponse[] = [];
  const engine = new LoadEngine(
    {
      count: shape.count,
      windowMax: Number.POSITIVE_INFINITY,
      bytes: () => shape.bytes ?? REQUEST,
      answered: (index, response) => {
        answered.push(index);
        responses.push(response);
      },
    },
    {
      hostname: "127.0.0.1",
      port,
      tls: false,
      concurrency: shape.concurrency ?? 4,
      requestsPerSecond: shape.requestsPerSecond,
      secondsMax: shape.secondsMax ?? 20,
    },
  );
  await engine.connect();
  const seconds = await engine.run();
  return { engine, answered: answered.sort((a, b) => a - b), responses, seconds };
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

describe("closed loop", () => {
  test("every request is answered once", async () => {
    const port = serve((socket) => void socket.write(OK));
    const { engine, answered } = await load(port, { count: 500 });
    expect(answered).toEqual(upTo(500));
    expect(engine.counts).toMatchObject({
      requests: 500,
      byStatus: { 200: 500 },
      retries: 0,
      connectionErrors: 0,
    });
    expect(engine.latencies.figures().count).toBe(500);
  });

  test("answers in pieces", async () => {
    const port = serve((socket) => {
      socket.write(OK.slice(0, 20));
      setTimeout(() => socket.write(OK.slice(20)), 2);
    });
    const { answered, responses } = await load(port, { count: 20 });
    expect(answered).toEqual(upTo(20));
    expect(responses.every(({ body }) => body.length === 30)).toBe(true);
  });

  test("a request bigger than the socket's buffer is sent whole", async () => {
    const size = 8 * 1024 * 1024;
    const head = Buffer.from(
      `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: ${size}\r\n\r\n`,
    );
    const server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: async (request) => Response.json({ bytes: (await request.arrayBuffer()).byteLength }),
    });
    try {
      const bytes = new Uint8Array(Buffer.concat([head, Buffer.alloc(size, 97)]));
      const { answered, responses } = await load(server.port ?? 0, { count: 4, concurrency: 2, bytes });
      expect(answered).toEqual(upTo(4));
      for (const { body } of responses)
        expect(JSON.parse(Buffer.from(body).toString())).toEqual({ bytes: size });
    } finally {
      await server.stop(true);
    }
  });

  test("429 and 503 wait for Retry-After and go again; the final answer alone counts", async () => {
    const refusals = ["429 Too Many Requests", "503 Service Unavailable"];
    const port = serve((socket, request) => {
      const refusal = refusals[request];
      socket.write(
        refusal === undefined ? OK : `HTTP/1.1 ${refusal}\r\nRetry-After: 0\r\nContent-Length: 0\r\n\r\n`,
      );
    });
    const { engine, answered } = await load(port, { count: 10, concurrency: 1 });
    expect(answered).toEqual(upTo(10));
    expect(engine.counts).toMatchObject({
      requests: 10,
      retries: 2,
      byStatus: { 200: 10, 429: 1, 503: 1 },
      abandoned: 0,
    });
  });

  test("a service that refuses for ever: the request is given up after its tries", async () => {
    const port = serve(
      (socket) => void socket.write("HTTP/1.1 503 Busy\r\nRetry-After: 0\r\nContent-Length: 0\r\n\r\n"),
    );
    const { engine, answered } = await load(port, { count: 3, concurrency: 3 });
    expect(answered).toEqual([]);
    expect(engine.counts).toMatchObject({ requests: 3, abandoned: 3, unanswered: 0 });
  });

  test("a broken connection is made anew and its request sent again", async () => {
    const port = serve((socket, request) => {
      if (request % 5 === 2) socket.terminate();
      else socket.write(OK);
    });
    const { engine, answered } = await load(port, { count: 20, concurrency: 2 });
    expect(answered).toEqual(upTo(20));
    expect(engine.counts.connectionErrors).toBeGreaterThan(0);
    expect(engine.counts.reconnects).toBe(engine.counts.connectionErrors);
  });

  test("a server that says close is no error: the next request goes over a new connection", async () => {
    const port = serve((socket) => void socket.end(OK.replace("\r\n", "\r\nConnection: close\r\n")));
    const { engine, answered } = await load(port, { count: 6, concurrency: 2 });
    expect(answered).toEqual(upTo(6));
    expect(engine.counts.connectionErrors).toBe(0);
  });

  test("bytes that are not HTTP count as a broken connection", async () => {
    const port = serve((socket, request) => void socket.write(request === 0 ? "220 mail ready\r\n\r\n" : OK));
    const { engine, answered } = await load(port, { count: 3, concurrency: 1 });
    expect(answered).toEqual(upTo(3));
    expect(engine.counts.connectionErrors).toBe(1);
  });

  test("the time limit stops new requests, and what was sent is still answered", async () => {
    const port = serve((socket) => void setTimeout(() => socket.write(OK), 100));
    const { engine, answered } = await load(port, { count: 100_000, concurrency: 2, secondsMax: 1 });
    expect(answered.length).toBe(engine.counts.requests);
    expect(answered.length).toBeLessThan(100);
    expect(engine.counts.unanswered).toBe(0);
  });

  test("an answer that the source cannot take fails the run", async () => {
    const port = serve((socket) => void socket.write(OK));
    const engine = new LoadEngine(
      {
        count: 1,
        windowMax: 1,
        bytes: () => REQUEST,
        answered: () => {
          throw new Error("not what was promised");
        },
      },
      {
        hostname: "127.0.0.1",
        port,
        tls: false,
        concurrency: 1,
        requestsPerSecond: undefined,
        secondsMax: 5,
      },
    );
    await engine.connect();
    await expect(engine.run()).rejects.toThrow("not what was promised");
  });
});

describe("paced", () => {
  test("the schedule is kept whatever the answers", async () => {
    const port = serve((socket) => void socket.write(OK));
    const { answered, seconds } = await load(port, { count: 50, requestsPerSecond: 100 });
    expect(answered).toEqual(upTo(50));
    // The last request is due 490 ms after the start: no faster, whatever the machine.
    expect(seconds).toBeGreaterThanOrEqual(0.489);
  });

  test("a request that had to wait for a free connection counts from when it was due", async () => {
    const port = serve((socket, request) => void setTimeout(() => socket.write(OK), request === 0 ? 400 : 0));
    const { engine, answered } = await load(port, { count: 20, concurrency: 1, requestsPerSecond: 100 });
    expect(answered).toEqual(upTo(20));
    // Nineteen were due while the first was held for 400 ms; the one due at 100 ms waited 300 ms at the
    // least.
    const { p50Ms, maxMs } = engine.latencies.figures();
    expect(maxMs).toBeGreaterThanOrEqual(390);
    expect(p50Ms).toBeGreaterThanOrEqual(200);
  });
});
