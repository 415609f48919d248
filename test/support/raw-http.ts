/**
 * HTTP requests written byte by byte, for those no client library would send: half a body, a lying length,
 * bad chunks.
 */
import { connect, type Socket } from "node:net";

export interface RawConnection {
  write(text: string | Uint8Array): Promise<void>;
  /** What came back so far. */
  received(): string;
  /**
   * Resolves when a whole header block came back, or the peer closed; gives the status, or undefined when
   * none came.
   */
  status(): Promise<number | undefined>;
  closed(): Promise<void>;
  destroy(): void;
}

export function openRaw(port: number): Promise<RawConnection> {
  return new Promise((resolve, reject) => {
    let text = "";
    let ended = false;
    let wake: () => void = () => {};
    const socket: Socket = connect(port, "127.0.0.1", () => resolve(connection));
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      wake();
    });
    socket.on("error", (error) => {
      ended = true;
      wake();
      reject(error);
    });
    socket.on("close", () => {
      ended = true;
      wake();
    });
    const next = () =>
      new Promise<void>((resume) => {
        wake = resume;
      });
    const connection: RawConnection = {
      write: (data) => new Promise((written) => socket.write(data, () => written())),
      received: () => text,
      status: async () => {
        while (!text.includes("\r\n\r\n") && !ended) await next();
        const match = /^HTTP\/1\.1 (\d{3})/.exec(text);
        return match ? Number(match[1]) : undefined;
      },
      closed: async () => {
        while (!ended) await next();
      },
      destroy: () => socket.destroy(),
    };
  });
}

export function requestHead(
  method: string,
  path: string,
  key: string,
  headers: Record<string, string | number>,
): string {
  const lines = Object.entries({
    host: "127.0.0.1",
    authorization: `Bearer ${key}`,
    "x-service-schema-version": "1",
    "content-type": "application/json",
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n`;
}
