import { withRounds } from "./answered-rounds.ts";
import { MODEL_NAMES } from "./field-names.ts";
import { type Fields, isFields, lowered } from "./fields.ts";
import { plainMessage } from "./messages.ts";
import { isCallPart } from "./parts.ts";
import { printedValue } from "./printed-values.ts";

/** What goes into a model call and what comes back, gathered from wherever a payload has them. */
export type Side = "in" | "out";

export class ChatSides {
  private input: unknown[] = [];
  private output: unknown[] = [];
  /** Of the input those that stand under no role. */
  private readonly values = new Set<unknown>();
  private readonly stepsBefore: Fields[] = [];
  private readonly stepsAfter: Fields[] = [];
  private readonly rounds: unknown[] = [];
  /** What a person typed, beside the chat. */
  private readonly queries: string[] = [];
  private said: ReadonlySet<string> | undefined;
  private tokensIn: unknown;
  private tokensOut: unknown;
  /** Tokens of a cache or of thoughts, which some count within the others and some beside them. */
  private readonly tokenDetails: Record<string, number> = {};

  has(side: Side): boolean {
    return side === "out" ? this.output.length > 0 : this.input.length + this.queries.length > 0;
  }

  say(side: Side, text: string): void {
    if (text === "") return;
    if (side === "in") this.queries.push(text);
    else this.output.push({ role: "assistant", content: text });
  }

  /** Words that stand under no role, in a form that nothing is known of. */
  addValue(side: Side, content: unknown): void {
    if (side === "in") this.values.add(this.input[this.input.push({ role: "user", content }) - 1]);
    else this.output.push({ role: "assistant", content });
  }

  addMessages(side: Side | null, messages: readonly unknown[]): void {
    const answered = side === "out" ? 0 : side === "in" ? messages.length : answerStart(messages);
    this.input.push(...messages.slice(0, answered));
    this.output.push(...messages.slice(answered));
  }

  addHistory(messages: readonly unknown[]): void {
    this.input.unshift(...messages);
  }

  addResult(name: unknown, content: unknown): void {
    this.input.push({ type: "tool_result", name, content });
  }

  /** Calls with what came of them: those so far, or those that this very answer took. */
  addSteps(side: Side | null, steps: readonly Fields[]): void {
    (side === "in" ? this.stepsBefore : this.stepsAfter).push(...steps);
  }

  /**
   * True if all that is known of the input is words without a role, and a chat says them too: then the chat
   * is the call's.
   */
  isAskedIn(chat: readonly unknown[]): boolean {
    if (chat.length === 0 || !this.input.every((one) => this.values.has(one))) return false;
    const asked = [...this.queries, ...[...this.values].flatMap(wordsIn)]
      .slice(0, WORDS_MAX)
      .filter((text) => text.length >= ASKED_CHARS_MIN);
    const said = chat.flatMap((one) => (typeof one === "string" ? [one] : textsOf(one)));
    if (asked.length === 0 || !asked.every((text) => said.some((one) => one.includes(text)))) return false;
    this.input = [];
    this.queries.length = 0;
    return true;
  }

  /** True if each of these messages, or the same words, stands in the chat. */
  tells(chat: readonly unknown[]): boolean {
    const told = new Set([...this.input, ...this.output].map((one) => JSON.stringify(one)));
    return chat.every((one) => (typeof one === "string" ? this.repeats(one) : told.has(JSON.stringify(one))));
  }

  /** False if a text says once more what stands in the chat: some of it, or all, as a transcript does. */
  isNew(text: string): boolean {
    if (text.length > COPY_CHARS_MAX || this.repeats(text)) return false;
    const short = text.trim();
    for (const said of this.texts())
      if (said.includes(short) || (said.length >= COPY_CHARS_MIN && text.includes(said))) return false;
    return true;
  }

  countsTokens(): boolean {
    return this.tokensIn !== undefined || this.tokensOut !== undefined;
  }

  /** Calls beside an answer are often told in it too. */
  addCalls(calls: readonly unknown[]): void {
    const isTold = this.output.some((one) => isFields(one) && holdsCalls(one));
    if (calls.length > 0 && !isTold)
      this.output.push(...plainMessage({ role: "assistant", tool_calls: calls }, 0));
  }

