import { isHostEntry } from "./building-blocks/hosts/host-allow-list.ts";
import type { Detector, DetectorSettings } from "./detector.ts";

/**
 * A project's detector settings, `{class: {enabled?, thresholds?, allow?}}`, checked against what the
 * detectors declare. What is wrong is reported and left out; everything else holds, so one bad line never
 * turns a project's detection off. Pure.
 */

export interface ClassSettings {
  readonly enabled: boolean;
  readonly settings: DetectorSettings;
}

export interface SettingsProblem {
  readonly code:
    | "not_an_object"
    | "unknown_class"
    | "unknown_field"
    | "unknown_threshold"
    | "invalid_value"
    | "out_of_range";
  /** Where it stands: `tool_loop.thresholds.repeats`; cut to 200 characters. */
  readonly path: string;
  readonly detail: string;
}

export interface CheckedSettings {
  /** One entry for every detector given. */
  readonly byClass: ReadonlyMap<string, ClassSettings>;
  readonly problems: readonly SettingsProblem[];
}

const ALLOW_ENTRIES_MAX = 500;
const ALLOW_CHARS_MAX = 256;
const PROBLEMS_MAX = 100;

const HOSTS = "hosts (api.example.com, db.internal:5432, *.example.com) and networks (10.0.0.0/8)";

/**
 * What an entry of a class's allow-list names (docs/DETECTORS.md). A class that is not here looks at no
 * allow-list; test/dashboard/detector-settings.test.ts holds the two together.
 */
const ALLOW_ENTRY_KINDS: Readonly<Record<string, string>> = {
  sandbox_escape: HOSTS,
  unexpected_egress: HOSTS,
  data_exfiltration: HOSTS,
  injection_followed: "tools that act without being asked",
  mcp_tool_drift: "servers, or tools as server/tool",
  tool_loop: "tools",
  tool_error_burst: "tools",
  ignored_human_decision: "tools",
  premature_completion: "validators, tools and finish reasons",
  validator_failure: "validators",
  eval_regression: "metrics",
  behavior_drift: "drift signals and tools",
  unhandled_exception: "exception types",
  infrastructure_degradation: "components",
};

/** For whoever fills one in; null for a class that has none. */
export const allowEntriesOf = (failureClass: string): string | null =>
  Object.hasOwn(ALLOW_ENTRY_KINDS, failureClass) ? ALLOW_ENTRY_KINDS[failureClass]! : null;

const DEFAULTS: DetectorSettings = Object.freeze({ thresholds: Object.freeze({}), allow: Object.freeze([]) });

export function checkDetectorSettings(value: unknown, detectors: readonly Detector[]): CheckedSettings {
  const problems: SettingsProblem[] = [];
  const report = (code: SettingsProblem["code"], path: string, detail: string) => {
    if (problems.length < PROBLEMS_MAX) problems.push({ code, path: path.slice(0, 200), detail });
  };
  const byClass = new Map<string, ClassSettings>(
    detectors.map((detector) => [detector.failureClass, { enabled: true, settings: DEFAULTS }]),
  );
  if (value === null || value === undefined) return { byClass, problems };
  if (!isRecord(value)) {
    report("not_an_object", "", "detector settings are an object of classes");
    return { byClass, problems };
  }
  const known = new Map(detectors.map((detector) => [detector.failureClass, detector]));
  for (const [failureClass, chosen] of Object.entries(value)) {
    const detector = known.get(failureClass);
    if (detector === undefined) {
      report("unknown_class", failureClass, "no detector has this class");
    } else if (!isRecord(chosen)) {
      report("not_an_object", failureClass, "expected {enabled?, thresholds?, allow?}");
    } else {
      byClass.set(failureClass, checkClass(detector, chosen, report));
    }
  }
  return { byClass, problems };
}

/**
 * What of a class's settings is kept. A number that somebody chose stays though it equals the default: the
 * default may be another in a later build. Every class runs and allows nothing unless a project says
 * otherwise, in any build.
 */
export function chosenSettings({ enabled, settings }: ClassSettings) {
  const { thresholds } = settings;
  return {
    ...(enabled ? {} : { enabled: false }),
    ...(Object.keys(thresholds).length === 0 ? {} : { thresholds }),
    ...(settings.allow.length === 0 ? {} : { allow: settings.allow }),
  };
}

type Report = (code: SettingsProblem["code"], path: string, detail: string) => void;

