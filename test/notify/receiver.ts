/**
 * A webhook receiver on loopback that remembers what it got, byte for byte, and answers as told.
 *
 * Invariant: `close()` cuts every connection, so a receiver that never answers holds up no test.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { eventually } from "../support/postgres-server.ts";

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export type Answer = (response: ServerResponse, request: ReceivedRequest, index: number) => void;

export interface Receiver {
  readonly port: number;
  readonly url: string;
  readonly requests: readonly ReceivedRequest[];
  /** Waits until at least `count` requests have come. */
  got(count: number, deadlineMs?: number): Promise<readonly ReceivedRequest[]>;
  close(): Promise<void>;
}

/** Answers with these statuses in turn; the last one for good. */
export function statuses(...codes: number[]): Answer {
  return (response, _request, index) => {
    response.statusCode = codes[Math.min(index, codes.length - 1)] ?? 200;
    response.end("noted");
  };
}

export async function startReceiver(answer: Answer = statuses(200)): Promise<Receiver> {
  const requests: ReceivedRequest[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const request = {
        method: incoming.method ?? "",
        path: incoming.url ?? "",
        headers: incoming.headers,
        body: Buffer.concat(chunks).toString("utf8"),
      };
      requests.push(request);
      answer(response, request, requests.length - 1);
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the receiver has no port");
  return {
    port: address.port,
    url: `http://127.0.0.1:${address.port}/hook`,
    requests,
    async got(count, deadlineMs) {
      await eventually(`the receiver got ${count} requests`, () => requests.length >= count, deadlineMs);
      return requests;
    },
    close() {
      server.closeAllConnections();
      return new Promise<void>((closed) => server.close(() => closed()));
    },
  };
}
