import { listedAttributes } from "./attributes.ts";
import { MODEL_NAMES, type Role, wordOf } from "./field-names.ts";
import { type Fields, isFields } from "./fields.ts";
import { printedValue } from "./printed-values.ts";

/**
 * How a model call ended, where it is told by anything but `error` and `finish_reason`: HTTP's status, a
 * span's, the kind of an error, a flag; and the reason why the answer stops, from wherever in the answer it
 * stands. A payload whose call ended well needs no reading for it. Bounded in depth and fields.
 */
const DEPTH_MAX = 6;
const FIELDS_MAX = 300;
const MEMBERS_MAX = 4;
const CHARS_MAX = 1_000;

/** What a field tells of, by its name. */
export const FLAGS_WELL = 10;
const FLAGS_ILL = 11;
export const STATES = 12;
const SPAN_STATES = 13;
const KINDS_ERROR = 14;
export const ENDS = 15;

const NAMES: ReadonlyMap<string, number> = new Map(
  Object.entries({
    [FLAGS_WELL]: "success succeeded ok issuccess",
    [FLAGS_ILL]: "failed iserror haserror isfailed",
    [STATES]:
      "status httpstatus httpstatuscode httpresponsestatuscode responsestatus responsestatuscode outcome resultstatus callstatus level",
    [SPAN_STATES]: "statuscode otelstatuscode spanstatus spanstatuscode otelstatus",
    [KINDS_ERROR]: "errortype errorcode errorclass errorname errorkind exceptiontype",
    [ENDS]: "incompletedetails responsefinishreasons finishreasons",
  }).flatMap(([mark, words]) => words.split(" ").map((word) => [word, Number(mark)] as const)),
);

export const endNamed = (word: string): number | null => NAMES.get(word) ?? null;

const FAILED = /^(?:error|err|failed|failure|status_?code_?error)$/i;
const NO_ERROR = /^(?:none|null|ok|success|no_?error|0|)$/i;
/** How OpenAI's Responses say it of an answer that was cut off. */
const INCOMPLETE = "incomplete";
/** OpenTelemetry's number for a span that failed. */
const SPAN_FAILED = 2;
const HTTP_MIN = 400;
const HTTP_MAX = 599;

const httpStatus = (value: unknown): number | null => {
  const status = typeof value === "string" && /^\d{3}$/.test(value) ? Number(value) : value;
  return typeof status === "number" && status >= HTTP_MIN && status <= HTTP_MAX ? status : null;
};

/** True if a field that tells of an end says that it was no good one. */
export function tellsEnd(mark: number, value: unknown): boolean {
  switch (mark) {
    case FLAGS_WELL:
      return value === false;
    case FLAGS_ILL:
      return value === true;
    case KINDS_ERROR:
      return typeof value === "string" ? !NO_ERROR.test(value) : httpStatus(value) !== null;
    case ENDS:
      return reasonIn(value) !== null;
    default:
      return isFailedState(mark, value);
  }
}

function isFailedState(mark: number, value: unknown): boolean {
  if (isFields(value)) return isFailedState(SPAN_STATES, value.code ?? value.status_code ?? value.statusCode);
  if (typeof value === "string" && (FAILED.test(value) || value === INCOMPLETE)) return true;
  return httpStatus(value) !== null || (mark === SPAN_STATES && value === SPAN_FAILED);
}

/** Why an answer stops, other than that it is said. */
const ENUM = /^finish_?reason[._]/i;
const CUT = /^(?:length|max|model_length|token_limit|incomplete|content_filter|safety|error)/i;
const PRINTED_CUT = /"finish_?[rR]eason"\s{0,2}:\s{0,2}"(?:length|max_|model_length|content_filter|error)/i;
const PRINTED_TAIL = 200;

