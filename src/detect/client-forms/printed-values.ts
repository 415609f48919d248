/**
 * Values that a client printed into a string: JSON within JSON, and what Python's `str` and `repr` make of
 * dicts, lists and objects (`{'to': 'x'}`, `[HumanMessage(content='…')]`, `content='…' name='…'`). An object
 * becomes its fields, with the name of its class as `type` where no field is called so. Bounded in
 * characters, values and depth; what does not read to its end as a value stays a text.
 */
export const PRINTED_CHARS_MAX = 1 << 20;
const VALUES_MAX = 20_000;
const DEPTH_MAX = 24;
const UNWRAPS_MAX = 3;

/** How a printed value begins; anything else is a text at once. */
const PYTHON_STARTS =
  /^\s{0,8}(?:[[(]\s{0,8}(?:[[({]\s{0,8})?(?:['"]|[A-Z]\w{0,60}\(|\{\s{0,8}['"])|\{\s{0,8}'|[A-Z]\w{0,60}\((?:\w{1,40}=|['"])|[a-z]\w{0,40}=(?:['"[{]|None|True|False))/;
const JSON_STARTS = /^\s{0,8}(?:[[{]|"\s{0,8}[[{"\\])/;
const NAME_CHARS_MAX = 61;

/** False for nearly every text, and soon: of what may be a print the patterns tell more. */
export function looksPrinted(text: string): boolean {
  let at = 0;
  while (at < 8 && text.charCodeAt(at) <= 0x20) at++;
  const first = text.charCodeAt(at);
  if (first !== 0x5b && first !== 0x7b && first !== 0x22 && first !== 0x28 && !isNamed(text, at))
    return false;
  if (text.length > PRINTED_CHARS_MAX || opensTooDeep(text, at)) return false;
  return JSON_STARTS.test(text) || PYTHON_STARTS.test(text);
}

/**
 * No value is nested as deep as a text of nothing but brackets, over which a parser takes ten times what it
 * takes over others.
 */
const OPENERS_MAX = 64;

function opensTooDeep(text: string, start: number): boolean {
  if (text.length < start + OPENERS_MAX) return false;
  for (let at = start; at < start + OPENERS_MAX; at++) {
    const unit = text.charCodeAt(at);
    if (unit !== 0x5b && unit !== 0x7b && unit !== 0x28) return false;
  }
  return true;
}

/** True if the text begins with a name and `=` or a bracket right behind it. */
function isNamed(text: string, start: number): boolean {
  for (let at = start; at < start + NAME_CHARS_MAX; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 0x3d || unit === 0x28) return at > start;
    const isWord =
      (unit >= 0x61 && unit <= 0x7a) ||
      (unit >= 0x41 && unit <= 0x5a) ||
      (unit >= 0x30 && unit <= 0x39) ||
      unit === 0x5f;
    if (!isWord) return false;
  }
  return false;
}

/** The value that the text is a print of, or undefined if it is none. */
export function printedValue(text: string): unknown {
  let value: unknown = text;
  for (let unwrapped = 0; unwrapped < UNWRAPS_MAX; unwrapped++) {
    if (typeof value !== "string" || !looksPrinted(value)) break;
    const inner = JSON_STARTS.test(value) ? fromJson(value) : undefined;
    const read = inner ?? (PYTHON_STARTS.test(value) ? new PythonReader(value).read() : undefined);
    if (read === undefined || read === null) break;
    value = read;
  }
  return value === text ? undefined : value;
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const NAME = /[A-Za-z_][\w.]{0,80}/y;
const NUMBER = /-?\d{1,40}(?:\.\d{0,40})?(?:e[+-]?\d{1,4})?/y;
/** `<MessageRole.USER: 'user'>`, `<object at 0x7f>`: the value of an enumeration, or a text. */
const IN_ANGLES = /<([\w.]{1,80}): '([^'<>]{0,80})'>|<[^<>\n]{1,200}>/y;
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", "0": "\0", b: "\b", f: "\f" };
const CONSTANTS: Readonly<Record<string, unknown>> = {
  None: null,
  True: true,
  False: false,
  null: null,
  true: true,
  false: false,
};

class NoValue extends Error {}

class PythonReader {
  private at = 0;
  private values = 0;

  constructor(private readonly text: string) {}

  read(): unknown {
    try {
      this.pass();
      const value = this.isField() ? this.fields(this.text.length, 0) : this.value(0);
      this.pass();
      return this.at === this.text.length ? value : undefined;
    } catch (error) {
      if (error instanceof NoValue) return undefined;
      throw error;
    }
  }

  /** Over white space and commas. */
  private pass(): void {
    for (; this.at < this.text.length; this.at++) {
      const unit = this.text.charCodeAt(this.at);
      if (unit > 0x20 && unit !== 0x2c) return;
    }
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text);
    if (match !== null) this.at = pattern.lastIndex;
    return match;
  }

  private isField(): boolean {
    const before = this.at;
    const isName = this.match(NAME) !== null && this.text[this.at] === "=";
    this.at = before;
    return isName;
  }

  private value(depth: number): unknown {
    if (depth > DEPTH_MAX || ++this.values > VALUES_MAX) throw new NoValue();
    const next = this.text[this.at];
    if (next === "'" || next === '"') return this.quoted(next);
    if (next === "[" || next === "(") return this.list(next === "[" ? "]" : ")", depth);
    if (next === "{") return this.dict(depth);
    if (next === "<") {
      const match = this.match(IN_ANGLES);
      if (match === null) throw new NoValue();
      return match[2] ?? match[0];
    }
    const number = this.match(NUMBER);
    if (number !== null) return Number(number[0]);
    const name = this.match(NAME)?.[0];
    if (name === undefined) throw new NoValue();
    if (this.text[this.at] === "(") {
      this.at++;
      return this.made(name, depth);
    }
    if (Object.hasOwn(CONSTANTS, name)) return CONSTANTS[name];
    // A string may be marked as bytes or raw.
    const quote = this.text[this.at];
    if (name.length <= 2 && (quote === "'" || quote === '"')) return this.quoted(quote);
    return name;
  }

  private quoted(quote: string): string {
    const { text } = this;
    let out = "";
    let from = ++this.at;
    for (; this.at < text.length; this.at++) {
      const unit = text[this.at];
      if (unit === quote) {
        out += text.slice(from, this.at++);
        return out;
      }
      if (unit !== "\\") continue;
      out += text.slice(from, this.at) + this.escape();
      from = this.at + 1;
    }
    throw new NoValue();
  }

  /** Of what the backslash at `at` introduces; leaves `at` on its last character. */
  private escape(): string {
    const { text } = this;
    const kind = text[++this.at] ?? "";
    const digits = kind === "x" ? 2 : kind === "u" ? 4 : kind === "U" ? 8 : 0;
    if (digits === 0) return ESCAPES[kind] ?? kind;
    const code = Number.parseInt(text.slice(this.at + 1, this.at + 1 + digits), 16);
    if (!(code <= 0x10ffff)) throw new NoValue();
    this.at += digits;
    return String.fromCodePoint(code);
  }

  private list(end: string, depth: number): unknown[] {
    const items: unknown[] = [];
    this.at++;
    for (this.pass(); this.text[this.at] !== end; this.pass()) items.push(this.value(depth + 1));
    this.at++;
    return items;
  }

  private dict(depth: number): Record<string, unknown> {
    const fields: Record<string, unknown> = {};
    let members = 0;
    this.at++;
    for (this.pass(); this.text[this.at] !== "}"; this.pass()) {
      const key = this.value(depth + 1);
      this.pass();
      // A set has no values.
      const isPair = this.text[this.at] === ":";
      if (!isPair) {
        put(fields, String(members++), key);
        continue;
      }
      this.at++;
      this.pass();
      put(fields, String(key), this.value(depth + 1));
    }
    this.at++;
    return fields;
  }

  /** The fields of an object; one made of a single value is that value. */
  private made(name: string, depth: number): unknown {
    this.pass();
    if (this.text[this.at] !== ")" && !this.isField()) {
      const value = this.value(depth + 1);
      this.pass();
      while (this.text[this.at] !== ")") {
        this.value(depth + 1);
        this.pass();
      }
      this.at++;
      return value;
    }
    const fields = this.fields(this.text.length, depth);
    if (this.text[this.at] !== ")") throw new NoValue();
    this.at++;
    return "type" in fields ? fields : { ...fields, type: name };
  }

  private fields(end: number, depth: number): Record<string, unknown> {
    const fields: Record<string, unknown> = {};
    this.pass();
    while (this.at < end && this.text[this.at] !== ")") {
      const name = this.match(NAME)?.[0];
      if (name === undefined || this.text[this.at] !== "=") throw new NoValue();
      this.at++;
      put(fields, name, this.value(depth + 1));
      this.pass();
    }
    return fields;
  }
}

function put(fields: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== "__proto__") fields[name] = value;
}
