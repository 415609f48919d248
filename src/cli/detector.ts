import { DETECTORS } from "../detect/registry.ts";
import { type ClassSettings, checkDetectorSettings, chosenSettings } from "../detect/settings.ts";
import { changeDetectorSettings, readDetectorSettings } from "../store/detection/detector-settings.ts";
import { notFound } from "../store/projects/projects.ts";
import { done, type Flags, misused, type Noun, refused } from "./command.ts";
import { unexpected } from "./flag-values.ts";
import { table } from "./table.ts";

/**
 * `detector list`, and what a project chose to have different: `detector settings` and `detector configure`.
 */

/** The settings of one class after the flags; a text says what is wrong with them. */
function configured({ enabled, settings }: ClassSettings, flags: Flags): ClassSettings | string {
  const asked = flags.text("enabled");
  const thresholds = flags.text("threshold");
  const chosen = thresholds === undefined ? { numbers: {}, defaults: [] } : thresholdsIn(thresholds);
  if (chosen === null) return unexpected("threshold", thresholds ?? "", THRESHOLDS_EXPECTED);
  const allow = flags.text("allow");
  const after: Record<string, number> = { ...settings.thresholds, ...chosen.numbers };
  for (const name of chosen.defaults) delete after[name];
  return {
    enabled: asked === undefined ? enabled : asked === "on",
    settings: {
      thresholds: after,
      allow: allow === undefined ? settings.allow : entriesOf(allow),
    },
  };
}

const THRESHOLDS_EXPECTED =
  "NAME=NUMBER or NAME=default, several with commas between, such as repeats=5,windowCalls=20, and each name once";

/**
 * `repeats=5,windowCalls=default`; null if it is no such list, or one number of a name would be lost without
 * a word.
 */
function thresholdsIn(list: string): { numbers: Record<string, number>; defaults: string[] } | null {
  const entries = entriesOf(list);
  const values = new Map<string, string>();
  for (const entry of entries) {
    const [, name, value] = /^([^=]+)=(-?\d+(?:\.\d+)?|default)$/.exec(entry) ?? [];
    if (name !== undefined) values.set(name, value!);
  }
  if (values.size === 0 || values.size < entries.length) return null;
  const isDefault = ([, value]: [string, string]) => value === "default";
  const numbers = [...values].filter((one) => !isDefault(one)).map(([name, value]) => [name, Number(value)]);
  return {
    numbers: Object.fromEntries(numbers),
    defaults: [...values].filter(isDefault).map(([name]) => name),
  };
}

const entriesOf = (list: string): string[] => [
  ...new Set(
    list
      .split(",")
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ""),
  ),
];

function withClass(
  stored: unknown,
  failureClass: string,
  flags: Flags,
): { write: unknown } | { refuse: string } {
  const detector = DETECTORS.find((each) => each.failureClass === failureClass);
  if (detector === undefined) return { refuse: `${failureClass}: no detector has this class` };
  const { [failureClass]: before = {}, ...others } = (stored ?? {}) as Record<string, unknown>;
  if (flags.boolean("reset")) return { write: others };
  const known = checkDetectorSettings({ [failureClass]: before }, DETECTORS).byClass.get(failureClass)!;
  const after = configured(known, flags);
  if (typeof after === "string") return { refuse: after };
  const { enabled, settings } = after;
  const problem = checkDetectorSettings({ [failureClass]: { enabled, ...settings } }, DETECTORS).problems[0];
  if (problem !== undefined) return { refuse: `${problem.path}: ${problem.detail}` };
  const chosen = chosenSettings(after);
  return { write: Object.keys(chosen).length === 0 ? others : { ...others, [failureClass]: chosen } };
}

