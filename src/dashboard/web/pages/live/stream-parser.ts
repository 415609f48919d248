export interface StreamMessage {
  readonly name: string;
  readonly id: string | null;
  readonly data: unknown;
}

/** Server-sent events as this service writes them: one line of data, and a blank line between. */
export class StreamParser {
  #text = "";

  *push(text: string): Generator<StreamMessage> {
    this.#text += text;
    for (let end = this.#text.indexOf("\n\n"); end >= 0; end = this.#text.indexOf("\n\n")) {
      const message = parseMessage(this.#text.slice(0, end));
      this.#text = this.#text.slice(end + 2);
      if (message !== null) yield message;
    }
  }
}

function parseMessage(block: string): StreamMessage | null {
  let name = "message";
  let id: string | null = null;
  let data: string | null = null;
  for (const line of block.split("\n")) {
    if (line.startsWith("event: ")) name = line.slice(7);
    else if (line.startsWith("id: ")) id = line.slice(4);
    else if (line.startsWith("data: ")) data = line.slice(6);
  }
  return data === null ? null : { name, id, data: JSON.parse(data) };
}
