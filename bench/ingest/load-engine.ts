/**
 * Sends prepared requests over a fixed number of raw keep-alive connections and accounts for every answer.
 *
 * Closed loop: each connection sends its next request when the last one is answered. Paced: request i is due
 * at start + i × interval, whatever the service does, and its latency counts from then, so that a slow answer
 * is not hidden by the requests that it kept back.
 *
 * Invariant: every request taken from the source ends in exactly one of `answered`, `abandoned`,
 * `unanswered`. A refusal (429, 503) waits for its Retry-After and goes again; a broken connection is made
 * anew and its request sent again, which the service must count as duplicates if the first try had been
 * stored. Both are bounded by `triesMax`.
 */
import type { Socket } from "bun";
import { type HttpResponse, ResponseReader } from "./http-response.ts";
import { LatencyRecorder } from "./latency.ts";

export interface RequestSource {
  count: number;
  /** Called once when request `index` is first sent and again for each retry. */
  bytes(index: number): Uint8Array;
  /** The final answer of a request: any status but the ones that are tried again. */
  answered(index: number, response: HttpResponse): void;
  /** How far the newest request may run ahead of the oldest one in flight. */
  windowMax: number;
}

export interface EngineOptions {
  hostname: string;
  port: number;
  tls: boolean;
  concurrency: number;
  /** Requests a second by a fixed schedule; undefined for the closed loop. */
  requestsPerSecond: number | undefined;
  /** No new request after this long; what is in flight has `GRACE_MS` more. */
  secondsMax: number;
}

export interface EngineCounts {
  requests: number;
  byStatus: Record<string, number>;
  retries: number;
  connectionErrors: number;
  reconnects: number;
  /** Requests given up after `triesMax` tries, and those still open at the deadline. */
  abandoned: number;
  unanswered: number;
}

const TRIES_MAX = 20;
const RETRY_AFTER_MS_MAX = 5_000;
const RECONNECT_DELAY_MS = 100;
const GRACE_MS = 15_000;
const IDLE = -1;

interface Connection {
  socket: Socket<Connection> | undefined;
  reader: ResponseReader;
  /** The request it carries, or IDLE. */
  index: number;
  tries: number;
  /** What latency counts from: the send, or in paced mode the time it was due. */
  countsFromMs: number;
  bytes: Uint8Array | undefined;
  written: number;
  /** While its request waits for a Retry-After. Without a socket it waits to be connected again. */
  waiting: boolean;
}

