/**
 * A password that is shown to the server of the certificate alone: `channel_binding` of a database URL, on a
 * PostgreSQL with TLS.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chownSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { connect as connectTcp, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { connect as connectTls, createServer as createTlsServer } from "node:tls";
import postgres, { type Sql } from "postgres";
import { connect, connectionFailure } from "../../src/store/database/connect.ts";
import { type Certificate, canMakeCertificates, makeCertificate } from "../support/certificate.ts";
import { eventually, type PostgresServer, startPostgresServer } from "../support/postgres-server.ts";
import { startService } from "../support/service.ts";

const PASSWORD = "correct horse";
/** Asks a server whether it speaks TLS: a length of 8 and the code 80877103. */
const TLS_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

describe.skipIf(!canMakeCertificates)("channel binding", () => {
  let server: PostgresServer;
  let admin: Sql;
  let folder = "";

  beforeAll(async () => {
    server = await startPostgresServer();
    admin = postgres(server.url, { max: 1, onnotice: () => {} });
    const [row] = await admin<[{ folder: string }]>`select current_setting('data_directory') as folder`;
    folder = row.folder;
    for (const role of ["scram", "cleartext"])
      await admin.unsafe(`create role ${role} superuser login password '${PASSWORD}'`);
    const rules = join(folder, "pg_hba.conf");
    writeFileSync(
      rules,
      `host all scram all scram-sha-256\nhost all cleartext all password\n${readFileSync(rules, "utf8")}`,
    );
    await serve(makeCertificate("db.example"));
    await setTls("on");
  });

  afterAll(async () => {
    await admin.end();
    await server.stop();
  });

  /** The server's own from the next connection on. */
  async function serve({ certificate, key }: Certificate): Promise<void> {
    const { uid, gid } = statSync(folder);
    for (const [name, text] of [
      ["server.crt", certificate],
      ["server.key", key],
    ] as const) {
      writeFileSync(join(folder, name), text, { mode: 0o600 });
      chownSync(join(folder, name), uid, gid);
    }
    await reload();
  }

  async function setTls(state: "on" | "off"): Promise<void> {
    await admin.unsafe(`alter system set ssl = ${state}`);
    await reload();
  }

  /** Done when a new connection knows of it. */
  async function reload(): Promise<void> {
    const loaded = async () => {
      const sql = postgres(server.url, { max: 1, onnotice: () => {} });
      const [row] = await sql<[{ at: string }]>`select pg_conf_load_time()::text as at`;
      await sql.end();
      return row.at;
    };
    const before = await loaded();
    await admin`select pg_reload_conf()`;
    await eventually("the settings are read again", async () => (await loaded()) !== before);
  }

  const urlOf = (role: string, manner: string, port = server.port) =>
    `postgres://${role}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/postgres?${manner}`;

  /** The role that was signed in, or why none was. */
  async function signIn(url: string): Promise<unknown> {
    const sql = connect({ url, connectionsMax: 1, applicationName: "test" });
    try {
      const [row] =
        await sql`select session_user as role from pg_stat_ssl where pid = pg_backend_pid() and ssl`;
      return row?.role;
    } catch (error) {
      return connectionFailure(error) ?? (error instanceof Error ? error.message : error);
    } finally {
      await sql.end({ timeout: 1 });
    }
  }

  test.each([
    "-newkey rsa:2048 -sha256",
    "-newkey rsa:2048 -sha512",
    "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -sha384",
  ])("binds to a certificate made with %s", async (options) => {
    await serve(makeCertificate("db.example", options));
    expect(await signIn(urlOf("scram", "sslmode=require&channel_binding=require"))).toBe("scram");
    expect(await signIn(urlOf("scram", "sslmode=require&channel_binding=prefer"))).toBe("scram");
  });

  test("a certificate that names no hash is not bound to, which some may want", async () => {
    await serve(makeCertificate("db.example", "-newkey ed25519"));
    const required = await signIn(urlOf("scram", "sslmode=require&channel_binding=require"));
    expect(required).toContain("channel binding is required: the certificate of the server names no hash");
    expect(await signIn(urlOf("scram", "sslmode=require"))).toBe("scram");
  });

  test("somebody in between, with a certificate of their own, gets nothing", async () => {
    await serve(makeCertificate("db.example"));
    const between = await startBetween(server.port, makeCertificate("between.example"));
    const { port } = between;
    expect(await signIn(urlOf("scram", "sslmode=require", port))).toBe("scram");
    for (const binding of ["prefer", "require"])
      expect(await signIn(urlOf("scram", `sslmode=require&channel_binding=${binding}`, port))).toMatch(
        /channel binding check failed/,
      );
    await between.close();
  });

  test("where none is to be had, who requires it shows no password and believes nobody", async () => {
    const manner = "sslmode=prefer&channel_binding=require";
    for (const role of ["cleartext", "postgres"])
      expect(await signIn(urlOf(role, manner))).toMatch(
        /^channel binding is required: the server asks for no/,
      );
    await setTls("off");
    expect(await signIn(urlOf("scram", manner))).toBe(
      "channel binding is required: the server does not offer it",
    );
    await setTls("on");
  });

  test("the whole service works bound", async () => {
    await admin`create database bound template template0`;
    const url = urlOf("scram", "sslmode=require&channel_binding=require").replace("/postgres?", "/bound?");
    const service = await startService({ databaseUrl: url, env: { DASHBOARD: "off" } });
    const health = await fetch(`${service.url}/health`);
    expect(health.status).toBe(200);
    await service.stop();
  });
});

interface Between {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Ends the TLS of whoever comes and speaks TLS of its own to the server: all that is said passes through it.
 */
async function startBetween(port: number, { certificate, key }: Certificate): Promise<Between> {
  const sockets = new Set<Socket>();
  const hold = (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy()).on("close", () => sockets.delete(socket));
  };
  const reader = createTlsServer({ cert: certificate, key }, (near) => {
    const upstream = connectTcp(port, "127.0.0.1", () => upstream.write(TLS_REQUEST));
    for (const socket of [near, upstream]) hold(socket);
    upstream.once("data", () => {
      const far = connectTls({ socket: upstream, rejectUnauthorized: false });
      hold(far);
      near.pipe(far).pipe(near);
    });
  });
  const readerPort = await listen(reader);
  const front = createServer((client) => {
    hold(client);
    client.once("data", () => {
      const inner = connectTcp(readerPort, "127.0.0.1");
      hold(inner);
      client.write("S");
      client.pipe(inner).pipe(client);
    });
  });
  return {
    port: await listen(front),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await Promise.all([front, reader].map((one) => new Promise((closed) => one.close(closed))));
    },
  };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  return address !== null && typeof address === "object" ? address.port : 0;
}
