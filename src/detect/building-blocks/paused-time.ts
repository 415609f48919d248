/**
 * How long of its time a run waited, as it said itself. Each wait lasts from the event that tells of it to
 * the next by sequence, by the client's clock; the last one until now. Bounded: of many waits the latest
 * count.
 */
export interface PausedTime {
  readonly waits: OpenWait[];
  /** Waits that were over when they were told of. */
  tookMs: number;
  /** The latest event. */
  lastSeq: number;
  lastMs: number;
}

interface OpenWait {
  readonly seq: number;
  readonly fromMs: number;
  readonly receivedMs: number;
  readonly untilMs: number | null;
  /** The next event's, once there is one. */
  nextSeq: number;
  nextMs: number;
}

/** No event has so high a sequence number. */
const NOT_YET = Number.MAX_SAFE_INTEGER;
const WAITS_MAX = 24;
/** Somebody who has not answered by then does not. */
const WAIT_MS_MAX = 3 * 24 * 3_600_000;
/** What was waited for may come a little late. */
const LATE_MS = 3_600_000;

export const noPause = (): PausedTime => ({ waits: [], tookMs: 0, lastSeq: -1, lastMs: 0 });

export function noteMoment(paused: PausedTime, seq: number, atMs: number): void {
  for (let i = 0; i < paused.waits.length; i++) {
    const wait = paused.waits[i]!;
    if (seq > wait.seq && seq < wait.nextSeq) {
      wait.nextSeq = seq;
      wait.nextMs = atMs;
    }
  }
  if (seq <= paused.lastSeq) return;
  paused.lastSeq = seq;
  paused.lastMs = atMs;
}

/** `seq`: of the event that tells of it. One that arrives behind later ones is over already. */
export function noteWait(
  paused: PausedTime,
  seq: number,
  fromMs: number,
  receivedMs: number,
  untilMs: number | null,
): void {
  if (seq < paused.lastSeq) return;
  if (paused.waits.length >= WAITS_MAX) {
    paused.tookMs += lasted(paused.waits[0]!);
    paused.waits.shift();
  }
  paused.waits.push({ seq, fromMs, receivedMs, untilMs, nextSeq: NOT_YET, nextMs: 0 });
}

const allowed = ({ fromMs, untilMs }: OpenWait): number =>
  Math.min(WAIT_MS_MAX, untilMs === null || untilMs <= fromMs ? WAIT_MS_MAX : untilMs - fromMs + LATE_MS);

const isOver = ({ nextSeq }: OpenWait): boolean => nextSeq !== NOT_YET;

const lasted = (wait: OpenWait): number =>
  isOver(wait) ? Math.max(0, Math.min(wait.nextMs - wait.fromMs, allowed(wait))) : 0;

/** All waits that are over. */
export const pausedMs = ({ waits, tookMs }: PausedTime): number =>
  waits.reduce((sum, one) => sum + lasted(one), tookMs);

/** The wait that goes on, by the service's clock: since when, and for how long at most. */
export function openWait({
  waits,
}: PausedTime): { readonly sinceMs: number; readonly mostMs: number } | null {
  const last = waits.at(-1);
  return last === undefined || isOver(last) ? null : { sinceMs: last.receivedMs, mostMs: allowed(last) };
}
