/**
 * What a project's finished runs do nearly every time, and since how many runs no longer: a list that a
 * project's memory can hold. What was missing in a row before must be missing more than twice as often in a
 * row to be news, so that a project in which several agents take turns is told of that once. What is added is
 * never taken off; further names than fit are not watched.
 */
export interface Habits {
  readonly runs: number;
  readonly known: readonly Habit[];
}

/**
 * A name, the runs before its first, the runs with it, the latest ones without it, and the longest such row
 * that ended.
 */
type Habit = readonly [name: string, since: number, count: number, missing: number, longest: number];

export interface HabitLimits {
  /** Runs from the first with it to the last. */
  readonly runsMin: number;
  /** Share of these that had it. */
  readonly shareMin: number;
  /** Runs in a row without it. */
  readonly missingMin: number;
}

const NAMES_MAX = 24;
const NAME_CHARS_MAX = 40;
const BYTES_MAX = 1_800;
/** Runs after which older ones weigh less. */
const RUNS_REMEMBERED = 400;

export function readHabits(value: unknown): Habits {
  if (typeof value !== "object" || value === null) return { runs: 0, known: [] };
  const { runs, known } = value as Record<string, unknown>;
  return typeof runs === "number" && Array.isArray(known)
    ? { runs, known: known.filter(isHabit) }
    : { runs: 0, known: [] };
}

const isHabit = (value: unknown): value is Habit =>
  Array.isArray(value) && typeof value[0] === "string" && value.slice(1, 5).every(Number.isFinite);

/** The habits with another run, and those that this run makes news of. */
export function withRun(
  { runs, known }: Habits,
  done: readonly string[],
  limits: HabitLimits,
): { readonly habits: Habits; readonly gone: readonly string[] } {
  const names = new Set(done.map(nameOf));
  const gone: string[] = [];
  const next: Habit[] = known.map((habit) => {
    const [name, since, count, missing, longest] = habit;
    if (names.delete(name)) return [name, since, count + 1, 0, Math.max(longest, missing)];
    const lasted = runs - since - missing;
    const isHabitual = lasted >= limits.runsMin && count >= limits.shareMin * lasted;
    if (isHabitual && missing + 1 === Math.max(limits.missingMin, 2 * longest + 1)) gone.push(name);
    return [name, since, count, missing + 1, longest];
  });
  for (const name of names) if (next.length < NAMES_MAX) next.push([name, runs, 1, 0, 0]);
  while (next.length > 0 && Buffer.byteLength(JSON.stringify(next)) > BYTES_MAX) next.pop();
  const isLong = runs + 1 >= RUNS_REMEMBERED;
  return { habits: isLong ? halved({ runs: runs + 1, known: next }) : { runs: runs + 1, known: next }, gone };
}

/**
 * True if a run does all that is habitual, and nothing of it was missing before: of many such a few tell as
 * much.
 */
export function isAsEver(
  { runs, known }: Habits,
  done: readonly string[],
  { runsMin, shareMin }: HabitLimits,
): boolean {
  const names = new Set(done.map(nameOf));
  return known.every(([name, since, count, missing]) => {
    const lasted = runs - since - missing;
    const isHabitual = lasted >= runsMin && count >= shareMin * lasted;
    return !isHabitual || (missing === 0 && names.has(name));
  });
}

/** A name as it is kept, cut so that one key of the memory holds them all. */
export const nameOf = (name: string): string => name.slice(0, NAME_CHARS_MAX).toWellFormed();

/** Shares, rows and ages stay what they are. */
function halved({ runs, known }: Habits): Habits {
  const half = (count: number) => Math.round(count / 2);
  return {
    runs: half(runs),
    known: known.map(([name, since, count, missing, longest]) => {
      const lasted = half(runs - since - missing);
      return [name, half(runs) - lasted - missing, Math.min(lasted, half(count)), missing, longest];
    }),
  };
}
