/** The evidence of all the signs that hold, taken together as that of matches is: 1 − ∏(1 − weight). */
export function weightOfSigns<Sign extends string>(
  signs: Readonly<Record<Sign, boolean>>,
  weights: Readonly<Record<Sign, number>>,
): number {
  let doubt = 1;
  for (const sign in signs) if (signs[sign]) doubt *= 1 - weights[sign];
  return 1 - doubt;
}
