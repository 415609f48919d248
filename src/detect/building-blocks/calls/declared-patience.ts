import { isFields } from "../../client-forms/fields.ts";

/**
 * How many rounds without a gain a run's own settings allow before it stops, as those who tune and train
 * write it. 0 where none is told.
 */
const PATIENCE =
  /^(?:(?:early_?stop(?:ping)?_?)?(?:patience)|early_?stop(?:ping)?_?rounds|n_?iter_?no_?change|(?:max_?)?(?:no_?improve(?:ment)?|stale|stagnation|plateau)(?:_?(?:rounds|steps|iter(?:ation)?s|trials|epochs|limit|max))?)$/i;
const MAX = 1_000;
const DEPTH_MAX = 2;
const FIELDS_MAX = 40;
const NAME_MAX = 40;

export function declaredPatience(settings: unknown, depth = 0): number {
  if (!isFields(settings)) return 0;
  let seen = 0;
  for (const name in settings) {
    if (seen++ >= FIELDS_MAX) break;
    const value = settings[name];
    if (typeof value === "number") {
      if (value > 1 && value <= MAX && name.length <= NAME_MAX && PATIENCE.test(name))
        return Math.ceil(value);
    } else if (depth < DEPTH_MAX) {
      const found = declaredPatience(value, depth + 1);
      if (found > 0) return found;
    }
  }
  return 0;
}
