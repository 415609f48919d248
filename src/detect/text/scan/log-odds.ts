/** What the models over words and classes answer, as a score. */

/** Added to log-odds of 0 it makes a score of 0.7, at which what was weighed counts by itself. */
export const EVEN = Math.log(0.7 / 0.3);

export const scoreOfOdds = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds));
