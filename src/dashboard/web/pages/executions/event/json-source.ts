/**
 * Reads JSON without bending anything: numbers stay the digits that were sent, keys that come twice stay two,
 * `__proto__` is a key like others. Each value knows where it stands in the text, so that copying it gives
 * back its very characters.
 */

export type JsonNode = JsonScalar | JsonContainer;

interface Placed {
  /** First character in the text, and the one behind the last. */
  readonly start: number;
  readonly end: number;
}

export interface JsonScalar extends Placed {
  readonly kind: "string" | "number" | "boolean" | "null";
  /** A string without its quotes and escapes, anything else as written. */
  readonly text: string;
}

export interface JsonContainer extends Placed {
  readonly kind: "object" | "array";
  readonly members: readonly JsonMember[];
}

export interface JsonMember {
  /** Null in an array. */
  readonly key: string | null;
  readonly value: JsonNode;
}

/** Deeper than anything the service stores; beyond it the text is shown as it is. */
const DEPTH_MAX = 1_500;
/** More values than anybody unfolds: an array of a million zeros is shown as text. */
const NODES_MAX = 200_000;

const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;

class Reader {
  at = 0;
  private nodes = 0;
  constructor(readonly text: string) {}

  take(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found === null) return null;
    this.at = pattern.lastIndex;
    return found[0];
  }

  accept(character: string): boolean {
    this.take(SPACE);
    if (this.text[this.at] !== character) return false;
    this.at += 1;
    this.take(SPACE);
    return true;
  }

  value(depth: number): JsonNode {
    this.nodes += 1;
    if (this.nodes > NODES_MAX) throw new SyntaxError("too many values");
    this.take(SPACE);
    const start = this.at;
    const first = this.text[start];
    if (first === "{" || first === "[") return this.container(first === "{" ? "object" : "array", depth);
    if (first === '"') {
      const text = this.string();
      return { kind: "string", text, start, end: this.at };
    }
    const word = this.take(WORD);
    if (word !== null) {
      return { kind: word === "null" ? "null" : "boolean", text: word, start, end: this.at };
    }
    const number = this.take(NUMBER);
    if (number === null || number === "") throw new SyntaxError(`no value at ${start}`);
    return { kind: "number", text: number, start, end: this.at };
  }

  private container(kind: JsonContainer["kind"], depth: number): JsonContainer {
    if (depth >= DEPTH_MAX) throw new SyntaxError("nested too deep");
    const start = this.at;
    const close = kind === "object" ? "}" : "]";
    const members: JsonMember[] = [];
    this.accept(kind === "object" ? "{" : "[");
    if (!this.accept(close)) {
      do {
        let key: string | null = null;
        if (kind === "object") {
          key = this.string();
          if (!this.accept(":")) throw new SyntaxError(`no colon at ${this.at}`);
        }
        members.push({ key, value: this.value(depth + 1) });
      } while (this.accept(","));
      if (!this.accept(close)) throw new SyntaxError(`no end at ${this.at}`);
    }
    // The spaces behind the bracket are not its own.
    const end = this.text.lastIndexOf(close, this.at - 1) + 1;
    return { kind, members, start, end };
  }

  /** By hand: a pattern would keep a way back for each character of a string of megabytes. */
  private string(): string {
    const start = this.at;
    if (this.text[start] !== '"') throw new SyntaxError(`no string at ${start}`);
    for (let end = start + 1; ; end += 1) {
      end = this.text.indexOf('"', end);
      if (end === -1) throw new SyntaxError(`no end of the string at ${start}`);
      let escapes = 0;
      while (this.text[end - 1 - escapes] === "\\") escapes += 1;
      if (escapes % 2 === 1) continue;
      this.at = end + 1;
      const inner = this.text.slice(start + 1, end);
      return inner.includes("\\") ? (JSON.parse(this.text.slice(start, this.at)) as string) : inner;
    }
  }
}

/** Null for what is no JSON, nested too deep or too much to unfold. */
export function readJson(text: string): JsonNode | null {
  try {
    const reader = new Reader(text);
    const node = reader.value(0);
    reader.take(SPACE);
    return reader.at === text.length ? node : null;
  } catch {
    return null;
  }
}

export const isContainer = (node: JsonNode): node is JsonContainer =>
  node.kind === "object" || node.kind === "array";

/** A path as a programmer writes it: `messages[2].content`, `["odd key"]`. */
export function pathText(path: readonly (string | number)[]): string {
  return path
    .map((step, index) => {
      if (typeof step === "number") return `[${step}]`;
      if (!/^[A-Za-z_$][\w$]*$/.test(step)) return `[${JSON.stringify(step)}]`;
      return index === 0 ? step : `.${step}`;
    })
    .join("");
}
