/**
 * Whether a run went on behind an exception: two calls of the model or of tools with a higher sequence,
 * whatever came of them. A handler that reports an exception and lets it through is followed by one call at
 * most. The two highest numbers are all it takes, in any order of arrival.
 */
export interface CallsBehind {
  highest: number;
  second: number;
}

export const noCallsYet = (): CallsBehind => ({ highest: -1, second: -1 });

export function noteCall(calls: CallsBehind, sequence: number): void {
  if (sequence > calls.highest) {
    calls.second = calls.highest;
    calls.highest = sequence;
  } else if (sequence > calls.second && sequence < calls.highest) calls.second = sequence;
}

export const wentOnAfter = (calls: CallsBehind, sequence: number): boolean => calls.second > sequence;
