import { Elysia, t } from "elysia";
import type { Detector } from "../../detect/detector.ts";
import { DETECTORS } from "../../detect/registry.ts";
import {
  allowEntriesOf,
  checkDetectorSettings,
  chosenSettings,
  type SettingsProblem,
} from "../../detect/settings.ts";
import { countFirings } from "../../store/dashboard/settings-detectors.ts";
import { changeDetectorSettings, readDetectorSettings } from "../../store/detection/detector-settings.ts";
import { type ApiServices, guard } from "./guard.ts";
import { absent, unfit } from "./refusals.ts";

/**
 * What a project chose to have different from the detectors' defaults. Which choices are valid is
 * src/detect/settings.ts's to say; saving a class leaves out what somebody had written wrongly into the
 * table.
 */

type StoredSettings = Record<string, unknown>;

const Change = t.Object({
  enabled: t.Optional(t.Boolean()),
  /** Null puts a threshold back to its default. */
  thresholds: t.Optional(
    t.Record(t.String({ maxLength: 100 }), t.Union([t.Number(), t.Null()]), { maxProperties: 50 }),
  ),
  allow: t.Optional(t.Array(t.String({ maxLength: 2_000 }), { maxItems: 2_000 })),
});

const detectorOf = (failureClass: string) =>
  DETECTORS.find((detector) => detector.failureClass === failureClass);

/** One class as the settings page shows it. */
function shown(detector: Detector, stored: unknown, firings: ReadonlyMap<string, number>) {
  const { failureClass } = detector;
  const own = (stored as StoredSettings | null)?.[failureClass];
  const checked = checkDetectorSettings(own === undefined ? {} : { [failureClass]: own }, DETECTORS);
  const { enabled, settings } = checked.byClass.get(failureClass)!;
  return {
    class: failureClass,
    family: detector.family,
    summary: detector.summary,
    severity: detector.defaultSeverity,
    version: detector.version,
    enabled,
    customised: own !== undefined,
    thresholds: Object.entries(detector.thresholds).map(([name, declared]) => ({
      name,
      ...declared,
      value: settings.thresholds[name] ?? declared.default,
      chosen: settings.thresholds[name] !== undefined,
    })),
    /** What an entry of the allow-list names; null for a class that has none. */
    allow_entries: allowEntriesOf(failureClass),
    allow: [...settings.allow],
    firings_24h: firings.get(failureClass) ?? 0,
    problems: checked.problems.map((problem) => ({
      field: fieldOf(failureClass, problem),
      detail: problem.detail,
    })),
  };
}

/** `tool_loop.thresholds.repeats` → `thresholds.repeats`: the class stands in the address already. */
function fieldOf(failureClass: string, problem: SettingsProblem): string {
  return problem.path.startsWith(`${failureClass}.`)
    ? problem.path.slice(failureClass.length + 1)
    : problem.path;
}

/** The settings of a class after a change. */
function changed(detector: Detector, stored: StoredSettings, change: typeof Change.static) {
  const { failureClass } = detector;
  const before = checkDetectorSettings({ [failureClass]: stored[failureClass] ?? {} }, DETECTORS);
  const { enabled, settings } = before.byClass.get(failureClass)!;
  const thresholds: Record<string, number> = { ...settings.thresholds };
  for (const [name, value] of Object.entries(change.thresholds ?? {}))
    if (value === null) delete thresholds[name];
    else thresholds[name] = value;
  const allow = change.allow === undefined ? settings.allow : distinct(change.allow);
  const after = chosenSettings({
    enabled: change.enabled ?? enabled,
    settings: { thresholds, allow },
  });
  return { after, problem: checkDetectorSettings({ [failureClass]: after }, DETECTORS).problems[0] };
}

function distinct(entries: readonly string[]): string[] {
  return [...new Set(entries.map((entry) => entry.trim()))];
}

export const detectorRoutes = (services: ApiServices) => {
  const { sql } = services;

  const save = async (projectId: string, detector: Detector, change: typeof Change.static | null) =>
    await changeDetectorSettings<SettingsProblem>(sql, projectId, (settings) => {
      const stored = (settings ?? {}) as StoredSettings;
      const { [detector.failureClass]: _, ...others } = stored;
      if (change === null) return { write: others };
      const { after, problem } = changed(detector, stored, change);
      if (problem !== undefined) return { refuse: problem };
      return {
        write: Object.keys(after).length === 0 ? others : { ...others, [detector.failureClass]: after },
      };
    });

  return new Elysia()
    .use(guard(services))
    .get(
      "/projects/:project_id/detectors",
      async ({ params, projectNo }) => {
        const [stored, firings] = await Promise.all([
          readDetectorSettings(sql, params.project_id),
          countFirings(sql, projectNo),
        ]);
        return { items: DETECTORS.map((detector) => shown(detector, stored, firings)) };
      },
      { projectRole: "viewer" },
    )
    .patch(
      "/projects/:project_id/detectors/:failure_class",
      async ({ params, body, projectNo }) => {
        const detector = detectorOf(params.failure_class);
        if (detector === undefined) return absent("detector");
        const saved = await save(params.project_id, detector, body);
        if (saved === undefined) return absent("project");
        if ("refused" in saved)
          return unfit(saved.refused.detail, fieldOf(detector.failureClass, saved.refused));
        return shown(detector, saved.written, await countFirings(sql, projectNo));
      },
      { projectRole: "member", body: Change },
    )
    .post(
      "/projects/:project_id/detectors/:failure_class/reset",
      async ({ params, projectNo }) => {
        const detector = detectorOf(params.failure_class);
        if (detector === undefined) return absent("detector");
        const saved = await save(params.project_id, detector, null);
        if (saved === undefined || "refused" in saved) return absent("project");
        return shown(detector, saved.written, await countFirings(sql, projectNo));
      },
      { projectRole: "member" },
    );
};
