import type { Socket } from "node:net";

/**
 * The sockets of this thread's connections, and when each was last heard. A server that moves elsewhere, or a
 * way to it that is cut, may leave connections open on which nobody answers any more; TCP tells after a
 * quarter of an hour, and so long whoever waits for an answer would wait. So when PostgreSQL has been silent
 * and answers again, what has stayed silent since is closed: to its holder that is a lost connection like
 * every other. Those that fall silent while others are answered: silent-connections.ts.
 */

export interface Session {
  /** A statement is under way. */
  readonly awaitsAnswer: boolean;
  /** Of the server's process, as it says itself; null as long as it has not. */
  readonly serverPid: number | null;
}

interface Watched {
  heardMs: number;
  readonly session: () => Session;
}

const watched = new Map<Socket, Watched>();

export function watchSocket(socket: Socket, session: () => Session): void {
  for (const known of watched.keys()) if (known.destroyed) watched.delete(known);
  const entry = { heardMs: performance.now(), session };
  watched.set(socket, entry);
  socket.on("data", () => {
    entry.heardMs = performance.now();
  });
}

/**
 * Closes what was not heard for so long, what is idle too: it would be the next to wait. Returns how many
 * that were.
 */
export function closeSilentSockets(silentMs: number): number {
  const beforeMs = performance.now() - silentMs;
  let closed = 0;
  for (const [socket, { heardMs }] of watched) if (heardMs <= beforeMs && closeSocket(socket)) closed += 1;
  return closed;
}

/** False when it was closed already. */
export function closeSocket(socket: Socket): boolean {
  watched.delete(socket);
  if (socket.destroyed) return false;
  socket.destroy();
  return true;
}

export interface UnansweredSocket {
  readonly socket: Socket;
  readonly heardMs: number;
  readonly serverPid: number;
}

/** Those with a statement under way that were not heard from for this long. */
export function unansweredSockets(silentMs: number): UnansweredSocket[] {
  const beforeMs = performance.now() - silentMs;
  const found: UnansweredSocket[] = [];
  for (const [socket, { heardMs, session }] of watched) {
    if (heardMs > beforeMs || socket.destroyed) continue;
    const { awaitsAnswer, serverPid } = session();
    if (awaitsAnswer && serverPid !== null) found.push({ socket, heardMs, serverPid });
  }
  return found;
}
