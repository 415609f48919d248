/**
 * A DATABASE_URL that leads to something else than PostgreSQL: an HTTP port, a proxy with nothing behind it.
 */
import { afterEach, describe, expect, test } from "bun:test";
import { createServer, type Socket } from "node:net";
import { runCli } from "../cli/run-cli.ts";
import { type ServiceProcess, startService } from "../embedded/service-process.ts";

const NOT_POSTGRESQL = "what answers there is not PostgreSQL";
const RETRIED = "database cannot be reached, trying again";

/** What to do when the test is over, last first. */
const ends: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

function httpPort(): number {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("hello") });
  ends.push(() => server.stop(true));
  return server.port ?? 0;
}

/** A port that does this with each connection. */
async function portThat(answer: (socket: Socket) => void): Promise<number> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on("error", () => undefined);
    answer(socket);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  ends.push(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

function urlOf(port: number, parameters = ""): string {
  return `postgres://postgres:hunter2@127.0.0.1:${port}/ats${parameters}`;
}

function start(databaseUrl: string, startupTimeoutS: number): ServiceProcess {
  const service = startService({
    env: { DATABASE_URL: databaseUrl, STARTUP_TIMEOUT_S: String(startupTimeoutS), DASHBOARD: "off" },
  });
  ends.push(async () => {
    service.signal("SIGKILL");
    await service.ended();
  });
  return service;
}

describe("each is told, tried again and given up", () => {
  const cases: readonly (readonly [string, () => number | Promise<number>, string, string])[] = [
    ["an HTTP server", httpPort, "", NOT_POSTGRESQL],
    ["an HTTP server that is asked for TLS", httpPort, "?sslmode=require", NOT_POSTGRESQL],
    ["an HTTP server that may be asked for TLS", httpPort, "?sslmode=prefer", NOT_POSTGRESQL],
    [
      "one that greets and stays",
      () => portThat((socket) => socket.write("SSH-2.0-OpenSSH_9.9\r\n")),
      "",
      NOT_POSTGRESQL,
    ],
    [
      "one whose answer begins as an error of PostgreSQL does",
      () => portThat((socket) => socket.write("ERROR unknown command\r\n")),
      "",
      NOT_POSTGRESQL,
    ],
    ["one that closes without a word", () => portThat((socket) => socket.end()), "", "CONNECTION_CLOSED"],
  ];
  for (const [what, open, parameters, words] of cases) {
    test(what, async () => {
      const url = urlOf(await open(), parameters);
      const service = start(url, 1);
      expect(await service.ended()).toBe(1);
      expect(service.output()).toContain(RETRIED);
      expect(service.output()).toMatch(
        /The database at 127\.0\.0\.1:\d+\/ats could not be reached within 1 s/,
      );
      expect(service.output()).toContain(words);
      const asked = await runCli(["project", "list"], { DATABASE_URL: url });
      expect(asked).toMatchObject({ code: 1, stdout: "" });
      expect(asked.stderr).toContain(words);
      expect(service.output() + asked.stderr).not.toContain("hunter2");
    });
  }
});

test("a stop while it is tried again is heeded", async () => {
  const service = start(urlOf(httpPort()), 3600);
  await service.logged(RETRIED);
  service.signal("SIGTERM");
  expect(await service.ended()).toBe(0);
});
