/** Student's t that one value in a thousand passes, for 1 to 9 degrees of freedom. */
const STUDENT = [318.3, 22.33, 10.21, 7.17, 5.89, 5.21, 4.79, 4.5, 4.3];

/**
 * How far from the mean of n samples one more of the same normal distribution lies at most, on one side, in
 * 999 of 1,000 cases: t · s · √(1 + 1/n). `deviation`: of the samples, with n − 1. From eleven samples on as
 * for ten.
 */
export function predictedReach(n: number, deviation: number): number {
  const t = STUDENT[Math.min(STUDENT.length, n - 1) - 1] ?? Number.POSITIVE_INFINITY;
  return t * deviation * Math.sqrt(1 + 1 / n);
}
