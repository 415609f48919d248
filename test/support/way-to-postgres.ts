/**
 * A way to PostgreSQL that can be cut without a word, as when a server moves or a balancer forgets its connections: what is open
 * then stays open, takes what it is sent and answers nothing, and the server knows of it no more. New connections go through.
 */
import { connect, createServer, type Socket } from "node:net";

export interface WayToPostgres {
  readonly port: number;
  /** Answers how many connections were open. */
  cut(): number;
  close(): Promise<void>;
}

interface Pair {
  readonly near: Socket;
  readonly far: Socket;
}

export async function openWay(serverPort: number): Promise<WayToPostgres> {
  const open = new Set<Pair>();
  const silent = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(serverPort, "127.0.0.1");
    const pair = { near, far };
    open.add(pair);
    near.on("data", (bytes) => {
      if (open.has(pair)) far.write(bytes);
    });
    far.on("data", (bytes) => {
      if (open.has(pair)) near.write(bytes);
    });
    const end = () => {
      silent.delete(near);
      far.destroy();
      if (open.delete(pair)) near.destroy();
    };
    for (const socket of [near, far]) socket.on("error", end).on("close", end);
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
    async close() {
      for (const socket of [...silent, ...[...open].map(({ near }) => near)]) socket.destroy();
      await new Promise<void>((closed) => server.close(() => closed()));
    },
  };
}
