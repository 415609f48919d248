import { codeOf, isRowAtFault, isWantOfRoom } from "../../store/database/failure.ts";
import type { FlushPart, StoredKey } from "../../store/telemetry/event-copy.ts";
import type { EventWriter } from "../../store/telemetry/event-writer.ts";
import { PackBuffer } from "../../store/telemetry/pack-buffer.ts";
import type { Availability } from "../availability.ts";
import type { Sender } from "../outcome-tally.ts";
import type { BatchNumbers } from "./batch-numbers.ts";
import { PendingFlush, type Share, type ShareSummary, type StoreResult } from "./flush.ts";
import { type Lane, type LaneName, laneOf } from "./lane.ts";
import type { PackTurns } from "./pack-turns.ts";
import { countStored, KeyBag, settleByKeys } from "./stored-keys.ts";

/**
 * Group commit: requests that arrive together share one COPY and are answered on its commit.
 *
 *   open ──(a writer is free, and enough rows or waited long enough)──▶ writing ──▶ committed: each share answered
 *     ▲                                                        │
 *   requests append                                            ├─ refused ──▶ the careful lane, same rows
 *                                                              └─ unknown ──▶ the careful lane once PostgreSQL is back
 *
 * Two lanes with the same queue discipline: `fast` copies straight into the partitions and knows no
 * duplicates; `careful` stores what is not stored yet, and is where suspected duplicates go at once. No two
 * flushes under way hold events of the same execution (pack-turns.ts): the later one waits, and others may
 * overtake it. On the careful lane a refusal splits the flush into its shares, so a row that PostgreSQL
 * refuses fails only its own request. Nothing is answered before a commit; nothing is kept after an answer,
 * except a flush whose fate is unknown: it is written until its fate is known, though its requests were told
 * 503 after UNKNOWN_ANSWER_MS.
 */

/** How long a request waits for a lost connection's flush to be settled before it is told to come back. */
export const UNKNOWN_ANSWER_MS = 2_000;
const BUFFER_BYTES = 1_048_576;
/** A buffer grown beyond this by a burst is not kept for the next flush. */
const BUFFER_KEPT_BYTES_MAX = 4 * BUFFER_BYTES;
/** Tries on the careful lane for a share that fails without being at fault (deadlock, no space, …). */
const CAREFUL_TRIES_MAX = 3;

export interface GroupCommitObserver {
  /** A flush was written; durations in milliseconds. */
  flushed(lane: LaneName, events: number, shares: number, waitedMs: number, wroteMs: number): void;
  refused(lane: LaneName, error: unknown): void;
  /** After a commit in which every row is new: the COPY bytes, valid only during the call. */
  committed(batchNo: number, parts: readonly FlushPart[], rows: Uint8Array): void;
  /** What became of a request that was told 503; `stored` undefined: PostgreSQL refused its flush. */
  settledLate(sender: Sender, events: number, stored: number | undefined): void;
}

export interface GroupCommitOptions {
  readonly fastWriters: readonly EventWriter[];
  readonly carefulWriters: readonly EventWriter[];
  readonly numbers: BatchNumbers;
  readonly turns: PackTurns;
  readonly availability: Availability;
  readonly observer: GroupCommitObserver;
  /** Events that make a flush worth sending while others are under way. */
  readonly flushEventsMin: number;
  readonly flushEventsMax: number;
  readonly flushDelayMsMax: number;
}

export class GroupCommit {
  readonly #options: GroupCommitOptions;
  readonly #fast: Lane;
  readonly #careful: Lane;
  readonly #spare: PackBuffer[] = [];
  #writing = 0;
  #idleWaiters: (() => void)[] = [];

  constructor(options: GroupCommitOptions) {
    this.#options = options;
    this.#fast = laneOf("fast", options.fastWriters);
    this.#careful = laneOf("careful", options.carefulWriters);
  }

