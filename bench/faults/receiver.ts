/**
 * A receiver of webhooks that can fall ill: it counts what came, by the delivery's id, and whether its
 * signature holds.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";

/** How the receiver answers: as it should, with 503, by closing the connection, or not at all. */
export type Health = "well" | "refuses" | "hangs up" | "silent";

export interface Receiver {
  readonly url: string;
  health: Health;
  /** Deliveries answered with 200, and how often. */
  readonly taken: ReadonlyMap<string, number>;
  readonly unsigned: number;
  close(): Promise<void>;
}

export async function startReceiver(secret: string): Promise<Receiver> {
  const taken = new Map<string, number>();
  const state = { health: "well" as Health, unsigned: 0 };
  const isSigned = (body: Buffer, given: unknown): boolean => {
    const wanted = Buffer.from(`sha256=${createHmac("sha256", secret).update(body).digest("hex")}`);
    const found = Buffer.from(typeof given === "string" ? given : "");
    return found.length === wanted.length && timingSafeEqual(found, wanted);
  };
  const answer = (response: ServerResponse, id: string): void => {
    if (state.health === "silent") return;
    if (state.health === "hangs up") {
      response.destroy();
      return;
    }
    if (state.health === "well") taken.set(id, (taken.get(id) ?? 0) + 1);
    response.statusCode = state.health === "well" ? 200 : 503;
    response.end("noted");
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      if (!isSigned(Buffer.concat(chunks), request.headers["x-service-signature"])) state.unsigned++;
      answer(response, String(request.headers["webhook-id"]));
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the receiver has no port");
  return {
    url: `http://127.0.0.1:${address.port}/hook`,
    get health() {
      return state.health;
    },
    set health(health) {
      state.health = health;
    },
    taken,
    get unsigned() {
      return state.unsigned;
    },
    close() {
      server.closeAllConnections();
      return new Promise<void>((closed) => server.close(() => closed()));
    },
  };
}
