import { byName } from "../building-blocks/by-name.ts";
import { isIsoTime } from "../building-blocks/iso-time.ts";
import { parsedJson } from "../building-blocks/json-text.ts";
import { spaced } from "../building-blocks/name-words.ts";
import { isFields } from "../client-forms/fields.ts";
import type { DetectorEvent } from "../detector.ts";

/**
 * What a run says of its own time: how long it, or what it started, may take, and what it waits for. A limit
 * is read of fields that are named so and carry their unit, of calls' arguments and answers, of checkpoints'
 * states and of the event itself; a wait of a checkpoint that names it, of an answer that says for whom, and
 * of tools that do nothing but wait. Bounded; never throws.
 */
export interface Wait {
  /** The client's time until which it waits; null where it says none. */
  readonly untilMs: number | null;
  /** How long it took, where the event tells of a wait that is over; else null. */
  readonly tookMs: number | null;
}

const FIELDS_MAX = 40;
const DEPTH_MAX = 2;
const TEXT_MAX = 40;
const JSON_MAX = 2_000;
const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const LIMIT_MS_MAX = 14 * 24 * HOUR_MS;
/** Nobody says so of less than this: shorter limits are those of single calls, and of no interest here. */
const LIMIT_MS_MIN = 30 * MINUTE_MS;

const NAMES_A_LIMIT =
  /(?:^| )(?:timeout|time limit|time budget|walltime|wall time|deadline|(?:max|maximum|expected|estimated|planned|allowed) (?:(?:execution|run|running|processing|total|wait|job) )?(?:time|duration|runtime|run time|wait)|(?:execution|run|running|job|task|workflow|max|hard|soft) (?:timeout|time limit|limit|duration)|max runtime|(?:max|maximum|budget) (?:hours|hrs|minutes|mins)|estimate|eta|duration estimate|zeitlimit|tiempo límite|délai max)(?: |$)/;
const UNITS: readonly (readonly [RegExp, number])[] = [
  [/ (?:ms|msec|millis|milliseconds)$/, 1],
  [/ (?:s|sec|secs|seconds)$/, SECOND_MS],
  [/ (?:m|min|mins|minutes)$/, MINUTE_MS],
  [/ (?:h|hr|hrs|hour|hours)$/, HOUR_MS],
];

/** "eta" */
const NAME_MIN = 3;
/** Those that are meant as a length of time where they stand without a unit. */
const NEEDS_NO_UNIT = /(?:timeout|time limit|time budget|walltime|max (?:runtime|run time|execution time))$/;
const NO_UNIT = -1;
const IN_WORDS_ALONE = -2;

const wordsIn = (name: string): string => spaced(name).replace(/[_.-]/g, " ");

/**
 * Milliseconds of one of what a field so named counts; 0 where it names no limit, below where it does not say
 * in what.
 */
const unitNamed = byName((name): number => {
  const words = wordsIn(name).toLowerCase();
  if (!NAMES_A_LIMIT.test(words)) return 0;
  const unit = UNITS.find(([ending]) => ending.test(words))?.[1];
  return unit ?? (NEEDS_NO_UNIT.test(words) ? NO_UNIT : IN_WORDS_ALONE);
});

const SPAN =
  /^(?:pt)?(\d{1,7}(?:\.\d{1,3})?) ?(ms|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?)$/i;

function spanMs(value: string): number {
  const [, digits, unit] = SPAN.exec(value.trim()) ?? [];
  if (digits === undefined || unit === undefined) return 0;
  const name = unit.toLowerCase();
  const of =
    name === "ms"
      ? 1
      : name[0] === "s"
        ? SECOND_MS
        : name[0] === "m"
          ? MINUTE_MS
          : name[0] === "h"
            ? HOUR_MS
            : 24 * HOUR_MS;
  return Number(digits) * of;
}

/** Without a unit whole thousands are milliseconds, as in browsers, and so is more than a day of seconds. */
const BARE_SECONDS_MAX = 86_400;

function bareMs(value: number): number {
  return value % 1_000 === 0 || value > BARE_SECONDS_MAX ? value : value * SECOND_MS;
}

