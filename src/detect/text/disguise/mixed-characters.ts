const kindOf = (unit: number): number => (unit <= 57 ? 0 : unit <= 90 ? 1 : 2);

/**
 * Encoded bytes change between capitals, small letters and digits all the time; paths and identifiers seldom
 * do.
 */
export function isMixed(run: string): boolean {
  let changes = 0;
  for (let i = 1; i < run.length; i++)
    if (kindOf(run.charCodeAt(i)) !== kindOf(run.charCodeAt(i - 1))) changes++;
  return changes * 4 >= run.length;
}
