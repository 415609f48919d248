import { gathered, isSpread, listedAttributes } from "./attributes.ts";
import { bearsChat, isAnswerNamed } from "./chat-bearers.ts";
import {
  FIELDS_OF_MESSAGE,
  holdsChat,
  isCallLike,
  isListOfWrappers,
  isOwn,
  isStep,
  typedValue,
} from "./chat-marks.ts";
import { ChatSides, type Side } from "./chat-sides.ts";
import { isSettingsNamed, MODEL_NAMES, type Role, sideNamed } from "./field-names.ts";
import { type Fields, innerOf, isFields, lowered } from "./fields.ts";
import { isEnveloped, isSpoken, plainMessage, plainMessages, speakerOf } from "./messages.ts";
import { isKnownInside } from "./plain-model-call.ts";
import { looksPrinted, printedValue } from "./printed-values.ts";
import { stepsIn } from "./steps.ts";
import { assembled, isStream } from "./stream-chunks.ts";
import { tokensWithin } from "./token-counts.ts";

/**
 * A model call in the form that detectors read: `system`, `input` and `output` as messages, `tools`,
 * `tokens_in`, `tokens_out`, `finish_reason`. What is known by name or shape goes there from wherever it
 * stands; the rest stays.
 */
const DEPTH_MAX = 6;
const LIST_MAX = 100;
const SETTINGS_DEPTH_MAX = 2;
/** Chats beside the call's that are held against it. */
const LOOKS_MAX = 8;
const COPIES_MAX = 8;
/** On which side a bearer stands by its name, by its place, or by who speaks in its one message. */
function sideOf({ key, value, place }: Bearer): Side | null {
  const message = isFields(value) ? value.message : undefined;
  const isAnswer = isFields(message) && speakerOf(lowered(message)) === "assistant";
  return sideNamed(key) ?? place.side ?? (isAnswer ? "out" : null);
}

export function plainModelCall(payload: Fields): Fields {
  return new Reader().read(payload);
}

/** Where in the payload a field stands. */
interface Place {
  readonly side: Side | null;
  readonly depth: number;
  /** What nothing is known of is put there. */
  readonly rest: Record<string, unknown>;
  /** In a wrapper that was taken for the call's: what it wraps is the call's too. */
  readonly isTaken?: boolean;
}

/** A field of no known name with a chat in it, until it is known whether the chat stands elsewhere. */
interface Bearer {
  readonly key: string;
  readonly value: object;
  readonly place: Place;
}

class Reader {
  /** `isLook`: read to be held against what another reader has, so that no reader of a reader looks on. */
  constructor(private readonly isLook = false) {}

  private readonly chat = new ChatSides();
  private readonly system: unknown[] = [];
  private readonly tools: unknown[] = [];
  /** What says once more what messages say, where there are any. */
  private readonly copies: { side: Side; value: unknown }[] = [];
  private readonly bearers: Bearer[] = [];
  private readonly beside: Record<string, unknown> = {};
  /** What stands within an input or an answer under names that nothing is known of. */
  private readonly unknown: Fields[] = [];
  private readonly bare: Record<string, string> = {};

  read(payload: Fields): Fields {
    const rest: Record<string, unknown> = {};
    this.walk(payload, { side: null, depth: 0, rest });
    this.takeBearers();
    if (!this.chat.has("in")) this.takeNamed("in", rest);
    if (!this.chat.countsTokens()) {
      const { tokensIn, tokensOut } = tokensWithin(payload);
      this.chat.addTokens(tokensIn, tokensOut);
    }
    for (const { side, value } of this.copies.slice(0, COPIES_MAX)) {
      if (!this.chat.has(side)) this.addCopy(side, value);
      else if (typeof value === "string" && !looksPrinted(value) && this.chat.isNew(value))
        this.chat.say(side, value);
    }
    this.takeBare(rest);
    const chat = this.chat.told();
    for (const key in rest) {
      const value = rest[key];
      if (typeof value === "string" && this.chat.repeats(value)) delete rest[key];
    }
    const plain: Record<string, unknown> = { ...rest, ...chat };
    if (this.system.length > 0) plain.system = one(this.system);
    if (this.tools.length > 0) plain.tools = one(this.tools);
    for (const key in this.beside) plain[key] ??= this.beside[key];
    if (this.unknown.length > 0) plain.unknown_fields = this.unknown;
    return plain;
  }

