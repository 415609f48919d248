import {
  type BatchShare,
  findExecutionNos,
  listBatchShares,
  listStoredBatches,
  readCommitFloor,
  readShareEvents,
  type StoredBatch,
} from "../../store/dashboard/live.ts";
import type { Sql } from "../../store/database/connect.ts";
import { PAYLOAD_CHARS_MAX, type TailItem, tailItem } from "./live-event.ts";
import type { Viewer } from "./viewer.ts";

/**
 * Follows what is stored in one project, for all that watch it. Invariants: each batch is read once, however
 * late its transaction commits; a second reads at most `eventsPerSecond` events (and a burst), the rest is
 * counted as skipped; while nobody watches, nothing is read. When the database is away it says so and goes on
 * where it was.
 */
export interface TailLimits {
  readonly pollMs: number;
  /** A poll that takes longer counts as a database that is away, until it ends. */
  readonly lateMs: number;
  readonly eventsPerSecond: number;
  /** Events that may be read at once after a quiet time. */
  readonly burst: number;
  /** Items kept for those who come, or come back. */
  readonly keptMax: number;
  readonly keptCharsMax: number;
  /** How long to go on after the last one left: a browser that lost its connection comes back. */
  readonly lingerMs: number;
}

/** How far back the tail begins. */
const BACK_US = 60_000_000;
/** A transaction that runs longer holds nothing up; what it stores then is not shown. */
const OVERLAP_US_MAX = 60_000_000;
/** A clock that is set back a little loses nothing. */
const SLACK_US = 1_000_000;
const BATCHES_SAMPLED_MAX = 64;
const SHARES_MAX = 512;
const REPORT_MS = 1_000;
const FAILURE_PAUSE_MS = 2_000;
const WANTED_EVENTS_PER_SHARE = 200;

export class ProjectTail {
  readonly #viewers = new Set<Viewer>();
  readonly #id = crypto.randomUUID().slice(0, 8);
  /** Batches read, by the time they were stored: those that may be listed again. */
  readonly #seen = new Map<number, number>();
  readonly #wanted = new Map<string, number>();
  #kept: TailItem[] = [];
  #keptChars = 0;
  #lastNo = 0;
  #fromUs: number | null = null;
  #tokens: number;
  #stored = 0;
  #skipped = 0;
  #reportedMs = performance.now();
  #filledMs = performance.now();
  #aloneSinceMs = performance.now();
  #polledMs = performance.now();
  #isAway = false;
  #isStopped = false;

  constructor(
    readonly sql: Sql,
    readonly projectNo: number,
    readonly limits: TailLimits,
    readonly onStop: (tail: ProjectTail) => void,
  ) {
    this.#tokens = limits.burst;
    void this.#follow();
  }

  get id(): string {
    return this.#id;
  }

