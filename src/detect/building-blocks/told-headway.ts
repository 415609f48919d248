import { isFields } from "../client-forms/fields.ts";

/**
 * How far a long run says that it is, and how long all of it will take at that pace: a percentage, or one
 * whole number beside another that is all there is ("epoch 3 of 8"). What does not grow tells nothing.
 */
export interface Headway {
  /** Shares from 0 to 1, and when the service heard of them; the first and the latest. */
  readonly firstShare: number;
  readonly share: number;
  readonly atMs: number;
}

const PERCENT =
  /^(?:percent(?:age)?|pct|progress)(?:_?(?:complete|completed|done|percent|pct))?$|^(?:complete|completed|done)_?(?:percent|pct)$/i;
const ALL =
  /^(?:of|out_?of|total|total_\w{2,16}|\w{2,16}_total|num_\w{2,16}|n_\w{2,16}|max_(?:steps|epochs|iterations|batches))$/i;
const FIELDS_MAX = 16;

/** A share from 0 to 1; null where the fields tell none. */
export function shareTold(fields: unknown): number | null {
  if (!isFields(fields)) return null;
  let all = 0;
  let own: number | null = null;
  let owns = 0;
  let seen = 0;
  for (const name in fields) {
    if (seen++ >= FIELDS_MAX) break;
    const value = fields[name];
    const number = typeof value === "string" && value.endsWith("%") ? Number(value.slice(0, -1)) : value;
    if (typeof number !== "number" || !Number.isFinite(number) || number < 0) continue;
    if (PERCENT.test(name)) return number <= 1 ? number : number <= 100 ? number / 100 : null;
    if (!Number.isInteger(number)) continue;
    if (ALL.test(name)) all = number;
    else {
      own = number;
      owns++;
    }
  }
  return all > 1 && own !== null && owns === 1 && own <= all ? own / all : null;
}

export function withShare(before: Headway | null, share: number, atMs: number): Headway {
  if (before === null) return { firstShare: share, share, atMs };
  return share > before.share ? { ...before, share, atMs } : before;
}

/** Of a pace that slows down a little. */
const SLACK = 1.5;
const PROJECTED_MS_MAX = 24 * 3_600_000;

/** Milliseconds that the whole run may take by what it told; 0 where that says nothing. */
export function projectedMs(headway: Headway | null, startedMs: number): number {
  if (headway === null || headway.share <= headway.firstShare) return 0;
  return Math.min(PROJECTED_MS_MAX, (SLACK * (headway.atMs - startedMs)) / headway.share);
}