function limitIn(fields: unknown, depth = 0): number {
  if (!isFields(fields)) return 0;
  let most = 0;
  let seen = 0;
  for (const name in fields) {
    if (seen++ >= FIELDS_MAX) break;
    if (name.length < NAME_MIN) continue;
    const value = fields[name];
    let told = 0;
    if (typeof value === "number") {
      // Most numbers are none: their names are looked at where they could be a limit at all.
      if (value < 0.16 || !Number.isFinite(value)) continue;
      const unit = unitNamed(name);
      told = unit > 0 ? value * unit : unit === NO_UNIT ? bareMs(value) : 0;
    } else if (typeof value === "string") {
      if (value.length <= TEXT_MAX && value !== "" && isDigit(value) && unitNamed(name) !== 0)
        told = spanMs(value);
    } else if (depth < DEPTH_MAX && isFields(value)) told = limitIn(value, depth + 1);
    if (told >= LIMIT_MS_MIN && told <= LIMIT_MS_MAX && told > most) most = told;
  }
  return most;
}

const isDigit = (text: string): boolean => {
  const code = text.charCodeAt(0);
  return (code >= 48 && code <= 57) || code === 80 || code === 112;
};

/** Milliseconds that the run, or what it started, may take as this event says; 0 where it says nothing. */
export function toldLimitMs({ type, payload }: DetectorEvent): number {
  switch (type) {
    case "tool_call":
    case "mcp_call":
      return limitOfCall(payload.arguments, payload.result);
    case "checkpoint":
      return Math.max(limitIn(payload.state), limitIn(payload, DEPTH_MAX));
    case "llm_call":
      return limitOfModelCall(payload);
    case "environment_declaration":
      return limitIn(payload, DEPTH_MAX);
    default:
      return 0;
  }
}

function limitOfCall(args: unknown, result: unknown): number {
  const asked = typeof args === "string" ? limitIn(parsed(args)) : limitIn(args);
  return typeof result === "string" ? asked : Math.max(asked, limitIn(result));
}

/**
 * Asked of every call: by the names that frameworks have for a run's own limit, as a walk over all fields
 * costs ten times as much.
 */
function limitOfModelCall(payload: DetectorEvent["payload"]): number {
  const {
    max_execution_time: max,
    execution_timeout: execution,
    run_timeout: run,
    time_limit: limit,
  } = payload;
  if (max === undefined && execution === undefined && run === undefined && limit === undefined) return 0;
  return limitIn(payload, DEPTH_MAX);
}

function parsed(value: string): unknown {
  if (value.length > JSON_MAX || !/time|deadline|estimate|duration/i.test(value)) return value;
  return parsedJson(value) ?? value;
}

const WAITS =
  /await|wait(?:s|ing)?(?![a-z])|pending|on hold|hold for|need(?:s|ed)?(?![a-z])|require[sd]?(?![a-z])|requested|wartet?(?!ung)|ausstehend|esper|attente|aguard|attesa|ожида|等待|待ち/i;
const FOR_SOMEBODY =
  /human|person|people|user|operator|approv|review|confirm|decision|sign.?off|feedback|repl(?:y|ies)|input|customer|client|manager|owner|freigabe|genehmig|mensch|kunde|rückmeldung|aprob|humano|revisi|cliente|validation|humaine?|утвержд|согласов|человек|审批|人工|承認|確認/i;
const RESTS =
  /(?:^|[^a-z])(?:sleep(?:s|ing)?|sleep until|asleep|snooz(?:e|ed|ing)|suspend(?:ed)?|paused?|pausing|hibernat\w{1,4}|dormant|parked|human interrupt|input required|requires action|wait(?:ing)? until|idle until|scheduled|pausiert|angehalten|schläft|en pausa|en pause|em pausa|приостановлен\w{0,2})(?![a-z])|休眠|暂停|一時停止/i;
const UNTIL =
  /^(?:until|wait_?until|sleep_?until|resume[sd]?_?at|wake_?up_?at|wakes?_?at|next_?run(?:_?at)?|not_?before|scheduled_?(?:for|at)|run_?at|due(?:_?at|_?by)?|deadline|expires_?at|respond_?by|reply_?by)$/i;

const plain = (said: unknown): string =>
  typeof said === "string" ? wordsIn(said.slice(0, 2 * TEXT_MAX)) : "";

const isWait = byName((said): boolean => {
  const words = plain(said);
  return (WAITS.test(words) && FOR_SOMEBODY.test(words)) || RESTS.test(words);
});

/** Longer ones are no names of a state, shorter ones none of a wait. */
const WAIT_CHARS_MIN = 4;

