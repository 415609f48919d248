import { type Habits, nameOf } from "./habits.ts";

/** What nearly every run of a project did, where the runs did hardly anything else. */
export interface SteadyCore {
  /** Of the core, what a run that did these left out. */
  missingIn(done: readonly string[]): readonly string[];
  readonly size: number;
  /** Whether any run did it. */
  knows(name: string): boolean;
}

/** Of all that was done, what is not of the core. */
const OTHERS_SHARE_MAX = 0.1;
/** Runs that had a name, of those since the first: one in twenty may have left it out. */
const SHARE_MIN = 0.95;

/** null where the runs are too few, or differ. */
export function steadyCore({ runs, known }: Habits, runsMin: number): SteadyCore | null {
  if (runs < runsMin) return null;
  const core: string[] = [];
  let inCore = 0;
  let others = 0;
  for (const [name, , count, missing] of known) {
    if (missing === 0 && count >= SHARE_MIN * runs) {
      core.push(name);
      inCore += count;
    } else others += count;
  }
  if (core.length === 0 || others > OTHERS_SHARE_MAX * (inCore + others)) return null;
  return {
    size: core.length,
    missingIn: (done) => {
      const names = new Set(done.map(nameOf));
      return core.filter((name) => !names.has(name));
    },
    knows: (name) => known.some(([one]) => one === nameOf(name)),
  };
}
