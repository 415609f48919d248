/**
 * A way to PostgreSQL that can be cut without a word, as when a server moves or a balancer forgets its
 * connections: what is open then stays open, takes what it is sent and answers nothing. New connections go
 * through.
 */
import { connect, createServer, type Socket } from "node:net";

export interface WayToPostgres {
  readonly port: number;
  /** All of them, and the server knows of them no more. Returns how many connections were open. */
  cut(): number;
  /**
   * Those of this `application_name` alone, while all others are answered. To the server they are as open as
   * ever; it is still given `bytes` of what is sent. Returns how many that were.
   */
  silence(name: string, bytes?: number): number;
  close(): Promise<void>;
}

interface Pair {
  readonly near: Socket;
  readonly far: Socket;
  /** Of its startup message. */
  name: string | undefined;
  /** What may still go to the server; undefined: everything, and its answers come back. */
  bytesLeft: number | undefined;
}

const NAME = /\0application_name\0([^\0]*)\0/;

export async function openWay(serverPort: number): Promise<WayToPostgres> {
  const open = new Set<Pair>();
  const silent = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(serverPort, "127.0.0.1");
    const pair: Pair = { near, far, name: undefined, bytesLeft: undefined };
    open.add(pair);
    near.on("data", (bytes: Buffer) => {
      pair.name ??= NAME.exec(bytes.toString("latin1"))?.[1];
      if (open.has(pair)) far.write(bytes.subarray(0, pair.bytesLeft));
      if (pair.bytesLeft !== undefined) pair.bytesLeft = Math.max(0, pair.bytesLeft - bytes.length);
    });
    far.on("data", (bytes: Buffer) => {
      if (open.has(pair) && pair.bytesLeft === undefined) near.write(bytes);
    });
    const end = (side: Socket) => () => {
      // A firewall that forgot the connection passes no end of it on either.
      if (pair.bytesLeft !== undefined && open.has(pair) && side === near) return;
      silent.delete(near);
      far.destroy();
      if (open.delete(pair)) near.destroy();
    };
    for (const socket of [near, far]) socket.on("error", end(socket)).on("close", end(socket));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the way has no port");
  return {
    port: address.port,
    cut() {
      const pairs = [...open];
      open.clear();
      for (const { near, far } of pairs) {
        silent.add(near);
        far.destroy();
      }
      return pairs.length;
    },
    silence(name, bytes = 0) {
      const named = [...open].filter((pair) => pair.name === name && pair.bytesLeft === undefined);
      for (const pair of named) pair.bytesLeft = bytes;
      return named.length;
    },
    async close() {
      for (const socket of [...silent, ...[...open].flatMap(({ near, far }) => [near, far])])
        socket.destroy();
      await new Promise<void>((closed) => server.close(() => closed()));
    },
  };
}
