import { DETECTORS } from "../detect/registry.ts";
import { checkDetectorSettings } from "../detect/settings.ts";
import { changeDetectorSettings, readDetectorSettings } from "../store/detection/detector-settings.ts";
import { notFound } from "../store/projects/projects.ts";
import { done, type Flags, misused, type Noun, refused } from "./command.ts";
import { table } from "./table.ts";

/** `detector list`, and what a project chose to have different: `detector settings` and `detector configure`. */

type ClassSettings = Record<string, unknown>;

/** The settings of one class after the flags; a text says what is wrong with them. */
function configured(before: ClassSettings, flags: Flags): ClassSettings | string {
  if (flags.boolean("reset")) return {};
  const after = { ...before };
  const enabled = flags.text("enabled");
  if (enabled !== undefined) {
    if (enabled !== "on" && enabled !== "off") return "--enabled is on or off";
    after.enabled = enabled === "on";
  }
  const threshold = flags.text("threshold");
  if (threshold !== undefined) {
    const [, name = "", value = ""] = /^([^=]+)=(-?\d+(?:\.\d+)?)$/.exec(threshold) ?? [];
    if (name === "") return "--threshold is NAME=NUMBER";
    after.thresholds = {
      ...(before.thresholds as Record<string, number> | undefined),
      [name]: Number(value),
    };
  }
  const allow = flags.text("allow");
  if (allow !== undefined) {
    after.allow = allow
      .split(",")
      .map((entry) => entry.trim())
      .filter((entry) => entry !== "");
  }
  return after;
}

function withClass(
  settings: unknown,
  failureClass: string,
  flags: Flags,
): { write: unknown } | { refuse: string } {
  const all = (settings ?? {}) as Record<string, ClassSettings>;
  const after = configured(all[failureClass] ?? {}, flags);
  if (typeof after === "string") return { refuse: after };
  const { [failureClass]: _, ...others } = all;
  const write = Object.keys(after).length === 0 ? others : { ...others, [failureClass]: after };
  const problem = checkDetectorSettings({ [failureClass]: after }, DETECTORS).problems[0];
  return problem === undefined ? { write } : { refuse: `${problem.path}: ${problem.detail}` };
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
        const columns = ["CLASS", "FAMILY", "SEVERITY", "VERSION", "SUMMARY", "THRESHOLDS"];
        const rows = entries.map((e) => [
          e.class,
          e.family,
          e.severity,
          e.version,
          e.summary,
          Object.entries(e.thresholds)
            .map(([name, { default: value }]) => `${name}=${value}`)
            .join(" ") || null,
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
        const rows = Object.entries(settings as Record<string, ClassSettings>).map(
          ([failureClass, chosen]) => [failureClass, JSON.stringify(chosen)],
        );
        return done(
          settings,
          table({ columns: ["CLASS", "CHOSEN"], rows, empty: "All detectors run with their defaults." }),
        );
      },
    },
    {
      verb: "configure",
      summary: "Turn a class on or off for a project, set a threshold, or replace its allow-list",
      positionals: ["CLASS"],
      flags: {
        project: { kind: "text", placeholder: "ID", summary: "The project", required: true },
        enabled: { kind: "text", placeholder: "on|off", summary: "Whether the class runs" },
        threshold: {
          kind: "text",
          placeholder: "NAME=NUMBER",
          summary: "One threshold of detector list, one a command",
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
          `${failureClass}: ${JSON.stringify((changed.written as Record<string, unknown>)[failureClass] ?? "defaults")}`,
        );
      },
    },
  ],
};