const FIRST_PRINTED = /^\["(\w{1,40})"/;

/**
 * Why the answer was cut off: a word, the first of a list of them, as JSON too, or the reason of its details.
 */
function reasonIn(value: unknown): string | null {
  const said: unknown = Array.isArray(value) ? value[0] : isFields(value) ? value.reason : value;
  if (typeof said !== "string") return null;
  const reason = (FIRST_PRINTED.exec(said)?.[1] ?? said).replace(ENUM, "");
  return CUT.test(reason) ? reason : null;
}

/** True if the last message of an answer says that it stops short; asked of every chat. */
export function stopsShort(answer: unknown): boolean {
  if (typeof answer === "string")
    return answer.endsWith("]") && PRINTED_CUT.test(answer.slice(-PRINTED_TAIL));
  const last: unknown = Array.isArray(answer) ? answer.at(-1) : answer;
  if (!isFields(last)) return false;
  const reason = last.finish_reason ?? last.finishReason ?? last.stop_reason;
  return reasonIn(reason) !== null;
}

/** The call in the form that is read, with its end where only the payload tells it. */
export function withEnd(payload: Fields, call: Fields): Fields {
  const found = new Ends();
  found.look(payload, 0, true);
  const { error, status, finish } = found.told();
  const isTold = Boolean(call.error);
  return {
    ...call,
    ...(isTold || error === undefined ? {} : { error }),
    ...(status === undefined ? {} : { http_status: status }),
    ...(call.finish_reason !== undefined || finish === undefined ? {} : { finish_reason: finish }),
  };
}

/** Holders of what a client says of other things than how the call went. */
const ASIDE =
  /^(?:meta|metadata|extra|config|kwargs|session|tags|tools|functions|usage|invocation_?params|optional_?params|model_?parameters)/i;

const isHolder = (value: unknown): value is object => typeof value === "object" && value !== null;
const HOLDERS: ReadonlySet<Role> = new Set<Role>(["within", "withinOutput", "withinUsage"]);

class Ends {
  private left = FIELDS_MAX;
  private failed = false;
  private kind: string | undefined;
  private status: number | undefined;
  private message: string | undefined;
  private error: unknown;
  private finish: string | undefined;
  private isIncomplete = false;

  /** `isOfCall`: what stands there is said of the call, and not of what the model or a tool said. */
  look(fields: Fields, depth: number, isOfCall: boolean): void {
    for (const key in fields) {
      if (this.left-- <= 0) return;
      const given = fields[key];
      if (given === null || given === undefined) continue;
      const role = MODEL_NAMES.roleOf(key);
      const isPrinted = typeof given === "string" && role === "output" && stopsShort(given);
      const value = isPrinted ? printedValue(given) : given;
      if (role === "finish") this.noteFinish(value);
      else if (role === "error") {
        if (depth > 0 && isOfCall) this.error ??= value;
      } else if (!(isOfCall && this.noteMark(key, value)) && isHolder(value) && depth < DEPTH_MAX)
        this.lookIn(key, role, value, { depth, isOfCall });
    }
  }

  private lookIn(
    key: string,
    role: Role | null,
    value: object,
    { depth, isOfCall }: { depth: number; isOfCall: boolean },
  ): void {
    if (role === "input" || role === "query" || role === "system" || role === "withinInput") return;
    if (ASIDE.test(key)) return;
    const tells = isOfCall && role !== null && HOLDERS.has(role);
    if (!Array.isArray(value)) this.look(value as Fields, depth + 1, tells);
    else {
      const attributes = listedAttributes(value);
      // Of messages the last one is the answer; of choices the first is.
      const isChat = isFields(value[0]) && "role" in value[0];
      const members = attributes === null ? value.slice(...(isChat ? [-1] : [0, MEMBERS_MAX])) : [attributes];
      for (const one of members.flat())
        if (isFields(one)) this.look(one, depth + 1, tells && attributes !== null);
    }
  }

  /** True for a field that tells of nothing but the end. */
  private noteMark(key: string, value: unknown): boolean {
    const word = wordOf(key);
    if (/^(?:otel|span)?status(?:message|description)$|^errorstr$/.test(word) && typeof value === "string")
      this.message ??= value.slice(0, CHARS_MAX);
    const mark = endNamed(word);
    if (mark === null) return false;
    if (mark === ENDS) this.noteFinish(value);
    else if (tellsEnd(mark, value)) this.noteFailure(mark, value);
    return true;
  }

  private noteFailure(mark: number, value: unknown): void {
    if (value === INCOMPLETE) {
      this.isIncomplete = true;
      return;
    }
    this.failed = true;
    const inner = isFields(value) ? value : {};
    const said = inner.message ?? inner.description;
    if (typeof said === "string") this.message ??= said.slice(0, CHARS_MAX);
    const status = httpStatus(isFields(value) ? (inner.code ?? inner.status_code) : value);
    if (status !== null) this.status ??= status;
    else if (mark === KINDS_ERROR && typeof value === "string") this.kind ??= value.slice(0, CHARS_MAX);
  }

  private noteFinish(value: unknown): void {
    this.finish ??= reasonIn(value) ?? undefined;
  }

  told(): { readonly error?: unknown; readonly status?: number; readonly finish?: string } {
    const { kind, status, message, failed, error } = this;
    const finish = this.finish ?? (this.isIncomplete ? INCOMPLETE : undefined);
    const said = [
      status === undefined ? kind : `HTTP ${status}${kind === undefined ? "" : ` ${kind}`}`,
      message,
    ];
    const text = said.filter((part) => part !== undefined).join(": ");
    return {
      ...(failed ? { error: error ?? (text === "" ? true : text) } : error === undefined ? {} : { error }),
      ...(status === undefined ? {} : { status }),
      ...(finish === undefined ? {} : { finish }),
    };
  }
}
