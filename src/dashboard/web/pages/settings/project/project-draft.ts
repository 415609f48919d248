import { NAME_CHARS_MAX, PROJECT_RANGES } from "../../../../../store/projects/project-bounds.ts";

/**
 * The project's form as it is typed: texts, until they are whole numbers in range. Pure; the API has the last
 * word, and has the same ranges.
 */

export const DURATION_UNITS = { seconds: 1, minutes: 60, hours: 3_600, days: 86_400 } as const;
export type DurationUnit = keyof typeof DURATION_UNITS;

export interface ProjectValues {
  readonly name: string;
  readonly rate_burst: number;
  readonly rate_per_second: number;
  readonly cooldown_seconds: number;
  readonly alert_scope: string;
  /** Null: for ever. */
  readonly retention_days: number | null;
}

export type ProjectField = keyof ProjectValues;

export interface ProjectDraft {
  readonly name: string;
  readonly rate_burst: string;
  readonly rate_per_second: string;
  readonly cooldown: { readonly text: string; readonly unit: DurationUnit };
  readonly alert_scope: string;
  readonly retention: { readonly limited: boolean; readonly days: string };
}

const RETENTION_DAYS_SUGGESTED = "30";

/** 86,400 s are typed as 1 day, 5,400 s as 90 minutes: the largest unit that leaves nothing over. */
export function durationOf(seconds: number): { text: string; unit: DurationUnit } {
  const units: readonly DurationUnit[] = ["days", "hours", "minutes"];
  const unit = units.find((each) => seconds > 0 && seconds % DURATION_UNITS[each] === 0) ?? "seconds";
  return { text: String(seconds / DURATION_UNITS[unit]), unit };
}

export function draftOf(project: ProjectValues): ProjectDraft {
  return {
    name: project.name,
    rate_burst: String(project.rate_burst),
    rate_per_second: String(project.rate_per_second),
    cooldown: durationOf(project.cooldown_seconds),
    alert_scope: project.alert_scope,
    retention: {
      limited: project.retention_days !== null,
      days: String(project.retention_days ?? RETENTION_DAYS_SUGGESTED),
    },
  };
}

interface Range {
  readonly min: number;
  readonly max: number;
}

export interface ReadDraft {
  /** What differs from the project, and only that. */
  readonly change: Partial<ProjectValues>;
  readonly problems: Readonly<Partial<Record<ProjectField, string>>>;
}

export function readDraft(draft: ProjectDraft, project: ProjectValues): ReadDraft {
  const problems: Partial<Record<ProjectField, string>> = {};
  const whole = (field: ProjectField, text: string, { min, max }: Range, factor = 1): number => {
    const value = /^\s*\d{1,12}\s*$/.test(text) ? Number(text) * factor : Number.NaN;
    if (!(value >= min && value <= max)) {
      const [low, high] = [Math.ceil(min / factor), Math.floor(max / factor)];
      problems[field] = `A whole number from ${low.toLocaleString("en")} to ${high.toLocaleString("en")}`;
    }
    return value;
  };
  if (draft.name.trim() === "") problems.name = "A project has a name";
  else if ([...draft.name].length > NAME_CHARS_MAX) problems.name = `At most ${NAME_CHARS_MAX} characters`;
  const values: ProjectValues = {
    name: draft.name,
    rate_burst: whole("rate_burst", draft.rate_burst, PROJECT_RANGES.rateBurst),
    rate_per_second: whole("rate_per_second", draft.rate_per_second, PROJECT_RANGES.ratePerSecond),
    cooldown_seconds: whole(
      "cooldown_seconds",
      draft.cooldown.text,
      PROJECT_RANGES.cooldownSeconds,
      DURATION_UNITS[draft.cooldown.unit],
    ),
    alert_scope: draft.alert_scope,
    retention_days: draft.retention.limited
      ? whole("retention_days", draft.retention.days, PROJECT_RANGES.retentionDays)
      : null,
  };
  const change = Object.fromEntries(
    Object.entries(values).filter(([field, value]) => value !== project[field as ProjectField]),
  );
  return { change, problems };
}
