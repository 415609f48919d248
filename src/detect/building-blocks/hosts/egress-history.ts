/**
 * What a project's memory keeps of all its contacts: counts, from which the rules tell whether its set of
 * hosts is settled. Pure.
 */
export interface History {
  readonly executions: number;
  readonly egress: number;
  readonly hosts: number;
  readonly firstMs: number;
  /**
   * How many executions there were when the newest host was met; less once `executions` has stopped counting.
   */
  readonly newestAt: number;
  /** Bytes of the largest contact, while the project is young. */
  readonly sentMax: number;
}

/**
 * Counters stop here; from then on each further execution lowers `newestAt`, so that the executions since the
 * newest host go on counting.
 */
const COUNTED_MAX = 1000;

/** Later on the other rules know a settled set. */
export const isYoung = (history: History | null): boolean => (history?.executions ?? 0) < ROUTE_RUNS_MAX;

/** Bytes that a contact took out; 0 where it does not say. */
export function sentIn({ bytes_out: sent }: Readonly<Record<string, unknown>>): number {
  return typeof sent === "number" && sent > 0 ? sent : 0;
}

export function countContact(
  history: History | null,
  isFirst: boolean,
  timestampMs: number,
  sent: number,
): History {
  const known = history ?? {
    executions: 0,
    egress: 0,
    hosts: 0,
    firstMs: timestampMs,
    newestAt: 0,
    sentMax: 0,
  };
  const isFull = known.executions >= COUNTED_MAX;
  const executions = isFirst && !isFull ? known.executions + 1 : known.executions;
  const newestAt = isFirst && isFull ? Math.max(0, known.newestAt - 1) : known.newestAt;
  const egress = Math.min(COUNTED_MAX, known.egress + 1);
  const sentMax = isYoung(known) ? Math.max(known.sentMax, sent) : known.sentMax;
  const isSame = executions === known.executions && egress === known.egress && newestAt === known.newestAt;
  if (history !== null && isSame) return history;
  return { ...known, executions, egress, newestAt, sentMax, firstMs: Math.min(known.firstMs, timestampMs) };
}

export function readHistory(value: unknown): History | null {
  if (typeof value !== "object" || value === null) return null;
  const { executions, egress, hosts, firstMs, newestAt, sentMax } = value as Record<string, unknown>;
  if (typeof executions !== "number" || typeof egress !== "number") return null;
  if (typeof hosts !== "number" || typeof firstMs !== "number") return null;
  // Not kept by earlier versions: it is counted from here on.
  return {
    executions,
    egress,
    hosts,
    firstMs,
    newestAt: typeof newestAt === "number" ? newestAt : executions,
    sentMax: typeof sentMax === "number" ? sentMax : Number.MAX_SAFE_INTEGER,
  };
}

const ROUTE_RUNS_MAX = 20;
const ROUTE_HOSTS_MIN = 2;
const ROUTE_CONTACTS_MIN = 8;
/**
 * Times as many bytes as the largest contact so far took out: what goes to another host is other data, too.
 */
const ROUTE_SENT_FACTOR = 2;

/**
 * Each run so far contacted all of the same hosts, as a route that is gone each time: then four runs say
 * where it leads, for a tool that was on it before (one that is new brings a host of its own) and that takes
 * out more than was taken anywhere.
 */
export function hasOneRoute(
  history: History | null,
  earlier: { readonly runs: number; readonly contacts: number },
  runsMin: number,
): boolean {
  if (history === null) return false;
  const { newestAt, hosts } = history;
  return (
    newestAt === 1 &&
    hosts >= ROUTE_HOSTS_MIN &&
    earlier.runs >= runsMin &&
    earlier.contacts >= Math.max(ROUTE_CONTACTS_MIN, earlier.runs * hosts)
  );
}

export const takesMore = (sent: number, sentMax: number): boolean =>
  sentMax > 0 && sent > ROUTE_SENT_FACTOR * sentMax;
