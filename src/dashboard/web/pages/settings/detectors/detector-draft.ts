import type { DetectorSetting } from "../settings-queries.ts";

/** A detector's form as it is typed, and the change that it asks for. Pure; the API has the last word. */

export interface DetectorDraft {
  /** By name; a text until it is a number in range. */
  readonly thresholds: Readonly<Record<string, string>>;
  readonly allow: readonly string[];
}

export interface DetectorChange {
  readonly thresholds?: Record<string, number | null>;
  readonly allow?: string[];
}

type Settings = Pick<DetectorSetting, "thresholds" | "allow">;

export function detectorDraftOf(detector: Settings): DetectorDraft {
  return {
    thresholds: Object.fromEntries(detector.thresholds.map(({ name, value }) => [name, String(value)])),
    allow: detector.allow,
  };
}

const same = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((entry, index) => entry === other[index]);

/** Null where nothing was changed. */
export function readDetectorDraft(
  draft: DetectorDraft,
  detector: Settings,
): { change: DetectorChange | null; problems: Readonly<Record<string, string>> } {
  const problems: Record<string, string> = {};
  const thresholds: Record<string, number | null> = {};
  for (const threshold of detector.thresholds) {
    const text = draft.thresholds[threshold.name]?.trim() ?? "";
    const value = /^-?\d{1,15}(?:\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN;
    const isWhole = threshold.integer !== true || Number.isInteger(value);
    if (!(value >= threshold.min && value <= threshold.max && isWhole)) {
      problems[threshold.name] =
        `${threshold.integer === true ? "An integer" : "A number"} from ${shownNumber(threshold.min)} to ${shownNumber(threshold.max)}`;
    } else if (value !== threshold.value) {
      thresholds[threshold.name] = value === threshold.default ? null : value;
    }
  }
  const change: DetectorChange = {
    ...(Object.keys(thresholds).length === 0 ? {} : { thresholds }),
    ...(same(draft.allow, detector.allow) ? {} : { allow: [...draft.allow] }),
  };
  return {
    change: Object.keys(change).length === 0 && Object.keys(problems).length === 0 ? null : change,
    problems,
  };
}

/** 1,000,000 and 0.25: thresholds are read exactly. */
export function shownNumber(value: number): string {
  return new Intl.NumberFormat("en", { maximumFractionDigits: 9 }).format(value);
}

/** What was typed or pasted, by lines and commas, without what is there already. */
export function addEntries(entries: readonly string[], typed: string): readonly string[] {
  const added = typed
    .split(/[\n,]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
  return [...new Set([...entries, ...added])];
}