  /** A text of which nothing else is said is the answer only where something was asked. */
  private takeBare(rest: Record<string, unknown>): void {
    const isAsked = this.chat.has("in");
    const isAnswered = this.chat.has("out");
    for (const key in this.bare) {
      const value = this.bare[key] as string;
      if (this.chat.repeats(value)) continue;
      if (isAsked && (!isAnswered || key === "text")) this.chat.say("out", value);
      else rest[key in rest ? `other_${key}` : key] = value;
    }
  }

  private walk(fields: Fields, place: Place): void {
    const all = lowered(Object.keys(fields).some(isSpread) ? gathered(fields) : fields);
    const isMessage = isSpoken(all);
    if (isMessage) this.chat.addMessages(place.side, plainMessage(all, 0));
    for (const key in all) {
      const value = all[key];
      if (value === null || value === undefined) continue;
      const role = MODEL_NAMES.roleOf(key);
      if (isMessage && this.isOfMessage(key, role, value)) continue;
      if (key === "content" && this.readContent(value, place)) continue;
      if (role === null || (role === "bareOutput" && !this.readBare(key, value, place)))
        this.meetUnknown(key, value, place);
      else if (role !== "bareOutput") this.readField(key, role, value, place);
    }
  }

  /** True for a field that a message brings along; all others beside it are the call's. */
  private isOfMessage(key: string, role: Role | null, value: unknown): boolean {
    if (role === "within" || role === "withinUsage") this.chat.readUsageIn(value);
    return role === "within" || role === "withinUsage" || FIELDS_OF_MESSAGE.has(key);
  }

  /** True if it is the answer, or may turn out to be. */
  private readBare(key: string, value: unknown, { side, depth }: Place): boolean {
    if (side === "out" || (key === "text" && side === "in")) this.add(side, value, depth, key);
    else if (side === null && typeof value === "string" && !(key in this.bare)) this.bare[key] = value;
    else return false;
    return true;
  }

  private readField(key: string, role: Role, value: unknown, place: Place): void {
    const { side, depth, rest } = place;
    switch (role) {
      case "input":
        // Of a list of messages in an answer some are the answer.
        this.add(side ?? "in", value, depth, key);
        break;
      case "query":
        this.add("in", value, depth);
        break;
      case "output":
        this.readOutput(key, value, place);
        break;
      case "system":
        this.addSystem(typeof value === "string" ? (printedValue(value) ?? value) : value, side);
        break;
      case "tools":
        if (isFields(value) && bearsChat(value)) this.meetBearer({ key, value, place });
        else this.tools.push(value);
        break;
      case "usage":
        this.chat.readUsage(value);
        break;
      case "tokensIn":
        this.chat.addTokens(value, undefined);
        break;
      case "tokensOut":
        this.chat.addTokens(undefined, value);
        break;
      case "finish":
        this.beside.finish_reason ??= Array.isArray(value) ? value[0] : value;
        break;
      case "model":
        if (typeof value === "string") this.beside.model ??= value;
        else rest[key] = value;
        break;
      case "error":
        rest.error = value;
        break;
      case "inputCopy":
        this.copies.push({ side: "in", value });
        break;
      case "outputCopy":
        this.copies.push({ side: "out", value });
        break;
      case "withinUsage":
        this.chat.readUsageIn(value);
        break;
      default:
        this.readWithin(key, value, {
          ...place,
          side: role === "withinInput" ? "in" : role === "withinOutput" ? "out" : side,
        });
    }
  }

