import { cutText } from "../building-blocks/cut-text.ts";
import { groupOf, type ThrownException, thrownBy } from "../building-blocks/errors/exception-view.ts";
import { normaliseMessage } from "../building-blocks/errors/normalise-error.ts";
import { saysOutOfTime, saysOutright, saysRunOutOfTime } from "../building-blocks/errors/out-of-time.ts";
import { shortName } from "../building-blocks/excerpt.ts";
import { isFields } from "../client-forms/fields.ts";
import type { DetectorEvent } from "../detector.ts";
import { answerOf } from "./answer-text.ts";

/**
 * What an event other than a call says of time that ran out: an exception, by its type, its message or what
 * it came of; a report of the infrastructure; a checkpoint that names a limit; somebody who stopped the run
 * because of one; an answer that its framework wrote in place of the model, saying so.
 */
export interface WordOfTime {
  readonly said: SaidOfTime;
  /** It speaks of the run, or nobody is said to have caught it: no crash need follow. */
  readonly endsRun: boolean;
}

/** As it groups, or an exception whose group is worked out where it is told: most runs go on behind it. */
type SaidOfTime = ThrownException | { readonly group: string; readonly excerpt: string };

/** `group`: the exception's type, the component, or how it was stopped. */
export function toldOfTime(said: SaidOfTime): { readonly group: string; readonly excerpt: string } {
  if ("group" in said) return said;
  const { type: group, excerpt } = groupOf(said);
  return { group, excerpt };
}

const TEXT_MAX = 1_000;
/**
 * What waits for work and is put away when none comes, and trouble that is over: a report of these ends no
 * run.
 */
const NO_END =
  /idle|inactiv|keep-?alive|scal(?:ed|ing)|cool-?down|lease|\bcache|recover|resolved|restored|succeeded|\bretr(?:y|ied|ying)\b/i;
/** A run that its platform lets expire: `run.status · expired`. */
const IS_RUN = /^(?:[\w ]{0,20}[._ -])?(?:run|job|task|execution|workflow)(?![a-z])/i;
const EXPIRED = / · (?:expired|timeout)$/i;
const STOPS = /stop|abort|cancel|terminat|kill|halt/i;

export function wordOfTime(event: DetectorEvent): WordOfTime | null {
  if (event.type === "exception") return ofException(event);
  if (event.type === "llm_call") return ofAnswer(event);
  const { component, kind, code, message, name, action, note, state } = event.payload;
  switch (event.type) {
    case "infrastructure_event": {
      const excerpt = joined([component, kind, code, message]);
      if (!saysOutOfTime(excerpt) || NO_END.test(excerpt)) return null;
      const endsRun = saysRunOutOfTime(excerpt);
      return { said: { group: normaliseMessage(shortName(component)), excerpt }, endsRun };
    }
    case "checkpoint": {
      const excerpt = joined([name, ...reasonsIn(event.payload), ...reasonsIn(state)]);
      const isExpired = IS_RUN.test(excerpt) && EXPIRED.test(excerpt);
      if ((!saysOutright(excerpt) && !isExpired) || NO_END.test(excerpt)) return null;
      return { said: { group: "checkpoint", excerpt }, endsRun: true };
    }
    case "human_intervention": {
      if (typeof action !== "string" || !STOPS.test(action)) return null;
      const excerpt = joined([note]);
      return saysOutright(excerpt) ? { said: { group: "stopped", excerpt }, endsRun: true } : null;
    }
    default:
      return null;
  }
}

function ofAnswer({ payload }: DetectorEvent): WordOfTime | null {
  const answer = answerOf(payload);
  if (answer === "" || answer.length > STOCK_MAX || !saysStopped(answer)) return null;
  return { said: { group: "answer", excerpt: answer }, endsRun: true };
}

const STOCK_MAX = 160;
/**
 * LangChain: "Agent stopped due to iteration limit or time limit.", AutoGen: "Timeout of 30 seconds reached",
 * Dify: "Max execution time 600s reached.", CrewAI: "Task execution timed out after 300 seconds".
 */
