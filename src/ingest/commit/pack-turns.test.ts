import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { PackBuffer } from "../../store/telemetry/pack-buffer.ts";
import { KnownExecution } from "../execution-registry.ts";
import { PendingFlush, ShareSummary } from "./flush.ts";
import { HeldIds } from "./held-ids.ts";
import { PackTurns } from "./pack-turns.ts";

const HOME_DAY = 20_000;
const SECONDS = (HOME_DAY - 10_957) * 86_400;
const ID_BYTES_MAX = 1_000_000;

function execution(executionNo: number, over: { homeDay?: number } = { homeDay: HOME_DAY }): KnownExecution {
  return new KnownExecution({
    projectNo: 1,
    executionNo,
    homeDay: undefined,
    environmentKnown: true,
    ...over,
  });
}

function heldIds(
  bytesMax = ID_BYTES_MAX,
  over: { bytesIdleMax?: number; clock?: () => number } = {},
): HeldIds {
  return new HeldIds({ bytesMax, bytesIdleMax: over.bytesIdleMax ?? bytesMax, idleMsMax: 5_000 }, over.clock);
}

let lastBatchNo = 0;

/** A flush of one share with an event a pair, noted as ingest notes it. */
function flushOf(...events: [KnownExecution, eventId: string][]): PendingFlush {
  const flush = new PendingFlush(new PackBuffer(64), ++lastBatchNo);
  add(flush, ...events);
  return flush;
}

function add(flush: PendingFlush, ...events: [KnownExecution, eventId: string][]): void {
  const summary = new ShareSummary({ projectNo: 1, keyId: "k" });
  const start = flush.rows.length;
  for (const [known, eventId] of events) {
    known.seen.note(eventId);
    summary.note(known, SECONDS);
    flush.rows.append(
      {
        projectNo: 1,
        executionNo: known.executionNo,
        homeDay: known.homeDayBy(SECONDS),
        eventId,
        typeCode: 1,
        sequence: 0,
        seconds: SECONDS,
        micros: 0,
        payload: "{}",
      },
      0,
      flush.batchNo,
    );
  }
  flush.rows.closePack();
  const { events: count, sender } = summary;
  flush.addShare({ sender, start, end: flush.rows.length, events: count, settle: () => {} }, summary);
}

const found = (executionNo: number, nextPackNo: number, eventIds: string[] = []) =>
  new Map([[executionNo, { nextPackNo, eventIds }]]);

/** Writes a flush on the fast lane, as the group commit does. */
function write(turns: PackTurns, flush: PendingFlush): void {
  turns.begin(flush);
  turns.committed(flush, turns.number(flush));
  turns.end(flush);
}

/** An execution of which packs 0 and 1 are stored, and which another writer writes, too. */
function sharedExecution(): { turns: PackTurns; x: KnownExecution } {
  const turns = new PackTurns(heldIds());
  const x = execution(1);
  const start = flushOf([x, "a"]);
  turns.takeIn(start, found(1, 1));
  write(turns, start);
  x.readsAhead = 8;
  return { turns, x };
}

