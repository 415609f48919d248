import { passes, type TailFilter, type TailItem } from "./live-event.ts";

/**
 * One browser at the tail. Invariant: the tail never waits for it. What the browser does not take stands in a
 * queue of bounded length and size; when that is full the oldest goes, and the browser is told how many went
 * before the next event it gets.
 */
export interface ViewerLimits {
  readonly itemsMax: number;
  /** Characters that the queued items hold. */
  readonly charsMax: number;
  readonly heartbeatMs: number;
}

export interface Rates {
  /** Stored in the project since the last report, whatever the filter. */
  readonly stored: number;
  /** Of those, not read, because more were stored than a tail shows. */
  readonly skipped: number;
  readonly seconds: number;
}

const ITEMS_PER_MESSAGE = 100;
const encoder = new TextEncoder();

export class Viewer {
  readonly #limits: ViewerLimits;
  readonly #onClose: (viewer: Viewer) => void;
  readonly #streamId: string;
  readonly #queue: TailItem[] = [];
  #chars = 0;
  #dropped = 0;
  #stored = 0;
  #skipped = 0;
  #seconds = 0;
  #notices: string[] = [];
  #end: string | null = null;
  #isClosed = false;
  #isCancelled = false;
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  #wake: (() => void) | null = null;

  constructor(
    readonly filter: TailFilter,
    streamId: string,
    limits: ViewerLimits,
    onClose: (viewer: Viewer) => void,
  ) {
    this.#streamId = streamId;
    this.#limits = limits;
    this.#onClose = onClose;
  }

  offer(items: readonly TailItem[]): void {
    for (const item of items) {
      if (!passes(item, this.filter)) continue;
      this.#queue.push(item);
      this.#chars += item.size;
    }
    let gone = 0;
    while (this.#queue.length - gone > this.#limits.itemsMax || this.#chars > this.#limits.charsMax) {
      this.#chars -= this.#queue[gone]?.size ?? 0;
      gone++;
    }
    this.#queue.splice(0, gone);
    this.#dropped += gone;
    this.#wake?.();
  }

  /** Added up until the browser takes it. */
  report(rates: Rates): void {
    this.#stored += rates.stored;
    this.#skipped += rates.skipped;
    this.#seconds += rates.seconds;
    this.#wake?.();
  }

  /** Events that passed while the browser was away. */
  missed(count: number): void {
    this.#dropped += count;
  }

  /** Something to be known once; the latest of a name counts. */
  notice(name: string, data: Readonly<Record<string, unknown>>): void {
    const message = messageOf(name, JSON.stringify(data));
    this.#notices = [...this.#notices.filter((one) => !one.startsWith(`event: ${name}\n`)), message];
    this.#wake?.();
  }

  /** Closes; a browser that is waiting is told why, a slow one just sees the end. */
  end(reason: string): void {
    this.#queue.length = 0;
    this.#end ??= reason;
    if (this.#wake !== null) this.#wake();
    else if (!this.#isClosed) {
      this.close();
      this.#controller?.close();
    }
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#queue.length = 0;
    this.#onClose(this);
    this.#wake?.();
  }

  /** Read by the server only as fast as the browser reads: nothing is made before it is asked for. */
  stream(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: async (controller) => {
          const text = await this.#next();
          if (text !== null) controller.enqueue(encoder.encode(text));
          if (this.#isClosed && !this.#isCancelled) controller.close();
        },
        cancel: () => {
          this.#isCancelled = true;
          this.close();
        },
      },
      { highWaterMark: 0 },
    );
  }

  async #next(): Promise<string | null> {
    if (!this.#hasWork()) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, this.#limits.heartbeatMs);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#wake = null;
    }
    if (this.#isClosed) return null;
    const parts = this.#notices;
    this.#notices = [];
    if (this.#dropped > 0) parts.push(messageOf("dropped", JSON.stringify({ count: this.#dropped })));
    this.#dropped = 0;
    const items = this.#queue.splice(0, ITEMS_PER_MESSAGE);
    const last = items.at(-1);
    if (last !== undefined) {
      this.#chars -= items.reduce((sum, item) => sum + item.size, 0);
      const id = `${this.#streamId}.${last.no}`;
      parts.push(messageOf("events", `[${items.map((item) => item.json).join(",")}]`, id));
    }
    if (this.#seconds > 0) {
      const rates: Rates = { stored: this.#stored, skipped: this.#skipped, seconds: round(this.#seconds) };
      parts.push(messageOf("rate", JSON.stringify(rates)));
      this.#stored = 0;
      this.#skipped = 0;
      this.#seconds = 0;
    }
    if (this.#end !== null) {
      parts.push(messageOf("end", JSON.stringify({ reason: this.#end })));
      this.close();
    }
    return parts.length === 0 ? ": still here\n\n" : parts.join("");
  }

  #hasWork(): boolean {
    return (
      this.#isClosed ||
      this.#end !== null ||
      this.#queue.length > 0 ||
      this.#notices.length > 0 ||
      this.#dropped > 0 ||
      this.#seconds > 0
    );
  }
}

function messageOf(name: string, data: string, id?: string): string {
  return `event: ${name}\n${id === undefined ? "" : `id: ${id}\n`}data: ${data}\n\n`;
}

function round(seconds: number): number {
  return Math.round(seconds * 1_000) / 1_000;
}