  /**
   * True if these very words stand in the chat: what is said once more under another name is nobody else's.
   */
  repeats(text: string): boolean {
    return this.texts().has(text);
  }

  private texts(): ReadonlySet<string> {
    this.said ??= new Set([...this.input, ...this.output].flatMap(textsOf).concat(this.queries));
    return this.said;
  }

  addTokens(tokensIn: unknown, tokensOut: unknown): void {
    this.tokensIn ??= tokensIn;
    this.tokensOut ??= tokensOut;
  }

  private addUsage(usage: Fields, depth = 0): void {
    if (depth === 0) this.addDetails(usage, 0);
    for (const key in usage) {
      const value = usage[key];
      const role = MODEL_NAMES.roleOf(key);
      if (isFields(value)) {
        if (role === "usage" && depth < 2) this.addUsage(value, depth + 1);
      } else if (role === "tokensIn" || key === "input" || key === "prompt") this.addTokens(value, undefined);
      else if (role === "tokensOut" || key === "output" || key === "completion")
        this.addTokens(undefined, value);
    }
  }

  private addDetails(usage: Fields, depth: number): void {
    let fields = 0;
    for (const key in usage) {
      if (fields++ > DETAILS_MAX) return;
      const value = usage[key];
      if (isFields(value) && depth < 2) this.addDetails(value, depth + 1);
      else if (typeof value === "number" && OF_SOME_TOKENS.test(key) && value > (this.tokenDetails[key] ?? 0))
        this.tokenDetails[key] = value;
    }
  }

  readUsage(value: unknown): void {
    const read = typeof value === "string" ? printedValue(value) : value;
    if (isFields(read)) this.addUsage(lowered(read));
  }

  readUsageIn(value: unknown, depth = 0): void {
    if (Array.isArray(value) && depth === 0)
      for (const one of value.slice(0, USAGES_MAX)) this.readUsageIn(one, 1);
    if (!isFields(value)) return;
    for (const key in value) {
      const role = MODEL_NAMES.roleOf(key);
      if (role === "usage") this.readUsage(value[key]);
      else if ((role === "within" || role === "withinUsage") && depth < 2) this.readUsageIn(value[key], 2);
    }
  }

  /** The fields that the detectors read, as far as the payload has them. */
  told(): Fields {
    this.placeQueries();
    this.partAnswers();
    this.input.push(...inTurns(this.stepsBefore), ...this.inOneRound(inTurns(this.stepsAfter)));
    const told: Record<string, unknown> = {};
    if (this.input.length > 0) told.input = asChat(this.input);
    if (this.output.length > 0) told.output = asChat(this.output);
    if (this.tokensIn !== undefined) told.tokens_in = this.tokensIn;
    if (this.tokensOut !== undefined) told.tokens_out = this.tokensOut;
    for (const _key in this.tokenDetails) {
      told.token_details = this.tokenDetails;
      break;
    }
    return withRounds(told, this.rounds);
  }

  private inOneRound(messages: readonly unknown[]): unknown[] {
    const merged = inOneRound(messages);
    if (merged === null) return [...messages];
    this.rounds.push(...messages);
    return merged;
  }

  /** What a person typed comes behind the chat so far, and before what tools gave back since. */
  private placeQueries(): void {
    const asked = this.queries.map((content) => ({ role: "user", content }));
    const firstResult = this.input.findIndex(isBareResult);
    const at = firstResult < 0 ? this.input.length : firstResult;
    const placed = [...this.input.slice(0, at), ...asked, ...this.input.slice(at)];
    this.input = placed.map((one) => (isBareResult(one) ? { role: "tool", content: [one] } : one));
  }

  /**
   * Some send the chat with its answer as one list, or a state in which the chat so far stands before the
   * answer.
   */
  private partAnswers(): void {
    if (this.output.length === 0) {
      this.output = this.input.splice(answerStart(this.input));
      return;
    }
    const last = this.output.findLastIndex((one) => isFields(one) && "role" in one && !isAnswer(one));
    if (last < 0) return;
    // Where a person speaks in it, it is the whole chat: of several models that spoke one after the other the
    // last one answers.
    const isChat = this.output.some((one) => isFields(one) && one.role === "user");
    const answer = isChat ? answerStart(this.output) : 0;
    const isTalk = !this.output.slice(last + 1, answer).some((one) => isFields(one) && holdsCalls(one));
    const start = isTalk ? Math.max(last + 1, answer) : last + 1;
    const before = this.inOneRound(this.output.slice(0, start));
    this.output = this.output.slice(start);
    this.input = repeats(before, this.input) ? before : [...this.input, ...before];
  }
}

