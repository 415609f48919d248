import { EVENT_TYPES, eventTypeCode } from "../../ingest/wire/event-types.ts";
import type { Detector, DetectorSettings } from "../detector.ts";
import { checkDetectorSettings } from "../settings.ts";

/**
 * What detection does for one project: which detectors run, with which settings. Made from the project's
 * stored settings and kept until those change. What is wrong in the settings was left out by their check.
 */

/** The detectors of a build with what is derived from them once. */
export interface DetectorTable {
  readonly detectors: readonly Detector[];
  /** The indexes of all of them. */
  readonly all: readonly number[];
  /** Bit `typeCode` is set for each event type that the detector wants. */
  readonly typeMasks: readonly number[];
  /** Detectors with the same mask have the same filter number: their events are picked out once. */
  readonly filterNos: readonly number[];
  readonly filterMasks: readonly number[];
}

export interface ProjectPlan {
  readonly projectNo: number;
  readonly projectId: string;
  /** By detector index; null: off in this project. */
  readonly settings: readonly (DetectorSettings | null)[];
  readonly wantedMask: number;
  readonly hasStatus: boolean;
  readonly hasTick: boolean;
}

export function detectorTable(detectors: readonly Detector[]): DetectorTable {
  const names = new Set<string>();
  for (const { failureClass } of detectors) {
    if (names.has(failureClass)) throw new Error(`two detectors of the class ${failureClass}`);
    names.add(failureClass);
  }
  const typeMasks = detectors.map(maskOf);
  const filterMasks = [...new Set(typeMasks)];
  return {
    detectors,
    all: [...detectors.keys()],
    typeMasks,
    filterMasks,
    filterNos: typeMasks.map((mask) => filterMasks.indexOf(mask)),
  };
}

function maskOf(detector: Detector): number {
  let mask = 0;
  for (const type of detector.eventTypes) {
    const code = eventTypeCode(type);
    if (code === undefined) throw new Error(`${detector.failureClass} wants the unknown event type ${type}`);
    mask |= 1 << code;
  }
  return mask;
}

export function planProject(
  table: DetectorTable,
  project: { projectNo: number; projectId: string; detectorSettings: unknown },
): ProjectPlan {
  const { byClass } = checkDetectorSettings(project.detectorSettings, table.detectors);
  const settings = table.detectors.map(({ failureClass }) => {
    const chosen = byClass.get(failureClass);
    return chosen?.enabled ? chosen.settings : null;
  });
  let wantedMask = 0;
  let hasStatus = false;
  let hasTick = false;
  table.detectors.forEach((detector, index) => {
    if (settings[index] === null) return;
    wantedMask |= table.typeMasks[index]!;
    hasStatus ||= detector.onStatus;
    hasTick ||= detector.onTick;
  });
  return {
    projectNo: project.projectNo,
    projectId: project.projectId,
    settings,
    wantedMask,
    hasStatus,
    hasTick,
  };
}

/** True if a class is on that was off: states that stood by missed the events in between. */
export function switchesOn(before: ProjectPlan, after: ProjectPlan): boolean {
  return after.settings.some((settings, index) => settings !== null && before.settings[index] === null);
}

/** True if what fires by time may do so at another moment than before. */
export function changesTicks(table: DetectorTable, before: ProjectPlan, after: ProjectPlan): boolean {
  return table.detectors.some(
    ({ onTick }, index) => onTick && !Bun.deepEquals(before.settings[index], after.settings[index]),
  );
}

/** Codes of the types in a mask. */
export function codesOf(mask: number): number[] {
  const codes: number[] = [];
  for (let code = 1; code <= EVENT_TYPES.length; code++) if ((mask & (1 << code)) !== 0) codes.push(code);
  return codes;
}