  /** `lastEventId`: the id of the last message that the browser got. */
  add(viewer: Viewer, lastEventId: string | null): void {
    const resumedAt = this.#placeOf(lastEventId);
    viewer.notice("hello", { resumed: resumedAt !== null, events_per_second: this.limits.eventsPerSecond });
    if (this.#isAway) viewer.notice("store", { state: "away" });
    if (resumedAt === null) viewer.offer(this.#kept);
    else {
      const first = this.#kept[0]?.no ?? this.#lastNo + 1;
      if (first > resumedAt + 1) viewer.missed(first - resumedAt - 1);
      viewer.offer(this.#kept.filter((item) => item.no > resumedAt));
    }
    this.#viewers.add(viewer);
  }

  remove(viewer: Viewer): void {
    this.#viewers.delete(viewer);
    this.#aloneSinceMs = performance.now();
    const { executionId } = viewer.filter;
    if (executionId !== null && ![...this.#viewers].some((one) => one.filter.executionId === executionId)) {
      this.#wanted.delete(executionId);
    }
  }

  #placeOf(lastEventId: string | null): number | null {
    const [id, no] = lastEventId?.split(".") ?? [];
    const place = Number(no);
    return id === this.#id && Number.isSafeInteger(place) && place <= this.#lastNo ? place : null;
  }

  async #follow(): Promise<void> {
    // A database that hangs refuses nothing: the poll just does not end.
    const { lateMs } = this.limits;
    const watch = setInterval(() => {
      if (performance.now() - this.#polledMs > lateMs) this.#tellAway(true);
    }, lateMs / 2);
    while (!this.#isStopped) {
      const beganMs = performance.now();
      try {
        await this.#poll();
        this.#tellAway(false);
      } catch {
        this.#tellAway(true);
        await Bun.sleep(FAILURE_PAUSE_MS);
      }
      this.#polledMs = performance.now();
      this.#report();
      if (this.#viewers.size === 0 && performance.now() - this.#aloneSinceMs > this.limits.lingerMs) break;
      await Bun.sleep(Math.max(0, this.limits.pollMs - (performance.now() - beganMs)));
    }
    this.#isStopped = true;
    clearInterval(watch);
    this.onStop(this);
  }

  stop(reason: string): void {
    this.#isStopped = true;
    for (const viewer of [...this.#viewers]) viewer.end(reason);
  }

  async #poll(): Promise<void> {
    const { sql, projectNo } = this;
    const { floorUs, nowUs } = await readCommitFloor(sql);
    const isFirst = this.#fromUs === null;
    const fromUs = this.#fromUs ?? nowUs - BACK_US;
    const listed = await listStoredBatches(sql, projectNo, fromUs);
    const fresh = listed.filter((batch) => !this.#seen.has(batch.batchNo));
    const shown = await this.#read(fresh);
    // Only now, so that after a failure the next poll reads the same batches.
    for (const batch of fresh) this.#seen.set(batch.batchNo, batch.storedUs);
    this.#fromUs = Math.max(fromUs, Math.max(floorUs, nowUs - OVERLAP_US_MAX) - SLACK_US);
    for (const [batchNo, storedUs] of this.#seen) if (storedUs < this.#fromUs) this.#seen.delete(batchNo);
    // What was stored before anybody looked counts for no rate.
    if (isFirst) return;
    const stored = fresh.reduce((sum, batch) => sum + batch.eventCount, 0);
    this.#stored += stored;
    this.#skipped += Math.max(0, stored - shown);
  }

  /** Reads and hands out the events of new batches, or a sample of them; how many. */
  async #read(fresh: readonly StoredBatch[]): Promise<number> {
    if (fresh.length === 0) return 0;
    const { sql, projectNo } = this;
    const total = fresh.reduce((sum, batch) => sum + batch.eventCount, 0);
    const budget = this.#refill();
    const isWhole = total <= budget;
    const wanted = await this.#wantedExecutions();
    const batches = isWhole ? fresh : sampleOf(fresh, BATCHES_SAMPLED_MAX);
    const batchNos = (wanted.length > 0 ? fresh : batches).map((batch) => batch.batchNo);
    const all = await listBatchShares(sql, projectNo, {
      batchNos,
      sharesPerBatch: isWhole ? total : Math.ceil(SHARES_MAX / batches.length),
      wantedExecutionNos: wanted,
    });
    const isWanted = (share: BatchShare) => wanted.includes(share.executionNo);
    const sampled = new Set(batches.map((batch) => batch.batchNo));
    const others = all.filter((share) => sampled.has(share.batchNo) && !isWanted(share));
    const shares = isWhole ? others : sampleOf(others, SHARES_MAX);
    const perShare = Math.ceil(budget / Math.max(1, shares.length));
    const items = isWhole
      ? await this.#readShares(all, total, total)
      : [
          ...(await this.#readShares(all.filter(isWanted), WANTED_EVENTS_PER_SHARE, this.limits.burst)),
          ...(await this.#readShares(shares, perShare, Math.floor(budget))),
        ];
    this.#tokens = Math.max(0, this.#tokens - items.length);
    this.#hand(items);
    return items.length;
  }

  async #readShares(
    shares: readonly BatchShare[],
    eventsPerShare: number,
    eventsMax: number,
  ): Promise<TailItem[]> {
    if (shares.length === 0 || eventsMax < 1) return [];
    const events = await readShareEvents(this.sql, this.projectNo, {
      shares,
      eventsPerShare,
      eventsMax,
      payloadChars: PAYLOAD_CHARS_MAX,
    });
    events.sort(
      (a, b) =>
        compare(a.received_at, b.received_at) ||
        compare(a.execution_id, b.execution_id) ||
        a.sequence - b.sequence,
    );
    return events.map((event) => tailItem(++this.#lastNo, event));
  }

  /** Executions that somebody watches by name: their events are shown before any others. */
  async #wantedExecutions(): Promise<number[]> {
    const ids = new Set<string>();
    for (const { filter } of this.#viewers) if (filter.executionId !== null) ids.add(filter.executionId);
    const unknown = [...ids].filter((id) => !this.#wanted.has(id));
    if (unknown.length > 0) {
      for (const found of await findExecutionNos(this.sql, this.projectNo, unknown)) {
        this.#wanted.set(found.executionId, found.executionNo);
      }
    }
    return [...this.#wanted.values()];
  }

  #refill(): number {
    const nowMs = performance.now();
    const grown = ((nowMs - this.#filledMs) / 1_000) * this.limits.eventsPerSecond;
    this.#filledMs = nowMs;
    this.#tokens = Math.min(this.limits.burst, this.#tokens + grown);
    return this.#tokens;
  }

  #hand(items: readonly TailItem[]): void {
    for (const viewer of this.#viewers) viewer.offer(items);
    this.#kept.push(...items);
    for (const item of items) this.#keptChars += item.size;
    let gone = 0;
    while (this.#kept.length - gone > this.limits.keptMax || this.#keptChars > this.limits.keptCharsMax) {
      this.#keptChars -= this.#kept[gone]?.size ?? 0;
      gone++;
    }
    if (gone > 0) this.#kept = this.#kept.slice(gone);
  }

  #report(): void {
    const seconds = (performance.now() - this.#reportedMs) / 1_000;
    if (seconds * 1_000 < REPORT_MS) return;
    for (const viewer of this.#viewers) {
      viewer.report({ stored: this.#stored, skipped: this.#skipped, seconds });
    }
    this.#stored = 0;
    this.#skipped = 0;
    this.#reportedMs = performance.now();
  }

  #tellAway(isAway: boolean): void {
    if (isAway === this.#isAway) return;
    this.#isAway = isAway;
    for (const viewer of this.#viewers) viewer.notice("store", { state: isAway ? "away" : "back" });
  }
}

/** Evenly spread over the list. */
function sampleOf<T>(list: readonly T[], count: number): readonly T[] {
  if (list.length <= count) return list;
  return Array.from({ length: count }, (_unused, at) => list[Math.floor((at * list.length) / count)] as T);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
