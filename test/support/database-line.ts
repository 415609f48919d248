import { createServer, connect as dial, type Server, type Socket } from "node:net";

/**
 * A way to the database that can be cut, and opened again at the same address; or held, so that it takes
 * everything and answers nothing.
 */
export class DatabaseLine {
  readonly #sockets = new Set<Socket>();
  readonly #to: URL;
  #server: Server | undefined;
  #cutsAt: string | undefined;
  #isHeld = false;
  port = 0;

  constructor(databaseUrl: string) {
    this.#to = new URL(databaseUrl);
  }

  get url(): string {
    const through = new URL(this.#to);
    through.hostname = "127.0.0.1";
    through.port = String(this.port);
    return through.href;
  }

  async open(): Promise<void> {
    const server = createServer((near) => {
      const far = dial(Number(this.#to.port || 5432), this.#to.hostname);
      near.on("data", (sent) => {
        if (this.#cutsAt === undefined || !sent.includes(this.#cutsAt)) return;
        this.#cutsAt = undefined;
        near.destroy();
      });
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(one);
        if (this.#isHeld) one.cork();
        one.on("error", () => other.destroy());
        one.on("close", () => {
          this.#sockets.delete(one);
          other.destroy();
        });
        one.pipe(other);
      }
    });
    await new Promise<void>((done) => server.listen(this.port, "127.0.0.1", done));
    const at = server.address();
    if (typeof at === "object" && at !== null) this.port = at.port;
    this.#server = server;
  }

  /** The next connection that sends this text is cut as it does; later ones are not. */
  cutOnceAt(text: string): void {
    this.#cutsAt = text;
  }

  get isCutAwaited(): boolean {
    return this.#cutsAt !== undefined;
  }

  hold(): void {
    this.#isHeld = true;
    for (const socket of this.#sockets) socket.cork();
  }

  /** What was sent meanwhile arrives. */
  release(): void {
    this.#isHeld = false;
    for (const socket of this.#sockets) socket.uncork();
  }

  cut(): void {
    this.#server?.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}
