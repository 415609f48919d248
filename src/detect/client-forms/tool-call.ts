import { gathered, isSpread, listedAttributes } from "./attributes.ts";
import { callHolder } from "./call-shapes.ts";
import { type Role, sideNamed, TOOL_NAMES, wordOf } from "./field-names.ts";
import { type Fields, innerOf, isFields, lowered } from "./fields.ts";
import { IS_SETTLED, isListing, isPrintedResult, tellsExit, tellsFailure } from "./plain-tool-call.ts";
import { looksPrinted, PRINTED_CHARS_MAX, printedValue } from "./printed-values.ts";

/**
 * A call of a tool in the form that the detectors read: `tool_name`, `arguments`, `result`, `error`,
 * `call_id`; of an MCP server `server`, `method`, `input_schema` too. Names and wrappers are those of
 * frameworks and of JSON-RPC; values printed by Python or twice into JSON are read. A failure counts where
 * the client marks one.
 */
const DEPTH_MAX = 5;
const KEYS_MAX = 100;
const ERROR_CHARS_MAX = 1_000;
export function plainToolCall(payload: Fields, isMcp: boolean): Fields {
  return new Draft(isMcp).read(payload);
}

class Draft {
  private readonly plain: Record<string, unknown> = {};
  private readonly copies: Record<string, unknown> = {};
  /** What was said first, as text: made once, however many fields may say it again. */
  private readonly firsts: Partial<Record<"arguments" | "result", string | undefined>> = {};
  /** By their names, in their order. */
  private readonly bare = { arguments: {} as Record<string, unknown>, result: {} as Record<string, unknown> };
  private errorKind: string | undefined;
  private failed = false;
  private exit: number | undefined;

  constructor(private readonly isMcp: boolean) {}

  read(payload: Fields): Fields {
    const { plain } = this;
    this.walk(payload, plain, 0);
    if (plain.tool_name === undefined && plain.arguments === undefined) this.unwrap();
    this.takeCopy("arguments", "args");
    this.takeCopy("result", "documents");
    this.takeBare("arguments");
    this.takeBare("result");
    if (plain.result === undefined) delete plain.result;
    else this.readResult();
    if (this.isMcp) this.readListing();
    // A span's own name is the tool's where its attributes name none.
    const isCall = plain.method === undefined || plain.method === "tools/call";
    if (isCall && plain.tool_name === undefined && typeof plain.name === "string")
      plain.tool_name = plain.name.replace(/^execute_tool /, "");
    const title = plain.call_id === undefined ? plain.node : plain.title;
    if (isCall && plain.tool_name === undefined && typeof title === "string") plain.tool_name = title;
    if (plain.arguments === undefined) delete plain.arguments;
    else plain.arguments = ofTool(unwrappedArguments(plain.arguments), plain.tool_name);
    if (this.exit !== undefined) plain.error ??= `exit code ${this.exit}`;
    if (this.errorKind !== undefined && plain.error === undefined)
      plain.error = this.toldError(this.errorKind);
    if (this.failed) plain.error ??= errorIn(plain.result ?? plain.message);
    if (plain.error === undefined) delete plain.error;
    return plain;
  }

  /** Beside the kind of an error its details are its words. */
  private toldError(kind: string): string {
    const { plain } = this;
    if (typeof plain.details !== "string") return kind;
    const told = `${kind}: ${plain.details}`;
    delete plain.details;
    return told;
  }

  /** What was said once more, where it says something else. */
  private takeCopy(role: "arguments" | "result", beside: string): void {
    const { plain, copies } = this;
    if (copies[role] === undefined) return;
    if (plain[role] === undefined) plain[role] = copies[role];
    else if (!this.isSaid(role, copies[role])) plain[beside] ??= copies[role];
  }

  /** A call in wrappers of no known name: what asked for it, and what answered. */
  private unwrap(): void {
    const { plain } = this;
    for (const key of Object.keys(plain)) {
      const value = plain[key];
      const isAnswer = sideNamed(key) === "out" && plain.tool_name !== undefined;
      if (!isFields(value) || !(isAnswer || isCallIn(value))) continue;
      delete plain[key];
      this.within(key, value, plain, 1);
    }
    // Of a call that says neither, what goes in by its name is what the tool was given.
    for (const key of Object.keys(plain)) {
      if (plain.arguments !== undefined || typeof plain[key] !== "object" || sideNamed(key) !== "in")
        continue;
      plain.arguments = plain[key];
      delete plain[key];
    }
  }

  private takeBare(role: "arguments" | "result"): void {
    const { plain } = this;
    const bare = this.bare[role];
    const values = Object.values(bare);
    if (plain[role] !== undefined) for (const key in bare) keep(plain, key, bare[key]);
    else if (values.length > 0) plain[role] = values.length === 1 ? values[0] : bare;
  }

  /** Of a name that comes twice, in a wrapper too, the second stays where it is. */
  private takeAside(
    role: "arguments" | "result",
    key: string,
    value: unknown,
    rest: Record<string, unknown>,
  ): void {
    if (key in this.bare[role]) keep(rest, key, value);
    else this.bare[role][key] = value;
  }