/** `enabled=off repeats=5 allow=poll,wait`, as the flags name them; written by SQL it may be anything. */
function words(failureClass: string, stored: unknown): string {
  if (stored === undefined) return "defaults";
  const { byClass, problems } = checkDetectorSettings({ [failureClass]: stored }, DETECTORS);
  const known = byClass.get(failureClass);
  if (problems[0] !== undefined || known === undefined)
    return `${JSON.stringify(stored)} (left out: ${problems.map(({ path }) => path).join(", ")})`;
  const { enabled, settings } = known;
  const chosen = [
    ...(enabled ? [] : ["enabled=off"]),
    ...Object.entries(settings.thresholds).map(([name, value]) => `${name}=${value}`),
    ...(settings.allow.length === 0 ? [] : [`allow=${settings.allow.join(",")}`]),
  ];
  return chosen.join(" ") || "defaults";
}

export const noun: Noun = {
  name: "detector",
  commands: [
    {
      verb: "list",
      summary: "List the detectors of this build with their thresholds",
      async run() {
        const entries = DETECTORS.map((detector) => ({
          class: detector.failureClass,
          family: detector.family,
          severity: detector.defaultSeverity,
          version: detector.version,
          summary: detector.summary,
          event_types: detector.eventTypes,
          on_status: detector.onStatus,
          on_tick: detector.onTick,
          signature: detector.signature,
          taxonomy: detector.taxonomy,
          thresholds: detector.thresholds,
        }));
        const columns = ["CLASS", "FAMILY", "SEVERITY", "VERSION", "THRESHOLDS", "SUMMARY"];
        const rows = entries.map((e) => [
          e.class,
          e.family,
          e.severity,
          e.version,
          Object.entries(e.thresholds)
            .map(([name, { default: value }]) => `${name}=${value}`)
            .join(" ") || null,
          e.summary,
        ]);
        return done(entries, table({ columns, rows, empty: "This build has no detectors." }));
      },
    },
    {
      verb: "settings",
      summary: "Show what a project chose to have different from the defaults",
      flags: { project: { kind: "text", placeholder: "ID", summary: "The project", required: true } },
      async run({ database, flags }) {
        const id = flags.text("project") ?? "";
        const settings = await readDetectorSettings(database(), id);
        if (settings === undefined) return refused(notFound("project", id));
        const rows = Object.entries(settings as Record<string, unknown>).map(([failureClass, chosen]) => [
          failureClass,
          words(failureClass, chosen),
        ]);
        return done(
          settings,
          table({ columns: ["CLASS", "CHOSEN"], rows, empty: "All detectors run with their defaults." }),
        );
      },
    },
    {
      verb: "configure",
      summary: "Turn a class on or off for a project, set thresholds, or replace its allow-list",
      positionals: ["CLASS"],
      flags: {
        project: { kind: "text", placeholder: "ID", summary: "The project", required: true },
        enabled: {
          kind: "text",
          placeholder: "STATE",
          summary: "Whether the class runs",
          choices: ["on", "off"],
        },
        threshold: {
          kind: "text",
          placeholder: "NAME=NUMBER",
          summary:
            "Thresholds of detector list: repeats=5, several at once: repeats=5,windowCalls=20; repeats=default puts one back",
        },
        allow: { kind: "text", placeholder: "A,B", summary: "The whole allow-list; empty clears it" },
        reset: { kind: "boolean", summary: "Back to the defaults" },
      },
      async run({ database, positionals, flags }) {
        const failureClass = positionals[0] ?? "";
        const names = ["enabled", "threshold", "allow"].filter((name) => flags.text(name) !== undefined);
        const resets = flags.boolean("reset");
        if (names.length === 0 && !resets) return misused("nothing to change was named");
        if (names.length > 0 && resets) return misused(`--reset and --${names[0]} exclude each other`);
        const id = flags.text("project") ?? "";
        const changed = await changeDetectorSettings(database(), id, (settings) =>
          withClass(settings, failureClass, flags),
        );
        if (changed === undefined) return refused(notFound("project", id));
        if ("refused" in changed) return misused(changed.refused);
        return done(
          changed.written,
          `${failureClass}: ${words(failureClass, (changed.written as Record<string, unknown>)[failureClass])}`,
        );
      },
    },
  ],
};
