/**
 * Tells of a process that stood still: stopped by a signal, frozen with its container, or without a processor
 * for so long. Whoever reads the log then knows why nothing was answered, and what the lost connections and
 * late deliveries behind it come from.
 */

const lookEveryMs = 1000;
const toldFromMs = 10_000;

/** Calls back each time the process goes on, with how long it stood. */
export function watchStandstill(onOver: (stoodMs: number) => void): void {
  let lookedAt = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    const stoodMs = now - lookedAt;
    lookedAt = now;
    if (stoodMs >= toldFromMs) onOver(Math.round(stoodMs));
  }, lookEveryMs);
  timer.unref();
}
