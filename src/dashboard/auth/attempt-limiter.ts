/**
 * How often one address may try a password or a one-time link. Fixed windows in memory: the dashboard is one
 * thread a process, and a restart that forgets them gives nobody more than one window. Bounded: when it is
 * full the oldest window goes.
 */

const WINDOWS_MAX = 10_000;

interface Window {
  readonly endsMs: number;
  count: number;
}

export class AttemptLimiter {
  readonly #windows = new Map<string, Window>();
  readonly #max: number;
  readonly #windowMs: number;
  readonly #clock: () => number;

  constructor(options: { max: number; windowMs: number; clock?: () => number }) {
    this.#max = options.max;
    this.#windowMs = options.windowMs;
    this.#clock = options.clock ?? (() => performance.now());
  }

  /** 0 when the attempt may go on, else the seconds to wait. */
  take(address: string): number {
    const nowMs = this.#clock();
    const key = networkOf(address);
    let window = this.#windows.get(key);
    if (window === undefined || window.endsMs <= nowMs) {
      this.#windows.delete(key);
      window = { endsMs: nowMs + this.#windowMs, count: 0 };
      const oldest = this.#windows.size < WINDOWS_MAX ? undefined : this.#windows.keys().next().value;
      if (oldest !== undefined) this.#windows.delete(oldest);
      this.#windows.set(key, window);
    }
    window.count += 1;
    return window.count <= this.#max ? 0 : Math.ceil((window.endsMs - nowMs) / 1000);
  }
}

/** An IPv6 customer holds a /64 at least: its addresses count as one. */
function networkOf(address: string): string {
  if (!address.includes(":") || address.includes(".")) return address;
  const [head = "", tail] = address.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  return [...left, ...new Array<string>(zeros).fill("0"), ...right].slice(0, 4).join(":");
}