  /** Some call all of a prompt's messages its instructions: what others say there is not the operator's. */
  private addSystem(value: unknown, side: Side | null): void {
    const isChat =
      Array.isArray(value) && value.some((one) => isSpoken(one) && speakerOf(lowered(one)) !== "system");
    if (isChat) this.chat.addMessages(side ?? "in", plainMessages(value) ?? []);
    else this.system.push(value);
  }

  /** The content of a message of whose role nothing is said; true if it was one. */
  private readContent(value: unknown, { side, depth }: Place): boolean {
    const role = side === "in" ? "user" : "assistant";
    if (isFields(value) && Array.isArray(value.parts))
      this.chat.addMessages(side, plainMessage({ role, ...value }, 0));
    else if (Array.isArray(value) && side === null) this.copies.push({ side: "out", value });
    else if (Array.isArray(value)) this.chat.addMessages(side, plainMessage({ role, content: value }, 0));
    else if (typeof value === "string" && side !== null) this.add(side, value, depth);
    else return false;
    return true;
  }

  private meetUnknown(key: string, given: unknown, place: Place): void {
    const isNamed = typeof given === "string" && sideNamed(key) !== null && looksPrinted(given);
    const value = isNamed ? printedValue(given) : innerOf(given);
    const steps = Array.isArray(value) ? stepsIn(value) : null;
    if (value !== given && isFields(value) && isKnownInside(value)) this.readWithin(key, value, place);
    else if (steps !== null) this.chat.addSteps(place.side, steps);
    else if (bearsChat(value) || isAnswerNamed(key, value)) this.meetBearer({ key, value, place });
    else if (isFields(value) && isSettingsNamed(key)) place.rest[key] = this.withoutSettings(value, 0);
    else if (isFields(value) && /usage$/i.test(key)) this.chat.readUsage(value);
    else place.rest[key] = given;
  }

  /** What an operator set up beside the call is his; all else there stays what it is. */
  private withoutSettings(fields: Fields, depth: number): Fields {
    const rest: Record<string, unknown> = {};
    for (const key in fields) {
      const value = fields[key];
      const role = MODEL_NAMES.roleOf(key);
      if (role === "system" && value !== null) this.addSystem(value, null);
      else if (role === "tools" && Array.isArray(value)) this.tools.push(value);
      else if (role === "usage") this.chat.readUsage(value);
      else if (isFields(value) && depth < SETTINGS_DEPTH_MAX && isSettingsNamed(key))
        rest[key] = this.withoutSettings(value, depth + 1);
      else rest[key] = value;
    }
    return rest;
  }

  private meetBearer(bearer: Bearer): void {
    const { value, place } = bearer;
    // These nothing but the call's own chat looks like.
    const isSure = Array.isArray(value) && (isStream(value) || isEnveloped(value));
    if (isSure || place.isTaken === true) this.readBearer(bearer);
    else this.bearers.push(bearer);
  }

  /** Beside a chat under its own names, another one is what the call is about: a ticket, a log. */
  private takeBearers(): void {
    const hasIn = this.chat.has("in");
    const hasOut = this.chat.has("out");
    let looked = 0;
    for (const bearer of this.bearers) {
      const { key, value, place } = bearer;
      const isOut = sideOf(bearer) === "out";
      const isKnown = isOut ? hasOut : hasIn;
      const said = isKnown && !this.isLook && looked++ < LOOKS_MAX ? chatIn(bearer) : null;
      if (!isKnown || (said !== null && this.isOfCall(said, isOut))) this.readBearer(bearer);
      // Said once more under another name.
      else if (said !== null && this.chat.tells(said)) continue;
      else if (place.depth === 0) place.rest[key] = value;
      // What is left of its own wrapper may have been let go already.
      else this.unknown.push({ [key]: value });
    }
  }