function isWaitNamed(said: unknown): boolean {
  if (typeof said !== "string" || said.length < WAIT_CHARS_MIN || said.length > 2 * TEXT_MAX) {
    // Three letters of Chinese are a sentence.
    return (
      typeof said === "string" &&
      said.length > 1 &&
      said.length < WAIT_CHARS_MIN &&
      said > "\u2e7f" &&
      isWait(said)
    );
  }
  // "step-148" is one name.
  let end = said.length;
  while (end > 0 && isDigitAt(said, end - 1)) end--;
  return isWait(end === said.length ? said : said.slice(0, end));
}

function isDigitAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}

/** Tools that do nothing but wait; "wait_for_selector" waits for a page. */
const isWaiter = byName((tool) => {
  const words = plain(tool);
  return (
    /(?:^|[ /])(?:sleep|snooze|pause|delay|wait|wait (?:until|for (?:time|hours?|minutes|seconds|duration)))(?: (?:until|seconds|minutes|hours?|ms))?$/i.test(
      words,
    ) ||
    (/(?:^|[ /])(?:ask|request|await|wait|get|seek|obtain|human)/i.test(words) &&
      /human|approval|sign.?off|person|operator|reviewer|manager/i.test(words))
  );
});

/** What the run waits for from this event on, or waited for within it; null where it does not say. */
export function toldWait(event: DetectorEvent): Wait | null {
  const { type, payload } = event;
  if (type === "checkpoint") return waitOfCheckpoint(payload);
  if (type !== "tool_call" && type !== "mcp_call") return null;
  const { tool_name: tool, latency_ms: took, result } = payload;
  if (typeof tool === "string" && isWaiter(tool)) {
    const ended = (result ?? payload.error ?? null) !== null;
    if (ended) return { untilMs: null, tookMs: typeof took === "number" && took > 0 ? took : null };
    return { untilMs: untilIn(payload.arguments), tookMs: null };
  }
  if (!isFields(result)) return null;
  const { status, state } = result;
  return isWaitingFor(status) || isWaitingFor(state) ? { untilMs: untilIn(result), tookMs: null } : null;
}

function isWaitingFor(state: unknown): boolean {
  if (typeof state !== "string" || state.length < 7 || state.length > TEXT_MAX) return false;
  const said = plain(state);
  return WAITS.test(said) && FOR_SOMEBODY.test(said);
}

function waitOfCheckpoint(payload: DetectorEvent["payload"]): Wait | null {
  const { name, reason, status, state } = payload;
  const isOne = isWaitNamed(name) || isWaitNamed(reason) || isWaitNamed(status) || isWaitState(state);
  if (!isOne) return null;
  return { untilMs: untilIn(state), tookMs: null };
}

/** `waiting_for: "head of facilities"`, whoever that is. */
function isWaitState(state: unknown): boolean {
  if (!isFields(state)) return false;
  const { waiting_for: whom, waiting_on: on, awaiting, approver } = state;
  return (
    isWaitNamed(state.status) ||
    isWaitNamed(state.state) ||
    isWaitNamed(state.phase) ||
    isWaitNamed(state.reason) ||
    isWaitNamed(state.stage) ||
    isSomebody(whom) ||
    isSomebody(on) ||
    isSomebody(awaiting) ||
    isSomebody(approver)
  );
}

const isSomebody = (whom: unknown): boolean =>
  typeof whom === "string" && whom !== "" && !/tool|model|llm|lock|response|api|job|queue/i.test(whom);

function untilIn(fields: unknown): number | null {
  if (!isFields(fields)) return null;
  let seen = 0;
  for (const name in fields) {
    if (seen++ >= FIELDS_MAX) break;
    const value = fields[name];
    if (typeof value !== "string" || value.length > TEXT_MAX || !UNTIL.test(name) || !isIsoTime(value))
      continue;
    const atMs = Date.parse(value);
    if (!Number.isNaN(atMs)) return atMs;
  }
  return null;
}

/** What a person does who was waited for. */
const ANSWERS =
  /^(?:approv|reject|den(?:y|ied)|declin|edit|modif|respon|answer|repl|resum|continu|confirm|accept|grant|allow|feedback|input|decid|select|genehmig|freigeb|ablehn|aprob|rechaz|approuv|refus)/i;

/** True of a person's answer: until then the run waited for it. */
export const endsWait = (event: DetectorEvent): boolean => {
  if (event.type !== "human_intervention") return false;
  const { action } = event.payload;
  return typeof action === "string" && ANSWERS.test(action);
};