describe("turns", () => {
  test("packs of an execution are in one flush at a time, and other executions do not wait", () => {
    const turns = new PackTurns(heldIds());
    const [x, y] = [execution(1), execution(2)];
    const [first, second, other] = [flushOf([x, "a"]), flushOf([x, "b"]), flushOf([y, "a"])];
    expect(turns.mayBegin(first)).toBe(true);
    turns.begin(first);
    expect(turns.mayBegin(second)).toBe(false);
    expect(turns.mayBegin(other)).toBe(true);
    turns.end(first);
    expect(turns.mayBegin(second)).toBe(true);
  });

  test("who waits for one of its executions is not overtaken at another", () => {
    const turns = new PackTurns(heldIds());
    const [x, y, z] = [execution(1), execution(2), execution(3)];
    const writing = flushOf([x, "a"]);
    const waits = flushOf([x, "b"], [y, "b"]);
    const late = flushOf([y, "c"]);
    turns.begin(writing);
    expect(turns.mayBegin(waits)).toBe(false);
    expect(turns.mayBegin(late)).toBe(false);
    expect(turns.mayBegin(flushOf([z, "c"]))).toBe(true);
    turns.end(writing);
    expect(turns.mayBegin(late)).toBe(false);
    expect(turns.mayBegin(waits)).toBe(true);
    turns.begin(waits);
    turns.end(waits);
    expect(turns.mayBegin(late)).toBe(true);
  });

  test("who waited longer goes first, though a later one is asked first each time", () => {
    const turns = new PackTurns(heldIds());
    const x = execution(1);
    const [first, second, third, fourth] = ["a", "b", "c", "d"].map((id) => flushOf([x, id])) as [
      PendingFlush,
      PendingFlush,
      PendingFlush,
      PendingFlush,
    ];
    turns.begin(first);
    expect(turns.mayBegin(second)).toBe(false);
    expect(turns.mayBegin(third)).toBe(false);
    turns.end(first);
    expect(turns.mayBegin(second)).toBe(true);
    turns.begin(second);
    // New, and asked before the third is asked again.
    expect(turns.mayBegin(fourth)).toBe(false);
    turns.end(second);
    expect(turns.mayBegin(fourth)).toBe(false);
    expect(turns.mayBegin(third)).toBe(true);
  });

  test("nobody waits for a flush that was given up", () => {
    const turns = new PackTurns(heldIds());
    const [x, y] = [execution(1), execution(2)];
    const writing = flushOf([x, "a"]);
    const givenUp = flushOf([x, "b"], [y, "b"]);
    const late = flushOf([y, "c"]);
    turns.begin(writing);
    expect(turns.mayBegin(givenUp)).toBe(false);
    expect(turns.mayBegin(late)).toBe(false);
    turns.leave(givenUp);
    expect(turns.mayBegin(late)).toBe(true);
    expect(y.pendingFlushes).toBe(1);
    expect(x.pendingFlushes).toBe(1);
  });

  test("every flush is written in the end, no execution by two at a time, whoever is asked and ends when", () => {
    const flushes = fc.array(fc.uniqueArray(fc.nat({ max: 5 }), { minLength: 1, maxLength: 4 }), {
      minLength: 1,
      maxLength: 25,
    });
    fc.assert(
      fc.property(flushes, fc.infiniteStream(fc.nat()), (sent, choices) => {
        const turns = new PackTurns(heldIds());
        const executions = Array.from({ length: 6 }, (_, no) => execution(no));
        const pending = sent.map((nos, nth) =>
          flushOf(...nos.map((no): [KnownExecution, string] => [executions[no]!, `e${nth}`])),
        );
        const writing: PendingFlush[] = [];
        const choose = (limit: number) => choices.next().value! % limit;
        while (pending.length > 0 || writing.length > 0) {
          const asked = choose(pending.length + 1);
          const flush = pending[asked];
          if (flush !== undefined && turns.mayBegin(flush)) {
            for (const other of writing)
              for (const known of flush.executions) expect(other.holds(known)).toBe(false);
            turns.begin(flush);
            writing.push(...pending.splice(asked, 1));
          } else if (writing.length > 0) {
            turns.end(writing.splice(choose(writing.length), 1)[0]!);
          } else {
            // Nothing is being written: somebody may begin.
            expect(pending.some((waiting) => turns.mayBegin(waiting))).toBe(true);
          }
        }
        for (const known of executions) expect(known).toMatchObject({ writing: false, pendingFlushes: 0 });
      }),
    );
  });
});

