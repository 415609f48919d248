import type { Socket } from "node:net";

/**
 * The sockets of this thread's connections, and when each was last heard. A server that moves elsewhere, or a way to it that is
 * cut, may leave connections open on which nobody answers any more; TCP tells after a quarter of an hour, and so long whoever waits for
 * an answer would wait. So when PostgreSQL has been silent and answers again, what has stayed silent since is closed: to its holder
 * that is a lost connection like every other.
 */

const lastHeardMs = new Map<Socket, number>();

export function watchSocket(socket: Socket): void {
  for (const known of lastHeardMs.keys()) if (known.destroyed) lastHeardMs.delete(known);
  const heard = () => lastHeardMs.set(socket, performance.now());
  heard();
  socket.on("data", heard);
}

/** Closes what was not heard for so long, what is idle too: it would be the next to wait. Answers how many that were. */
export function closeSilentSockets(silentMs: number): number {
  const beforeMs = performance.now() - silentMs;
  let closed = 0;
  for (const [socket, heardMs] of lastHeardMs) {
    if (heardMs > beforeMs) continue;
    lastHeardMs.delete(socket);
    if (socket.destroyed) continue;
    socket.destroy();
    closed += 1;
  }
  return closed;
}