  /** Where nothing else is known to have gone in, a wrapper whose name says so did. */
  private takeNamed(side: Side, rest: Record<string, unknown>): void {
    for (const key of Object.keys(rest)) {
      const value = rest[key];
      if (!isFields(value) || sideNamed(key) !== side) continue;
      delete rest[key];
      this.readWithin(key, value, { side, depth: 1, rest });
    }
  }

  /** If only tools and their callers speak, it is what the answer took; else what was asked, and more. */
  private isOfCall(said: readonly unknown[], isOut: boolean): boolean {
    return said.every(isStep) || (!isOut && this.chat.isAskedIn(said));
  }

  /** A wrapper of no known name with a chat in it; of a list of such each member. */
  private readBearer(bearer: Bearer): void {
    const { key, value, place } = bearer;
    const side = sideOf(bearer);
    const inner = { ...place, side, isTaken: true };
    if (place.depth >= DEPTH_MAX) this.readWithin(key, value, inner);
    else if (isAnswerNamed(key, value))
      this.chat.addMessages(
        "out",
        (Array.isArray(value) ? plainMessages(value) : plainMessage(value, 0)) ?? [],
      );
    else if (!Array.isArray(value)) this.readWithin(key, value, inner);
    else if (isStream(value)) this.addStream(value);
    else if (value.some(isSpoken)) this.chat.addMessages(side, plainMessages(value) ?? []);
    else for (const member of value.slice(0, LIST_MAX)) this.readWithin(key, member, inner);
  }

  private addStream(chunks: readonly unknown[]): void {
    const { messages, usage } = assembled(chunks) ?? { messages: [], usage: [] };
    this.chat.addMessages("out", plainMessages(messages) ?? []);
    // The last count is of all that went before it.
    for (const one of usage.toReversed()) this.chat.readUsageIn(one);
  }

  private readWithin(key: string, value: unknown, place: Place): void {
    const { side, depth, rest } = place;
    const read = typeof value === "string" ? (printedValue(value) ?? value) : value;
    if (depth >= DEPTH_MAX) {
      rest[key] = value;
      return;
    }
    // An answer may be JSON of the client's own.
    if (isFields(read) && side === "out" && isOwn(read)) {
      this.add(side, value, depth + 1, key);
      return;
    }
    if (isFields(read)) {
      const inner: Record<string, unknown> = {};
      this.walk(read, { ...place, depth: depth + 1, rest: inner });
      if (Object.keys(inner).length > 0) rest[key] = inner;
      return;
    }
    const attributes = Array.isArray(read) ? listedAttributes(read) : null;
    const steps = Array.isArray(read) ? stepsIn(read) : null;
    const isPrompt = key === "message" && depth === 0 && typeof read === "string";
    const messages = Array.isArray(read) && read.every(isSpoken) ? plainMessages(read) : null;
    if (messages !== null) this.chat.addMessages(side, messages);
    else if (steps !== null) this.chat.addSteps(side, steps);
    else if (attributes !== null) this.walk(attributes, { ...place, depth: depth + 1 });
    else if (Array.isArray(read) && isListOfWrappers(read))
      for (const member of read.slice(0, LIST_MAX))
        this.readWithin(key, member, { ...place, depth: depth + 1 });
    else if (side !== null) this.add(side, read, depth);
    else if (isPrompt) this.chat.say("in", read);
    else rest[key] = read;
  }

  private readOutput(key: string, value: unknown, { side, depth }: Place): void {
    if (/tool_?calls$/i.test(key)) {
      const calls = typeof value === "string" ? printedValue(value) : value;
      if (Array.isArray(calls)) this.chat.addCalls(calls.slice(0, LIST_MAX));
    } else this.add(typeof value === "string" ? (side ?? "out") : "out", value, depth, key);
  }

  private add(side: Side, value: unknown, depth: number, key = ""): void {
    if (depth > DEPTH_MAX) this.unknown.push({ value });
    else if (typeof value === "string") this.addText(side, value, depth);
    else if (isFields(value)) this.addFields(side, value, depth);
    else if (Array.isArray(value)) this.addList(side, value, depth, key);
  }

