import { changesState, type ToolClass } from "../../building-blocks/calls/tool-class.ts";
import { WEB_ADDRESS, webAddressesIn } from "../../building-blocks/hosts/web-addresses.ts";
import { argumentValues, commandsIn, comparable } from "./argument-values.ts";

/** By which of its values a call tells whom it follows. */
const KEPT_MAX = 8;
const KEPT_LENGTH_MAX = 160;

/** Values that prove nothing because they stand everywhere. */
const COMMON = /^(?:true|false|null|none|undefined|\d{1,4}(?:[-/. :]\d{1,2}){1,5}(?!\d).{0,8}|[\d.,]{1,6})$/;

/** The values of a call's arguments that do not stand everywhere. */
export const tellingValues = (args: unknown): readonly string[] =>
  argumentValues(args).filter((one) => !COMMON.test(one));

/**
 * The same for what a call of this class does. A shell runs several commands in a line, and only one of them
 * need be the injected one. Steering a fetch to an address is harm too, as the address itself may carry data;
 * no other value of a fetch is.
 */
export function callValues(args: unknown, toolClass: ToolClass): readonly string[] {
  const values = tellingValues(args);
  if (toolClass === "execute") return [...values, ...values.flatMap(commandsIn)];
  if (changesState(toolClass)) return values;
  const hosts = webAddressesIn(args).map((one) => (WEB_ADDRESS.test(one) ? one : `http://${one}`));
  return [...new Set([...values.filter((one) => WEB_ADDRESS.test(one)), ...hosts.map(comparable)])];
}

/** A text that tells others what somebody tried with the agent. */
const REPORTS =
  /\b(?:prompt[- ]?injecti?\w{0,4}|injected (?:instruction|prompt|text|command|order)s?|injection (?:attempt|attack)s?|phishing|social engineering|(?:suspicious|malicious|embedded|hidden) (?:instruction|request|order|prompt|text|mail|e-?mail|message|content|link|command)s?|(?:asks?|asked|tells?|told|tries|tried|wants?|wanted|instructs?|instructed|attempt(?:s|ed)?) (?:to (?:get|make|have) )?(?:the|an?|our|this) (?:assistant|agent|bot|ai|model)|eingeschleust\w{0,2} (?:anweisung|befehl)\w{0,2}|instrucci[o\u00f3]n inyectada|istruzione iniettata)/i;
const REPORT_CHARS_MIN = 40;
const FIELDS_MAX = 24;

/**
 * What a report quotes of an attack is not done by it: of its values those count that stand as a whole
 * argument, such as whom it goes to.
 */
export function withoutReported(args: unknown, values: readonly string[]): readonly string[] {
  if (values.length === 0 || typeof args !== "object" || args === null) return values;
  const fields = Object.values(args).slice(0, FIELDS_MAX);
  const isReport = fields.some(
    (one) => typeof one === "string" && one.length >= REPORT_CHARS_MIN && REPORTS.test(one),
  );
  if (!isReport) return values;
  const whole = new Set(
    fields
      .flatMap((one): unknown[] => (Array.isArray(one) ? one : [one]))
      .filter((one) => typeof one === "string" || typeof one === "number")
      .map((one) => comparable(String(one))),
  );
  return values.filter((one) => whole.has(one) && one.length < REPORT_CHARS_MIN);
}

/** Of a call's values those that are kept for passages that arrive after it. */
export const keptOf = (values: readonly string[]): readonly string[] =>
  values.filter((one) => one.length <= KEPT_LENGTH_MAX).slice(0, KEPT_MAX);