  /** The open flush of a lane, to append to; undefined without a batch number (PostgreSQL is away). */
  open(name: LaneName): PendingFlush | undefined {
    const lane = name === "fast" ? this.#fast : this.#careful;
    if (lane.open === undefined) {
      const batchNo = this.#options.numbers.next();
      if (batchNo === undefined) return undefined;
      lane.open = new PendingFlush(this.#buffer(), batchNo);
      lane.open.openedMs = performance.now();
    }
    return lane.open;
  }

  /** Hands over what was appended to the open flush since `start`; resolves when it is settled. */
  commit(name: LaneName, start: number, summary: ShareSummary): Promise<StoreResult> {
    const lane = name === "fast" ? this.#fast : this.#careful;
    const flush = lane.open!;
    flush.rows.closePack();
    const result = new Promise<StoreResult>((settle) => {
      const share = {
        sender: summary.sender,
        start,
        end: flush.rows.length,
        events: summary.events,
        settle,
      };
      flush.addShare(share, summary);
    });
    if (flush.events >= this.#options.flushEventsMax) this.#seal(lane);
    this.#schedule(lane);
    return result;
  }

  /** For a batch that will not be stored after all: its ids were noted, and take memory. */
  dropped(summary: ShareSummary): void {
    this.#options.turns.noted(summary.executions);
  }

  /** Flushes open or being written; for the metrics. */
  get depth(): { fast: number; careful: number; writing: number } {
    const depthOf = (lane: Lane) => lane.sealed.length + (lane.open?.shares.length ? 1 : 0);
    return { fast: depthOf(this.#fast), careful: depthOf(this.#careful), writing: this.#writing };
  }

  /**
   * Answers 503 to every request that still waits for a writer and drops its rows, none of which was sent.
   * For when PostgreSQL stays away and the writers are busy finding out what became of their flushes.
   */
  giveUpWaiting(): void {
    for (const lane of [this.#fast, this.#careful]) {
      if (lane.open !== undefined && lane.open.shares.length > 0) this.#seal(lane);
      for (const flush of lane.sealed.splice(0)) {
        this.#tellUnavailable(flush);
        this.#options.turns.leave(flush);
        this.#recycle(flush.rows);
      }
    }
  }

  /** Resolves when nothing is open and nothing is being written. */
  async drained(): Promise<void> {
    while (this.#writing > 0 || this.depth.fast > 0 || this.depth.careful > 0) {
      this.#pump(this.#fast, true);
      this.#pump(this.#careful, true);
      await new Promise<void>((resolve) => this.#idleWaiters.push(resolve));
    }
  }

  #schedule(lane: Lane): void {
    if (lane.scheduled) return;
    lane.scheduled = true;
    // After this turn of the event loop: requests read in the same turn share the flush.
    setImmediate(() => {
      lane.scheduled = false;
      this.#pump(lane, false);
    });
  }

  #pump(lane: Lane, now: boolean): void {
    while (lane.idle.length > 0) {
      const ready = lane.sealed.findIndex((flush) => this.#options.turns.mayBegin(flush));
      if (ready !== -1) {
        void this.#write(lane, lane.sealed.splice(ready, 1)[0]!, lane.idle.pop()!);
        continue;
      }
      const open = lane.open;
      if (open === undefined || open.shares.length === 0) return;
      const waitedMs = performance.now() - open.openedMs;
      const alone = lane.idle.length === lane.writers;
      if (
        !now &&
        !alone &&
        open.events < this.#options.flushEventsMin &&
        waitedMs < this.#options.flushDelayMsMax
      ) {
        lane.timer ??= setTimeout(() => {
          lane.timer = undefined;
          this.#pump(lane, false);
        }, this.#options.flushDelayMsMax - waitedMs);
        return;
      }
      // It stays open while it waits for another flush, whose end pumps again.
      if (!this.#options.turns.mayBegin(open)) return;
      this.#seal(lane);
    }
  }

  #seal(lane: Lane): void {
    lane.sealed.push(lane.open!);
    lane.open = undefined;
    clearTimeout(lane.timer);
    lane.timer = undefined;
  }

  async #write(lane: Lane, flush: PendingFlush, writer: EventWriter): Promise<void> {
    this.#writing++;
    const startedMs = performance.now();
    this.#options.turns.begin(flush);
    try {
      const prepared = await this.#prepare(lane, flush, writer);
      if (prepared === "unknown") await this.#settleUnknown(flush, writer);
      else if (prepared === "refused") this.#tellUnavailable(flush);
      else if (prepared === "fast") await this.#writeFast(flush, writer);
      else await this.#writeCareful(flush, writer);
    } catch (error) {
      // A broken invariant, not a database error: no request may be left waiting.
      this.#options.observer.refused(lane.name, error);
      this.#options.turns.forget(flush);
      this.#tellUnavailable(flush);
    }
    this.#options.turns.end(flush);
    this.#options.observer.flushed(
      lane.name,
      flush.events,
      flush.shares.length,
      startedMs - flush.openedMs,
      performance.now() - startedMs,
    );
    this.#recycle(flush.rows);
    lane.idle.push(writer);
    this.#writing--;
    // Flushes of either lane may have waited for this one's executions; the other lane goes first.
    this.#pump(lane === this.#fast ? this.#careful : this.#fast, false);
    this.#pump(lane, false);
    for (const wake of this.#idleWaiters.splice(0)) wake();
  }

  /** Decides on the lane, or says why nothing can be written. No row has been sent by then. */
  async #prepare(
    lane: Lane,
    flush: PendingFlush,
    writer: EventWriter,
  ): Promise<LaneName | "refused" | "unknown"> {
    const claimed = await this.#claim(flush, writer);
    if (claimed !== "as_proposed") return claimed === "differs" ? "careful" : claimed;
    if (lane.name === "careful" || flush.holdsTwice) return "careful";
    const { turns } = this.#options;
    const requests = turns.toRead(flush);
    if (requests.length === 0) return "fast";
    const found = await writer.storedIds(requests);
    if ("kind" in found) {
      if (found.kind === "unknown") {
        this.#options.availability.lost(found.error);
        return "unknown";
      }
      this.#options.observer.refused("fast", found.error);
      return "careful";
    }
    return turns.takeIn(flush, found) ? "careful" : "fast";
  }

  /**
   * Claims the home days that this flush proposed. If another day stands already, claimed here or by another
   * flush, the flush goes to the careful lane. Refused: PostgreSQL answers but takes no writes.
   */
  async #claim(
    flush: PendingFlush,
    writer: EventWriter,
  ): Promise<"as_proposed" | "differs" | "refused" | "unknown"> {
    for (let tries = 1; ; tries++) {
      const claimed = await this.#tryClaim(flush, writer);
      if (claimed !== "refused" || tries === CAREFUL_TRIES_MAX) return claimed;
    }
  }

  async #tryClaim(
    flush: PendingFlush,
    writer: EventWriter,
  ): Promise<"as_proposed" | "differs" | "refused" | "unknown"> {
    const open = [...flush.claims].filter((execution) => !execution.homeDayClaimed);
    if (open.length === 0) return flush.hasHomeDays ? "as_proposed" : "differs";
    const claims = new Map(
      open.map(({ projectNo, executionNo, homeDay }) => [
        executionNo,
        { projectNo, executionNo, day: homeDay! },
      ]),
    );
    const result = await writer.claimHomeDays([...claims.values()]);
    if ("kind" in result) {
      if (result.kind === "refused") {
        this.#options.observer.refused("careful", result.error);
        return "refused";
      }
      this.#options.availability.lost(result.error);
      return "unknown";
    }
    const standing = new Map(result.map(({ executionNo, homeDay }) => [executionNo, homeDay]));
    for (const execution of open) {
      const homeDay = standing.get(execution.executionNo);
      if (homeDay !== execution.homeDay) execution.forgetPacks();
      execution.homeDay = homeDay;
      execution.homeDayClaimed = homeDay !== undefined;
    }
    return flush.hasHomeDays ? "as_proposed" : "differs";
  }

  async #writeFast(flush: PendingFlush, writer: EventWriter): Promise<void> {
    const { turns } = this.#options;
    const nextPackNos = turns.number(flush);
    const bytes = flush.toFlush();
    const result = await writer.copy(bytes);
    switch (result.kind) {
      case "committed":
        turns.committed(flush, nextPackNos);
        this.#noteEnvironments(flush);
        this.#options.observer.committed(flush.batchNo, bytes.batches, bytes.rows);
        for (const share of flush.shares)
          share.settle({ kind: "stored", accepted: share.events, duplicates: 0 });
        return;
      case "refused":
        this.#options.observer.refused("fast", result.error);
        return await this.#writeCareful(flush, writer);
      case "unknown":
        this.#options.availability.lost(result.error);
        return await this.#settleUnknown(flush, writer);
    }
  }

  async #writeCareful(flush: PendingFlush, writer: EventWriter): Promise<void> {
    const result = await writer.insert(flush.toFlush());
    switch (result.kind) {
      case "committed":
        this.#options.turns.forget(flush, result.firstFree);
        this.#noteEnvironments(flush);
        return settleByKeys(flush, flush.shares, result.stored);
      case "refused":
        this.#options.turns.forget(flush);
        this.#options.observer.refused("careful", result.error);
        if (isWantOfRoom(result.error)) return this.#tellUnavailable(flush);
        return await this.#writeShares(flush, writer);
      case "unknown":
        this.#options.availability.lost(result.error);
        return await this.#settleUnknown(flush, writer);
    }
  }