describe("what is read before a flush", () => {
  test("nothing of an execution whose packs are known, all of one whose packs are not", () => {
    const turns = new PackTurns(heldIds());
    const [fresh, met] = [execution(1, {}), execution(2)];
    const flush = flushOf([fresh, "a"], [met, "a"]);
    expect(turns.toRead(flush)).toEqual([{ projectNo: 1, executionNo: 2, homeDay: HOME_DAY, fromPackNo: 0 }]);
    turns.begin(flush);
    expect(turns.takeIn(flush, found(2, 3, ["b"]))).toBe(false);
    expect([...turns.number(flush)]).toEqual([
      [1, 1],
      [2, 4],
    ]);
    turns.committed(flush, turns.number(flush));
    turns.end(flush);
    expect(turns.toRead(flushOf([fresh, "b"], [met, "c"]))).toEqual([]);
    expect(met.seen.note("b")).toBe(true);
  });

  test("an event that is stored, or is twice in the flush, is suspected", () => {
    const turns = new PackTurns(heldIds());
    const x = execution(1);
    expect(turns.takeIn(flushOf([x, "a"], [x, "b"]), found(1, 1, ["c", "b"]))).toBe(true);
    expect(turns.takeIn(flushOf([x, "a"], [x, "b"], [x, "a"]), found(1, 1))).toBe(true);
    expect(turns.takeIn(flushOf([x, "a"], [x, "b"]), found(1, 1, ["c"]))).toBe(false);
  });

  test("what the careful lane wrote makes all flushes that wait read anew", () => {
    const turns = new PackTurns(heldIds());
    const x = execution(1, {});
    x.homeDayClaimed = true;
    const [careful, waits] = [flushOf([x, "a"]), flushOf([x, "b"])];
    expect(turns.toRead(waits)).toEqual([]);
    turns.begin(careful);
    turns.forget(careful, new Map([[1, 0]]));
    turns.end(careful);
    expect(turns.toRead(waits)).toEqual([{ projectNo: 1, executionNo: 1, homeDay: HOME_DAY, fromPackNo: 0 }]);
    expect(turns.toRead(flushOf([x, "c"]))[0]).toMatchObject({ fromPackNo: 0 });
  });

  test("once another writer was met, what it may have written since, until eight reads found nothing", () => {
    const turns = new PackTurns(heldIds());
    const x = execution(1);
    const start = flushOf([x, "a"]);
    turns.takeIn(start, found(1, 2));
    write(turns, start);
    const collided = flushOf([x, "b"]);
    turns.begin(collided);
    turns.forget(collided, new Map([[1, 5]]));
    turns.end(collided);

    const reader = flushOf([x, "c"]);
    expect(turns.toRead(reader)[0]).toMatchObject({ fromPackNo: 0 });
    turns.takeIn(reader, found(1, 6));
    write(turns, reader);
    for (let left = 8; left > 0; left--) {
      expect(x.readsAhead).toBe(left);
      const flush = flushOf([x, `d${left}`]);
      expect(turns.toRead(flush)[0]).toMatchObject({ fromPackNo: x.nextPackNo });
      turns.takeIn(flush, found(1, x.nextPackNo!));
      write(turns, flush);
    }
    expect(turns.toRead(flushOf([x, "e"]))).toEqual([]);
  });

  test("an event that waits while it is read as another writer's is asked for again", () => {
    const { turns, x } = sharedExecution();

    const reads = flushOf([x, "b"]);
    expect(turns.toRead(reads)[0]).toMatchObject({ fromPackNo: 2 });
    turns.begin(reads);
    // Found new by this thread after another had stored it, and before that was read.
    const [holds, innocent] = [flushOf([x, "theirs"]), flushOf([x, "c"])];
    expect(turns.takeIn(reads, found(1, 3, ["theirs"]))).toBe(false);
    turns.committed(reads, turns.number(reads));
    turns.end(reads);
    expect(turns.toRead(holds)).toEqual([{ projectNo: 1, executionNo: 1, homeDay: HOME_DAY, fromPackNo: 0 }]);
    expect(turns.takeIn(holds, found(1, 4, ["a", "theirs", "b"]))).toBe(true);
    expect(turns.toRead(innocent)[0]).toMatchObject({ fromPackNo: 0 });
  });

  test("ids of another writer that no flush waits with cost no second reading", () => {
    const { turns, x } = sharedExecution();
    const reads = flushOf([x, "b"]);
    turns.begin(reads);
    const waits = flushOf([x, "c"]);
    turns.takeIn(reads, found(1, 3, ["theirs"]));
    turns.committed(reads, turns.number(reads));
    turns.end(reads);
    expect(turns.toRead(waits)[0]).toMatchObject({ fromPackNo: 4 });
  });
});

