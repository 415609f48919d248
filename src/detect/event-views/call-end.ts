import { resultOf } from "../building-blocks/calls/call-fields.ts";
import { failureToldBy, toldFailure } from "../building-blocks/calls/told-failure.ts";
import { type ToolView, toolViewOf } from "../building-blocks/calls/tool-view.ts";
import { saysOutOfTime } from "../building-blocks/errors/out-of-time.ts";
import { parsedJson } from "../building-blocks/json-text.ts";
import { flagOf } from "../building-blocks/verdict.ts";
import { type Fields, isFields } from "../client-forms/fields.ts";
import type { DetectorEvent } from "../detector.ts";

/**
 * How a call of a tool, a server or a model ended, as far as time goes: it did well, it failed, or it failed
 * because time ran out. That is said by the error, by a flag or a state beside the result, by the status that
 * `timeout` gives back (124), or by HTTP's.
 */
export type CallEnd = "well" | "failed" | "out-of-time" | "open";

const OUT_OF_TIME_STATES = /^(?:timed?[ _-]?out|time[ _-]?limit[ _-]?\w{0,10}|deadline[ _-]?exceeded)$/i;
const STATE_MIN = 7;
const STATE_MAX = 24;
const HTTP_OUT_OF_TIME = new Set([408, 504, 524]);
const HTTP_TOLD = /\b(?:HTTP|status(?: code)?)[ :/=]{1,3}(?:\d\.\d )?(?:408|504|524)\b/i;
/** What coreutils' `timeout` gives back for the command that it ended. */
const EXIT_OUT_OF_TIME = /\b(?:exit(?:ed)?|return)[ _-]?(?:with |status |code ){0,3}[:=]? {0,2}124\b/i;
const PARTS_MAX = 6;
const PART_MAX = 1_000;

/** Of a `tool_call`, an `mcp_call` or an `llm_call`. */
export function callEndOf(event: DetectorEvent): CallEnd {
  const { payload } = event;
  if (event.type === "llm_call") return modelCallEnd(payload);
  const result = resultOf(payload);
  if (isFlagged(payload) || isFlagged(payload.error)) return "out-of-time";
  const view = toolViewOf(event);
  const hasEnd = view === null ? (payload.error ?? result ?? null) !== null : view.ended;
  if (!hasEnd) return isFlagged(result) ? "out-of-time" : "open";
  const said = payload.error === undefined ? "" : errorTexts(payload.error);
  const marked = said !== "" || view?.failed === true ? `${said}\n${view?.errorText ?? ""}` : "";
  return endOfResult(result, marked, view);
}

/** Of a result, with the error that marks it, "" for none; `view`: of the call whose own result it is. */
export function endOfResult(value: unknown, marked: string, view: ToolView | null = null): CallEnd {
  const result = typeof value === "string" ? parsed(value) : value;
  if (isFlagged(result)) return "out-of-time";
  const failure =
    marked === "" ? toldIn(value, result, view) : `${marked}\n${isBare(marked) ? textIn(result) : ""}`;
  if (failure === "") return "well";
  return isOutOfTime(failure) ? "out-of-time" : "failed";
}

function toldIn(value: unknown, result: unknown, view: ToolView | null): string {
  if (Array.isArray(result)) return toldFailure(textIn(result));
  return view === null ? toldFailure(value) : failureToldBy(view, value);
}

const JSON_MAX = 4_000;
/** Fields as text, where they may tell of time. */
function parsed(text: string): unknown {
  if (text.length > JSON_MAX || !/^\s{0,4}\{/.test(text) || !/time|deadline|124|408|5[02]4/i.test(text))
    return text;
  return parsedJson(text) ?? text;
}

function modelCallEnd(payload: DetectorEvent["payload"]): CallEnd {
  const { finish_reason: reason } = payload;
  if (typeof reason === "string" && OUT_OF_TIME_STATES.test(reason)) return "out-of-time";
  const said = payload.error === undefined ? "" : errorTexts(payload.error);
  if (said === "") return "well";
  if (isFlagged(payload.error)) return "out-of-time";
  return isOutOfTime(said) ? "out-of-time" : "failed";
}

const isOutOfTime = (failure: string): boolean =>
  saysOutOfTime(failure) ||
  failure.split("\n").some((line) => HTTP_TOLD.test(line) || EXIT_OUT_OF_TIME.test(line));

/** An error that says no more than that there is one. */
const isBare = (said: string): boolean => /^(?:(?:true|error)?\s{0,2}){0,3}$/i.test(said);

/** The strings of an error that say what it is. */
function errorTexts(error: unknown): string {
  if (typeof error === "string") return error.slice(0, PART_MAX);
  if (flagOf(error) === true) return "error";
  if (!isFields(error)) return "";
  const parts: string[] = ["error"];
  for (const value of [error.message, error.type, error.code, error.name, error.detail, error.cause]) {
    const text = isFields(value) ? value.message : value;
    if (typeof text === "string" && text !== "" && parts.length < PARTS_MAX)
      parts.push(text.slice(0, PART_MAX));
  }
  return parts.join("\n");
}

/** Asked of every call: each field by its name, which costs a tenth of a walk over a list of names. */
function isFlagged(fields: unknown): boolean {
  if (typeof fields !== "object" || fields === null || Array.isArray(fields)) return false;
  const of = fields as Fields;
  if (of.timed_out === true || of.timedOut === true || of.timeout === true || of.is_timeout === true)
    return true;
  if (isState(of.status) || isState(of.state) || isState(of.outcome) || isState(of.error_type)) return true;
  return (
    isHttp(of.http_status) ||
    isHttp(of.status_code) ||
    isHttp(of.statusCode) ||
    isHttp(of.status) ||
    isHttp(of.code)
  );
}

const isState = (value: unknown): boolean =>
  typeof value === "string" &&
  value.length >= STATE_MIN &&
  value.length <= STATE_MAX &&
  OUT_OF_TIME_STATES.test(value);
const isHttp = (value: unknown): boolean => typeof value === "number" && HTTP_OUT_OF_TIME.has(value);

/** What a result says in words: as text, or in the parts of MCP's content. */
function textIn(result: unknown): string {
  if (typeof result === "string") return result.slice(0, PART_MAX);
  const content = isFields(result) ? result.content : result;
  if (typeof content === "string") return content.slice(0, PART_MAX);
  if (!Array.isArray(content)) return "";
  return content
    .slice(0, PARTS_MAX)
    .map((part: unknown) =>
      isFields(part) && typeof part.text === "string" ? part.text.slice(0, PART_MAX) : "",
    )
    .join("\n");
}
