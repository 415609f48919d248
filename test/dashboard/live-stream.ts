/** Reads a live tail as a browser does, message by message, and only when asked. */

export interface StreamMessage {
  readonly event: string;
  readonly id: string | null;
  readonly data: unknown;
}

export interface LiveItem {
  readonly event_id: string;
  readonly execution_id: string;
  readonly event_type: string;
  readonly sequence: number;
  readonly timestamp: string;
  readonly received_at: string;
  readonly payload_preview: string;
  readonly payload_bytes: number;
}

export class LiveReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder();
  #text = "";
  readonly items: LiveItem[] = [];
  dropped = 0;
  skipped = 0;
  stored = 0;
  bytes = 0;
  comments = 0;
  /** Reports of how much was stored: the first comes after the first reading. */
  reports = 0;
  lastId: string | null = null;
  ended: string | null = null;
  isClosed = false;

  constructor(response: Response) {
    if (response.body === null) throw new Error("the answer has no body");
    this.#reader = response.body.getReader();
  }

  /** The next message or comment; null at the end of the stream. */
  async next(): Promise<StreamMessage | null> {
    while (!this.#text.includes("\n\n")) {
      const { done, value } = await this.#reader.read();
      if (done) {
        this.isClosed = true;
        return null;
      }
      this.bytes += value.length;
      this.#text += this.#decoder.decode(value, { stream: true });
    }
    const end = this.#text.indexOf("\n\n");
    const block = this.#text.slice(0, end);
    this.#text = this.#text.slice(end + 2);
    const message = parsed(block);
    this.#note(message);
    return message;
  }

  /** Reads on until it holds; fails when the stream ends first. */
  async until(what: string, holds: () => boolean): Promise<void> {
    while (!holds()) {
      if ((await this.next()) === null) throw new Error(`the stream ended before ${what}`);
    }
  }

  async cancel(): Promise<void> {
    await this.#reader.cancel();
  }

  #note({ event, id, data }: StreamMessage): void {
    if (id !== null) this.lastId = id;
    const counts = data as Record<string, number & string>;
    if (event === "events") this.items.push(...(data as LiveItem[]));
    else if (event === "dropped") this.dropped += counts.count ?? 0;
    else if (event === "rate") {
      this.reports++;
      this.skipped += counts.skipped ?? 0;
      this.stored += counts.stored ?? 0;
    } else if (event === "end") this.ended = counts.reason ?? "";
    else if (event === "comment") this.comments++;
  }
}

function parsed(block: string): StreamMessage {
  if (block.startsWith(":")) return { event: "comment", id: null, data: null };
  const fields = new Map(
    block.split("\n").map((line) => {
      const colon = line.indexOf(": ");
      return [line.slice(0, colon), line.slice(colon + 2)] as const;
    }),
  );
  return {
    event: fields.get("event") ?? "message",
    id: fields.get("id") ?? null,
    data: JSON.parse(fields.get("data") ?? "null"),
  };
}
