/**
 * A pooler in front of PostgreSQL that refuses what it does not know in a startup message, and that lends one
 * session of the server to all its clients, statement by statement and transaction by transaction. It asks
 * nobody for a password.
 */
import { connect, createServer, type Socket } from "node:net";

export interface LendingPooler {
  readonly port: number;
  close(): Promise<void>;
}

const KNOWN = ["user", "database", "client_encoding", "application_name"];
const READY_FOR_QUERY = 0x5a;
const IDLE = 0x49;
const PARAMETERS_OFFSET = 8;

/** Length-prefixed messages out of a stream; the first of a client has no type before its length. */
function messagesOf(onMessage: (message: Buffer) => void, options: { readonly untypedFirst: boolean }) {
  let rest = Buffer.alloc(0);
  let lengthAt = options.untypedFirst ? 0 : 1;
  return (bytes: Buffer) => {
    rest = Buffer.concat([rest, bytes]);
    while (rest.length >= lengthAt + 4) {
      const end = lengthAt + rest.readInt32BE(lengthAt);
      if (rest.length < end) return;
      const message = rest.subarray(0, end);
      rest = rest.subarray(end);
      lengthAt = 1;
      onMessage(message);
    }
  };
}

function refusal(name: string): Buffer {
  const text = `SFATAL\0C08P01\0Munsupported startup parameter: ${name}\0\0`;
  const head = Buffer.from("E\0\0\0\0");
  head.writeInt32BE(text.length + 4, 1);
  return Buffer.concat([head, Buffer.from(text)]);
}

/** A session is opened when none is free, and the one given back last is lent first. */
export async function startLendingPooler(serverPort: number): Promise<LendingPooler> {
  const clients = new Set<Socket>();
  const idle: Session[] = [];
  const sessions = new Set<Session>();
  /** What the server said to the first client up to its first "ready", said again to the others. */
  const greeting: Buffer[] = [];

  interface Session {
    readonly socket: Socket;
    lentTo: Socket | undefined;
  }

  function openSession(startup: Buffer, client: Socket): Session {
    const session: Session = { socket: connect(serverPort, "127.0.0.1"), lentTo: client };
    const isFirst = sessions.size === 0;
    let isGreeted = false;
    sessions.add(session);
    session.socket.write(startup);
    session.socket.on("error", () => client.destroy());
    session.socket.on(
      "data",
      messagesOf(
        (message) => {
          if (isFirst && !isGreeted) greeting.push(Buffer.from(message));
          if (isFirst || isGreeted) session.lentTo?.write(message);
          if (message[0] !== READY_FOR_QUERY) return;
          // One that was opened for a statement has it still before it.
          const isWaitedFor = !isFirst && !isGreeted;
          isGreeted = true;
          if (isWaitedFor) return;
          if (message[5] !== IDLE) return;
          session.lentTo = undefined;
          idle.push(session);
        },
        { untypedFirst: false },
      ),
    );
    return session;
  }

  const server = createServer((client) => {
    clients.add(client);
    let startup: Buffer | undefined;
    client.on("error", () => {});
    client.on(
      "data",
      messagesOf(
        (message) => {
          if (startup === undefined) {
            startup = Buffer.from(message);
            const fields = startup.subarray(PARAMETERS_OFFSET).toString().split("\0");
            const unknown = fields.find((name, at) => at % 2 === 0 && name !== "" && !KNOWN.includes(name));
            if (unknown !== undefined) client.end(refusal(unknown));
            else if (greeting.length > 0) client.write(Buffer.concat(greeting));
            else openSession(startup, client);
            return;
          }
          let session = [...sessions].find((one) => one.lentTo === client) ?? idle.pop();
          session ??= openSession(startup, client);
          session.lentTo = client;
          session.socket.write(message);
        },
        { untypedFirst: true },
      ),
    );
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the pooler has no port");
  return {
    port: address.port,
    async close() {
      for (const { socket } of sessions) socket.destroy();
      for (const client of clients) client.destroy();
      await new Promise<void>((closed) => server.close(() => closed()));
    },
  };
}
