import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createServer, type Server } from "node:https";
import { connect, createServer as createTcpServer, type Socket } from "node:net";
import { parseNetworks, type Resolve } from "../../src/notify/address-guard.ts";
import { postWebhook, type WebhookClientOptions } from "../../src/notify/webhook-client.ts";
import { canMakeCertificates, makeCertificate } from "../support/certificate.ts";

/** The connection goes to an address, yet the certificate must be the name's. */
describe.skipIf(!canMakeCertificates)("TLS on a pinned address", () => {
  const seen: { host: string | undefined; serverName: unknown }[] = [];
  let server: Server;
  let port = 0;
  let certificate = "";

  beforeAll(async () => {
    const made = makeCertificate("hook.example");
    certificate = made.certificate;
    server = createServer({ key: made.key, cert: certificate }, (request, response) => {
      const serverName = "servername" in request.socket ? request.socket.servername : undefined;
      seen.push({ host: request.headers.host, serverName });
      response.end();
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const address = server.address();
    port = address !== null && typeof address === "object" ? address.port : 0;
  });

  afterAll(() => {
    server.close();
  });

  const resolve: Resolve = async () => [{ address: "127.0.0.1", family: 4 }];
  const post = (host: string, ca?: string, options: Partial<WebhookClientOptions> = {}, at = port) =>
    postWebhook(
      { url: `https://${host}:${at}/`, headers: {}, body: "{}" },
      { allowedNetworks: parseNetworks(["127.0.0.0/8"]), timeoutMs: 60_000, resolve, ca, ...options },
    );

  test("asks for the name, and takes the name's certificate", async () => {
    expect(await post("hook.example", certificate)).toMatchObject({ errorClass: null, statusCode: 200 });
    expect(seen.at(-1)).toEqual({ host: `hook.example:${port}`, serverName: "hook.example" });
  });

  test("checks a literal against the addresses in the certificate", async () => {
    expect(await post("127.0.0.1", certificate)).toMatchObject({ errorClass: null, statusCode: 200 });
  });

  test("refuses a certificate of another name", async () => {
    expect(await post("other.example", certificate)).toMatchObject({
      ...{ errorClass: "tls", statusCode: null },
      responseExcerpt: expect.stringMatching(
        /other\.example\.? is not .*hook\.example.*ERR_TLS_CERT_ALTNAME_INVALID/s,
      ),
    });
  });

  test("refuses a certificate that nobody vouches for, whatever the environment says", async () => {
    const previous = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
    expect(await post("hook.example")).toMatchObject({
      ...{ errorClass: "tls", statusCode: null },
      responseExcerpt: expect.stringMatching(/self[- ]signed certificate \(DEPTH_ZERO_SELF_SIGNED_CERT\)/),
    });
    if (previous === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    else process.env.NODE_TLS_REJECT_UNAUTHORIZED = previous;
    expect(seen.some((request) => request.host?.startsWith("other"))).toBe(false);
  });

  /** Takes connections on 127.0.0.0/8 at once, and lets those to 127.0.0.1 begin their handshake as told. */
  async function behindGate(opens: () => Promise<void>) {
    const sockets = new Set<Socket>();
    const tried: string[] = [];
    const gate = createTcpServer(async (socket) => {
      sockets.add(socket);
      socket.on("error", () => {});
      tried.push(socket.localAddress ?? "");
      if (socket.localAddress !== "127.0.0.1") return;
      await opens();
      const inner = connect(port, "127.0.0.1");
      sockets.add(inner);
      inner.on("error", () => {});
      socket.pipe(inner).pipe(socket);
    });
    await new Promise<void>((listening) => gate.listen(0, "0.0.0.0", listening));
    const address = gate.address();
    return {
      port: address !== null && typeof address === "object" ? address.port : 0,
      tried,
      close() {
        for (const socket of sockets) socket.destroy();
        gate.close();
      },
    };
  }

  const CONNECT_TIMEOUT_MS = 50;
  const muchLater = () => Bun.sleep(10 * CONNECT_TIMEOUT_MS);

  test("an only address has the whole time for its handshake", async () => {
    const gate = await behindGate(muchLater);
    const options = { connectTimeoutMs: CONNECT_TIMEOUT_MS };
    expect(await post("hook.example", certificate, options, gate.port)).toMatchObject({
      ...{ errorClass: null, statusCode: 200 },
    });
    gate.close();
  });

  test("of several, each but the last that is tried has a part of it", async () => {
    const gate = await behindGate(muchLater);
    const resolve: Resolve = async () =>
      ["127.0.0.7", "127.0.0.8", "127.0.0.1", "127.0.0.9"].map((address) => ({ address, family: 4 }));
    const options = { connectTimeoutMs: CONNECT_TIMEOUT_MS, resolve };
    expect(await post("hook.example", certificate, options, gate.port)).toMatchObject({
      ...{ errorClass: null, statusCode: 200, remoteAddress: "127.0.0.1" },
    });
    expect(gate.tried).toEqual(["127.0.0.7", "127.0.0.8", "127.0.0.1"]);
    gate.close();
  });
});