  /** Each share on its own: whoever is at fault fails alone. */
  async #writeShares(flush: PendingFlush, writer: EventWriter): Promise<void> {
    for (const share of flush.shares) share.settle(await this.#writeShare(flush, share, writer));
  }

  async #writeShare(flush: PendingFlush, share: Share, writer: EventWriter): Promise<StoreResult> {
    // The same for every try: a try whose answer was lost is known by it.
    const batchNo = this.#options.numbers.next();
    if (batchNo === undefined) return { kind: "database_unavailable", countLater: false };
    for (let tries = 1; ; tries++) {
      const result = await writer.insert(flush.toShareFlush(share, batchNo));
      switch (result.kind) {
        case "committed": {
          const outcome = countStored(flush, share, new KeyBag(result.stored));
          return { kind: "stored", ...outcome };
        }
        case "refused": {
          this.#options.observer.refused("careful", result.error);
          if (isRowAtFault(result.error)) {
            const detail = `PostgreSQL refused a row of this batch (SQLSTATE ${codeOf(result.error)})`;
            return { kind: "refused", detail };
          }
          if (tries === CAREFUL_TRIES_MAX) return { kind: "database_unavailable", countLater: false };
          break;
        }
        case "unknown":
          this.#options.availability.lost(result.error);
          if (tries === CAREFUL_TRIES_MAX) return { kind: "database_unavailable", countLater: false };
          await this.#options.availability.whenAvailable();
      }
    }
  }

  /**
   * The answer was lost with the connection. Writes the same rows under the same number until PostgreSQL says
   * what became of them: the batch row tells whether the lost try was committed.
   */
  async #settleUnknown(flush: PendingFlush, writer: EventWriter): Promise<void> {
    this.#options.turns.forget(flush);
    let refusals = 0;
    let told = false;
    const timer = setTimeout(() => {
      told = true;
      for (const share of flush.shares) share.settle({ kind: "database_unavailable", countLater: true });
    }, UNKNOWN_ANSWER_MS);
    try {
      for (;;) {
        await this.#options.availability.whenAvailable();
        if (this.#options.availability.stopped) return;
        // The claim may have been what was lost, and a row whose execution has no home day cannot be stored.
        const claimed = await this.#claim(flush, writer);
        if (claimed === "unknown") continue;
        if (claimed === "refused") {
          clearTimeout(timer);
          if (told) this.#countLate(flush, undefined);
          else this.#tellUnavailable(flush);
          return;
        }
        const result = await writer.insert(flush.toFlush());
        if (result.kind === "unknown") {
          this.#options.availability.lost(result.error);
          continue;
        }
        if (result.kind === "refused") {
          this.#options.observer.refused("careful", result.error);
          // Nothing was learned: there was no session to try in.
          if (isWantOfRoom(result.error)) continue;
          if (!isRowAtFault(result.error) && ++refusals < CAREFUL_TRIES_MAX) continue;
        }
        clearTimeout(timer);
        if (told) return this.#countLate(flush, result.kind === "committed" ? result.stored : undefined);
        if (result.kind === "committed") return settleByKeys(flush, flush.shares, result.stored);
        // What is wrong with a row is found behind the batch row: the lost try is not stored. Any other
        // refusal proves nothing, and under numbers of their own the shares would be told duplicates of
        // themselves.
        if (isRowAtFault(result.error)) return await this.#writeShares(flush, writer);
        return this.#tellUnavailable(flush);
      }
    } finally {
      clearTimeout(timer);
    }
  }

  #tellUnavailable(flush: PendingFlush): void {
    for (const share of flush.shares) share.settle({ kind: "database_unavailable", countLater: false });
  }

  /** `storedKeys` undefined: PostgreSQL refused the flush. */
  #countLate(flush: PendingFlush, storedKeys: readonly StoredKey[] | undefined): void {
    const bag = storedKeys === undefined ? undefined : new KeyBag(storedKeys);
    for (const share of flush.shares) {
      const stored = bag === undefined ? undefined : countStored(flush, share, bag).accepted;
      this.#options.observer.settledLate(share.sender, share.events, stored);
    }
  }

  #noteEnvironments(flush: PendingFlush): void {
    for (const execution of flush.environments.keys()) execution.environmentKnown = true;
  }

  #buffer(): PackBuffer {
    const spare = this.#spare.pop();
    if (spare === undefined) return new PackBuffer(BUFFER_BYTES);
    spare.reset();
    return spare;
  }

  #recycle(rows: PackBuffer): void {
    if (rows.capacity <= BUFFER_KEPT_BYTES_MAX && this.#spare.length < this.#fast.writers + 2)
      this.#spare.push(rows);
  }
}
