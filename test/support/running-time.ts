/**
 * A clock that stands still while this process does: of a longer pause between two ticks only LATE_MS_MAX
 * count. For bounds of what a caller waits for, which a machine that stalls would else overstep.
 */

const TICK_MS = 50;
const LATE_MS_MAX = 250;

let ranMs = 0;
let tickedMs = performance.now();
let ticking: ReturnType<typeof setInterval> | undefined;

function tick(): void {
  const nowMs = performance.now();
  ranMs += Math.min(nowMs - tickedMs, LATE_MS_MAX);
  tickedMs = nowMs;
}

/** Milliseconds in which the process ran, from some moment on. */
export function runningMs(): number {
  if (ticking === undefined) {
    tickedMs = performance.now();
    ticking = setInterval(tick, TICK_MS);
    ticking.unref();
  }
  tick();
  return ranMs;
}
