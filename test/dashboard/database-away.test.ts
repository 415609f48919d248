/** What the API says while PostgreSQL cannot be reached: that, and nothing about the person who asks. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createServer, connect as dial, type Server, type Socket } from "node:net";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/postgres-server.ts";
import { type Installation, openInstallation, PASSWORD } from "./account-client.ts";

/** A way to the database that can be cut, and opened again at the same address. */
class Line {
  readonly #sockets = new Set<Socket>();
  readonly #to: URL;
  #server: Server | undefined;
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
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(one);
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

  cut(): void {
    this.#server?.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}

let database: TestDatabase;
let line: Line;
let installation: Installation;

beforeAll(async () => {
  database = await cloneDatabase();
  line = new Line(database.url);
  await line.open();
  installation = await openInstallation(line.url);
});

afterAll(async () => {
  await installation.end();
  line.cut();
  await database.drop();
});

test("who signs in is told that the database is away, and is not told that the password is wrong", async () => {
  const owner = await installation.owner();
  const { json } = await owner.get("/session");
  const { email } = json.member as { email: string };
  line.cut();
  const session = await owner.get("/session");
  expect([session.status, session.json.code]).toEqual([503, "database_unavailable"]);
  expect(session.json.detail).toBe("The database does not answer at the moment");
  const signIn = () => installation.browser().post("/auth/sign-in/email", { email, password: PASSWORD });
  const refused = await signIn();
  expect([refused.status, refused.json.code]).toEqual([503, "database_unavailable"]);
  await line.open();
  await eventually("the same session goes on", async () => (await owner.get("/session")).status === 200);
  expect((await signIn()).status).toBe(200);
});