  private walk(fields: Fields, rest: Record<string, unknown>, depth: number): void {
    const isList = Object.keys(fields).some(isSpread);
    const all = lowered(isList ? gathered(fields) : fields);
    for (const key in all) {
      const value = all[key];
      if (tellsExit(key, value)) this.exit ??= value;
      else if (key !== "jsonrpc" && tellsFailure(bareName(key), value)) this.failed = true;
      const role =
        depth === 0 && IS_SETTLED.has(key) && !isFields(value) ? null : this.roleOf(key, value, all);
      const inner = role === null && Array.isArray(value) ? innerOf(value) : value;
      if (
        inner !== value &&
        isFields(inner) &&
        Object.keys(inner).some((one) => TOOL_NAMES.roleOf(one) !== null)
      )
        this.within(key, inner, rest, depth);
      else if (role === null || value === null || value === undefined) {
        if (value !== undefined) rest[key] ??= value;
      } else this.field(key, role, value, { rest, depth });
    }
  }

  private roleOf(key: string, value: unknown, fields: Fields): Role | null {
    const word = wordOf(key);
    // A name of a span or an event says more than the words beside it only where nothing else names the tool.
    if (word === "name") return this.hasName(fields) ? null : "name";
    if (word === "statusmessage") return this.failed || fields.level === "ERROR" ? "error" : null;
    // In JSON-RPC the parameters hold the call; elsewhere they are its arguments.
    if (word === "params") return isFields(value) && typeof value.name === "string" ? "within" : "arguments";
    if (word === "request")
      return isFields(value) && ("method" in value || "params" in value) ? "within" : "arguments";
    if (
      word === "response" &&
      isFields(value) &&
      ("result" in value || "error" in value) &&
      "jsonrpc" in value
    )
      return "within";
    if ((word === "observation" || word === "invocationinput") && isFields(value)) return "within";
    if (word === "text" && "actionGroupInvocationOutput" in fields) return "result";
    return TOOL_NAMES.roleOf(key);
  }

  private hasName(fields: Fields): boolean {
    if (this.plain.tool_name !== undefined) return true;
    for (const key of [
      "tool_name",
      "toolName",
      "tool",
      "function",
      "functionName",
      "tool.name",
      "gen_ai.tool.name",
    ])
      if (typeof fields[key] === "string") return true;
    const { attributes } = fields;
    return isFields(attributes) || Array.isArray(attributes);
  }

  private field(
    key: string,
    role: Role,
    value: unknown,
    { rest, depth }: { rest: Record<string, unknown>; depth: number },
  ): void {
    const { plain, copies } = this;
    switch (role) {
      case "name":
        if (typeof value === "string") plain.tool_name ??= unquoted(value);
        else if (isFields(value)) this.walk(value, rest, depth + 1);
        return;
      case "arguments":
      case "result":
        if (plain[role] === undefined) plain[role] = value;
        else if (!this.isSaid(role, value)) keep(rest, key, value);
        return;
      case "bareArguments":
        this.takeAside("arguments", key, value, rest);
        return;
      case "bareResult":
        this.takeAside("result", key, value, rest);
        return;
      case "errorKind":
        if (typeof value === "string" && !/^(?:none|ok|success|0|)$/i.test(value)) this.errorKind ??= value;
        keep(rest, key, value);
        return;
      case "inputCopy":
        copies.arguments ??= value;
        return;
      case "outputCopy":
        copies.result ??= value;
        return;
      case "callId":
        if (typeof value === "string") plain.call_id ??= value;
        return;
      case "server":
        plain.server ??= isFields(value) ? value.name : value;
        return;
      case "schema":
        plain.input_schema ??= value;
        return;
      case "description":
        plain.description ??= value;
        return;
      case "descriptionHash":
        plain.description_hash ??= value;
        return;
      case "schemaHash":
        plain.schema_hash ??= value;
        return;
      case "error":
        plain.error ??=
          isFields(value) && isFields(value.data) && "error" in value.data ? value.data.error : value;
        return;
      default:
        if (depth >= DEPTH_MAX) rest[key] ??= value;
        else this.within(key, value, rest, depth);
    }
  }

  /** Said twice, as some frameworks do, once in print; what differs is read as well. */
  private isSaid(role: "arguments" | "result", value: unknown): boolean {
    const first = this.plain[role];
    if (first === value) return true;
    if (!(role in this.firsts)) this.firsts[role] = JSON.stringify(unprinted(first));
    return this.firsts[role] === JSON.stringify(unprinted(value));
  }

  private within(key: string, value: unknown, rest: Record<string, unknown>, depth: number): void {
    const read = Array.isArray(value) ? (listedAttributes(value) ?? onlyOne(value)) : value;
    if (!isFields(read)) {
      const isGiven = typeof value === "string" || Array.isArray(value);
      if (isGiven && depth === 0 && /^(?:data|payload|body)$/.test(key)) this.bare.result[key] = value;
      else rest[key] ??= value;
      return;
    }
    const inner: Record<string, unknown> = {};
    this.walk(
      wordOf(key) === "actiongroupinvocationoutput" ? { output: read.text ?? read } : read,
      inner,
      depth + 1,
    );
    if (this.isMcp && typeof inner.method === "string") this.plain.method ??= inner.method;
    delete inner.method;
    if (Object.keys(inner).length > 0) rest[key] ??= inner;
  }

