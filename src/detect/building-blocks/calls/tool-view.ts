import type { DetectorEvent } from "../../detector.ts";
import { cutText } from "../cut-text.ts";
import { TOOL_VIEW } from "../event-slots.ts";
import { hashText, hashValue, mix } from "../hash.ts";
import { argumentsOf, resultOf } from "./call-fields.ts";

/**
 * What the detectors need of a `tool_call` or an `mcp_call`, worked out once an event and shared by all of
 * them. Fields go by their own names or by those of the OpenTelemetry GenAI conventions.
 */
export interface ToolView {
  /** The tool's name, behind its server's where there is one. At most 200 characters. */
  readonly tool: string;
  /** Hash of tool and canonical arguments. */
  readonly callHash: number;
  /** False where the client keeps the arguments to itself: two such calls cannot be told apart. */
  readonly hasArguments: boolean;
  /** Hash of the result, 0 while there is none. */
  readonly resultHash: number;
  readonly failed: boolean;
  readonly errorText: string;
  /** True once a result or an error is known. */
  readonly ended: boolean;
  readonly callId: string | null;
  /** 0 without one. */
  readonly callIdHash: number;
  /** Filled by `failureToldBy` on first use. */
  told: string | null;
}

const NAME_CHARS_MAX = 200;
const ERROR_CHARS_MAX = 1000;
const ARGUMENT_CHARS_PARSED_MAX = 16_384;

interface Viewed extends DetectorEvent {
  [TOOL_VIEW]?: ToolView | null | undefined;
}

const frozenViews = new WeakMap<DetectorEvent, ToolView | null>();

/**
 * The tool call that an event records; null where it records none (an MCP listing, a nameless call, another
 * type).
 */
export function toolViewOf(event: DetectorEvent): ToolView | null {
  const known = (event as Viewed)[TOOL_VIEW];
  return known === undefined ? firstViewOf(event) : known;
}

function firstViewOf(event: Viewed): ToolView | null {
  const isOpen = Object.isExtensible(event);
  const known = isOpen ? undefined : frozenViews.get(event);
  if (known !== undefined) return known;
  const view = event.type === "tool_call" || event.type === "mcp_call" ? read(event) : null;
  if (isOpen) event[TOOL_VIEW] = view;
  else frozenViews.set(event, view);
  return view;
}

/** The hash that `callHash` would be for this tool and these arguments. */
export function callHashOf(tool: string, args: unknown): number {
  return mix(hashText(tool), argumentsHash(args));
}

function read(event: DetectorEvent): ToolView | null {
  const payload = event.payload;
  const name = payload.tool_name ?? payload["gen_ai.tool.name"];
  if (typeof name !== "string" || name === "") return null;
  if (event.type === "mcp_call" && typeof payload.method === "string" && payload.method !== "tools/call") {
    return null;
  }
  const server = event.type === "mcp_call" ? payload.server : undefined;
  const full = typeof server === "string" && server !== "" ? `${server}/${name}` : name;
  const tool = cutText(full, NAME_CHARS_MAX);
  const args = argumentsOf(payload);
  const result = resultOf(payload);
  const callId = payload.call_id ?? payload["gen_ai.tool.call.id"];
  const errorText = errorOf(payload.error, result);
  const hasResult = result !== undefined && result !== null;
  const hasCallId = typeof callId === "string" && callId !== "";
  return {
    tool,
    callHash: callHashOf(tool, args),
    hasArguments: args !== undefined && args !== null,
    resultHash: hasResult ? hashValue(result) : errorText === "" ? 0 : hashText(errorText),
    failed: errorText !== "",
    errorText,
    ended: hasResult || errorText !== "",
    callId: hasCallId ? callId : null,
    callIdHash: hasCallId ? hashText(callId) : 0,
    told: null,
  };
}

/** Clients send arguments as an object or, as OpenAI's API does, as JSON text: both give the same hash. */
function argumentsHash(args: unknown): number {
  if (typeof args !== "string") return hashValue(args);
  const first = args.charCodeAt(0);
  if ((first === 0x7b || first === 0x5b) && args.length <= ARGUMENT_CHARS_PARSED_MAX) {
    try {
      return hashValue(JSON.parse(args));
    } catch {
      return hashText(args);
    }
  }
  return hashText(args);
}

/** How clients print that there is no error. */
const NO_ERROR = /^\s{0,4}(?:<nil>|\(?nil\)?|null|none|undefined|no error|n\/a|false|0|-)?\s{0,4}$/i;
const NO_ERROR_CHARS_MAX = 16;

/** The failure that the error beside a result tells, or MCP's mark in it; "" for none. */
export function errorOf(error: unknown, result: unknown): string {
  if (typeof error === "string") {
    const isNone = error.length <= NO_ERROR_CHARS_MAX && NO_ERROR.test(error);
    return isNone ? errorOf(null, result) : error.slice(0, ERROR_CHARS_MAX);
  }
  if (error === true) return "error";
  if (typeof error === "object" && error !== null) {
    const { message, code, type } = error as Record<string, unknown>;
    for (const part of [message, type, code]) {
      if (typeof part === "string" && part !== "") return part.slice(0, ERROR_CHARS_MAX);
    }
    return "error";
  }
  if (typeof result === "object" && result !== null) {
    const { isError, is_error } = result as Record<string, unknown>;
    if (isError === true || is_error === true) return "error";
  }
  return "";
}