function checkClass(detector: Detector, chosen: Record<string, unknown>, report: Report): ClassSettings {
  const at = detector.failureClass;
  let enabled = true;
  let thresholds: DetectorSettings["thresholds"] = DEFAULTS.thresholds;
  let allow: DetectorSettings["allow"] = DEFAULTS.allow;
  for (const [field, value] of Object.entries(chosen)) {
    if (field === "enabled") {
      if (typeof value === "boolean") enabled = value;
      else report("invalid_value", `${at}.enabled`, "expected true or false");
    } else if (field === "thresholds") {
      thresholds = checkThresholds(detector, value, report);
    } else if (field === "allow") {
      allow = checkAllow(detector.failureClass, value, report);
    } else {
      report("unknown_field", `${at}.${field}`, "expected enabled, thresholds or allow");
    }
  }
  return { enabled, settings: { thresholds, allow } };
}

function checkThresholds(detector: Detector, value: unknown, report: Report): Record<string, number> {
  const at = `${detector.failureClass}.thresholds`;
  const checked: Record<string, number> = {};
  if (!isRecord(value)) {
    report("not_an_object", at, "expected an object of numbers");
    return checked;
  }
  for (const [name, number] of Object.entries(value)) {
    const declared = Object.hasOwn(detector.thresholds, name) ? detector.thresholds[name] : undefined;
    if (declared === undefined) {
      const names = Object.keys(detector.thresholds).join(", ");
      report(
        "unknown_threshold",
        `${at}.${name}`,
        names === "" ? "this class has no thresholds" : `known: ${names}`,
      );
    } else if (typeof number !== "number" || !Number.isFinite(number)) {
      report("invalid_value", `${at}.${name}`, "expected a number");
    } else if (number < declared.min || number > declared.max) {
      report("out_of_range", `${at}.${name}`, `expected ${declared.min} to ${declared.max}`);
    } else if (declared.integer && !Number.isInteger(number)) {
      report("invalid_value", `${at}.${name}`, "expected an integer");
    } else {
      checked[name] = number;
    }
  }
  return withoutUnreachable(detector, checked, report);
}

/**
 * What can never be reached would turn the class off unasked: the project's own numbers of such a pair are
 * left out.
 */
function withoutUnreachable(
  { failureClass, thresholds }: Detector,
  checked: Record<string, number>,
  report: Report,
): Record<string, number> {
  const { ...kept } = checked;
  for (const [name, { notAbove, default: otherwise }] of Object.entries(thresholds)) {
    if (notAbove === undefined) continue;
    const most = checked[notAbove] ?? thresholds[notAbove]!.default;
    const value = checked[name] ?? otherwise;
    if (value <= most) continue;
    const own = checked[name] === undefined ? notAbove : name;
    const detail =
      own === name
        ? `expected at most ${notAbove}, which is ${most}`
        : `expected at least ${name}, which is ${value}`;
    report("out_of_range", `${failureClass}.thresholds.${own}`, detail);
    delete kept[name];
    delete kept[notAbove];
  }
  return kept;
}

function checkAllow(at: string, value: unknown, report: Report): readonly string[] {
  const entries = allowEntriesOf(at);
  if (entries === null && !(Array.isArray(value) && value.length === 0)) {
    report("unknown_field", `${at}.allow`, "this class looks at no allow-list");
    return DEFAULTS.allow;
  }
  if (!Array.isArray(value)) {
    report("invalid_value", `${at}.allow`, "expected a list of texts");
    return DEFAULTS.allow;
  }
  if (value.length > ALLOW_ENTRIES_MAX) {
    report("out_of_range", `${at}.allow`, `at most ${ALLOW_ENTRIES_MAX} entries are taken`);
  }
  const allow: string[] = [];
  value.slice(0, ALLOW_ENTRIES_MAX).forEach((entry, index) => {
    const wrong = (detail: string) => report("invalid_value", `${at}.allow[${index}]`, detail);
    if (!isAllowEntry(entry))
      wrong(`expected a text of 1 to ${ALLOW_CHARS_MAX} characters, none of them a control character`);
    // A URL pasted whole would match nothing, and the alarms would go on.
    else if (entries === HOSTS && !isHostEntry(entry)) wrong(`expected one of ${HOSTS}`);
    else allow.push(entry);
  });
  return allow;
}

/** What PostgreSQL cannot keep as jsonb (U+0000, half a surrogate pair) is no entry either. */
function isAllowEntry(entry: unknown): entry is string {
  return (
    typeof entry === "string" &&
    entry.length > 0 &&
    entry.length <= ALLOW_CHARS_MAX &&
    entry.isWellFormed() &&
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
    !/[\u0000-\u001f\u007f]/.test(entry)
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