  private readListing(): void {
    const { plain } = this;
    if (!isListing(plain)) return;
    plain.method = "tools/list";
    plain.result = { tools: plain.tools };
    delete plain.tools;
  }

  private readResult(): void {
    const { plain } = this;
    const printed = unprintedResult(plain.result);
    let value = printed;
    for (let depth = 0; depth < DEPTH_MAX && isFields(value); depth++) {
      const { kwargs, output, content, tool_call_id, blocks, status, is_error, type, value: inner } = value;
      for (const key in value) if (tellsExit(key, value[key])) plain.error ??= `exit code ${value[key]}`;
      const answers = tool_call_id ?? value.toolUseId ?? value.tool_use_id;
      const isMessage = answers !== undefined || type === "tool" || type === "ToolMessage";
      if (status === "error" && isMessage) this.failed = true;
      if (is_error === true) this.failed = true;
      if (type === "error-text" || type === "error-json") this.failed = true;
      const keys = Object.keys(value).length;
      // Gemini's clients give an error as the one field of a result.
      if (keys === 1 && typeof value.error === "string" && value.error !== "") plain.error ??= value.error;
      if ("lc" in value && isFields(kwargs)) value = kwargs;
      else if (isMessage && content !== undefined) value = content;
      else if (Array.isArray(blocks)) value = blocks;
      else if (keys === 1 && output !== undefined) value = unprintedResult(output);
      else if (keys === 2 && typeof type === "string" && inner !== undefined) value = inner;
      else break;
    }
    // What a tool printed is read as it stands, by its quotes too: only what a framework put round it goes.
    if (value !== printed) plain.result = value;
  }
}

/** A mark of failure is called so behind any namespace. */
const bareName = (key: string): string =>
  key.startsWith("$ai_") ? key.slice(4) : key.slice(key.lastIndexOf(".") + 1);

/** True if the call stands there, under any of its names. */
function isCallIn(value: Fields): boolean {
  if (callHolder(value) !== null) return true;
  const roles = Object.keys(value)
    .slice(0, KEYS_MAX)
    .map((key) => TOOL_NAMES.roleOf(key));
  return roles.includes("name") && (roles.includes("arguments") || roles.includes("result"));
}

/** Beside what has the name already: no words are lost. */
function keep(fields: Record<string, unknown>, key: string, value: unknown): void {
  fields[key in fields ? `other_${key}` : key] = value;
}

const unprintedResult = (value: unknown): unknown =>
  typeof value === "string" && !isPrintedResult(value) ? value : unprinted(value);

/** A name that was printed as JSON. */
function unquoted(text: string): string {
  if (text.charCodeAt(0) !== 0x22 || !text.endsWith('"') || text.length > PRINTED_CHARS_MAX) return text;
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === "string" ? read : text;
  } catch {
    return text;
  }
}

function unprinted(value: unknown): unknown {
  if (typeof value !== "string" || !looksPrinted(value)) return value;
  const read = printedValue(value);
  return typeof read === "object" && read !== null ? read : value;
}

function errorIn(result: unknown): unknown {
  if (typeof result === "string" && result !== "") return result.slice(0, ERROR_CHARS_MAX);
  return true;
}

/** Exports wrap a span in lists, of which each holds no other. */
const onlyOne = (list: readonly unknown[]): unknown => (list.length === 1 ? list[0] : null);

/** What the tool was given, out of what frameworks put round it. */
function unwrappedArguments(given: unknown): unknown {
  let value = unprinted(given);
  for (let depth = 0; depth < DEPTH_MAX; depth++) {
    if (Array.isArray(value)) return named(value) ?? value;
    if (!isFields(value)) return value;
    const { inputs, input, kwargs, input_str: printed, args } = value;
    const keys = Object.keys(value).length;
    const inner =
      (keys === 1 ? (inputs ?? input ?? kwargs) : undefined) ??
      (isFields(inputs) && ("tags" in value || "metadata" in value) ? inputs : undefined) ??
      (isFields(kwargs) && Array.isArray(args) && args.length === 0 ? kwargs : undefined) ??
      printed;
    const read = unprinted(inner);
    if (typeof read !== "object" || read === null) return value;
    value = read;
  }
  return value;
}

/** Some give what each of several tools was given under its name. */
const ofTool = (given: unknown, name: unknown): unknown =>
  isFields(given) && typeof name === "string" && isFields(given[name]) && Object.keys(given).length === 1
    ? given[name]
    : given;

/** A list of names and values, as Bedrock's agents have it. */
function named(list: readonly unknown[]): Fields | null {
  const all: Record<string, unknown> = {};
  for (const one of list) {
    if (!isFields(one) || typeof one.name !== "string" || !("value" in one) || one.name === "__proto__")
      return null;
    all[one.name] = one.value;
  }
  return list.length === 0 ? null : all;
}