  /**
   * A person may type any JSON: it is a chat only as a list of messages, one message, or a request with such
   * a list. A span's copy of the whole request was not typed by anybody.
   */
  private addText(side: Side, text: string, depth: number): void {
    const read = looksPrinted(text) ? printedValue(text) : undefined;
    const isCall = side === "out" ? isCallLike : () => false;
    const isChat = Array.isArray(read)
      ? read.some((one) => isSpoken(one) || isCall(one) || (Array.isArray(one) && one.some(isSpoken)))
      : isFields(read) && (isSpoken(read) || holdsChat(read) || (side === "out" && bearsChat(read)));
    // Attributes of spans hold texts, so a list of the one that was said is printed into one.
    const alone = side === "out" && Array.isArray(read) && read.length === 1 ? read[0] : undefined;
    if (typeof alone === "string") this.chat.say(side, alone);
    else if (isChat) this.add(side, read, depth + 1);
    else this.chat.say(side, text);
  }

  private addCopy(side: Side, value: unknown): void {
    const read = typeof value === "string" ? printedValue(value) : value;
    const isKnown = isFields(read) && isKnownInside(read);
    this.add(side, isKnown ? read : value, 1);
  }

  private addList(side: Side, list: readonly unknown[], depth: number, key: string): void {
    if (side === "out" && isStream(list)) {
      this.addStream(list);
      return;
    }
    const messages = plainMessages(list);
    // Of a list of earlier messages only the last one's own count is this call's.
    this.chat.readUsageIn(list.at(-1), side === "out" ? 0 : 2);
    if (messages === null) {
      for (const item of list.slice(0, LIST_MAX)) this.addItem(side, item, depth);
    } else if (side === "in" && /history/i.test(key)) this.chat.addHistory(messages);
    else this.chat.addMessages(side, messages);
  }

  /** One of several generations or choices; a call that is the whole answer; a result beside a chat. */
  private addItem(side: Side, value: unknown, depth: number): void {
    if (!isFields(value)) this.add(side, value, depth + 1);
    else if (isFields(value.call) && "outputs" in value) this.chat.addResult(value.call.name, value.outputs);
    else if (side === "out" && isCallLike(value)) this.chat.addCalls([value]);
    else if (side === "out" && isFields(value.content) && speakerOf(value) === null)
      this.add(side, { role: "assistant", ...value.content }, depth + 1);
    else this.add(side, value, depth + 1);
  }

  private addFields(side: Side, value: Fields, depth: number): void {
    const fields: Fields = lowered(value);
    const typed = typedValue(fields);
    if (typed !== undefined) {
      this.add(side, typed, depth + 1);
      return;
    }
    const { message, text, content, parts } = fields;
    const said = text ?? content ?? parts;
    if (
      isSpoken(fields) ||
      isKnownInside(fields) ||
      isFields(message) ||
      bearsChat(fields) ||
      Object.keys(fields).some(isSpread)
    ) {
      const { text: _same, ...others } = fields;
      // A generation has its text beside the message that says the same.
      const isTwice = isFields(message) && isSpoken(message);
      const rest: Record<string, unknown> = {};
      this.walk(isTwice ? others : fields, { side, depth: depth + 1, rest });
      if (Object.keys(rest).length > 0) this.unknown.push(rest);
    } else if (side === "in") this.chat.addValue(side, value);
    else if (typeof said === "string") this.chat.say(side, said);
    else if (Array.isArray(said))
      this.chat.addMessages(side, plainMessage({ role: "assistant", content: said }, 0));
    else this.chat.addValue(side, value);
  }
}

const one = (values: readonly unknown[]): unknown => (values.length === 1 ? values[0] : values);

/** What a bearer of a chat says, read for itself. */
function chatIn({ key, value }: Bearer): readonly unknown[] {
  const { input, output } = new Reader(true).read({ [key]: value });
  return [input, output].flatMap((side) => side ?? []);
}