export class LoadEngine {
  readonly latencies: LatencyRecorder;
  readonly counts: EngineCounts = {
    requests: 0,
    byStatus: {},
    retries: 0,
    connectionErrors: 0,
    reconnects: 0,
    abandoned: 0,
    unanswered: 0,
  };
  /** Requests that ended, for whoever shows the progress. */
  ended = 0;
  private readonly connections: Connection[] = [];
  private readonly statuses = new Uint32Array(600);
  private next = 0;
  private startMs = 0;
  private lastEndMs = 0;
  private stopped = false;
  private closing = false;
  private finish: () => void = () => {};
  private fail: (error: Error) => void = (error) => {
    throw error;
  };
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly source: RequestSource,
    private readonly options: EngineOptions,
  ) {
    this.latencies = new LatencyRecorder(source.count);
  }

  /** Opens all connections; throws when the service cannot be reached at all. */
  async connect(): Promise<void> {
    for (let count = 0; count < this.options.concurrency; count++) {
      const connection: Connection = {
        socket: undefined,
        reader: new ResponseReader(),
        index: IDLE,
        tries: 0,
        countsFromMs: 0,
        bytes: undefined,
        written: 0,
        waiting: false,
      };
      this.connections.push(connection);
      await this.open(connection);
    }
  }

  /**
   * Runs to the end and closes the connections; answers the seconds from the first byte to the last answer.
   */
  async run(): Promise<number> {
    this.startMs = performance.now();
    this.lastEndMs = this.startMs;
    const done = new Promise<void>((resolve, reject) => {
      this.finish = resolve;
      this.fail = reject;
    });
    const noNew = setTimeout(() => this.stop(), this.options.secondsMax * 1000);
    const giveUp = setTimeout(() => this.finish(), this.options.secondsMax * 1000 + GRACE_MS);
    this.pump();
    this.finishIfOver();
    await done;
    clearTimeout(noNew);
    clearTimeout(giveUp);
    clearTimeout(this.timer);
    this.closing = true;
    for (const connection of this.connections) {
      if (connection.index !== IDLE) this.counts.unanswered++;
      connection.socket?.end();
    }
    this.statuses.forEach((count, status) => {
      if (count > 0) this.counts.byStatus[status] = count;
    });
    return (this.lastEndMs - this.startMs) / 1000;
  }

  /** Takes no new request from now on. */
  stop(): void {
    this.stopped = true;
    this.finishIfOver();
  }

  private async open(connection: Connection): Promise<void> {
    connection.reader = new ResponseReader();
    connection.socket = await Bun.connect<Connection>({
      hostname: this.options.hostname,
      port: this.options.port,
      tls: this.options.tls,
      data: connection,
      socket: {
        binaryType: "uint8array",
        open: (socket) => {
          socket.setNoDelay(true);
        },
        data: (socket, chunk) => this.read(socket.data, chunk),
        drain: (socket) => this.write(socket.data),
        close: (socket) => this.lost(socket.data, socket),
        error: (_socket, error) => {
          // A reset connection has a code, and `close` follows; anything else was thrown by a handler above.
          if (!("code" in error)) this.fail(error);
        },
      },
    });
  }

  /**
   * Gives work to every connection that has none. In paced mode also sets the timer for the next request due.
   */
  private pump(): void {
    for (const connection of this.connections) {
      if (connection.index === IDLE && connection.socket !== undefined && !this.take(connection)) break;
    }
    const interval = this.intervalMs();
    if (interval === undefined || this.stopped || this.next >= this.source.count) return;
    const dueInMs = this.startMs + this.next * interval - performance.now();
    clearTimeout(this.timer);
    // While every connection is busy the next answer takes what is due. With one idle the timer must be set
    // even if the request came due since `take` looked at the clock: nothing else would wake this up.
    const idle = this.connections.some(({ index, socket }) => index === IDLE && socket !== undefined);
    if (dueInMs > 0 || idle) this.timer = setTimeout(() => this.pump(), Math.max(0, dueInMs));
  }

  private intervalMs(): number | undefined {
    return this.options.requestsPerSecond === undefined ? undefined : 1000 / this.options.requestsPerSecond;
  }

  /** Sends the next request on this connection; false when there is none to send now. */
  private take(connection: Connection): boolean {
    const index = this.next;
    if (this.stopped || index >= this.source.count) return false;
    const now = performance.now();
    const interval = this.intervalMs();
    if (interval === undefined) {
      connection.countsFromMs = now;
    } else {
      const due = this.startMs + index * interval;
      if (due > now) return false;
      connection.countsFromMs = due;
    }
    if (index >= this.source.windowMax && index - this.oldest() >= this.source.windowMax) return false;
    this.next++;
    this.counts.requests++;
    connection.index = index;
    connection.tries = 0;
    this.send(connection);
    return true;
  }

  private oldest(): number {
    let oldest = this.next;
    for (const { index } of this.connections) if (index !== IDLE && index < oldest) oldest = index;
    return oldest;
  }

  private send(connection: Connection): void {
    connection.tries++;
    connection.bytes = this.source.bytes(connection.index);
    connection.written = 0;
    this.write(connection);
  }

  private write(connection: Connection): void {
    const { bytes, written, socket } = connection;
    if (bytes === undefined || socket === undefined) return;
    const sent = socket.write(bytes, written, bytes.length - written);
    // Below zero: the socket has closed, and `close` sends the request again.
    if (sent <= 0) return;
    connection.written = written + sent;
    if (connection.written === bytes.length) connection.bytes = undefined;
  }

  private read(connection: Connection, chunk: Uint8Array): void {
    if (connection.index === IDLE) {
      // Nothing was asked: whatever this is, the stream cannot be trusted any more.
      connection.socket?.terminate();
      return;
    }
    const response = connection.reader.push(chunk);
    if (response === undefined) return;
    if ("malformed" in response) {
      connection.socket?.terminate();
      return;
    }
    this.respond(connection, response);
  }

  private respond(connection: Connection, response: HttpResponse): void {
    const { status } = response;
    this.statuses[status]!++;
    connection.bytes = undefined;
    if (!response.keepAlive) {
      const { socket } = connection;
      connection.socket = undefined;
      socket?.end();
      setTimeout(() => void this.reopen(connection), 0);
    }
    if ((status === 429 || status === 503) && connection.tries < TRIES_MAX && !this.stopped) {
      this.counts.retries++;
      connection.waiting = true;
      setTimeout(
        () => {
          connection.waiting = false;
          // Without a socket it is sent as soon as there is one.
          if (connection.socket !== undefined) this.send(connection);
        },
        Math.min(RETRY_AFTER_MS_MAX, (response.retryAfterS ?? 1) * 1000),
      );
      return;
    }
    const now = performance.now();
    this.lastEndMs = now;
    const { index } = connection;
    connection.index = IDLE;
    if (status === 429 || status === 503) {
      this.counts.abandoned++;
    } else {
      this.latencies.record(now - connection.countsFromMs);
      this.source.answered(index, response);
    }
    this.settled(connection);
  }

  private settled(connection: Connection): void {
    this.ended++;
    const taken = connection.socket !== undefined && this.take(connection);
    if (!taken) {
      this.pump();
      this.finishIfOver();
    }
  }

  /** The connection has closed, by either side. A request it carried is sent again on a new one. */
  private lost(connection: Connection, socket: Socket<Connection>): void {
    if (this.closing || connection.socket !== socket) return;
    connection.socket = undefined;
    connection.bytes = undefined;
    const response = connection.index === IDLE ? undefined : connection.reader.close();
    if (response !== undefined) {
      this.respond(connection, response);
      return;
    }
    if (connection.index !== IDLE) this.counts.connectionErrors++;
    setTimeout(() => void this.reopen(connection), RECONNECT_DELAY_MS);
  }

  private async reopen(connection: Connection): Promise<void> {
    if (this.closing) return;
    if (connection.index !== IDLE && (connection.tries >= TRIES_MAX || this.stopped)) {
      connection.index = IDLE;
      this.counts.abandoned++;
      this.lastEndMs = performance.now();
      this.settled(connection);
      if (this.stopped) return;
    }
    try {
      await this.open(connection);
    } catch {
      connection.tries++;
      this.counts.connectionErrors++;
      setTimeout(() => void this.reopen(connection), RECONNECT_DELAY_MS);
      return;
    }
    this.counts.reconnects++;
    if (connection.index === IDLE) this.pump();
    else if (!connection.waiting) this.send(connection);
  }

  private finishIfOver(): void {
    if (!this.stopped && this.next < this.source.count) return;
    if (this.connections.some((connection) => connection.index !== IDLE)) return;
    this.finish();
  }
}