test("a flush that holds an execution as two objects says so", () => {
  const flush = flushOf([execution(1), "a"], [execution(2), "a"]);
  expect(flush.holdsTwice).toBe(false);
  add(flush, [execution(2), "a"]);
  expect(flush.holdsTwice).toBe(true);
});

describe("memory", () => {
  const ids = (nth: number) => Array.from({ length: 40 }, (_, id) => `e${nth}-${id}`);
  const events = (known: KnownExecution, nth = 0) =>
    ids(nth).map((id): [KnownExecution, string] => [known, id]);

  test("ids of what was unused longest go first, and are read again", () => {
    const held = heldIds(1_500);
    const turns = new PackTurns(held);
    const executions = Array.from({ length: 10 }, (_, no) => execution(no, {}));
    for (const known of executions) {
      known.homeDayClaimed = true;
      write(turns, flushOf(...events(known)));
      expect(held.bytes).toBeLessThanOrEqual(1_500);
    }
    const kept = executions.filter((known) => known.nextPackNo !== undefined);
    expect(kept).toEqual(executions.slice(-kept.length));
    expect(kept.length).toBeGreaterThan(0);
    const [gone] = executions;
    expect(gone!.seen.byteLength).toBe(0);
    expect(turns.toRead(flushOf([gone!, "f"]))[0]).toMatchObject({ fromPackNo: 0 });
  });

  test("ids of executions that are not used go earlier, those in use stay", () => {
    let nowMs = 0;
    const held = heldIds(1_000_000, { bytesIdleMax: 1_500, clock: () => nowMs });
    const turns = new PackTurns(held);
    const executions = Array.from({ length: 10 }, (_, no) => execution(no, {}));
    for (const known of executions) {
      known.homeDayClaimed = true;
      write(turns, flushOf(...events(known)));
      nowMs += 1_000;
    }
    const isHeld = (known: KnownExecution) => known.nextPackNo !== undefined;
    // The last was used 1 s before now; 5 s before the last's use, four others were.
    expect(executions.map(isHeld)).toEqual([false, false, false, false, true, true, true, true, true, true]);
    nowMs = 60_000;
    write(turns, flushOf(...events(executions[9]!, 1)));
    expect(held.bytes).toBeLessThanOrEqual(1_500);
    expect(isHeld(executions[9]!)).toBe(true);
  });

  test("ids of events on their way stay", () => {
    const held = heldIds(0);
    const turns = new PackTurns(held);
    const [x, y] = [execution(1, {}), execution(2, {})];
    x.homeDay = HOME_DAY;
    x.homeDayClaimed = true;
    const [first, second] = [flushOf(...events(x)), flushOf([x, "g"])];
    write(turns, first);
    write(turns, flushOf([y, "a"]));
    expect(x.seen.note("e0-0")).toBe(true);
    expect(turns.toRead(second)).toEqual([]);
    write(turns, second);
    expect(x.seen.byteLength).toBe(0);
    expect(held.bytes).toBe(0);
  });

  test("ids that were noted for nothing count, and go", () => {
    const held = heldIds(1_500);
    const turns = new PackTurns(held);
    const x = execution(1);
    for (let nth = 0; nth < 50; nth++) {
      for (const id of ids(nth)) x.seen.note(id);
      turns.noted([x]);
      expect(x.seen.byteLength).toBeLessThanOrEqual(1_500);
      expect(held.bytes).toBeLessThanOrEqual(1_500);
    }
  });
});