const STOCK =
  /^\W{0,4}(?:agent stopped due to\b[^.\n]{0,40}\btime|time-?out of \d{1,7}(?:\.\d{1,3})? ?[a-z]{1,12} (?:was )?(?:reached|exceeded)|max(?:imum)?[ _](?:execution|run(?:ning)?|total)[ _]time\b[^.\n]{0,30}(?:reached|exceeded)|task execution timed out after \d)/i;
const OF_THE_AGENT =
  /^\W{0,4}(?:(?:the|this|der|el|o|il) |l['’])?(?:agente?n?|crew|(?:agent )?executor|агент|智能体|エージェント|에이전트)(?![a-z])/i;
/** How any of these begins: asked of every short answer. */
const BEGINS =
  /^\W{0,4}(?:agent|crew|executor|time-?out of|max|task exec|(?:the|this|der|el|o|il) (?:agent|crew|executor)|l['’]agent|агент|智能体|エージェ|에이전)/i;
const ASKS = /[?？]/;

const saysStopped = (answer: string): boolean =>
  BEGINS.test(answer) &&
  (STOCK.test(answer) || (OF_THE_AGENT.test(answer) && !ASKS.test(answer) && saysOutright(answer)));

const NO_REASONS: readonly unknown[] = [];

function reasonsIn(fields: unknown): readonly unknown[] {
  if (!isFields(fields)) return NO_REASONS;
  const { reason, stop_reason: stop, termination_reason: termination, status, error, outcome } = fields;
  return [reason, stop, termination, status, error, outcome];
}

function joined(parts: readonly unknown[]): string {
  let text = "";
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i];
    if (typeof part !== "string" || part === "") continue;
    const cut = cutText(part, TEXT_MAX);
    text = text === "" ? cut : `${text} · ${cut}`;
  }
  return text;
}

/** An exception that tells no cause of its own: what was waited for is given up. */
export function saysGivenUp({ payload: { type, message } }: DetectorEvent): boolean {
  return /\bcancell?ed|\bcancell?ation|\baborted\b|^cancell?ed/i.test(
    `${shortName(type)} ${shortName(message)}`,
  );
}

function ofException(event: DetectorEvent): WordOfTime | null {
  const { type, message, stack } = event.payload;
  const said = [type, message].filter((part) => typeof part === "string").join(": ");
  if (!saysOutOfTime(said) && !causesIn(stack).some(saysOutOfTime)) return null;
  const thrown = thrownBy(event);
  return { said: thrown, endsRun: thrown.handled !== true };
}

const STACK_MAX = 4_000;
const CAUSES_MAX = 4;
const DIRECT_CAUSE =
  /(?:^|\n)([\w.]{1,100}(?:: [^\n]{0,300})?)\s{1,4}The above exception was the direct cause/g;
const CAUSE = /(?:^|\n)[ \t]{0,8}(?:caused by|\[cause\])[: ] {0,2}([^\n]{1,300})/gi;
/** Python's last line is the error, and before it stand those that it came of. */
const LAST_LINE = /\n([\w.]{1,100}: [^\n]{1,300}|[\w.]{1,100}(?:Error|Exception|Timeout|Exceeded))\s{0,4}$/;

function causesIn(stack: unknown): string[] {
  const text = Array.isArray(stack)
    ? stack
        .slice(0, 200)
        .filter((line) => typeof line === "string")
        .join("\n")
    : stack;
  if (typeof text !== "string" || text === "") return [];
  const ends =
    text.length > STACK_MAX ? `${text.slice(0, STACK_MAX / 2)}\n${text.slice(-STACK_MAX / 2)}` : text;
  const causes = [...ends.matchAll(CAUSE), ...ends.matchAll(DIRECT_CAUSE)]
    .slice(0, CAUSES_MAX)
    .map(([, cause]) => cause!);
  const last = LAST_LINE.exec(ends)?.[1];
  return last === undefined ? causes : [...causes, last];
}