const OF_SOME_TOKENS = /cache|reasoning|thought|thinking/i;
const DETAILS_MAX = 40;
const ASKED_CHARS_MIN = 4;
const COPY_CHARS_MIN = 12;
const COPY_CHARS_MAX = 65_536;
const WORDS_MAX = 20;
const USAGES_MAX = 100;

/** The texts of a value without a role; more than a few say that it is no question. */
function wordsIn(message: unknown): readonly string[] {
  const content = isFields(message) ? message.content : undefined;
  const values = isFields(content) ? Object.values(content).slice(0, WORDS_MAX) : [content];
  return values.filter((one): one is string => typeof one === "string");
}

/** Each call as the model's turn, each result as a tool's. */
const inTurns = (steps: readonly Fields[]): readonly unknown[] =>
  steps.map((part) => ({ role: part.type === "tool_result" ? "tool" : "assistant", content: [part] }));

/** A single text that nobody marked stays a text, so that a transcript in it is read as one. */
function asChat(messages: readonly unknown[]): unknown {
  const [first] = messages;
  if (messages.length !== 1 || !isFields(first) || typeof first.content !== "string") return messages;
  const isBare = Object.keys(first).length === 2 && (first.role === "user" || first.role === "assistant");
  return isBare ? first.content : messages;
}

function textsOf(message: unknown): readonly string[] {
  if (!isFields(message)) return [];
  const content = message.content ?? message.text;
  if (typeof content === "string") return [content];
  if (!Array.isArray(content)) return [];
  return content.flatMap((part) => (isFields(part) && typeof part.text === "string" ? [part.text] : []));
}

/**
 * Calls that the provider makes and answers itself, one after the other within one answer: all calls, and
 * then what they gave, as of an answer that asks for several at once. Of rounds that follow each other only
 * the last is this event's.
 */
function inOneRound(messages: readonly unknown[]): unknown[] | null {
  const others: unknown[] = [];
  const calls: unknown[] = [];
  const results: unknown[] = [];
  for (const message of messages) {
    const { role, content, tool_calls: beside } = isFields(message) ? message : {};
    if (role === "tool" && Array.isArray(content)) results.push(...content);
    else if (role === "assistant" && Array.isArray(content) && beside === undefined) calls.push(...content);
    else if (role === undefined) others.push(message);
    else return null;
  }
  if (calls.length === 0 || results.length === 0) return null;
  return [...others, { role: "assistant", content: calls }, { role: "tool", content: results }];
}

/**
 * Where a chat that ends with its answer goes over into it: the last message, or the words and calls that
 * stand in messages of their own. What the model, or another one, said before is of earlier calls.
 */
function answerStart(messages: readonly unknown[]): number {
  const after = messages.findLastIndex((one) => !isAnswer(one)) + 1;
  let start = messages.findLastIndex((one) => isFields(one) && one.role !== undefined);
  if (start < after) return after;
  while (start > after && holdsCalls(messages[start] as Fields)) start--;
  while (start > after && (messages[start - 1] as Fields).role === undefined) start--;
  return start;
}

const isBareResult = (value: unknown): boolean => isFields(value) && value.type === "tool_result";

function isAnswer(value: unknown): boolean {
  if (!isFields(value)) return false;
  const { role, type } = value;
  if (role !== undefined) return role === "assistant" || role === "model" || role === "ai";
  return (
    type === "function_call" || type === "custom_tool_call" || type === "reasoning" || type === "tool_use"
  );
}

function holdsCalls({ tool_calls: calls, content }: Fields): boolean {
  if (Array.isArray(calls) && calls.length > 0) return true;
  return Array.isArray(content) && content.some(isCallPart);
}

/** True if the longer list begins as the other does. */
function repeats(longer: readonly unknown[], list: readonly unknown[]): boolean {
  if (list.length === 0) return true;
  return longer.length >= list.length && JSON.stringify(longer[0]) === JSON.stringify(list[0]);
}
